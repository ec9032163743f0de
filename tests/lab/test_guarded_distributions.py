"""Moves that are not always possible: distributions, and what cannot be asked for."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from test_guarded import least_costs, parts, puzzles, row, solver, whole

from puzzlekit import Permutation, Phase, Puzzle, Sequential, UsageError
from puzzlekit_lab import distribution, find


def counts(costs: Iterable[int]) -> tuple[int, ...]:
    listed = list(costs)
    return tuple(listed.count(cost) for cost in range(max(listed) + 1))


@pytest.mark.slow
@settings(max_examples=25)
@given(puzzles())
def test_distributions_are_exact(puzzle: Puzzle) -> None:
    true = least_costs(puzzle, {puzzle.solved: 0})
    for way in (solver(puzzle, whole(puzzle)), solver(puzzle, parts(puzzle))):
        counted = distribution(way)
        assert counted.states == counts(true.values())
        made = puzzle.apply(puzzle.solved, puzzle.moves(" ".join(counted.farthest)))
        assert true[made] == counted.diameter


@pytest.mark.parametrize("cost", [1, 3])
def test_the_states_of_a_phase_before_another(cost: int) -> None:
    puzzle = row(cost)
    early = Permutation("early", puzzle, "beads", "B C")
    first = Phase("first", "B and C", "r l x", (early,), ("early",), bits=8)
    way = solver(puzzle, first, whole(puzzle), strategy=Sequential(choices=3))
    # The states of the first phase are the places of two beads; A may be anywhere at its goal.
    true = least_costs(puzzle, {puzzle.solved: 0})
    ends = {state: 0 for state in true if early.rank(state) == early.goals[0]}
    nearest: dict[int, int] = {}
    for state, spent in least_costs(puzzle, ends).items():
        value = early.rank(state)
        nearest[value] = min(spent, nearest.get(value, spent))
    assert distribution(way, phase="first").states == counts(nearest.values())


def test_fewer_moves() -> None:
    puzzle = row()
    counted = distribution(solver(puzzle, whole(puzzle)), moves="r, l")
    assert (counted.moves, counted.states) == (("r", "l"), (1, 2, 2))


def test_what_is_only_for_moves_that_are_always_possible_is_refused() -> None:
    puzzle = row()
    way = solver(puzzle, whole(puzzle))
    with pytest.raises(UsageError, match="not always possible"):
        find(way, max_length=3, effect="(A B)")
    with pytest.raises(UsageError, match="no symmetries"):
        distribution(way, classes=True)
    with pytest.raises(UsageError, match="the inverse of r is not among"):
        distribution(way, moves="r x")
