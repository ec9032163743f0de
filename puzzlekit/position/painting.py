"""Paintings: stickers as someone paints them one by one, and what is wrong with them so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from puzzlekit.diagnosis.diagnose import Fault
from puzzlekit.errors import StateError, UsageError
from puzzlekit.position.repair import Repair, repairs
from puzzlekit.position.sticker_reading import interpret
from puzzlekit.position.symbols import fold
from puzzlekit.puzzle.appearance import UNKNOWN
from puzzlekit.puzzle.puzzle import Puzzle


class Painting(NamedTuple):
    """Stickers that may be painted in part, and what can be said of them.

    `stickers` is what was inspected, without blanks; `symbols` the face that each symbol stands
    for, in the order of the faces; `counts` how many stickers each symbol has, `expected` how many
    it should have; `unpainted` how many stickers are still to come. `faults` is all that is wrong,
    each fault with the painted facelets that it is about; `repairs` the smallest changes that leave
    no fault. `state` is there once all is painted and nothing is wrong.
    """

    stickers: str
    symbols: Mapping[str, str]
    counts: Mapping[str, int]
    expected: Mapping[str, int]
    unpainted: int
    faults: tuple[Fault, ...]
    repairs: tuple[Repair, ...]
    state: bytes | None


def inspect(puzzle: Puzzle, stickers: str, scheme: str | None = None) -> Painting:
    """What is wrong with stickers of which some ("?") may not be painted yet.

    `stickers` and `scheme` are as for `read_facelets`; as long as some are missing they are in face
    letters or those of a scheme of the layout, unless `scheme` gives others. Of all that is painted
    the faults are those that `read_facelets` names. Before that only what no further painting can
    mend is a fault: too many stickers of a colour, painted stickers that no piece has, a piece that
    is there twice, an orbit that is painted and breaks a constraint. (Not all that cannot be mended
    is noticed so early.) What only one piece can show counts as that piece.

    Raises a StateError if there are not as many stickers as the puzzle has, a UsageError if it has
    none or the scheme is unknown.

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
    painted = fold(layout, stickers)
    if scheme is not None and UNKNOWN in scheme:
        raise UsageError(f"{UNKNOWN} stands for a sticker that is not painted, not for a face")
    unpainted = painted.count(UNKNOWN)
    reading = interpret(puzzle, painted, scheme, unfinished=unpainted > 0)
    if len(painted) != len(layout.face_of):
        raise StateError(reading.faults)
    symbols = dict(sorted(reading.symbols.items(), key=lambda pair: layout.faces.index(pair[1])))
    sound = not (reading.faults or unpainted)
    return Painting(
        stickers=painted,
        symbols=symbols,
        counts={symbol: painted.count(symbol) for symbol in symbols},
        expected={symbol: layout.face_of.count(i) for i, symbol in enumerate(symbols)},
        unpainted=unpainted,
        faults=tuple(
            Fault(fault, (i for i in fault.facelets if painted[i] != UNKNOWN))
            for fault in reading.faults
        ),
        repairs=() if sound or unpainted else repairs(puzzle, reading, painted),
        state=reading.state if sound else None,
    )
