"""The goals of coordinates under goal moves."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import Combination, Coordinate, Metric, Orbit, Orientation, Puzzle
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


def test_a_coordinate_of_one_value(tmp_path: Path) -> None:
    """A lamp that no move turns shows nothing: the coordinate reads no byte."""
    orbits = Orbit("lamp", "lamp", "X", orientations=3), Orbit("beads", "bead", "A B C")
    turns = {"t": (bytes([0, 1, 3, 4, 2]), bytes(5))}
    puzzle = Puzzle("lit", "", orbits, turns, (Metric("M", "", {"t": 1}),))
    lamp = Orientation("lamp", puzzle, "lamp")
    moves = puzzle.family_moves("t")
    assert lamp.size == 1
    assert goal_flags(TableStore(tmp_path), lamp, moves).tolist() == [1]
    found = [(before.tolist(), after.tolist()) for before, after in lamp.passages(moves)]
    assert found == [([0], [0])] * 2
