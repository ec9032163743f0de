"""The five phases of the method `reduction`, which reduce the cube to a 3x3x3.

Each phase keeps many candidates. The goals follow S. Chen's solver "cube555". The first phase
brings the x- and t-centers of two opposite colours to one axis. The second brings all centers to
their axes. The third takes the flips from the tredges. The fourth pairs any four tredges, and the
fifth pairs the other eight and solves the centers.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Combination, Orientation, Phase, Puzzle
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.tables.product_table import Folded
from puzzlekit_beam import Alternative
from puzzlekit_cubes import (
    EDGES,
    Halves,
    Hashed,
    LargeCubePieces,
    Parity,
    RelativeOrientation,
    Shared,
)
from puzzlekit_cubes.formulas import MaxSum

# Moves that keep the centers of two opposite colours on F and B.
SPLITTING = "U R F D L B Fw Bw Uw2 Rw2 Dw2 Lw2"
# Moves that keep each center on its axis.
ALIGNING = "U R F D L B Uw2 Rw2 Fw2 Dw2 Lw2 Bw2"
# Moves that flip no tredge, and keep the edges of the layer between U and D in this layer.
FOUR = "U D R2 F2 L2 B2 Uw2 Rw2 Fw2 Dw2 Lw2 Bw2"
# Moves that flip no tredge, and keep the tredges of the layer between R and L paired.
EIGHT = "R L U2 F2 D2 B2 Uw2 Fw2 Dw2 Bw2"
# Moves after the third and the fourth phase that change the centers solved by half turns.
ALIGNED = "F2 B2 Uw2 Rw2 Dw2 Lw2"
PAIRED = "U2 F2 D2 B2 Uw2 Fw2 Dw2 Bw2"


def cube_pieces(cube: Puzzle) -> LargeCubePieces:
    """Return the pieces that the phases sort and pair."""
    return LargeCubePieces(cube, "wings", {"x": "x-centers", "t": "t-centers"})


def phases(pieces: LargeCubePieces) -> list[Phase]:
    """Return the five phases."""
    return [_gather(pieces), _split(pieces), _align(pieces), _four(pieces), _eight(pieces)]


def _gather(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="gather",
        goal="the centers of two opposite colours on F and B",
        moves="U R F D L B Uw Rw Fw Dw Lw Bw",
        coordinates=(
            pieces.classes("fb-x", "FB", "URFDLB", 46371, 16),  # 24 choose 8
            pieces.classes("fb-t", "FB", "URFDLB", 46935, 16),
        ),
        tables=(
            "fb-x-classes",
            "fb-t-classes",
            Hashed("fb-x-classes fb-t-classes", entries=1 << 24, farthest={"OBTM": 6}),
        ),
    )


def _split(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="split",
        goal="each center on its axis, no parity of wings",
        moves=SPLITTING,
        coordinates=(
            pieces.classes("ud-x", "UD", "UDRL", 903, 16),  # 16 choose 8
            pieces.centers("ud-t", "UD", "UDRL"),
            Parity("wing-parity", pieces.cube, "wings"),
        ),
        tables=(Folded("ud-x-classes wing-parity ud-t", fold=2),),
    )


def _align(pieces: LargeCubePieces) -> Phase:
    """Return the third phase. A flipped tredge counts as aligned if `flips` renames it."""
    cube, low = pieces.cube, " ".join(pieces.low.values())
    halves = Halves("wing-halves", cube, "wings", low)
    return Phase(
        name="align",
        goal="one wing of each tredge at a low place, all midges flipped as their wings, half "
        "turns can solve the centers of F and B",
        moves=ALIGNING,
        goal_moves=ALIGNED,
        coordinates=(
            SymCoordinate("halves", cube, "wings", (halves,), classes=86048, symmetries=16),
            RelativeOrientation("flips", cube, "midges"),  # 2**10
            pieces.together("fb", "FB", "xt"),
            Combination("low", cube, "wings", low),  # 24 choose 12
            Orientation("flip", cube, "midges"),  # 2**11
        ),
        tables=(Folded("halves flips", fold=8), "fb-xt flips"),
        renamings=pieces.flips,
    )


def _four(pieces: LargeCubePieces) -> Phase:
    """Return the fourth phase. Any four tredges may be paired, because `choices` renames them."""
    cube = pieces.cube
    low, high = pieces.tredges("four", EDGES[:4], EDGES[:8])  # (8 choose 4) * 8! / 4!
    return Phase(
        name="four",
        goal="four tredges paired between R and L, half turns can solve the centers of U D F B",
        moves=FOUR,
        goal_moves=PAIRED,
        coordinates=(
            SymCoordinate("low-classes", cube, "midges", (low,), classes=29616, symmetries=4),
            SymCoordinate("high-classes", cube, "midges", (high,), classes=29616, symmetries=4),
            high,
            pieces.together("ud", "UD", "xt"),
            pieces.together("fb", "FB", "xt"),
            pieces.centers("fb-x", "F", "FB"),
            pieces.centers("fb-t", "F", "FB"),
        ),
        tables=(
            "ud-xt fb-x",
            "ud-xt fb-t",
            Shared("low-classes high-four", rest=1680),
            Folded("low-classes ud-xt", fold=20),
            Folded("high-classes ud-xt", fold=20),
        ),
        heuristic=MaxSum(share=0.05),
        renamings=pieces.choices,
    )


def _eight(pieces: LargeCubePieces) -> Phase:
    cube = pieces.cube
    low, high = pieces.tredges("eight", EDGES, EDGES[4:])  # 8!
    return Phase(
        name="eight",
        goal="centers solved, all tredges paired: a 3x3x3",
        moves=EIGHT,
        coordinates=(
            SymCoordinate("low-pairs", cube, "midges", (low,), classes=5288, symmetries=8),
            SymCoordinate("high-pairs", cube, "midges", (high,), classes=5288, symmetries=8),
            high,
            pieces.together("rl", "RL", "xt"),
            pieces.centers("rl-x", "R", "RL"),
            pieces.centers("rl-t", "R", "RL"),
            # Half turns can solve the centers of U, D, F and B. So the x-centers say where the
            # t-centers are.
            pieces.centers("ud-x", "U", "UD"),
            pieces.centers("fb-x", "F", "FB"),
        ),
        tables=(
            Folded("low-pairs rl-xt", fold=2),
            Folded("high-pairs rl-xt", fold=2),
            Folded("low-pairs high-eight", fold=16),
            "rl-x ud-x fb-x",
            "rl-t ud-x fb-x",
        ),
        heuristic=MaxSum(share=0.05),
    )


def other_axes(phases: Sequence[Phase]) -> tuple[Alternative, ...]:
    """Return the third and the fourth phase along other axes."""
    _, _, align, four, _ = phases
    return (
        Alternative("align", align, turns=("x", "y")),
        Alternative("four", four, turns=("z",)),
    )
