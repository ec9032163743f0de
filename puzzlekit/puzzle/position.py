"""Positions as people write them: text with moves or stickers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit.errors import NotationError, StateError
from puzzlekit.puzzle.arrangement import is_plain, net_in
from puzzlekit.puzzle.given import check_text
from puzzlekit.puzzle.grid import is_grid
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    from puzzlekit.puzzle.notation import Parentheses
    from puzzlekit.puzzle.pasted import Pasted

__all__ = ["Position", "read_moves", "read_position_with_scheme", "stickers_in"]

_BETWEEN_FACES = str.maketrans("/|,;", "    ")
_LABEL_ENDS = ".:)"  # of a word in front of a state: "1." or "Scramble:"


class Position(NamedTuple):
    """A state, and the face of each symbol if it was read from stickers.

    `symbols` is None if the state was read from moves.
    """

    state: bytes
    symbols: Mapping[str, str] | None = None


def read_position(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> bytes:
    """Return the state that a text describes by stickers, or by moves from the solved state.

    A text is read as stickers if it has one symbol for each sticker of the puzzle. Such a text has
    no brackets, and no number or prime mark after a letter. It is one word, or several words of at
    least two symbols each. A printed net is read as stickers, too (see
    `puzzlekit.puzzle.arrangement.net_in`). If the puzzle has a `Grid`, a text of numbers is read
    as a state. All other text is read as moves. `state:` or `moves:` at the start of the text
    overrides these rules. The text may also be pasted: a numbered line, a line of a timer or a link
    (see `puzzlekit.puzzle.pasted`). `scheme` and `order` are as for `read_facelets`.

    A likely mistake gives a UserWarning. Raises NotationError if moves cannot be read, and
    StateError if the stickers show no possible state.
    """
    return read_position_with_scheme(puzzle, text, scheme, order).state


def read_position_with_scheme(
    puzzle: Puzzle, text: str, scheme: str | None = None, order: str | None = None
) -> Position:
    """Return the state as `read_position` does, and the face of each symbol of stickers."""
    check_text(text, "a position to be read")
    found = stickers_or_moves(puzzle, text)
    if isinstance(found, str):
        from puzzlekit.puzzle.sticker_reading import read_facelets_with_scheme

        try:
            return Position(*read_facelets_with_scheme(puzzle, found, scheme, order))
        except StateError:
            if ":" not in text and _reads_as_moves(puzzle, found):
                warnings.warn(
                    f"read as a state of {len(found)} stickers; if you meant moves, write 'moves:' "
                    "in front of them",
                    stacklevel=3,
                )
            raise
    state = puzzle.apply(puzzle.solved, found)
    groups, plain = _plain_groups(text)
    count = sum(map(len, groups))
    wanted = _sticker_count(puzzle)
    if plain and wanted * 3 < count * 4 < wanted * 5:
        warnings.warn(
            f"read as {count} moves; if you meant a state: it needs {wanted} stickers",
            stacklevel=3,
        )
    return Position(state)


def read_moves(puzzle: Puzzle, text: str, parentheses: Parentheses = "groups") -> tuple[Move, ...]:
    """Return the moves in a text, which may be pasted.

    If the text is a link, the result has the moves after the setup. `parentheses` says what
    parentheses mean: see `Notation.parse`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [move.name for move in read_moves(cube, "Solution: R U2")]
    ['R', 'U2']
    >>> link = "https://alg.cubing.net/?setup=F_B&alg=U2_R-"
    >>> [move.name for move in read_moves(cube, link)]
    ['U2', "R'"]
    """
    try:
        return puzzle.moves(text, parentheses)
    except NotationError as error:
        pasted = _unwrapped(puzzle, text, "alg", error)
        return _pasted_moves(puzzle, pasted, text, parentheses)


def stickers_in(puzzle: Puzzle, text: str) -> str | None:
    """Return the stickers or numbers in a text.

    The result is None if `read_position` reads the text as moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> stickers_in(cube, "UUUU RRRR FFFF DDDD LLLL BBB? // half painted")
    'UUUURRRRFFFFDDDDLLLLBBB?'
    >>> stickers_in(cube, "R U F2")
    """
    try:
        found = stickers_or_moves(puzzle, text)
    except NotationError:
        return None
    return found if isinstance(found, str) else None


def stickers_or_moves(puzzle: Puzzle, text: str) -> str | tuple[Move, ...]:
    """Return the stickers or the moves in a text, which may be pasted."""
    stickers = _plain_stickers(puzzle, text)
    if stickers is not None:
        return stickers
    try:
        return puzzle.moves(text)
    except NotationError as error:
        pasted = _unwrapped(puzzle, text, "setup", error)
        if pasted.kind == "state":
            return _plain_stickers(puzzle, pasted.text) or _without_comment(pasted.text)
        stickers = None if pasted.kind else _plain_stickers(puzzle, pasted.text)
        return stickers or _pasted_moves(puzzle, pasted, text)


def _unwrapped(puzzle: Puzzle, text: str, wanted: str, error: NotationError) -> Pasted:
    """Return the inner part of a text that cannot be read.

    Raises `error` if the text has no such part.
    """
    from puzzlekit.puzzle.pasted import unwrap  # rarely needed, and its patterns take time

    pasted = unwrap(text, wanted) if error.column else None
    if pasted is None:
        raise error
    known_as = puzzle.layout.viewer if puzzle.layout else ""
    if pasted.puzzle and known_as and pasted.puzzle not in (known_as, puzzle.name):
        raise NotationError(
            f"the link is for the puzzle {pasted.puzzle}, not for {puzzle.name}",
            text=text,
            hint="choose that puzzle",
        )
    return pasted


def _pasted_moves(
    puzzle: Puzzle, pasted: Pasted, text: str, parentheses: Parentheses = "groups"
) -> tuple[Move, ...]:
    """Return the moves in pasted text. An error has the column in the whole text."""
    try:
        moves = puzzle.moves(pasted.text, "inverse" if pasted.kind == "inverse" else parentheses)
    except NotationError as error:
        raise pasted.retold(error, text) from None
    if pasted.undone is None:
        return moves
    return moves + puzzle.undo(_pasted_moves(puzzle, pasted.undone, text))


def _plain_stickers(puzzle: Puzzle, text: str) -> str | None:
    """Return the stickers or numbers of a text that looks like a state; None for other text."""
    bare = _without_comment(text)
    if puzzle.grid is not None and is_grid(bare) and bare.split()[0][-1] not in _LABEL_ENDS:
        return bare
    if puzzle.layout is not None and (net := net_in(puzzle.layout, text)) is not None:
        return net
    for given in (bare, bare.translate(_BETWEEN_FACES)):
        groups, plain = _plain_groups(given)
        stickers = "".join(groups)
        if plain and len(stickers) == _sticker_count(puzzle):
            return stickers
    return None


def _sticker_count(puzzle: Puzzle) -> int:
    return len(puzzle.layout.face_of) if puzzle.layout else -1


def _plain_groups(text: str) -> tuple[list[str], bool]:
    """Return the words of a text, and whether they may be stickers.

    Stickers are one word, or several words of more than one symbol.
    """
    groups = _without_comment(text).split()
    plain = is_plain("".join(groups)) and (len(groups) == 1 or min(map(len, groups)) > 1)
    return groups, plain


def _reads_as_moves(puzzle: Puzzle, text: str) -> bool:
    try:
        puzzle.moves(text)
    except NotationError:
        return False
    return True


def _without_comment(text: str) -> str:
    """Return the text before a comment. A space precedes each comment."""
    for mark in (" #", "\t#", " //", "\t//"):
        text = text.partition(mark)[0]
    return text
