"""The 3x3x3 cube and Kociemba's Two-Phase algorithm.

Phase 1 brings the cube into the subgroup <U, D, R2, L2, F2, B2>: corners and edges oriented, the
four middle edges in the middle layer. Phase 2 solves it within that subgroup.
H. Kociemba, "The Two-Phase-Algorithm", kociemba.org/twophase.htm.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit import (
    Combination,
    Method,
    Orientation,
    OrientedCombination,
    Permutation,
    Phase,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit_cubes import cube_puzzle

puzzlekit_api = 1

MIDDLE = "BL BR FR FL"
OUTER = "UB UR UF UL DB DR DF DL"
TOP_CORNERS = "ULB UBR URF UFL"
TOP_EDGES = "UB UR UF UL"


def puzzle() -> Puzzle:
    """The 3x3x3 cube with its centers, as held."""
    return cube_puzzle("cube3", 3)


def methods(cube: Puzzle) -> list[Method]:
    """The method `two-phase`."""
    orient = Phase(
        name="orient",
        goal="corners and edges oriented, middle edges in the middle layer",
        moves="U R F D L B",
        coordinates=(
            Orientation("twist", cube, "corners"),  # 3**7
            Orientation("flip", cube, "edges"),  # 2**11
            Combination("slice", cube, "edges", MIDDLE),  # 12 choose 4
            # The slice with the flips of its own edges: (12 choose 4) * 2**4
            OrientedCombination("flipped-slice", cube, "edges", MIDDLE),
        ),
        tables=("flip slice", "twist flip", "twist flipped-slice"),
    )
    finish = Phase(
        name="finish",
        goal="the cube is solved",
        moves="U D R2 F2 L2 B2",
        coordinates=(
            Permutation("corners", cube, "corners"),  # 8!
            Permutation("edges", cube, "edges", OUTER, OUTER),  # 8!
            Permutation("middle", cube, "edges", MIDDLE, MIDDLE),  # 4!
            Combination("top-corners", cube, "corners", TOP_CORNERS),  # 8 choose 4
            Combination("top-edges", cube, "edges", TOP_EDGES, OUTER),  # 8 choose 4
        ),
        tables=(
            "corners middle",
            "edges middle",
            "corners top-edges",
            "edges top-corners",
        ),
        # Longer second phases are seldom worth their time: a longer first phase finds as much.
        caps={"HTM": 12, "QTM": 18},
    )
    return [
        Method(
            name="two-phase",
            title="Kociemba's Two-Phase algorithm, improving",
            phases=(orient, finish),
            chaining="improve",
            fixed={"centers": "U R F D L B"},
            premoves=2,
            metrics=("HTM", "QTM"),  # turning slices is not among its moves
        )
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube3."""
    yield PuzzleEntry("cube3", "3x3x3 cube", puzzle, methods)
