"""Beams of states for puzzles most of whose pieces are alike, such as rings of beads."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from test_proving import needs_compiler

import puzzlekit
from puzzlekit import Limits, Move, Puzzle, Solver
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.search.budget import Budget
from puzzlekit.search.universal import universal_method
from puzzlekit_authoring.engines import installed, plain
from puzzlekit_definitions import DefinedSolver, parse_definition
from puzzlekit_universal.goal_beams import GoalBeams, has_many_alike, without_sums
from puzzlekit_universal.near_search import NearStates


def rings(size: int, apart: int, colours: str) -> DefinedSolver:
    """Return two rings of beads, which cross at the places 0 and `apart`."""
    count = 2 * size - 2
    second = [0, *range(size, size + apart - 1), apart, *range(size + apart - 1, count)]
    moves = {"L": list(range(count)), "R": list(range(count))}
    for name, ring in (("L", list(range(size))), ("R", second)):
        for i, place in enumerate(ring):
            moves[name][ring[(i + 1) % size]] = place
    return parse_definition(json.dumps({"generators": moves, "central_state": [*colours]}), "json")


def near(puzzle: Puzzle) -> NearStates:
    moves = puzzle.family_moves("LR")
    return NearStates(puzzle, moves, [puzzle.metrics[0].cost(move) for move in moves])


def distances(puzzle: Puzzle, moves: list[Move]) -> dict[bytes, int]:
    """Return the number of moves between each state and the solved one."""
    found = {puzzle.solved: 0}
    for state in (every := [puzzle.solved]):
        for move in moves:
            if (reached := puzzle.apply(state, [move])) not in found:
                found[reached] = found[state] + 1
                every.append(reached)
    return found


def answers(puzzle: Puzzle, states: NearStates, state: bytes, longest: int = 999) -> list[int]:
    """Return the lengths of the answers to a state, and check them."""
    found = []
    for path in GoalBeams(states, [state]).answers(Budget(Limits(max_nodes=100_000)), longest):
        assert puzzle.apply(state, path) == puzzle.solved
        found.append(len(path))
    assert found == sorted(set(found), reverse=True)
    return found


@pytest.mark.parametrize("colours", ["0000011111", "0000022111", "0012222222"])
@pytest.mark.parametrize("table", [1, 100])
def test_a_beam_with_room_for_all_states_finds_shortest_answers(
    colours: str, table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are as short as those of a search breadth first, and none is found below these."""
    monkeypatch.setattr("puzzlekit_universal.goal_beams._TABLE", table)
    puzzle = rings(6, 2, colours).puzzle
    states = without_sums(near(puzzle))
    known = distances(puzzle, list(states.moves))
    for state in Random(3).sample(sorted(known), 30):
        assert answers(puzzle, states, state)[-1] == known[state]
        assert not answers(puzzle, states, state, known[state] - 1)


def test_moves_that_others_make_up_at_the_same_cost_are_left_out() -> None:
    solver = rings(7, 3, "000000111111")
    found = without_sums(near(solver.puzzle))
    assert sorted(move.name for move in found.moves) == ["L", "L'", "R", "R'"]
    cube = puzzlekit.load("cube2").puzzle
    moves = cube.family_moves("URF")
    for metric, count in (("HTM", 9), ("QTM", 6)):
        states = NearStates(cube, moves, [cube.metric(metric).cost(move) for move in moves])
        assert len(without_sums(states).moves) == count


@pytest.mark.parametrize("name", ["cube2", "cube4", "dino", "pyraminx"])
def test_twisty_puzzles_have_few_alike_pieces(name: str) -> None:
    assert not has_many_alike(puzzlekit.load(name).puzzle)


def test_beads_of_few_colours_are_alike() -> None:
    assert has_many_alike(rings(9, 2, "00000000" * 2).puzzle)
    assert not has_many_alike(rings(9, 2, "0000000111111122").puzzle)


def walked(made: Any, states: NearStates, state: bytes, width: int, limit: int) -> list[Any]:
    """Return all that a beam finds, and its work."""
    forward, back = (made.NearMoves(*states.inputs(*each)) for each in states.directions)
    table = made.NearTable(3, 1000)
    filling = made.NearSearch(back, table, states.goal)
    filling.fill()
    assert filling.run(10**6) == EXHAUSTED
    starts = [states.codes(state)]
    beam = made.GoalBeam(forward, table, states.goal, starts, width, 60, 20, limit, 3)
    found: list[Any] = []
    while (status := beam.run(50)) != EXHAUSTED:
        if status == FOUND:
            found.append(sorted(beam.found()))
            beam.tighten(sum(len(found[-1][0][0]) + cost for _, _, cost in found[-1][:1]))
    return [found, beam.work, beam.complete]


@pytest.mark.parametrize("width", [1, 5, 500])
def test_the_engine_is_the_same_compiled_and_interpreted(width: int) -> None:
    puzzle = rings(8, 3, "00000001111111").puzzle
    states = without_sums(near(puzzle))
    rng = Random(2)
    for _ in range(3):
        state = puzzle.apply(puzzle.solved, rng.choices(states.moves, k=50))
        every = [walked(made, states, state, width, 99) for made in (installed(), plain())]
        assert every[0] == every[1]
        assert every[0][0] or width == 1


@pytest.mark.parametrize("made", [installed(), plain()])
def test_a_state_needs_all_codes(made: Any) -> None:
    states = near(rings(6, 2, "0000011111").puzzle)
    moves = made.NearMoves(*states.inputs(*states.directions[0]))
    given = moves, made.NearTable(2, 100), states.goal
    for starts in ([], [states.goal[1:]]):
        with pytest.raises(ValueError, match="a code for each place"):
            made.GoalBeam(*given, starts, 5, 5, 5, 5, 1)


@pytest.mark.slow
@needs_compiler
def test_large_rings_of_two_colours_take_few_turns() -> None:
    """Words that permute three beads alone take 304 turns on average for rings of 26 beads."""
    puzzle = rings(26, 5, "0" * 25 + "1" * 25).puzzle
    solver = Solver(puzzle, [universal_method(puzzle)])
    states, rng = without_sums(near(puzzle)), Random(1)
    for _ in range(3):
        state = puzzle.apply(puzzle.solved, rng.choices(puzzle.family_moves("LR"), k=300))
        assert answers(puzzle, states, state)[-1] <= 70
    assert solver.solve(state, max_nodes=40_000_000, max_length=60).cost <= 60
