"""Positions as people write them: moves or stickers, told apart by how the text looks."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit.errors import NotationError, StateError
from puzzlekit.puzzle.facelets import read_facelets_with_scheme
from puzzlekit.puzzle.grid import is_grid

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle

_BRACKETS = "()[],:"
_SUFFIXES = "'`\u00b4\u02bc\u2018\u2019\u2032"  # what makes a move of a letter, but for digits


class Position(NamedTuple):
    """A state, and for stickers which symbol stood for which face (None for moves)."""

    state: bytes
    symbols: Mapping[str, str] | None = None


def read_position(puzzle: Puzzle, text: str, scheme: str | None = None) -> bytes:
    """The state that a text means: stickers if it looks so, else moves from the solved state.

    It is a state if it has as many symbols as the puzzle has stickers, without brackets, numbers
    or prime marks after a letter, in one word or in groups of more than one symbol each. `state:`
    or `moves:` in front forces either; what may be a slip gives a UserWarning. Of a puzzle with a
    `Grid` a text of numbers is a state. Raises a NotationError or a StateError.
    """
    return read_position_with_scheme(puzzle, text, scheme).state


def read_position_with_scheme(puzzle: Puzzle, text: str, scheme: str | None = None) -> Position:
    """As `read_position`, with what the symbols of stickers stand for."""
    stickers = stickers_in(puzzle, text)
    if stickers is not None:
        try:
            return Position(*read_facelets_with_scheme(puzzle, stickers, scheme))
        except StateError:
            if ":" not in text and _reads_as_moves(puzzle, stickers):
                warnings.warn(
                    f"read as a state of {len(stickers)} stickers; 'moves: ...' has it read as "
                    "moves",
                    stacklevel=3,
                )
            raise
    prefix, colon, rest = text.partition(":")
    if colon and prefix.strip().lower() == "moves":
        try:
            return Position(_moved(puzzle, " " * (len(prefix) + 1) + rest))
        except NotationError as error:
            raise NotationError(
                error.problem, text=text, token=error.token, column=error.column, hint=error.hint
            ) from None
    state = _moved(puzzle, text)
    groups, plain = _plain_groups(text)
    count = sum(map(len, groups))
    wanted = _sticker_count(puzzle)
    if plain and wanted * 3 < count * 4 < wanted * 5:
        warnings.warn(
            f"read as {count} moves; if it is meant as a state: that has {wanted} stickers",
            stacklevel=3,
        )
    return Position(state)


def stickers_in(puzzle: Puzzle, text: str) -> str | None:
    """The stickers (or numbers) in a text that `read_position` takes for a state; None for moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> stickers_in(cube, "UUUU RRRR FFFF DDDD LLLL BBB? // half painted")
    'UUUURRRRFFFFDDDDLLLLBBB?'
    >>> stickers_in(cube, "R U F2")
    """
    prefix, colon, rest = text.partition(":")
    if colon and prefix.strip().lower() == "state":
        return _without_comment(rest)
    if puzzle.grid is not None and is_grid(_without_comment(text)):
        return _without_comment(text)
    groups, plain = _plain_groups(text)
    stickers = "".join(groups)
    return stickers if plain and len(stickers) == _sticker_count(puzzle) else None


def _sticker_count(puzzle: Puzzle) -> int:
    return len(puzzle.layout.face_of) if puzzle.layout else -1


def _plain_groups(text: str) -> tuple[list[str], bool]:
    """The words of a text, and whether they may be stickers: in one word, or in longer ones."""
    groups = _without_comment(text).split()
    plain = _is_plain("".join(groups)) and (len(groups) == 1 or min(map(len, groups)) > 1)
    return groups, plain


def _moved(puzzle: Puzzle, text: str) -> bytes:
    return puzzle.apply(puzzle.solved, puzzle.moves(text))


def _reads_as_moves(puzzle: Puzzle, text: str) -> bool:
    try:
        puzzle.moves(text)
    except NotationError:
        return False
    return True


def _without_comment(text: str) -> str:
    """The text up to a comment, which has a blank in front of it."""
    for mark in (" #", "\t#", " //", "\t//"):
        text = text.partition(mark)[0]
    return text


def _is_plain(text: str) -> bool:
    """Whether the text has no bracket, and no number or prime mark after a letter."""
    after_letter = False
    for char in text:
        if char in _BRACKETS or char in _SUFFIXES or (after_letter and char.isdecimal()):
            return False
        after_letter = char.isalpha()
    return bool(text)
