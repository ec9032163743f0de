"""Rotations of the whole puzzle among the moves are divided out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import Solver, TableStore
from puzzlekit_definitions import DefinedSolver, parse_definition
from puzzlekit_definitions.unrotated import rotations_of

# Four tokens in a square, and four lamps that only the rotation Q moves.
SWAPS = {"T": (0, 1), "R": (1, 2), "B": (2, 3), "L": (3, 0)}


def square(tmp_path: Path, lamps: bool, more: dict[str, list[int]] | None = None) -> DefinedSolver:
    size = 8 if lamps else 4
    moves = {}
    for name, (one, other) in SWAPS.items():
        moves[name] = list(range(size))
        moves[name][one], moves[name][other] = other, one
    moves["Q"] = [3, 0, 1, 2, 7, 4, 5, 6][:size]
    text = json.dumps({"generators": moves | (more or {})})
    return parse_definition(text, "json", store=TableStore(str(tmp_path)))


def distances(puzzle: puzzlekit.Puzzle) -> dict[bytes, int]:
    found = {puzzle.solved: 0}
    listed = [puzzle.solved]
    for state in listed:  # grows during the loop
        for move in puzzle.family_moves(puzzle.turns):
            if (after := puzzle.apply(state, [move])) not in found:
                found[after] = found[state] + 1
                listed.append(after)
    return found


@pytest.mark.parametrize(("lamps", "states"), [(True, 96), (False, 24)])
def test_every_answer_holds_the_puzzle_right(tmp_path: Path, lamps: bool, states: int) -> None:
    """With lamps, one rotation is right, and answers are proven; without, others may be shorter."""
    defined = square(tmp_path, lamps)
    method = defined._unrotated()
    assert method is not None
    solver = Solver(defined.puzzle, (method,), defined.store)
    known = distances(defined.puzzle)
    assert len(known) == states
    for state, distance in known.items():
        found = solver.solve(state, metric="moves", max_nodes=100_000)
        assert found.verified and found.cost >= distance
        assert found.optimal or not lamps
        assert found.cost == distance or not found.optimal


def test_only_moves_that_turn_all_others_into_moves_are_rotations(tmp_path: Path) -> None:
    assert rotations_of(square(tmp_path, True).puzzle) == ["Q"]
    # If a move has no counterpart, Q is a move like others.
    swap = {"S": [2, 1, 0, 3, 4, 5, 6, 7]}
    assert rotations_of(square(tmp_path, True, swap).puzzle) == []


def test_rotations_of_a_plugin_are_found_from_their_effects() -> None:
    for name in ("cube2", "cube3", "fto", "pyraminx"):
        puzzle = puzzlekit.load(name).puzzle
        assert rotations_of(puzzle) == list(puzzle.rotations), name


def test_a_puzzle_of_which_every_move_commutes_has_no_rotations(tmp_path: Path) -> None:
    """Nor does a Clock, whose other moves all commute."""
    lights = {"A": [1, 0, 2, 3], "B": [0, 1, 3, 2], "C": [1, 0, 3, 2]}
    for more in ({}, {"Y": [2, 3, 0, 1]}):
        text = json.dumps({"generators": lights | more})
        assert rotations_of(parse_definition(text, "json").puzzle) == []
