"""The six phases of the method `reduction`, which reduce the cube to a 5x5x5.

Each phase keeps many candidates. At the end, the inner x-centers are solved, and each left oblique
is beside a right oblique of its colour, and the inner wings are paired. The outer wings, the outer
x-centers and the pairs of obliques are then the wings, x- and t-centers of a 5x5x5.

Three outer layers turned by a quarter separate pairs of obliques. Later phases make fewer such
turns: the third makes them only with F and B, and the others make none.
"""

from __future__ import annotations

from puzzlekit import Combination, Folded, Halves, Hashed, Parity, Phase, SymCoordinate
from puzzlekit_cube6.cube6_pieces import WINGS, Cube6Pieces, choices, flips
from puzzlekit_cubes import EDGES


def _blocks(faces: str, amount: str = "") -> str:
    """Return turns of the blocks of two and of three layers from some faces."""
    return " ".join(f"{layers}{face}w{amount}" for layers in ("", "3") for face in faces)


# Moves that keep the inner x-centers of two opposite colours on F and B.
SORTING = "U R F D L B Uw Rw Fw Dw Lw Bw 3Fw 3Bw 3Uw2 3Rw2 3Dw2 3Lw2"
# Moves that keep all sorted centers of two opposite colours on F and B.
SPLITTING = f"U R F D L B {_blocks('FB')} {_blocks('URDL', '2')}"
# Moves that keep each of these centers on its axis.
ALIGNING = f"U R F D L B {_blocks('URFDLB', '2')}"
# Moves that keep the wings at low or high places, and the edges of the layers between U and D.
FOUR = f"U D R2 F2 L2 B2 {_blocks('URFDLB', '2')}"
# Moves that keep the paired dedges of the layers between R and L.
EIGHT = f"R L U2 F2 D2 B2 {_blocks('UFDB', '2')}"
# Moves after the fourth and the fifth phase that change the centers solved by half turns.
ALIGNED = f"F2 B2 {_blocks('URDL', '2')}"
PAIRED = f"U2 F2 D2 B2 {_blocks('UFDB', '2')}"
# Moves of two outer layers keep inner x-centers solved, obliques paired and dedges paired.
REDUCED = "R L U2 F2 D2 B2 Uw2 Fw2 Dw2 Bw2"


def phases(pieces: Cube6Pieces) -> list[Phase]:
    """Return the six phases."""
    return [
        _inner(pieces),
        _obliques(pieces),
        _axes(pieces),
        _low(pieces),
        _four(pieces),
        _eight(pieces),
    ]


def _inner(pieces: Cube6Pieces) -> Phase:
    return Phase(
        name="inner",
        goal="the inner x-centers of two opposite colours on F and B",
        moves=f"U R F D L B {_blocks('URFDLB')}",
        coordinates=(pieces.classes("fb-x", "FB", "URFDLB", 46371, 16),),  # 24 choose 8
        tables=("fb-x-classes",),
    )


def _obliques(pieces: Cube6Pieces) -> Phase:
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
            Hashed("fb-l-classes fb-r-classes", entries=1 << 26, farthest={"OBTM": 7}),
        ),
    )


def _axes(pieces: Cube6Pieces) -> Phase:
    return Phase(
        name="axes",
        goal="each inner x-center and oblique on its axis, no parity of inner wings",
        moves=SPLITTING,
        coordinates=(
            pieces.classes("ud-x", "UD", "UDRL", 1703, 8),  # 16 choose 8
            pieces.classes("ud-l", "UD", "UDRL", 1703, 8),
            pieces.centers("ud-l", "UD", "UDRL"),
            pieces.centers("ud-r", "UD", "UDRL"),
            Parity("wing-parity", pieces.cube, WINGS),
        ),
        tables=(
            Folded("ud-x-classes wing-parity ud-l", fold=2),
            Folded("ud-x-classes wing-parity ud-r", fold=2),
            Folded("ud-l-classes ud-r", fold=4),
        ),
    )


def _low(pieces: Cube6Pieces) -> Phase:
    """Return the fourth phase. A flipped dedge counts as aligned if it is renamed by `flips`."""
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
        renamings=flips,
    )


def _four(pieces: Cube6Pieces) -> Phase:
    """Return the fifth phase. Any four dedges may be paired, because `choices` renames them."""
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
            pieces.together("fb", "FB", "xlr"),
            pieces.centers("fb-l", "F", "FB"),
            pieces.centers("fb-r", "F", "FB"),
        ),
        # The tables that prune most come first, because the others have large move tables.
        tables=(
            Folded("four-classes ud-xl", fold=10),
            Folded("four-classes ud-lr", fold=10),
            Folded("four-classes ud-xr", fold=10),
            "ud-xl fb-r",
            "ud-xlr fb-l",
            "fb-xlr",
        ),
        renamings=choices,
    )


def _eight(pieces: Cube6Pieces) -> Phase:
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
            pieces.centers("ud-l", "U", "UD"),
            pieces.centers("fb-l", "F", "FB"),
            Parity("parity", cube, "corners", plus=dedges),
        ),
        tables=(
            Folded("eight-classes rl-xl parity", fold=4),
            Folded("eight-classes rl-lr parity", fold=4),
            Folded("eight-classes rl-xr parity", fold=4),
            "rl-xl ud-l fb-l",
            "rl-xlr ud-l",
        ),
    )
