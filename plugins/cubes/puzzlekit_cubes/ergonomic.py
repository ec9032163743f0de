"""How two hands turn a cube: the metric `ergonomic`.

The idea is the movecount coefficient (MCC) of Trangium's program BatchSolver. MCC simulates the
wrists and fingers of two hands. It adds up the times of turns, of new grips, and of fingers that
turn twice in a row. The ways and numbers here are our own, and much simpler. They are estimates,
not measurements.

The unit is half of an easy quarter turn. A cuber holds the cube with the thumbs on F (`home`). A
turn of a wrist brings its thumb to the layer U (`up`) or to the layer D (`down`).
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit import Puzzle
from puzzlekit_robots import Hands, Way

_GRIPS = ("home", "up", "down")
_HANDS = ("right", "left")


def ergonomic(puzzle: Puzzle) -> Hands:
    """Return the metric `ergonomic` with ways for all moves of a cube."""
    ways = tuple(way for way in _ways() if set(way.moves.split()) <= _names(puzzle))
    return Hands(
        name="ergonomic",
        title="effort of two hands: wrists, fingers and new grips",
        grips=dict.fromkeys(_HANDS, _GRIPS),
        ways=ways,
        regrip=3,
        again=1,
    )


def _names(puzzle: Puzzle) -> set[str]:
    return {move.name for move in puzzle.family_moves(puzzle.families)}


def _ways() -> Iterator[Way]:
    for hand, layers, lifts, lowers in (("right", "R Rw", "", "'"), ("left", "L Lw", "'", "")):
        for layer in layers.split():
            for before, after in (("down", "home"), ("home", "up")):
                yield Way(f"{layer}{lifts}", hand, 2, before, after)
                yield Way(f"{layer}{lowers}", hand, 2, after, before)
            yield Way(f"{layer}2", hand, 3, "down", "up")
            yield Way(f"{layer}2", hand, 3, "up", "down")
    for layer, more in (("U", 0), ("Uw", 1)):
        yield from _flicks(layer, "index", 2 + more, 3 + more)
    for layer, more in (("D", 0), ("Dw", 1)):
        yield from _flicks(layer, "ring", 2 + more, 3 + more, "home", towards="'")
    for layer, more in (("F", 0), ("Fw", 1)):
        yield from _flicks(layer, "index", 3 + more, 5 + more, "up down")
        yield from _flicks(layer, "thumb", 4 + more, 6 + more, "home")
    for layer, more in (("B", 0), ("Bw", 1)):
        yield from _flicks(layer, "index", 4 + more, 6 + more, "up", towards="'")
        yield from _flicks(layer, "ring", 4 + more, 6 + more, "home", towards="'")
    yield Way("M' M2", "left", 2, "home", finger="ring")
    yield Way("M", "left", 3, "home", finger="ring")
    for layer in "SE":
        yield from _flicks(layer, "index", 4, 6)
    for rotation in "xyz":
        for turn, cost in (("", 3), ("'", 3), ("2", 4)):
            yield Way(f"{rotation}{turn}", "right", cost)


def _flicks(
    layer: str, finger: str, quarter: int, half: int, grips: str = "", towards: str = ""
) -> Iterator[Way]:
    """Yield the turns of a layer by a finger. The right hand pulls in the direction `towards`."""
    other = "" if towards else "'"
    for hand, turn in (("right", towards), ("left", other)):
        yield Way(f"{layer}{turn}", hand, quarter, grips, finger=finger)
        yield Way(f"{layer}2", hand, half, grips, finger=finger)
