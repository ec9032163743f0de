"""Answers with some moves of a puzzle, against breadth-first search of the same moves."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import puzzlekit
from puzzlekit import NoSolutionError, Puzzle


def distances(
    puzzle: Puzzle, names: list[str], metric: str = "HTM", most: int = 99
) -> dict[bytes, int]:
    """The least cost of solving each state with some moves, up to a limit."""
    turns = puzzle.named_moves(" ".join(names))
    undone = [(puzzle.inverse(turn), puzzle.metric(metric).cost(turn)) for turn in turns]
    known = dict.fromkeys(puzzle.solved_states, 0)
    fresh = {0: {*known}}
    for cost in range(most):
        for state in fresh.pop(cost, set()):
            for turn, more in undone if known[state] == cost else ():
                before = puzzle.apply(state, [turn])
                if cost + more < known.get(before, most + 1):
                    known[before] = cost + more
                    fresh.setdefault(cost + more, set()).add(before)
    return known


FLAT = ["1x2x2", "2x1x2", "2x2x1", "1x2x3", "3x1x2", "2x3x1", "1x3x3", "3x1x3", "3x3x1"]


@pytest.mark.slow
@pytest.mark.parametrize("size", FLAT)
def test_answers_for_flat_cuboids_are_shortest(size: str) -> None:
    """For every state, also with only some moves, and where these moves do not solve it."""
    solver = puzzlekit.load(f"cuboid-{size}")
    puzzle = solver.puzzle
    every = [move.name for move in puzzle.family_moves(puzzle.turns)]
    all_states = set(distances(puzzle, every))
    for names in (every, every[:3], every[::2], every[:1]):
        known = distances(puzzle, names)
        for state in all_states:
            allowed = {} if names == every else {"moves": " ".join(names)}
            if state not in known:
                with pytest.raises(NoSolutionError):
                    solver.solve(state, **allowed)
                continue
            for metric in ("HTM", "QTM"):  # no turn is a quarter turn
                solution = solver.solve(state, metric=metric, **allowed)
                assert solution.optimal and solution.cost == known[state]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["2x2x3", "2x3x2", "3x2x2"])
def test_answers_for_towers_are_shortest(size: str) -> None:
    """Of states near the solved one, held in any way, in both metrics and with single powers."""
    solver, rng = puzzlekit.load(f"cuboid-{size}"), Random(size)
    puzzle = solver.puzzle
    every = [move.name for move in solver.method().phases[0].allowed(puzzle)]
    single = next(name for name in every if name.endswith("'"))
    for metric, names in product(("HTM", "QTM"), (every, [single, *every[::3]])):
        known = distances(puzzle, names, metric, 4)
        allowed = {} if names == every else {"moves": " ".join(names)}
        for state in rng.sample(sorted(known), 30):
            solution = solver.solve(state, metric=metric, **allowed)
            assert solution.optimal and solution.cost == known[state]
