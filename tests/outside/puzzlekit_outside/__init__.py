"""A plugin as others write it: a strategy, a kind of pruning table, and one of coordinates.

Two rings of four beads share the bead D. It imports nothing of puzzlekit but public names.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit import (
    Combination,
    Method,
    Metric,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit_outside.both_ends import BothEnds
from puzzlekit_outside.near import Near
from puzzlekit_outside.seats import Seat

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """The two rings: L turns A B C D, R turns D E F G."""
    beads = Orbit("beads", "bead", "A B C D E F G")
    turns = {
        "L": (bytes([1, 2, 3, 0, 4, 5, 6]), bytes(7)),
        "R": (bytes([0, 1, 2, 4, 5, 6, 3]), bytes(7)),
    }
    metric = Metric("TURNS", "turns of a ring by any angle", {"L": 1, "R": 1})
    return Puzzle("outside", "Two rings from outside", (beads,), turns, (metric,))


def methods(rings: Puzzle) -> list[Method]:
    """The method `both-ends`, in two phases, and `plain`, the same by puzzlekit's own strategy.

    And `near`, in one phase, with a table of its own kind, and `seats`, with coordinates of
    theirs.
    """
    pair = Phase(
        name="pair",
        goal="A and C at A and C",
        moves="L R",
        coordinates=(Combination("pair", rings, "beads", "A C"),),  # 7 choose 2
        tables=("pair",),
        goal_moves="L2 R",
    )
    order = Phase(
        name="order",
        goal="every bead is at home",
        moves="L2 R",
        coordinates=(Permutation("order", rings, "beads"),),  # 7!
        tables=("order",),
        bits=8,
    )
    left = Permutation("left", rings, "beads", "A B C")  # 7 * 6 * 5
    right = Permutation("right", rings, "beads", "E F G")
    solve = Phase(
        name="solve",
        goal="every bead is at home",
        moves="L R",
        coordinates=(left, right),
        tables=(Near("left right", most=5),),
    )
    seats = tuple(Seat(f"seat-{name}", rings, "beads", name) for name in "ABCDEFG")
    sit = Phase(
        name="sit",
        goal="every bead is at home",
        moves="L R",
        coordinates=seats,
        tables=("seat-A seat-B seat-C", "seat-E seat-F seat-G"),
    )
    phases = (pair, order)
    return [
        Method("both-ends", "two phases, from either end", phases, BothEnds()),
        Method("plain", "two phases", phases),
        Method("near", "shortest answers", (solve,)),
        Method("seats", "shortest answers", (sit,)),
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register the puzzle."""
    yield PuzzleEntry("outside", "Two rings from outside", puzzle, methods)
