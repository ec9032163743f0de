"""The goals of coordinates under goal moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import Combination, Coordinate, Orientation
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.store import TableStore

CUBE4 = puzzlekit.load("cube4").puzzle
FACES = Combination("f", CUBE4, "centers", "Ful", "Ful Fur Fdl Fdr Bul Bur Bdl Bdr")


@pytest.mark.parametrize(
    ("coordinate", "moves", "count"),
    [
        (FACES, "R2 Rw2 Uw2 F2 B2", 12),
        (FACES, "F2", 1),
        (Orientation("twist", CUBE4, "corners"), "U D R2", 1),
        (Orientation("twist", CUBE4, "corners"), "U F R", 3**6),
    ],
)
def test_goal_moves_reach_the_goals_from_the_solved_state(
    coordinate: Coordinate, moves: str, count: int, tmp_path: Path
) -> None:
    allowed = CUBE4.moves(moves)
    flags = goal_flags(TableStore(str(tmp_path)), coordinate, allowed)
    known = {coordinate.rank(CUBE4.solved): CUBE4.solved}
    states = list(known.values())
    for state in states:  # grows during the loop
        for move in allowed:
            after = CUBE4.apply(state, [move])
            if known.setdefault(coordinate.rank(after), after) is after:
                states.append(after)
    assert set(flags.nonzero()[0].tolist()) == set(known)
    assert len(known) == count
