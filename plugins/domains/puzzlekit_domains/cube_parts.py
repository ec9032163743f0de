"""The corners, or the edges, of a 3x3x3 cube: the pieces of Korf's pattern databases as puzzles."""

from __future__ import annotations

import puzzlekit
from puzzlekit import (
    Coordinate,
    Method,
    Metric,
    Orbit,
    Orientation,
    OrientationSum,
    Permutation,
    Phase,
    Pieces,
    Puzzle,
    Sequential,
)
from puzzlekit.tables.product_table import Modulo3

FACES = "URFDLB"
MANY = 5  # edges of a table, which then has 95,040 * 2**5 entries


def cube_part(name: str, part: str) -> Puzzle:
    """Return the orbit `part` of cube3 as a puzzle. The centers, which do not move, hold it."""
    cube = puzzlekit.load("cube3").puzzle
    begin = 0
    for orbit in cube.orbits:
        if orbit.name == part:
            break
        begin += orbit.width
    own = slice(begin, begin + orbit.width)
    turns = {
        face: (bytes(place - begin for place in gather[own]), bytes(add[own]))
        for face in FACES
        for gather, add in [cube.turns[face]]
    }
    equal = dict.fromkeys(FACES, 1)
    return Puzzle(
        name=name,
        title=f"{part} of the 3x3x3 cube",
        orbits=(orbit,),
        turns=turns,
        metrics=(
            Metric("HTM", "half turns", equal),
            Metric("QTM", "quarter turns", equal, per_turn=True),
        ),
        constraints=(OrientationSum(part),),
    )


def methods(puzzle: Puzzle) -> list[Method]:
    """Return the one method: a table of all corners, or two tables of five edges each."""
    (orbit,) = puzzle.orbits
    parts: tuple[Coordinate, ...]
    tables: tuple[str | Modulo3, ...]
    if orbit.name == "corners":
        parts = (
            Permutation("order", puzzle, "corners"),  # 8!
            Orientation("twist", puzzle, "corners"),  # 3**7
        )
        tables = (Modulo3("order twist"),)
        what = "shortest answers by one exact table"
    else:
        parts = tuple(_pieces(puzzle, orbit, begin) for begin in range(0, orbit.size, MANY))
        tables = tuple(each.name for each in parts)
        what = "shortest answers by tables of five edges"
    phase = Phase("solve", f"all {orbit.name} solved", " ".join(FACES), tuple(parts), tables)
    return [Method("optimal", what, (phase,), Sequential())]


def _pieces(puzzle: Puzzle, orbit: Orbit, begin: int) -> Pieces:
    places = orbit.places[begin : begin + MANY]
    return Pieces("-".join(places), puzzle, orbit.name, " ".join(places))
