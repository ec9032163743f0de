"""The seven phases of the method `reduction`, which reduce the cube to a 5x5x5.

Each phase keeps many candidates. At the end, the inner x-centers are solved, and each left oblique
is beside a right oblique of its colour, and the inner wings are paired. The outer wings, the outer
x-centers and the pairs of obliques are then the wings, x- and t-centers of a 5x5x5.

Three outer layers turned by a quarter separate pairs of obliques. Later phases make fewer such
turns: the fourth makes them only with F and B, and the others make none.
"""

from __future__ import annotations

from puzzlekit import Combination, Phase, Puzzle
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.tables.product_table import Folded
from puzzlekit_cubes import EDGES, SPLITTING, Halves, Hashed, LargeCubePieces, Parity, blocks
from puzzlekit_cubes.formulas import MaxSum

# The phases that bring the inner x-centers and the obliques to their axes.
#
# They are the first phases of `reduction`, of the 7x7x7, too.

# Moves that keep the inner x-centers of two opposite colours on F and B.
SORTING = "U R F D L B Uw Rw Fw Dw Lw Bw 3Fw 3Bw 3Uw2 3Rw2 3Dw2 3Lw2"


def sorting_phases(pieces: LargeCubePieces) -> tuple[Phase, Phase, Phase, Phase]:
    """Return four phases: `inner`, `one colour`, `obliques` and `axes`."""
    return _inner(pieces), _one_colour(pieces), _obliques(pieces), _axes(pieces)


def _inner(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="inner",
        goal="the inner x-centers of two opposite colours on F and B",
        moves=f"U R F D L B {blocks('URFDLB')}",
        coordinates=(pieces.classes("fb-x", "FB", "URFDLB", 46371, 16),),  # 24 choose 8
        tables=("fb-x-classes",),
    )


def _one_colour(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="one colour",
        goal="the obliques of one colour on F and B",
        moves=SORTING,
        goal_moves=SPLITTING,
        coordinates=(
            pieces.classes("f-l", "F", "URFDLB", 2676, 4),
            pieces.centers("f-r", "F", "URFDLB"),
        ),
        tables=(Folded("f-l-classes f-r", fold=6),),
    )


def _obliques(pieces: LargeCubePieces) -> Phase:
    # A reflection exchanges left and right obliques, so there are 8 symmetries only.
    return Phase(
        name="obliques",
        goal="the obliques of two opposite colours on F and B",
        moves=SORTING,
        coordinates=tuple(
            pieces.classes(name, "FB", "URFDLB", 92247, 8) for name in ("fb-l", "fb-r")
        ),
        tables=(
            "fb-l-classes",
            "fb-r-classes",
            Hashed("fb-l-classes fb-r-classes", entries=1 << 25, farthest={"OBTM": 7}),
        ),
        heuristic=MaxSum(share=0.2),
    )


def _axes(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="axes",
        goal="each inner x-center and oblique on its axis, no parity of inner wings",
        moves=SPLITTING,
        coordinates=(
            pieces.classes("ud-x", "UD", "UDRL", 1703, 8),  # 16 choose 8
            pieces.classes("ud-l", "UD", "UDRL", 1703, 8),
            pieces.centers("ud-l", "UD", "UDRL"),
            pieces.centers("ud-r", "UD", "UDRL"),
            Parity("wing-parity", pieces.cube, pieces.wings),
        ),
        tables=(
            Folded("ud-x-classes wing-parity ud-l", fold=12),
            Folded("ud-x-classes wing-parity ud-r", fold=12),
            Folded("ud-l-classes ud-r", fold=8),
        ),
        heuristic=MaxSum(share=0.4),
    )


WINGS = "inner-wings"

# Moves that keep each of these centers on its axis.
ALIGNING = f"U R F D L B {blocks('URFDLB', '2')}"
# Moves that keep the wings at low or high places, and the edges of the layers between U and D.
FOUR = f"U D R2 F2 L2 B2 {blocks('URFDLB', '2')}"
# Moves that keep the paired dedges of the layers between R and L.
EIGHT = f"R L U2 F2 D2 B2 {blocks('UFDB', '2')}"
# Moves after the fifth and the sixth phase that change the centers solved by half turns.
ALIGNED = f"F2 B2 {blocks('URDL', '2')}"
PAIRED = f"U2 F2 D2 B2 {blocks('UFDB', '2')}"
# Moves of two outer layers keep inner x-centers solved, obliques paired and dedges paired.
REDUCED = "R L U2 F2 D2 B2 Uw2 Fw2 Dw2 Bw2"


def cube_pieces(cube: Puzzle) -> LargeCubePieces:
    """Return the pieces that the phases sort and pair."""
    centers = {"x": "inner-x-centers", "l": "left-obliques", "r": "right-obliques"}
    return LargeCubePieces(cube, WINGS, centers)


def phases(pieces: LargeCubePieces) -> list[Phase]:
    """Return the seven phases."""
    return [*sorting_phases(pieces), _low(pieces), _four(pieces), _eight(pieces)]


def _low(pieces: LargeCubePieces) -> Phase:
    """Return the fifth phase. A flipped dedge counts as aligned if `flips` renames it."""
    cube, low = pieces.cube, " ".join(pieces.low.values())
    halves = Halves("wing-halves", cube, WINGS, low)
    return Phase(
        name="low",
        goal="one inner wing of each dedge at a low place, half turns can solve the sorted centers "
        "of F and B",
        moves=ALIGNING,
        goal_moves=ALIGNED,
        coordinates=(
            SymCoordinate("halves", cube, WINGS, (halves,), classes=86048, symmetries=16),
            pieces.together("fb", "FB", "xlr"),  # 70**3
            Combination("low", cube, WINGS, low),  # 24 choose 12
        ),
        tables=("halves", "fb-xlr"),
        renamings=pieces.flips,
    )


def _four(pieces: LargeCubePieces) -> Phase:
    """Return the sixth phase. Any four dedges may be paired, because `choices` renames them."""
    return Phase(
        name="four dedges",
        goal="four dedges paired between R and L, half turns can solve the sorted centers of U D F "
        "B",
        moves=FOUR,
        goal_moves=PAIRED,
        coordinates=(
            # (8 choose 4) * 8! / 4! values
            pieces.dedges("four", EDGES[:4], EDGES[:8], classes=29616, symmetries=4),
            *(pieces.together("ud", "UD", orbits) for orbits in ("xlr", "xl", "lr", "xr")),
            pieces.reached("fb", "FB", "xlr", FOUR, 1728),
            pieces.reached("fb", "FB", "l", FOUR, 36),
            pieces.reached("fb", "FB", "r", FOUR, 36),
        ),
        # The tables that prune most come first, because the others have large move tables.
        tables=(
            Folded("four-classes ud-xl", fold=10),
            Folded("four-classes ud-lr", fold=10),
            Folded("four-classes ud-xr", fold=20),
            "ud-xl fb-r",
            "ud-xlr fb-l",
        ),
        heuristic=MaxSum(share=0.1),
        renamings=pieces.choices,
    )


def _eight(pieces: LargeCubePieces) -> Phase:
    cube = pieces.cube
    pairs = " ".join(f"{pieces.low[edge]} {pieces.high[edge]}" for edge in EDGES)
    dedges = Parity("dedges", cube, WINGS, pairs=pairs)
    return Phase(
        name="eight dedges",
        goal="inner x-centers solved, all obliques and dedges paired: a 5x5x5",
        moves=EIGHT,
        goal_moves=REDUCED,
        coordinates=(
            # 8! values, half of which the moves reach
            pieces.dedges("eight", EDGES, EDGES[4:], classes=2644, symmetries=8),
            *(pieces.together("rl", "RL", orbits) for orbits in ("xlr", "xl", "lr", "xr")),
            # Half turns can solve the sorted centers of U, D, F and B. So the left obliques say
            # where the others are.
            pieces.reached("ud", "UD", "l", EIGHT, 36),
            pieces.reached("fb", "FB", "l", EIGHT, 36),
            Parity("parity", cube, "corners", plus=dedges),
        ),
        tables=(
            Folded("eight-classes parity rl-xl", fold=8),
            Folded("eight-classes parity rl-lr", fold=8),
            Folded("eight-classes parity rl-xr", fold=8),
            "rl-xl ud-l fb-l",
            "rl-xlr ud-l",
        ),
        heuristic=MaxSum(share=0.1),
    )
