"""The phases of the method `six-phase` that reduce the cube to a 3x3x3.

The phases come from Nyanyan's solver "Solvour", which follows C. Tsai's 4x4x4 method.
"""

from __future__ import annotations

from puzzlekit import Combination, Phase
from puzzlekit_cube4.coordinates import PAIRING, SPLIT_GOAL, SPLITTING, CubeCoordinates
from puzzlekit_cubes import Pairing

REDUCING = "R2 Rw2 L2 F2 Fw2 B2 U D"


def phases(pieces: CubeCoordinates) -> list[Phase]:
    """Return the phases 0 to 3. After phase 3, the cube is a 3x3x3."""
    cube = pieces.cube
    # The places of the two wings of each dedge, in any order: 24 choose 2
    dedges = [
        Combination(f"{first}+{second}", cube, "wings", f"{first} {second}")
        for first, second in zip(pieces.low, pieces.high, strict=True)
    ]
    middle = pieces.low_wings(without="UD")
    outer = " ".join(wing for wing in pieces.low if wing not in middle.split())
    split = Phase(
        name="split",
        goal=SPLIT_GOAL,
        moves=SPLITTING,
        goal_moves=PAIRING,
        coordinates=(
            pieces.centers("fb-faces", "FB", "UDFB"),  # 16 choose 8
            pieces.right_left,
            *dedges,
            *pieces.split,
        ),
        tables=(
            "fb-faces rl",
            *(
                f"{one.name} {other.name}"
                for one, other in zip(dedges[::2], dedges[1::2], strict=True)
            ),
        ),
    )
    pair = Phase(
        name="pair",
        goal="R, L, F and B centers in columns, the four dedges of the middle layers paired",
        moves=PAIRING,
        goal_moves=REDUCING,
        coordinates=(
            pieces.right_left,
            pieces.front_back,
            Pairing("middle", cube, "wings", pieces.pairs, at=middle),  # 12! / 8!
        ),
        tables=("rl fb", "middle rl", "middle fb"),
    )
    reduce = Phase(
        name="reduce",
        goal="centers solved, all dedges paired, no parity: a 3x3x3",
        moves=REDUCING,
        coordinates=(
            pieces.up_down,
            pieces.front_back,
            pieces.right_left,
            Pairing("pairing", cube, "wings", pieces.pairs, within=outer),  # 8!
            pieces.parity,
        ),
        tables=("pairing ud parity", "pairing fb parity", "pairing rl parity", "ud fb rl"),
    )
    return [pieces.gather, split, pair, reduce]
