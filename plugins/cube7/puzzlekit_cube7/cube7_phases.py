"""The thirteen phases of the method `reduction`, which reduce the cube to a 5x5x5.

Each phase keeps many candidates. At the end, the inner x- and t-centers are solved. Each outer
t-center is between a left and a right oblique of its colour, and each midge is between two inner
wings of its edge. So the outer wings, the outer x-centers and the outer t-centers are those of a
5x5x5.

The first six phases bring the centers to their axes. Middle slices move t-centers and midges only.
So they sort the t-centers when the other centers are already sorted. The other phases need no
quarter turns of blocks. In most of them even the faces make half turns only. Half turns keep each
edge piece between the same two opposite faces. So the edge pieces of four tredges are first brought
there, and the next phase pairs them by half turns.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Combination, Orientation, Permutation, Phase, Puzzle
from puzzlekit.coordinates.products import Reached, SymCoordinate
from puzzlekit.tables.product_table import Folded
from puzzlekit_beam import Alternative
from puzzlekit_cubes import (
    EDGES,
    SPLITTING,
    Halves,
    LargeCubePieces,
    RelativeOrientation,
    blocks,
    inner_phases,
)
from puzzlekit_cubes.formulas import MaxSum

WINGS = "inner-wings"

# Moves that keep each inner x-center and oblique on its axis.
ALIGNING = f"U R F D L B {blocks('URFDLB', '2')}"
# Moves that can bring each t-center to its axis.
T_ALIGNING = f"{ALIGNING} S M2 E2"
# Moves that keep the wings at low or high places, and the edges of the layers between U and D.
FOUR = f"U D R2 F2 L2 B2 {blocks('URFDLB', '2')}"
# Half turns that can solve the centers of F and B.
ALIGNED = f"F2 B2 {blocks('URDL', '2')}"
# Half turns. They keep each edge piece between the same two opposite faces.
HALF = f"U2 R2 F2 D2 L2 B2 {blocks('URFDLB', '2')}"
# Half turns that keep the paired tredges between R and L.
FOUR_PAIRED = f"U2 R2 F2 D2 L2 B2 Rw2 Lw2 {blocks('UFDB', '2')}"
# The same without the layers between R and L.
CENTERED = f"U2 F2 D2 B2 {blocks('UFDB', '2')}"
EIGHT = f"R L {CENTERED}"
EIGHT_HALF = f"R2 L2 {CENTERED}"
# Half turns that keep the paired tredges between R and L, and between F and B.
EIGHT_PAIRED = "U2 R2 F2 D2 L2 B2 Uw2 Fw2 Dw2 Bw2 3Uw2 3Dw2"
# Half turns that keep all inner centers solved, all obliques and all tredges paired.
REDUCED = "U2 R2 F2 D2 L2 B2 Uw2 Fw2 Dw2 Bw2"


def cube_pieces(cube: Puzzle) -> LargeCubePieces:
    """Return the pieces that the phases sort and pair."""
    centers = {
        "x": "inner-x-centers",
        "l": "left-obliques",
        "r": "right-obliques",
        "o": "outer-t-centers",
        "i": "inner-t-centers",
    }
    return LargeCubePieces(cube, WINGS, centers)


def phases(pieces: LargeCubePieces) -> list[Phase]:
    """Return the thirteen phases. The inner x-centers and the obliques are those of a 6x6x6."""
    inner, one_colour, obliques, axes = inner_phases(pieces.cube, "cube6", 4)
    return [
        inner,
        one_colour,
        obliques,
        _t_centers(pieces),
        axes,
        _t_axes(pieces),
        _low(pieces),
        _gather_four(pieces),
        _pair_four(pieces),
        _centers(pieces),
        _gather_eight(pieces),
        _pair_eight(pieces),
        _pair_twelve(pieces),
    ]


def other_axes(phases: Sequence[Phase]) -> tuple[Alternative, ...]:
    """Return the seventh and the eighth phase along other axes."""
    low, gather = phases[6:8]
    return (
        Alternative(low.name, low, turns=("x", "y")),
        Alternative(gather.name, gather, turns=("z",)),
    )


def _t_centers(pieces: LargeCubePieces) -> Phase:
    """Return the fourth phase. It brings each t-center to the face of its own colour.

    The next phases bring some of them to the opposite face. But a table over the t-centers of one
    colour knows more about this goal, so the phase has an end much sooner.
    """
    return Phase(
        name="t-centers",
        goal="the t-centers and the middle centers of two opposite colours at home",
        moves=f"{SPLITTING} M E S",
        coordinates=(
            pieces.classes("fb-o", "FB", "URFDLB", 46935, 16),  # 24 choose 8
            pieces.classes("fb-i", "FB", "URFDLB", 46935, 16),
            Combination("fb-middle", pieces.cube, "centers", "F B", "U R F D L B"),
            pieces.classes("f-o", "F", "URFDLB", 1435, 8),
            pieces.centers("f-i", "F", "URFDLB"),
            pieces.classes("b-o", "B", "URFDLB", 1435, 8),
            pieces.centers("b-i", "B", "URFDLB"),
        ),
        tables=(
            "fb-o-classes fb-middle",
            "fb-i-classes fb-middle",
            Folded("f-o-classes f-i", fold=2),
            Folded("b-o-classes b-i", fold=2),
        ),
        heuristic=MaxSum(share=0.25),
    )


def _t_axes(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="t-axes",
        goal="each center on its axis, the middle centers at home",
        moves=T_ALIGNING,
        coordinates=(
            pieces.classes("ud-o", "UD", "UDRL", 949, 16),  # 16 choose 8
            pieces.centers("ud-i", "UD", "UDRL"),
            Reached(
                "middles",
                pieces.cube,
                "centers",
                (Permutation("all-middles", pieces.cube, "centers"),),
                moves=T_ALIGNING,
                count=8,
            ),
        ),
        tables=("ud-o-classes ud-i", "ud-o-classes middles", "ud-i middles"),
    )


def _low(pieces: LargeCubePieces) -> Phase:
    """Return the seventh phase. A flipped tredge counts as aligned if `flips` renames it."""
    cube, low = pieces.cube, " ".join(pieces.low.values())
    halves = Halves("wing-halves", cube, WINGS, low)
    return Phase(
        name="low",
        goal="one inner wing of each tredge at a low place, all midges flipped as their wings, "
        "half turns can solve the centers of F and B",
        moves=ALIGNING,
        goal_moves=ALIGNED,
        coordinates=(
            SymCoordinate("halves", cube, WINGS, (halves,), classes=86048, symmetries=16),
            RelativeOrientation("flips", cube, "midges"),  # 2**10
            # Half turns connect left with right obliques, and no other centers of this colour.
            pieces.together_classes("fb", "FB", "lr", 400, 16),
            *(pieces.centers(f"fb-{orbit}", "F", "FB") for orbit in "xoi"),
            Combination("low", cube, WINGS, low),  # 24 choose 12
            Orientation("flip", cube, "midges"),  # 2**11
        ),
        tables=(
            Folded("halves flips", fold=8),
            "fb-lr-classes fb-x fb-o",
            "fb-lr-classes fb-x fb-i",
            "fb-lr-classes fb-o fb-i",
            "fb-lr-classes flips",
        ),
        heuristic=MaxSum(share=0.1),
        renamings=pieces.flips,
    )


def _gather_four(pieces: LargeCubePieces) -> Phase:
    """Return the eighth phase. It may gather any four tredges, because `choices` renames them."""
    cube = pieces.cube
    low, high = pieces.tredges("four", EDGES[:4], EDGES[:8])  # (8 choose 4) * 8! / 4!
    return Phase(
        name="gather four",
        goal="half turns can pair four tredges between R and L, and solve the centers of U D F B",
        moves=FOUR,
        goal_moves=HALF,
        coordinates=(
            SymCoordinate("low-classes", cube, "midges", (low,), classes=29616, symmetries=4),
            SymCoordinate("high-classes", cube, "midges", (high,), classes=29616, symmetries=4),
            pieces.dedges("dedges", EDGES[:4], EDGES[:8], classes=15158, symmetries=8),
            pieces.together("ud", "UD", "lr"),
            pieces.together_classes("ud", "UD", "lr", 400, 16),
            *(pieces.centers(f"ud-{orbit}", "U", "UD") for orbit in "xoi"),
        ),
        tables=(
            Folded("dedges-classes ud-lr", fold=10),
            Folded("low-classes ud-lr", fold=10),
            Folded("high-classes ud-lr", fold=10),
            "ud-lr-classes ud-x ud-o",
            "ud-lr-classes ud-x ud-i",
            "ud-lr-classes ud-o ud-i",
        ),
        heuristic=MaxSum(share=0.1),
        renamings=pieces.choices,
    )


def _pair_four(pieces: LargeCubePieces) -> Phase:
    low, high = pieces.tredges("four", EDGES, EDGES[:4])  # 4!
    return Phase(
        name="pair four",
        goal="four tredges paired between R and L, U D F B to be solved without the third layers "
        "of R and L",
        moves=HALF,
        goal_moves=FOUR_PAIRED,
        coordinates=(
            low,
            high,
            *(
                pieces.reached(axis.lower(), axis, orbits, HALF, count)
                for axis in ("UD", "FB")
                for orbits, count in (("lro", 5184), ("xi", 432))
            ),
        ),
        tables=(
            "ud-lro ud-xi",
            "fb-lro fb-xi",
            "ud-lro low-four high-four",
            "fb-lro low-four high-four",
            "ud-xi fb-xi",
        ),
        heuristic=MaxSum(share=0.1),
    )


def _centers(pieces: LargeCubePieces) -> Phase:
    return Phase(
        name="centers",
        goal="U D F B to be solved without the layers between R and L",
        moves=FOUR_PAIRED,
        goal_moves=CENTERED,
        # The inner x-centers say where the inner t-centers are.
        coordinates=tuple(
            pieces.reached(axis.lower(), axis, orbits, FOUR_PAIRED, count)
            for axis in ("UD", "FB")
            for orbits, count in (("lro", 432), ("xl", 216))
        ),
        tables=("ud-lro fb-lro", "ud-lro ud-xl", "fb-lro fb-xl", "ud-xl fb-xl"),
    )


def _gather_eight(pieces: LargeCubePieces) -> Phase:
    cube = pieces.cube
    low, high = pieces.tredges("eight", EDGES, EDGES[4:])  # 8!
    return Phase(
        name="gather eight",
        goal="half turns can pair all tredges and solve all inner centers",
        moves=EIGHT,
        goal_moves=EIGHT_HALF,
        coordinates=(
            SymCoordinate("low-pairs", cube, "midges", (low,), classes=5288, symmetries=8),
            SymCoordinate("high-pairs", cube, "midges", (high,), classes=5288, symmetries=8),
            high,
            pieces.dedges("dedges", EDGES, EDGES[4:], classes=1442, symmetries=16),
            pieces.together("rl", "RL", "lr"),
            pieces.together_classes("rl", "RL", "lr", 400, 16),
            *(pieces.centers(f"rl-{orbit}", "R", "RL") for orbit in "xoi"),
        ),
        tables=(
            Folded("dedges-classes rl-lr", fold=4),
            Folded("low-pairs rl-lr", fold=4),
            Folded("high-pairs rl-lr", fold=4),
            Folded("low-pairs high-eight", fold=16),
            "rl-lr-classes rl-x rl-o",
            "rl-lr-classes rl-x rl-i",
            "rl-lr-classes rl-o rl-i",
        ),
    )


def _pair_eight(pieces: LargeCubePieces) -> Phase:
    low, high = pieces.tredges("next", EDGES, EDGES[4:8])  # 4!
    return Phase(
        name="pair eight",
        goal="eight tredges paired, R L to be solved without the third layers of F and B",
        moves=EIGHT_HALF,
        goal_moves=EIGHT_PAIRED,
        coordinates=(
            low,
            high,
            pieces.reached("rl", "RL", "lro", EIGHT_HALF, 5184),
            pieces.reached("rl", "RL", "xi", EIGHT_HALF, 432),
            pieces.reached("ud", "UD", "l", EIGHT_HALF, 36),  # says where the others are
        ),
        tables=(
            "rl-lro low-next high-next",
            "rl-lro rl-xi",
            "rl-lro ud-l low-next",
            "rl-xi ud-l low-next",
        ),
    )


def _pair_twelve(pieces: LargeCubePieces) -> Phase:
    low, high = pieces.tredges("last", EDGES, EDGES[8:])  # 4!
    return Phase(
        name="pair twelve",
        goal="inner centers solved, all obliques and tredges paired: a 5x5x5",
        moves=EIGHT_PAIRED,
        goal_moves=REDUCED,
        coordinates=(
            low,
            high,
            pieces.reached("rl", "RL", "lro", EIGHT_PAIRED, 432),
            pieces.reached("rl", "RL", "x", EIGHT_PAIRED, 6),  # says where the inner t-centers are
            pieces.reached("fb", "FB", "l", EIGHT_PAIRED, 36),  # says where the others are
        ),
        tables=(
            "rl-lro low-last high-last",
            "rl-x low-last high-last",
            "rl-lro rl-x fb-l",
            "rl-lro fb-l low-last",
        ),
    )
