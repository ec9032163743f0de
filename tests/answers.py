"""For the tests of answers: states of cubes, and a replay that shares nothing with puzzlekit."""

from __future__ import annotations

import bundled
from bundled import CUBES, counted, stickers

from puzzlekit import Solution

METHODS = [each for each in bundled.METHODS if each[0] in CUBES]
WAYS = [each for each in bundled.WAYS if each[0] in CUBES]
SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
SUPERFLIP_MOVES = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
FACES = [face + amount for face in "URFDLB" for amount in ("", "2", "'")]
HARD = "DBDLUBLDFRLLLRUUFUFFDBFULRRUDBFDLRBBRDDULRURFBDBRBFLUF"


def check(puzzle: str, start: str, solution: Solution) -> None:
    """Replay an answer on stickers, with nothing of puzzlekit, and count its moves."""
    cube = stickers(puzzle)
    assert cube.is_solved(cube.replay(start, str(solution)))
    assert solution.verified
    assert solution.cost == solution.lengths[solution.metric]
    if solution.metric not in ("STM", "BTM") and solution.method != "universal":
        outer = "URFDLB2' w" if puzzle == "cube4" else "URFDLB2' "
        assert set(" ".join(solution.moves)) <= set(outer)
    for metric, length in solution.lengths.items():
        assert length == counted(solution.moves, metric)
    assert len(solution) == len(solution.moves) == len(str(solution).split())


EASY = {"cube2": 23, "cube3": 32, "cube4": 80}  # lengths that are found at once
