"""Step methods of the 3x3x3: goals that people reach one after the other."""

from __future__ import annotations

from itertools import product

from puzzlekit_cubes import OLL, OLL_NAMES, PLL, PLL_NAMES
from puzzlekit_steps import GoalStep, StepBeam, StepMethod

CORNERS = "solved:DFR or solved:DRB or solved:DBL or solved:DLF"
MIDDLE = "solved:FR or solved:BR or solved:BL or solved:FL"
PAIRS = "solved:DFR,FR or solved:DRB,BR or solved:DBL,BL or solved:DLF,FL"
WHOLE = "solved:corners,edges"
TURNS = ("", "U", "U2", "U'")

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

# What beginners learn for the edges of the middle layer, beside F; other faces as F has them.
_INSERT = ("U R U' R' U' F' U F", "U' L' U L U F U' F'")
_AROUND = ("RFLB", "FLBR", "LBRF", "BRFL")  # what R F L B are called as seen from each side


def _inserted() -> tuple[str, ...]:
    """Return the algorithms that bring an edge to the middle layer, or one out of it and back."""
    names = [str.maketrans("RFLB", each) for each in _AROUND]
    single = [each.translate(name) for name in names for each in _INSERT]
    twice = [f"{one} {turn} {other}" for one in single for turn in TURNS for other in single]
    return *single, *twice


def _repeated(algorithm: str, times: int) -> tuple[str, ...]:
    """Return an algorithm, done up to `times` times with turns of U between.

    >>> len(_repeated("F R U R' U' F'", 3))
    21
    """
    found = last = [algorithm]
    for _ in range(times - 1):
        last = [f"{each} {turn} {algorithm}" for each in last for turn in TURNS]
        found = found + last
    return tuple(found)


def _twisted() -> tuple[str, ...]:
    """Return R' D' R D at one corner after the other, twice or four times, with U between."""
    found = []
    for twists in product(range(3), repeat=4):
        if any(twists) and sum(twists) % 3 == 0:
            found.append(" U ".join("R' D' R D " * (2 * each) for each in twists) + " U")
    return tuple(found)


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
            also=("fridrich", "friedrich", "speedcubing"),
        ),
        StepMethod(
            "beginner",
            "cross, four corners, four edges, last layer by four algorithms",
            (
                GoalStep("cross", "cross"),
                GoalStep("corner", CORNERS, times=4),
                GoalStep("middle-edge", MIDDLE, times=4, algorithms=_inserted(), around="U"),
                GoalStep(
                    "top-cross",
                    "oriented:UF,UR,UB,UL",
                    algorithms=_repeated("F R U R' U' F'", 3),
                    around="U",
                ),
                GoalStep(
                    "top-edges",
                    "solved:UF,UR,UB,UL",
                    algorithms=_repeated("R U R' U R U2 R'", 2),
                    around="U",
                ),
                GoalStep(
                    "top-corners",
                    "placed:URF,UFL,ULB,UBR",
                    algorithms=_repeated("U R U' L' U R' U' L", 2),
                    around="U",
                ),
                GoalStep("top-twists", WHOLE, algorithms=_twisted()),
            ),
            also=("layer-by-layer", "layer by layer", "layers", "lbl", "beginners"),
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
