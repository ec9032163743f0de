"""Step methods of the 4x4x4: centers, pairs of wings, then a 3x3x3."""

from __future__ import annotations

from puzzlekit_cubes import OLL, OLL_NAMES, PLL, PLL_NAMES
from puzzlekit_steps import GoalStep, StepMethod

# After the centers of U and D, these moves are enough.
SLICING = "U,Uw,D,R,L,F,B"
OUTER = "U,D,R,L,F,B"

DEDGES = {
    "LB": "LBd,BLu",
    "RB": "RBu,BRd",
    "RF": "RFd,FRu",
    "LF": "LFu,FLd",
    "UB": "UBl,BUr",
    "UR": "URb,RUf",
    "UF": "UFr,FUl",
    "UL": "ULf,LUb",
    "DB": "DBr,BDl",
    "DR": "DRf,RDb",
    "DF": "DFl,FDr",
    "DL": "DLb,LDf",
}
# The two dedges that are paired last. First they are brought to LF and RF. The wings of each dedge
# are then both above or both below. They may also happen to be paired.
LAST = ("UBl,BUr", "UFr,FUl")
ABOVE, BELOW = "LFu,FRu", "FLd,RFd"
PAIRED = " ".join(f"joined:{pair}" for pair in LAST)
FRONT = " or ".join(
    (
        PAIRED,
        *(f"within:{one}={ABOVE} within:{other}={BELOW}" for one, other in (LAST, reversed(LAST))),
    )
)
LAST_PAIRS = ("Uw' R F' U R' F Uw", "Uw' R U R' F R' F' R Uw")  # the second one keeps the cross
# Each exchanges two wings, two dedges, or both, without changing the first layers.
FLIP = "Rw2 B2 U2 Lw U2 Rw' U2 Rw U2 F2 Rw F2 Lw' B2 Rw2"
EXCHANGE = "2R2 U2 2R2 Uw2 2R2 2U2"
PARITY = (FLIP, EXCHANGE, f"{FLIP} {EXCHANGE}")

CROSS = "solved:DRf,RDb or solved:DLb,LDf or solved:DFl,FDr or solved:DBr,BDl"
SLOTS = "solved:DFR,FRu,RFd or solved:DRB,RBu,BRd or solved:DBL,LBd,BLu or solved:DLF,LFu,FLd"
WHOLE = "solved:corners,wings,centers"


def step_methods() -> list[StepMethod]:
    """Make the step methods. The first layer is on D."""
    first_centers = (
        GoalStep("center", "solved:centers:D"),
        GoalStep("opposite-center", "solved:centers:U"),
    )
    other_centers = (
        GoalStep("third-center", "solved:centers:F", SLICING),
        GoalStep(
            "fourth-center", "solved:centers:R or solved:centers:B or solved:centers:L", SLICING
        ),
        GoalStep("last-centers", "solved:centers", SLICING),
    )
    cross = GoalStep("cross", "solved:wings:D", OUTER)
    pairs_of_layers = GoalStep("slot", SLOTS, OUTER, times=4)
    last_layer = (
        GoalStep("parity", f"solvable-by:{OUTER}", algorithms=PARITY, around="U"),
        GoalStep(
            "oll", f"showing:{'U' * 16}{'.' * 80}", algorithms=OLL, names=OLL_NAMES, around="U"
        ),
        GoalStep("pll", WHOLE, algorithms=PLL, names=PLL_NAMES, around="U"),
    )
    return [
        StepMethod(
            "reduction",
            "centers, paired edges, then as a 3x3x3: cross, four pairs, last layer",
            (*first_centers, *other_centers, *_paired(""), cross, pairs_of_layers, *last_layer),
        ),
        StepMethod(
            "yau",
            "two centers, three cross edges, other centers, paired edges, then as a 3x3x3",
            (
                *first_centers,
                GoalStep("cross-edge", CROSS, times=3),
                *other_centers,
                GoalStep("cross", "solved:wings:D", SLICING),
                *_paired("D"),
                pairs_of_layers,
                *last_layer,
            ),
        ),
    ]


def _paired(without: str) -> tuple[GoalStep, ...]:
    """Return the steps that pair all dedges but those of the face `without`."""
    first = [
        f"joined:{pair}"
        for name, pair in DEDGES.items()
        if pair not in LAST and not (without and without in name)
    ]
    return (
        GoalStep("pair", " or ".join(first), SLICING, times=len(first)),
        GoalStep("to-the-front", FRONT, OUTER, keep=False),
        GoalStep("last-pairs", PAIRED, algorithms=LAST_PAIRS),
    )
