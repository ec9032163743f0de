"""The Dino Cube: each turn of a corner cycles three edges."""

from __future__ import annotations

from puzzlekit import Method, Optimal, Orbit, Permutation, Phase, Puzzle
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_cornercubes import shapes
from puzzlekit_cornercubes.corner_cube import CORNERS, EDGES, FACES, CornerCube, aligned
from puzzlekit_steps import Goal, Solved

__all__ = ["goals", "methods", "puzzle"]

CUBE = CornerCube(
    spots=dict.fromkeys(FACES, ((0, -2), (-2, 0), (2, 0), (0, 2))),
    orbits=(Orbit("edges", "edge", EDGES, orientations=2, vectors="ep eo"),),
    net=(
        "....U.......",
        "...U.U......",
        "....U.......",
        ".L..F..R..B.",
        "L.LF.FR.RB.B",
        ".L..F..R..B.",
        "....D.......",
        "...D.D......",
        "....D.......",
    ),
    depth=5,
    outlines=shapes.dino,
)
HALVES = "UF UL UB UR FR FL", "BL BR DF DL DB DR"


def puzzle() -> Puzzle:
    """Make the Dino Cube. It has 12! / 24 = 19,958,400 states, and no piece stays in place."""
    return CUBE.puzzle("dino", "Dino Cube", (aligned(),))


def methods(dino: Puzzle) -> list[Method]:
    """Make the method `optimal`: a search from each of the twelve ways of holding the cube."""
    halves = [
        Permutation(name, dino, "edges", pieces)  # 12! / 6!
        for name, pieces in zip(("upper", "lower"), HALVES, strict=True)
    ]
    solve = Phase(
        name="solve",
        goal="the Dino Cube is solved",
        moves=" ".join(CORNERS),
        coordinates=tuple(halves),
        tables=tuple(Modulo3(half.name) for half in halves),
    )
    return [Method("optimal", "shortest answers", (solve,), Optimal())]


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: one face, and a layer."""
    return [
        Goal("face", "the four edges of D are solved", (Solved("layer:D"),)),
        Goal("layers", "all edges but those of U are solved", (Solved("layer:D FR FL BL BR"),)),
    ]
