"""For the tests: four corners and four beads, of which everything can be listed.

Each of four turns carries three corners round, twisted, and three beads the other way, two of them
flipped. A fifth one exchanges corners and beads in pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from resolving import resolve

from puzzlekit import (
    Combination,
    Method,
    Metric,
    Optimal,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Plain,
    Puzzle,
    Solver,
    TableStore,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit_cubes import Based, ProveBothSides

FAMILIES = "A B C D E"
_ROUND = {"A": (1, 3, 2), "B": (0, 2, 3), "C": (0, 3, 1), "D": (0, 1, 2)}

Mirror = Mapping[str, tuple[str, int]]


def mirror(images: str, sign: int) -> Mirror:
    """What becomes of the turns; the fifth one stays."""
    return {name: (image, sign) for name, image in zip("ABCDE", f"{images}E", strict=True)}


def puzzle_of(flips: Mapping[str, tuple[int, int]], mirrors: tuple[Mirror, ...] = ()) -> Puzzle:
    """The puzzle where each turn flips these two beads."""
    turns = {}
    for name, (x, y, z) in _ROUND.items():
        gather, add = list(range(16)), [0] * 16
        for to, source in ((y, x), (z, y), (x, z)):
            gather[to], gather[4 + to], add[4 + to] = source, 4 + source, 1
            gather[8 + source], gather[12 + source] = 8 + to, 12 + to
        for place in flips[name]:
            add[12 + place] = 1
        turns[name] = bytes(gather), bytes(add)
    turns["E"] = bytes(start + to for start in (0, 4, 8, 12) for to in (1, 0, 3, 2)), bytes(16)
    corners = Orbit("corners", "corner", "a b c d", orientations=3)
    beads = Orbit("beads", "bead", "p q r s", orientations=2)
    metric = Metric("TURNS", "turns", dict.fromkeys(turns, 1))
    return Puzzle("four", "Four", (corners, beads), turns, (metric,), reflections=mirrors)


class Case(NamedTuple):
    """A puzzle, and what is declared of the cosets."""

    puzzle: Puzzle
    classes: int
    symmetries: int
    kinds: tuple[str, ...]
    states: int

    def phase(self, **changes: Any) -> Phase:
        """The whole puzzle, with a table of cosets. Changes are those of the table."""
        puzzle = self.puzzle
        placed = Combination("placed", puzzle, "corners", "a b")
        twist = Orientation("twist", puzzle, "corners")
        sym = SymCoordinate(
            "sym", puzzle, "corners", (placed, twist), self.classes, self.symmetries
        )
        corners, beads = (Permutation(name, puzzle, name) for name in ("corners", "beads"))
        flip = Orientation("flip", puzzle, "beads")
        told: dict[str, Any] = {"kinds": self.kinds, "kept": 2, "base": {"TURNS": 2}}
        table = Based("sym", "beads", **{**told, **changes})
        return Phase("solve", "solved", FAMILIES, (sym, twist, corners, beads, flip), (table,))

    def needs(self, **changes: Any) -> ResolvedPhase:
        """The phase, resolved."""
        return resolve(self.puzzle, self.phase(**changes), self.puzzle.metric())

    def solver(self, store: TableStore | None = None, **changes: Any) -> Solver:
        """Two methods: `both`, which searches from both sides, and `one`."""
        phase = self.phase(**changes)
        _, twist, corners, beads, flip = phase.coordinates
        tables = Plain("corners twist"), Plain("beads flip")
        one = Phase("solve", "solved", FAMILIES, (corners, twist, beads, flip), tables)
        methods = (
            Method("both", "from both sides", (phase,), ProveBothSides()),
            Method("one", "from one side", (one,), Optimal()),
        )
        return Solver(self.puzzle, methods, store)


_SWAPS = mirror("BADC", 1), mirror("CDAB", 1)
#: Beads of two kinds, which some of eight symmetries exchange.
EIGHT = Case(
    puzzle_of({"A": (1, 3), "B": (0, 2), "C": (0, 1), "D": (0, 1)}, (*_SWAPS, mirror("ABDC", -1))),
    27,
    8,
    ("p q",),
    2592,
)
#: The same with four symmetries, and more ways of flipping beads.
FOUR = Case(
    puzzle_of({"A": (1, 3), "B": (2, 3), "C": (0, 1), "D": (0, 2)}, _SWAPS), 48, 4, ("p q",), 10368
)
#: Two symmetries, and beads of three kinds.
TWO = Case(
    puzzle_of({"A": (1, 3), "B": (0, 2), "C": (0, 1), "D": (0, 2)}, (mirror("BACD", -1),)),
    84,
    2,
    ("p q", "r"),
    10368,
)
#: No symmetry but that which leaves all as it is, and beads of one kind.
ALONE = Case(puzzle_of({"A": (1, 2), "B": (0, 2), "C": (0, 1), "D": (1, 2)}), 162, 1, (), 10368)
CASES = {"eight": EIGHT, "four": FOUR, "two": TWO, "alone": ALONE}


@cache
def distances(name: str) -> dict[bytes, int]:
    """The distance of every state, plainly."""
    puzzle = CASES[name].puzzle
    moves = puzzle.family_moves(FAMILIES.split())
    found = {puzzle.solved: 0}
    for state in (listed := [puzzle.solved]):  # grows while it is gone through
        for move in moves:
            near = puzzle.apply(state, [move])
            if near not in found:
                found[near] = found[state] + 1
                listed.append(near)
    assert len(found) == CASES[name].states
    return found
