"""The Skewb.

Each turn is about a corner, and moves this corner, its three neighbours and three centers. The WCA
notation has turns about the corners ULB, DRB, DLF and DBL. None of these turns moves the corner at
URF, so this corner shows how the puzzle is held.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from puzzlekit import (
    Method,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    Surface,
    hookimpl,
)
from puzzlekit.puzzle.orbit import Blocks, Law

if TYPE_CHECKING:
    from puzzlekit.puzzle.layout import Picture
    from puzzlekit_events import Event

puzzlekit_api = 2

# The corners form two tetrads. No turn moves a corner to a place of the other tetrad.
TETRADS = ("URF ULB DLF DRB", "UFL UBR DFR DBL")
SURFACE = Surface(
    orbits=(
        Orbit("corners", "corner", " ".join(TETRADS), orientations=3, vectors="cp co"),
        Orbit("centers", "center", "U R F D L B", vectors="xp"),
    ),
    faces={
        "U": "ULB UBR U UFL URF",
        "R": "URF UBR R DFR DRB",
        "F": "UFL URF F DLF DFR",
        "D": "DLF DFR D DBL DRB",
        "L": "ULB UFL L DBL DLF",
        "B": "UBR ULB B DRB DBL",
    },
    net="""
        ...U.U......
        ....U.......
        ...U.U......
        L.LF.FR.RB.B
        .L..F..R..B.
        L.LF.FR.RB.B
        ...D.D......
        ....D.......
        ...D.D......
    """,
)
# For each move, the cycles of faces about its corner and about the opposite corner.
TURNS = {"U": "ULB DRF", "R": "DRB ULF", "L": "DLF URB", "B": "DBL UFR"}

# The image of each move in the mirrors that keep URF: between F and R, and between F and U.
MIRRORS = ({"R": "L", "L": "R", "x": "z", "z": "x"}, {"U": "L", "L": "U", "y": "z", "z": "y"})


def faults(skewb: Puzzle, state: bytes) -> list[str]:
    """Return the faults of a state in which each corner is at a place of its own tetrad.

    The corners form two tetrads of four corners. No turn brings a corner of one tetrad to a place
    of the other tetrad. A reachable state obeys two laws:

    - The permutations of each tetrad and of the centers are even.
    - The permutation of a tetrad determines the sum of the twists of the other tetrad.

    The second law holds because of the following. A turn about a corner twists this corner and
    cycles three corners of the other tetrad. These four corners can be divided into two pairs in
    three ways. The turn cycles these three ways.
    """
    seen = state if state[0] < 4 else skewb.relabel(state, skewb.turns["x"])
    parts = {f"of the corners at {each}": seen[4 * i : 4 * i + 4] for i, each in enumerate(TETRADS)}
    found = [
        f"parity: two {name} are exchanged"
        for name, labels in (parts | {"centers": seen[16:]}).items()
        if sum(one > other for one, other in combinations(labels, 2)) % 2
    ]
    if any("corners" in fault for fault in found):
        return found  # the pairing has no meaning for odd permutations
    paired = seen[0] ^ seen[1], seen[4] ^ seen[5]  # 1 to 3; 1 if the first two are a pair
    sums = sum(seen[8:12]) - paired[1] + 1, sum(seen[12:16]) + paired[0] - 1
    ways = ("", "clockwise", "counter-clockwise")
    return found + [
        f"corner twist: one of the corners at {tetrad} is twisted {ways[total % 3]}"
        for tetrad, total in zip(TETRADS, sums, strict=True)
        if total % 3
    ]


def pictures() -> tuple[Picture, ...]:
    """Return the pictures besides the net: the pictures of a cube."""
    from puzzlekit_cubes import cube_pictures

    return cube_pictures()


def _half(corner: str) -> list[str]:
    """Return the places that turn about a corner: the corner, its neighbours and three centers."""
    centers = list(corner)
    corners = " ".join(TETRADS).split()
    return centers + [place for place in corners if len(set(place) - set(corner)) < 2]


def puzzle() -> Puzzle:
    """Make the Skewb. It has 3,149,280 states and 24 ways to hold it."""
    turns = {name: SURFACE.turn(cycles, _half(cycles[:3])) for name, cycles in TURNS.items()}
    rotations = {"x": SURFACE.turn("UBDF"), "y": SURFACE.turn("FLBR"), "z": SURFACE.turn("URDL")}
    costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
    return Puzzle(
        name="skewb",
        title="Skewb",
        orbits=SURFACE.orbits,
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns about a corner", costs),),
        rotations=tuple(rotations),
        reflections=tuple({name: (each.get(name, name), -1) for name in costs} for each in MIRRORS),
        constraints=(Blocks("corners", TETRADS), Law(("corners", "centers"), faults)),
        layout=SURFACE.layout(
            {"western": "WRGYOB", "japanese": "WRGBOY"},
            ("white", "red", "green", "yellow", "orange", "blue"),
            viewer="skewb",
            pictures=pictures,
        ),
        hints=lambda _: "turns are U R L B, about ULB DRB DLF DBL; x y z turn the whole puzzle",
    )


def methods(skewb: Puzzle) -> list[Method]:
    """Make the method `optimal`, with one exact table."""
    free = " ".join([*TETRADS[0].split()[1:], TETRADS[1]])
    solve = Phase(
        name="solve",
        goal="the Skewb is solved",
        moves="U R L B",
        coordinates=(
            # The twists determine the places of the free corners. Other permutations are even.
            Orientation("twist", skewb, "corners", free, summed=False),  # 3**7
            Permutation("corners", skewb, "corners", "UFL UBR", TETRADS[1]),  # 4! / 2
            Permutation("centers", skewb, "centers", "U R F D"),  # 6! / 2
        ),
        tables=("centers corners twist",),
    )
    fixed = {"corners": "URF"}
    return [Method("optimal", "shortest answers from one exact table", (solve,), fixed=fixed)]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register skewb."""
    yield PuzzleEntry("skewb", "Skewb", puzzle, methods)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register skewb."""
    from puzzlekit_events import Event, Exactly

    yield Event(
        "skewb",
        "Skewb",
        "skewb",
        least=7,
        moves=Exactly(11, "optimal"),
        held="white on top, green at the front left",
    )
