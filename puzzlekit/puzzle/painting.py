"""Paintings: stickers that a person paints one by one, with their faults so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from puzzlekit.errors import StateError, UsageError
from puzzlekit.puzzle.appearance import UNKNOWN
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.repair import Repair, repairs
from puzzlekit.puzzle.sticker_reading import interpret, stickers_of

__all__ = ["inspect"]

_BRIEF = 0.1  # seconds; for a search while someone paints


class Painting(NamedTuple):
    """Stickers that may be partly painted, with their faults and repairs."""

    #: The inspected stickers, without white space.
    stickers: str
    #: The face of each symbol, in the order of the faces.
    symbols: Mapping[str, str]
    #: The number of stickers of each symbol.
    counts: Mapping[str, int]
    #: The correct number of stickers of each symbol.
    expected: Mapping[str, int]
    #: The number of unpainted stickers.
    unpainted: int
    #: All faults. Each fault has the painted facelets that it affects.
    faults: tuple[Fault, ...]
    #: The changes that remove all faults, the smallest first. If some stickers are unpainted but
    #: there are no faults: the ways to paint these stickers, if there are at most five.
    repairs: tuple[Repair, ...]
    #: The state. It is None if a sticker is unpainted or there are faults.
    state: bytes | None


def inspect(puzzle: Puzzle, stickers: str, scheme: str | None = None) -> Painting:
    """Return the faults of stickers and their repairs. Unpainted stickers are "?".

    `stickers` and `scheme` are as for `read_facelets`. If some stickers are unpainted, the painted
    stickers must be face letters or letters of a known scheme, unless `scheme` names other symbols.

    If all stickers are painted, the faults are the same as those that `read_facelets` reports. If
    some are unpainted, the result has only faults that remain however the rest is painted. These
    are too many stickers of a colour, stickers that no piece has, duplicate pieces, and a painted
    orbit that breaks a constraint. Some of these faults are found only when more stickers are
    painted. A partly painted piece is known as soon as only one piece matches. If half of the
    stickers are painted and allow at most five states, the repairs paint the others.

    Raises a StateError for a wrong number of stickers. Raises a UsageError if the puzzle has no
    stickers or the scheme is unknown.

    >>> from puzzlekit.puzzle.orbit import Orbit
    >>> from puzzlekit.puzzle.puzzle import Puzzle
    >>> from puzzlekit.puzzle.layout import FaceletLayout
    >>> lights = {"dots": ((0,), (1,), (2,))}
    >>> layout = FaceletLayout("ABC", (0, 1, 2), lights, (), {}, ())
    >>> three = Puzzle("three", "", (Orbit("dots", "dot", "A B C"),), {}, (), layout=layout)
    >>> inspect(three, "c??").faults
    ()
    >>> painting = inspect(three, "c?c")
    >>> painting.faults
    ('2 stickers of C instead of 1', 'dot C is there twice: at A and at C')
    >>> painting.faults[1].facelets, painting.unpainted
    ((0, 2), 1)
    """
    layout = puzzle.layout
    if layout is None:
        raise UsageError(f"{puzzle.name} has no stickers to paint")
    if scheme is not None and UNKNOWN in scheme:
        raise UsageError(f"{UNKNOWN} stands for a sticker that is not painted, not for a face")
    painted = stickers_of(layout, stickers, scheme)
    unpainted = painted.count(UNKNOWN)
    reading = interpret(puzzle, painted, scheme, unfinished=unpainted > 0)
    if len(painted) != len(layout.face_of):
        raise StateError(reading.faults)
    symbols = dict(sorted(reading.symbols.items(), key=lambda pair: layout.faces.index(pair[1])))
    sound = not (reading.faults or unpainted)
    faults = reading.faults
    mended: tuple[Repair, ...] = ()
    if faults and not unpainted:
        mended = repairs(puzzle, reading, painted)
    elif 0 < 2 * unpainted <= len(painted) and not faults:
        faults, mended = _completing(puzzle, painted, reading.symbols)
    return Painting(
        stickers=painted,
        symbols=symbols,
        counts={symbol: painted.count(symbol) for symbol in symbols},
        expected={symbol: layout.colour_of.count(i) for i, symbol in enumerate(symbols)},
        unpainted=unpainted,
        faults=tuple(
            Fault(fault, (i for i in fault.facelets if painted[i] != UNKNOWN)) for fault in faults
        ),
        repairs=mended,
        state=reading.state if sound else None,
    )


def _completing(
    puzzle: Puzzle, stickers: str, mapping: Mapping[str, str]
) -> tuple[list[Fault], tuple[Repair, ...]]:
    """Return the repairs that fill in the UNKNOWN stickers of a painting, if there are only a few.

    If no state has the other stickers, the result has a fault instead.
    """
    from puzzlekit.puzzle.completion import LISTED, complete, new_stickers

    found = complete(puzzle, stickers, mapping, LISTED, _BRIEF)
    if not found.all:
        return [], ()
    if not found.stickers:
        return [Fault("no state has the painted stickers: one of them is wrong")], ()
    unknown = tuple(i for i, symbol in enumerate(stickers) if symbol == UNKNOWN)
    return [], tuple(
        Repair(f"fill in {new_stickers(puzzle, stickers, text)}", text, unknown)
        for text in found.stickers
    )
