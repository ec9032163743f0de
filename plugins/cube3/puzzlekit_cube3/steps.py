"""Step methods of the 3x3x3: goals that people reach one after the other."""

from __future__ import annotations

from puzzlekit import GoalStep, StepMethod

PAIRS = "solved:DFR,FR or solved:DRB,BR or solved:DBL,BL or solved:DLF,FL"
WHOLE = "solved:corners,edges"

# A shortest algorithm in HTM for each way to orient the last layer, up to turns of the whole cube.
# They were found by searches for the goal `oll`.
OLL = (
    "R' F R' F2 L F' L' F2 R2",
    "R U R' F B' D R' D' F' B",
    "R L F U2 R2 U2 R2 U2 R2 F' R' L'",
    "R B R' F R B' R' F'",
    "F' B U' L' U L F U B'",
    "B U B' U' B' R B R'",
    "F B' U R U' R' F' U' B",
    "B U L U' F L' B' L F' L'",
    "R' U' R U F R B' R' F' B",
    "B L' U' L2 U' L2 U2 L U' B'",
    "R B2 U L' U' B' U L B' U' R'",
    "R2 D R' U2 R D' R' U2 R'",
    "L U F U' F' L'",
    "R B U B' U' R'",
    "R' U' F' U F R",
    "R L2 D' B' D B L B' R' L",
    "F U F R' F' R U' F'",
    "R2 L' D B D' B' R' B R' L",
    "R B U2 L' B L B2 R' F' U2 F",
    "R' F' L' F R F' L F",
    "R' U2 R2 B2 L' B' L B2 R' B",
    "F U' B' R' U' R U F' B",
    "L U2 L2 B L B' L U2 L'",
    "L' B L B' U' B' U B",
    "R' U L F U F' U' R L'",
    "R' U' R2 B U B' U' R2 U2 R",
    "R U B L' U' B U L U' B2 R'",
    "R' U L U' R U L'",
    "R B U' B' R2 D' L F L' D R",
    "R' F' R B R' U' F U R B'",
    "F R2 B' R' B R' F'",
    "F' L' U B' U' B U' L U F",
    "F' L' U' L2 U L' F L U' L'",
    "L' B' R B' R' B2 L",
    "R2 L F' R F' L' U2 L F' R L'",
    "F U F' U F U2 F'",
    "B L F' L F L2 B'",
    "R B U B2 U' B R' B' U B",
    "R' F2 L F L' F R",
    "R B U' L U L' U B' U' R'",
    "R' F' R L' U' L U R' F R",
    "R' F2 R2 L' B L' B' R2 L2 F2 R",
    "R' F2 R2 U2 R' F R U2 R2 F2 R",
    "R U2 R2 U' R2 U' R2 U2 R",
    "L F' L2 F U2 F U2 F' L",
    "R B U B' U R' U' R U' R'",
    "F R U R' U' R U R' U' F'",
    "L' F U2 F' U2 F' L2 F L'",
    "F' U' L' U L U' L' U L F",
    "B' R' U' R U R' U' R U B",
    "R U2 L' B L U2 L' B' L U2 R'",
    "R U R' U R U L' U R' U' L",
    "B L' B' L U2 B2 R B R' B",
    "R U2 R2 U' R U' R' U2 F R F'",
    "B' R B R' U2 B2 L' B' L B'",
    "R B L B' R2 B U L' U' B' R",
    "R U B' R B R2 U' R' F R F'",
)
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
    last_layer = (
        GoalStep("oll", "oriented:layer:U", algorithms=OLL, around="y"),
        GoalStep("pll", WHOLE, algorithms=PLL, around="U"),
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
