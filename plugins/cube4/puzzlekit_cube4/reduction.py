"""The three phases of the method `reduction`, which reduce the cube to a 3x3x3.

Each phase keeps many candidates. The phases follow S. Chen's solver "TPR-4x4x4" (after C. Tsai).
The first phase brings the centers of two opposite colours to one axis. The second brings all
centers to their axes, and one wing of each dedge to a low place. The third solves the centers and
pairs the dedges at once. In the third phase, R and L make half turns only. R-L may be the axis of
the colours that the first phase gathered, or another axis (see `aside`).
"""

from __future__ import annotations

from puzzlekit import Phase, Product
from puzzlekit_beam import Alternative
from puzzlekit_cube4.coordinates import PAIRING, SPLIT_GOAL, SPLITTING, CubeCoordinates
from puzzlekit_cubes import Hashed, SymPairing, Thresholds


def phases(pieces: CubeCoordinates) -> list[Phase]:
    """Return the three phases."""
    cube = pieces.cube
    split = Phase(
        name="split",
        goal=SPLIT_GOAL,
        moves=SPLITTING,
        goal_moves=PAIRING,
        goal_turns="x",  # each of the other two colour pairs may be on either axis
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
            # 12! / 2 pairings; the dedges along the axis R-L are the head
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
    """Return an alternative second phase: the gathered colours are on U and D, not on R and L.

    R and L get one of the two other pairs of opposite colours. The search tries both pairs, each in
    both directions.
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
