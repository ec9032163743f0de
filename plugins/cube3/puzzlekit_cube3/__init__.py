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
    Permutation,
    Phase,
    PruningTable,
    Puzzle,
    PuzzleEntry,
    SymCoordinate,
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


def _orient(cube: Puzzle, table: PruningTable) -> Phase:
    """Phase 1, with a table over the flip-slice classes and the twist."""
    twist = Orientation("twist", cube, "corners")  # 3**7
    flip = Orientation("flip", cube, "edges")  # 2**11
    middle = Combination("slice", cube, "edges", MIDDLE)  # 12 choose 4
    classes = SymCoordinate(
        "flip-slice", cube, "edges", (flip, middle), classes=64430, symmetries=16
    )
    return Phase(
        name="orient",
        goal="corners and edges oriented, middle edges in the middle layer",
        moves="U R F D L B",
        coordinates=(classes, twist),
        tables=("flip-slice", table),
    )


def _finish(cube: Puzzle, table: PruningTable) -> Phase:
    """Phase 2, with a table over the corner classes and the outer edges."""
    corners = Permutation("corners", cube, "corners")  # 8!
    classes = SymCoordinate(
        "corner-classes", cube, "corners", (corners,), classes=2768, symmetries=16
    )
    return Phase(
        name="finish",
        goal="the cube is solved",
        moves="U D R2 F2 L2 B2",
        coordinates=(
            corners,
            Permutation("middle", cube, "edges", MIDDLE, MIDDLE),  # 4!
            classes,
            Permutation("edges", cube, "edges", OUTER, OUTER),  # 8!
        ),
        tables=("corners middle", table, "edges middle"),
        # Longer second phases are seldom worth their time: a longer first phase finds as much.
        caps={"HTM": 12, "QTM": 18},
    )


def methods(cube: Puzzle) -> list[Method]:
    """The method `two-phase`."""
    orient = _orient(cube, PruningTable("flip-slice twist", fold=9, farthest=8))
    finish = _finish(cube, PruningTable("corner-classes edges", fold=24, farthest=10))
    return [
        Method(
            name="two-phase",
            title="Kociemba's Two-Phase algorithm, improving",
            phases=(orient, finish),
            chaining="improve",
            fixed={"centers": "U R F D L B"},
            premoves=3,
            metrics=("HTM", "QTM"),  # turning slices is not among its moves
        )
    ]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube3."""
    yield PuzzleEntry("cube3", "3x3x3 cube", puzzle, methods)
