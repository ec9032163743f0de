"""Step methods of the 3x3x3: goals that people reach one after the other."""

from __future__ import annotations

from puzzlekit_cubes import OLL, OLL_NAMES, PLL, PLL_NAMES
from puzzlekit_steps import GoalStep, StepBeam, StepMethod

PAIRS = "solved:DFR,FR or solved:DRB,BR or solved:DBL,BL or solved:DLF,FL"
WHOLE = "solved:corners,edges"

# A shortest algorithm in STM for each way to solve the corners of the last layer, up to turns of U
# before and after it. The blocks are kept. They were found by searches for the goal `cmll`.
CMLL = (
    "R B R' U' R2 B2 U B U' B R2",
    "R2 B' U B' U' B2 R2 U R B' R'",
    "F U' B' U F' U B U2 R B R'",
    "R' U' R U' R' U2 R",
    "F U F2 U' F2 U F",
    "R U2 R2 U' R2 U' R2 U2 R",
    "F' U2 F U2 F U2 F U2 F'",
    "R' F R' F2 L F' L' F2 R2",
    "R' F R U2 L2 B L B' L",
    "R B2 D B' U B D' B2 U' R'",
    "R B2 R U R' B2 R U' R2",
    "R B2 R' U2 L' B L B'",
    "F U F' U' R' F' R",
    "R' F R U F U' F'",
    "B2 D F' L2 F D' B' U2 B'",
    "L F' L' F U2 F U2 F'",
    "B2 D' F R2 F' D B U2 B",
    "R' F R F' U2 F' U2 F",
    "L F' L' U' F' U F",
    "R' F U2 F' R F R' U2 R F'",
    "B' U F U' B U F'",
    "R B2 L' D B2 R' B L U B'",
    "F R2 F L2 F' R2 F L2 F2",
    "R B2 U' B2 U' B2 U B2 R'",
    "B' R B' R' B2 U2 L' B L B'",
    "F' U' F U L F L'",
    "R' U2 R' D' R U2 R' D R2",
    "R' U2 R U2 R B' R' B",
    "R2 B2 R U2 R' B2 R U2 R",
    "R U2 F' L2 B L2 F U2 R'",
    "R' F R F' U2 R2 B' R' B R'",
    "B U' F' U B' U' F",
    "L' B2 R D' B2 L B' R' U' B",
    "L F' U2 F L' F' L U2 L' F",
    "R2 D' L F' L' D R2 U B U B'",
    "F2 R2 F L' U' L U F' R2 F2",
    "R B U B' U' R'",
    "F R2 B' D B' D' B2 R2 F'",
    "R' F L2 B' R U2 R' B R U2 L2",
    "L2 U2 R' B' R U2 R' B L2 F' R",
    "R B U B' U R' U' R U' R'",
    "R U' B2 D B' U2 B D' B2 U R'",
)


def step_methods() -> list[StepMethod]:
    """Make the step methods. The first layer is on D."""
    last_layer = (
        GoalStep("oll", "oriented:layer:U", algorithms=OLL, names=OLL_NAMES, around="y"),
        GoalStep("pll", WHOLE, algorithms=PLL, names=PLL_NAMES, around="U"),
    )
    return [
        StepMethod(
            "cfop",
            "cross, four pairs, orient the last layer, permute it",
            (GoalStep("cross", "cross"), GoalStep("pair", PAIRS, times=4), *last_layer),
        ),
        StepMethod(
            "roux",
            "two blocks, corners of the last layer, last six edges",
            (
                GoalStep("first-block", "first-block"),
                GoalStep("second-block", "solved:DR,BR,FR,DFR,DRB", "U,R,Rw,M"),
                GoalStep("cmll", "solved:corners up-to:U", algorithms=CMLL, around="U"),
                GoalStep("lse", WHOLE, "M,U"),
            ),
            metric="STM",
        ),
        StepMethod(
            "zz",
            "oriented edges and a line, two blocks, last layer",
            (
                GoalStep("eo-line", "eo-line"),
                GoalStep("left-block", "solved:DL,BL,FL,DBL,DLF", "U,L,R"),
                GoalStep("right-block", "solved:DR,BR,FR,DFR,DRB", "U,R"),
                *last_layer,
            ),
        ),
        StepMethod(
            "petrus",
            "2x2x2, 2x2x3, oriented edges, first two layers, last layer",
            (
                GoalStep("222", "222"),
                GoalStep("223", "solved:DLF,DF,FL"),
                GoalStep("eo", "oriented:edges"),
                GoalStep("f2l", "solved:DR,BR,FR,DFR,DRB", "U,R"),
                *last_layer,
            ),
        ),
        StepMethod(
            "fewest-moves",
            "oriented edges, domino reduction, half-turn reduction, finish; with NISS",
            (
                GoalStep("eo", "eo", turns="any"),
                GoalStep("dr", "dr", "U,D,R,L,F2,B2", turns="z"),
                GoalStep("htr", "htr", "U,D,R2,L2,F2,B2"),
                GoalStep("finish", WHOLE, "U2,D2,R2,L2,F2,B2"),
            ),
            beam=StepBeam(kept=(1_000, 20_000)),
        ),
    ]
