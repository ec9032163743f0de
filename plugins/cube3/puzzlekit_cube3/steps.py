"""Step methods of the 3x3x3: goals that people reach one after the other."""

from __future__ import annotations

from puzzlekit import GoalStep, StepMethod

PAIRS = "solved:DFR,FR or solved:DRB,BR or solved:DBL,BL or solved:DLF,FL"
WHOLE = "solved:corners,edges"

# One algorithm for each way to permute the last layer. Turns of U before and after it give the
# other cases.
PLL = (
    "R' F R' B2 R F' R' B2 R2",
    "R2 B2 R F R' B2 R F' R",
    "R B' R' F R B R' F' R B R' F R B' R' F'",
    "R' U' F' R U R' U' R' F R2 U' R' U' R U R' U R",
    "R2 U R' U R' U' R U' R2 U' D R' U R D'",
    "R' U' R U D' R2 U R' U R U' R U' R2 D",
    "R2 U' R U' R U R' U R2 U D' R U' R' D",
    "R U R' U' D R2 U' R U' R' U R' U R2 D'",
    "R2 L2 D R2 L2 U2 R2 L2 D R2 L2",
    "L' U' L F L' U' L U L F' L2 U L",
    "R U R' F' R U R' U' R' F R2 U' R'",
    "R U R' U R U R' F' R U R' U' R' F R2 U' R' U2 R U' R'",
    "R' U R U' R' F' U' F R U R' F R' F' R U' R",
    "R U' R' U' R U R D R' U' R D' R' U2 R'",
    "R' U2 R U2 R' F R U R' U' R' F' R2",
    "R U R' U' R' F R2 U' R' U' R U R' F'",
    "R U' R U R U R U' R' U' R2",
    "R2 U R U R' U' R' U' R' U R'",
    "R' U R' U' B' R' B2 U' B' U B' R B R",
    "F R U' R' U' R U R' F' R U R' U' R' F R F'",
    "R2 L2 D R2 L2 U R L' F2 R2 L2 B2 R L'",
)


def step_methods() -> list[StepMethod]:
    """Make the step methods. The first layer is on D."""
    last_layer = GoalStep("oll", "oriented:layer:U"), GoalStep("pll", WHOLE, "", 1, None, PLL, "U")
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
                GoalStep("cmll", "solved:corners up-to:U"),
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
    ]
