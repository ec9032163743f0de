"""Algorithms for the last layer of the 3x3x3. The last layer is on U."""

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
# The usual numbers of these cases, and the names of those with oriented edges.
_NUMBERS = (
    "28 57 20 24 32 33 31 30 34 29 19 23 44 45 43 41 46 42 18 25 36 39 35 37 40 38 17 26 12 "
    "16 6 9 14 8 4 27 7 13 5 10 15 11 3 22 49 52 48 50 51 47 2 21 54 55 53 56 1"
)
_KNOWN = {21: "H", 22: "Pi", 23: "Headlights", 24: "T", 25: "Bowtie", 26: "Antisune", 27: "Sune"}
OLL_NAMES = tuple(
    f"OLL: {_KNOWN[n]}" if n in _KNOWN else f"OLL {n}" for n in map(int, _NUMBERS.split())
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
_PERMUTATIONS = "Aa Ab E F Ga Gb Gc Gd H Ja Jb Na Nb Ra Rb T Ua Ub V Y Z"
PLL_NAMES = tuple(f"PLL: {name}" for name in _PERMUTATIONS.split())
