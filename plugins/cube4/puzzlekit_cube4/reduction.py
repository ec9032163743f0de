"""The phases of the method `reduction`: three that lead to a 3x3x3, with many candidates each.

In the manner of S. Chen's solver "TPR-4x4x4" (after C. Tsai): the centers of two opposite colours
on one axis, all centers on their axes and wings in their classes, then centers solved and dedges
paired at once. Here the axis of half turns, R-L from the second phase on, may be any one, not only
that of the first colours.
"""

from __future__ import annotations

from puzzlekit import Alternative, Hashed, Phase, Product, SymPairing, Thresholds
from puzzlekit_cube4.coordinates import PAIRING, SPLIT_GOAL, SPLITTING, CubeCoordinates


def phases(pieces: CubeCoordinates) -> list[Phase]:
    """The three phases."""
    cube = pieces.cube
    split = Phase(
        name="split",
        goal=SPLIT_GOAL,
        moves=SPLITTING,
        goal_moves=PAIRING,
        goal_turns="x",  # which of the other two colour pairs is on which axis does not matter
        coordinates=(
            pieces.centers("fb-faces", "FB", "UDFB"),  # 16 choose 8
            pieces.right_left,
            *pieces.split,
        ),
        tables=("fb-faces rl wing-parity",),
        endings=3,
    )
    pair = Phase(
        name="pair",
        goal="centers solved, all dedges paired, no parity: a 3x3x3",
        moves=PAIRING,
        goal_turns="x2 y2",
        coordinates=(
            Product("rl-parity", cube, "centers", (pieces.right_left, pieces.parity)),
            pieces.up_down,
            pieces.front_back,
            # 12! / 2 pairings; the dedges along the axis R-L are its head
            SymPairing(
                "pairing",
                cube,
                "wings",
                pieces.pairs,
                head=pieces.low_wings(without="RL"),
                classes=1538,
                symmetries=8,
            ),
            pieces.parity,
        ),
        tables=(
            "rl-parity ud fb",
            Thresholds("pairing parity", (9, 10, 11)),
            Hashed("pairing rl-parity ud fb", entries=52_000_000, farthest={"OBTM": 8}),
        ),
    )
    return [pieces.gather, split, pair]


def aside(pieces: CubeCoordinates) -> Alternative:
    """The second phase with another axis of half turns than that of the colours gathered.

    These are then on U and D. Of the others two are tried on R and L, and either way.
    """
    phase = Phase(
        name="split aside",
        goal=SPLIT_GOAL,
        moves="U Uw D R L F B Rw2 Fw2",
        goal_moves=PAIRING,
        coordinates=(
            pieces.centers("r", "R", "RLFB"),  # 16 choose 4
            pieces.centers("l", "L", "RLFB"),
            *pieces.split,
        ),
        tables=("r l wing-parity",),
        endings=3,
    )
    return Alternative("split", phase, turns=("z", "y z"), names=("", "y"))
