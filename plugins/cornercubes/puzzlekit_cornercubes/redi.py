"""The Redi Cube: each turn of a corner twists this corner and cycles three edges."""

from __future__ import annotations

import attrs

from puzzlekit import (
    Coordinate,
    Frame,
    Method,
    Optimal,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
)
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_cornercubes import shapes
from puzzlekit_cornercubes.corner_cube import CORNERS, EDGES, FACES, CornerCube, aligned
from puzzlekit_steps import Goal, Solved

__all__ = ["goals", "methods", "puzzle"]

PLACES = " ".join(CORNERS.values())
#: Of the whole puzzle about R: where it carries each face.
HALF_TURN = str.maketrans("UDFB", "DUBF")
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


@attrs.frozen
class Turned(Modulo3):
    """A table whose entries are, number by number, those of other coordinates.

    These coordinates are over the same pieces after a turn of the whole puzzle. The table is built
    and stored for them.
    """

    #: The coordinates over which the table is built and stored, the most significant first.
    like: tuple[Coordinate, ...]

    def stored(self, graph: DistanceGraph) -> DistanceGraph:
        """Return the graph of the coordinates `like`."""
        return attrs.evolve(graph, coordinates=self.like)


def methods(redi: Puzzle) -> list[Method]:
    """Make the method `optimal`, with two tables of 54 million entries: half of all pieces each.

    A half turn about R carries the upper half to the lower half, so both tables are one.
    """

    def half(side: str, edges: str, corners: str, places: str) -> tuple[Coordinate, Coordinate]:
        return (
            Permutation(f"{side}-edges", redi, "edges", edges, places),  # 12! / 6!
            Orientation(f"{side}-corners", redi, "corners", corners, summed=False),  # 3**4
        )

    named = "UF UL UB UR FR FL", "URF UFL ULB UBR", EDGES
    upper = half("upper", *named)
    lower = half("lower", *(each.translate(HALF_TURN) for each in named))
    coordinates = (*upper, *lower)
    tables = Modulo3("upper-edges upper-corners"), Turned("lower-edges lower-corners", like=upper)
    solve = Phase(
        name="solve",
        goal="the Redi Cube is solved",
        moves=" ".join(CORNERS),
        coordinates=coordinates,
        tables=tables,
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
