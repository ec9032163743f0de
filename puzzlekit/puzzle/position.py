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
    prefix, colon, rest = text.partition(":")
    forced = prefix.strip().lower()
    if colon and forced == "state":
        return Position(*read_facelets_with_scheme(puzzle, stickers_in(text), scheme))
    if colon and forced == "moves":
        try:
            return Position(_moved(puzzle, " " * (len(prefix) + 1) + rest))
        except NotationError as error:
            raise NotationError(
                error.problem, text=text, token=error.token, column=error.column, hint=error.hint
            ) from None
    if puzzle.grid is not None and is_grid(_without_comment(text)):
        return Position(*read_facelets_with_scheme(puzzle, _without_comment(text), scheme))
    groups = _without_comment(text).split()
    stickers = "".join(groups)
    wanted = len(puzzle.layout.face_of) if puzzle.layout else -1
    plain = _is_plain(stickers) and (len(groups) == 1 or min(map(len, groups)) > 1)
    if plain and len(stickers) == wanted:
        try:
            return Position(*read_facelets_with_scheme(puzzle, stickers, scheme))
        except StateError:
            if _reads_as_moves(puzzle, stickers):
                warnings.warn(
                    f"read as a state of {wanted} stickers; 'moves: ...' has it read as moves",
                    stacklevel=3,
                )
            raise
    state = _moved(puzzle, text)
    if plain and wanted * 3 < len(stickers) * 4 < wanted * 5:
        warnings.warn(
            f"read as {len(stickers)} moves; if it is meant as a state: that has {wanted} stickers",
            stacklevel=3,
        )
    return Position(state)


def stickers_in(text: str) -> str:
    """The stickers of a text that `read_position` takes for a state."""
    prefix, colon, rest = text.partition(":")
    return _without_comment(rest if colon and prefix.strip().lower() == "state" else text)


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
