"""Gear Cube: half a turn of a face turns the slice below it by a quarter turn, and its gears."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from puzzlekit import (
    Frame,
    Method,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Product,
    Puzzle,
    PuzzleEntry,
    Surface,
    hookimpl,
)
from puzzlekit.puzzle.orbit import Law

puzzlekit_api = 2

NAME = "gears"
TITLE = "Gear Cube"

# Half turns keep two sets of four corners apart, and each slice has four gears of its own. These
# turn together, so one piece per slice says how: its teeth.
SURFACE = Surface(
    orbits=(
        Orbit("corners", "corner", "URF ULB DLF DRB"),
        Orbit("others", "corner", "UFL UBR DFR DBL"),
        Orbit("centers", "center", "U R F D L B"),
        Orbit("e-gears", "gear", "FR RB BL LF"),
        Orbit("m-gears", "gear", "UF FD DB BU"),
        Orbit("s-gears", "gear", "UR RD DL LU"),
        Orbit("teeth", "slice", "EHI MNO STV", orientations=3),
    ),
    faces={
        "U": "ULB BU UBR LU U UR UFL UF URF",
        "R": "URF UR UBR FR R RB DFR RD DRB",
        "F": "UFL UF URF LF F FR DLF FD DFR",
        "D": "DLF FD DFR DL D RD DBL DB DRB",
        "L": "ULB LU UFL BL L LF DBL DL DLF",
        "B": "UBR BU ULB RB B BL DRB DB DBL",
        **{letter: place for place in ("EHI", "MNO", "STV") for letter in place},
    },
    net="""
        ...UUU...EHI
        ...UUU...MNO
        ...UUU...STV
        LLLFFFRRRBBB
        LLLFFFRRRBBB
        LLLFFFRRRBBB
        ...DDD
        ...DDD
        ...DDD
    """,
)
# The corner DBL never moves: in place of D, turn U and the whole puzzle.
TURNS = {
    "U": ("FB RL", "FLBR", "EHI"),
    "R": ("UD FB", "UBDF", "MNO"),
    "F": ("UD RL", "URDL", "STV"),
}


def turn(face: str) -> tuple[bytes, bytes]:
    """Half a turn of a face, and a quarter turn of the slice below it."""
    half, quarter, teeth = TURNS[face]
    places = [place for orbit in SURFACE.orbits for place in orbit.places]
    layer = SURFACE.turn(half, [place for place in places if face in place])
    ring = SURFACE.turn(quarter, [place for place in places if set(place) <= set(quarter)])
    notch = SURFACE.turn(teeth, [teeth])
    return bytes(ring[0][j] for j in layer[0]), notch[1]


@cache
def reached() -> tuple[bytes, ...]:
    """The 24 * 4**3 arrangements that moves reach; the teeth are free."""
    made = puzzle()
    found: dict[bytes, None] = {}
    fresh = [made.solved[:-6]]
    while fresh:
        found |= dict.fromkeys(fresh)
        near = (
            made.apply(state + made.solved[-6:], [move])[:-6]
            for state in fresh
            for face in "URF"
            for move in made.moves(face)
        )
        fresh = [state for state in dict.fromkeys(near) if state not in found]
    return tuple(found)


def faults(made: Puzzle, state: bytes) -> list[str]:
    """Say whether the corners, centers and gears can be in this state."""
    return [] if state[:-6] in reached() else ["the corners, centers and gears do not fit together"]


def puzzle() -> Puzzle:
    """Make the puzzle. It has 41,472 states."""
    costs = dict.fromkeys("URF", 1)
    return Puzzle(
        NAME,
        TITLE,
        SURFACE.orbits,
        {face: turn(face) for face in "URF"},
        metrics=(
            Metric("HALVES", "half turns of a face", costs, per_turn=True),
            Metric("TURNS", "turns of a face by any angle", costs),
        ),
        constraints=(
            Frame("teeth"),
            Law(
                tuple(orbit.name for orbit in SURFACE.orbits[:-1]),
                faults,
                lambda made, state, rng: reached()[rng.randrange(len(reached()))] + state[-6:],
            ),
        ),
        layout=SURFACE.layout(
            {"western": "WRGYOB123456789"},
            ("white", "red", "green", "yellow", "orange", "blue", *["grey"] * 9),
        ),
    )


def methods(made: Puzzle) -> list[Method]:
    """One exact table: the corners, one gear of each slice, and the teeth decide the rest."""
    corners = Permutation("corners", made, "corners")  # 4!
    places = {name: made.orbit(name).places[0] for name in ("e-gears", "m-gears", "s-gears")}
    parts = tuple(Permutation(name, made, name, place) for name, place in places.items())
    gears = Product("gears", made, "e-gears", parts)  # 4**3
    teeth = Orientation("teeth", made, "teeth", summed=False)  # 3**3
    solve = Phase("solve", "solved", "U R F", (corners, gears, teeth), ("corners gears teeth",))
    return [Method("optimal", "shortest answers from one exact table", (solve,))]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register the puzzle. puzzlekit makes it when it is needed."""
    yield PuzzleEntry(NAME, TITLE, puzzle, methods)
