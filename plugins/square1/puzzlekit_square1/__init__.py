"""The Square-1, which changes its shape.

Each layer has twelve places, one for each hour. A corner takes two places and an edge one, so a
corner is a block of two halves. `/` turns the right half of the puzzle by half a turn; it must not
cut a corner. `(x,y)` turns the top layer by x hours and the bottom layer by y hours, clockwise as
seen from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import Method, Metric, Orbit, Phase, Puzzle, PuzzleEntry, hookimpl
from puzzlekit.puzzle.orbit import Bandaged, Law
from puzzlekit_square1 import engine as engine  # so that it is compiled, or the plugin is refused

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Effect
    from puzzlekit_events import Event

puzzlekit_api = 2

# The places, named after the solved pieces: first the top layer, clockwise from the cut at the
# front, then the bottom layer in the same way. A small letter is the second half of a corner.
PLACES = "A a 1 B b 2 C c 3 D d 4 5 E e 6 F f 7 G g 8 H h"
CORNERS = "ABCDEFGH"
EDGES = "12345678"


def _moved(sources: list[int], flipped: int = 0) -> Effect:
    """Return the effect of a move of the 24 places, which may turn the middle layer."""
    return bytes([*sources, 24, 25]), bytes([0] * 25 + [flipped])


def faults(_: Puzzle, state: bytes) -> list[str]:
    """Return the faults of a state: corners whose halves are not beside each other."""
    from puzzlekit_square1.pieces import HALVES, following

    names = PLACES.split()
    return [
        f"the halves of corner {names[one]} are not beside each other"
        for one, other in HALVES
        if state[following(state.index(one, 0, 24))] != other
    ]


def puzzle() -> Puzzle:
    """Make the Square-1. It has 11,958,666,854,400 states that can be cut."""
    from puzzlekit_square1.pieces import Pieces, drawn
    from puzzlekit_square1.words import in_words

    top, bottom = [*range(12)], [*range(12, 24)]
    turns = {
        "U": _moved([11, *range(11), *bottom]),
        "D": _moved([*top, 23, *range(12, 23)]),
        "/": _moved([*top[:6], *bottom[:6], *top[6:], *bottom[6:]], 1),
    }
    return Puzzle(
        name="square1",
        title="Square-1",
        orbits=(
            Orbit("pieces", "piece", PLACES),
            Orbit("middle", "middle layer", "M", orientations=2),
        ),
        turns=turns,
        metrics=(
            Metric("SLASHES", "slashes; turns of layers are free", {"U": 0, "D": 0, "/": 1}),
            Metric("TWISTS", "turns of a layer, and slices", dict.fromkeys(turns, 1)),
        ),
        constraints=(
            Bandaged(tuple({"pieces": f"{corner} {corner.lower()}"} for corner in CORNERS)),
            Law(("pieces",), faults, settle=drawn),
        ),
        hints=lambda _: "moves are (x,y) or x,y, hours of the top and bottom layer, and /",
        grouped=("U", "D"),
        writing=Pieces(),
        move_words=in_words,
    )


def methods(square: Puzzle) -> list[Method]:
    """Return the method for shortest answers."""
    from puzzlekit_square1.search import SliceBySlice

    solve = Phase("solve", "the puzzle is solved", "U D /", (), ())
    metrics = tuple(metric.name for metric in square.metrics)
    title = "shortest answers in slashes or in twists"
    return [Method("optimal", title, (solve,), metrics=metrics, strategy=SliceBySlice())]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register square1."""
    yield PuzzleEntry("square1", "Square-1", puzzle, methods, ("sq1", "sq-1", "square-one"))


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register sq1."""
    from puzzlekit_events import AtMost, Event

    # The regulations ask for 11 moves, of which a slice is one, and (x,y) another one. An answer of
    # n slices has at least 2n - 1 moves.
    yield Event(
        "sq1",
        "Square-1",
        "square1",
        least=6,
        moves=AtMost(None, "optimal"),
        judge="optimal",
        held="yellow on top, red in front",
    )
