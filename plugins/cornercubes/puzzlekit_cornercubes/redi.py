"""The Redi Cube: each turn of a corner twists this corner and cycles three edges."""

from __future__ import annotations

from puzzlekit import (
    Frame,
    Method,
    Optimal,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
)
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_cornercubes import shapes
from puzzlekit_cornercubes.corner_cube import CORNERS, EDGES, FACES, CornerCube, aligned
from puzzlekit_steps import Goal, Solved

__all__ = ["goals", "methods", "puzzle"]

PLACES = " ".join(CORNERS.values())
CUBE = CornerCube(
    spots=dict.fromkeys(
        FACES, ((-2, -2), (0, -2), (2, -2), (-2, 0), (2, 0), (-2, 2), (0, 2), (2, 2))
    ),
    orbits=(
        Orbit("corners", "corner", PLACES, orientations=3, vectors="cp co"),
        Orbit("edges", "edge", EDGES, orientations=2, vectors="ep eo"),
    ),
    net=(
        "...UUU......",
        "...U.U......",
        "...UUU......",
        "LLLFFFRRRBBB",
        "L.LF.FR.RB.B",
        "LLLFFFRRRBBB",
        "...DDD......",
        "...D.D......",
        "...DDD......",
    ),
    depth=5,
    outlines=shapes.redi,
)


def puzzle() -> Puzzle:
    """Make the Redi Cube, with 3^8 * 12! / 2 states and 24 ways to hold it."""
    return CUBE.puzzle("redi", "Redi Cube", (Frame("corners"), aligned("corners")))


def methods(redi: Puzzle) -> list[Method]:
    """Make the method `optimal`, with two tables of 54 million entries: half of all pieces each."""
    coordinates, tables = [], []
    for side, edges, corners in (
        ("upper", "UF UL UB UR FR FL", "URF UFL ULB UBR"),
        ("lower", "BL BR DF DL DB DR", "DFR DLF DBL DRB"),
    ):
        coordinates += [
            Permutation(f"{side}-edges", redi, "edges", edges),  # 12! / 6!
            Orientation(f"{side}-corners", redi, "corners", corners, summed=False),  # 3**4
        ]
        tables.append(Modulo3(f"{side}-edges {side}-corners"))
    solve = Phase(
        name="solve",
        goal="the Redi Cube is solved",
        moves=" ".join(CORNERS),
        coordinates=tuple(coordinates),
        tables=tuple(tables),
    )
    fixed = {"corners": PLACES}
    return [Method("optimal", "shortest answers", (solve,), Optimal(), fixed=fixed, heavy=True)]


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: the lower layer, all corners, all edges."""
    return [
        Goal("layer", "the layer D is solved", (Solved("layer:D"),)),
        Goal("corners", "the corners are solved", (Solved("corners"),)),
        Goal("edges", "the edges are solved", (Solved("edges"),)),
    ]
