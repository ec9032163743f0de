"""Checks of a puzzle's named goals, and of the metrics that only sort answers."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.errors import PuzzlekitError
from puzzlekit.puzzle.move import act, invert
from puzzlekit.search.goals.goal import Condition, Goal
from puzzlekit.testing.check import PUZZLE, check, fail, skip
from puzzlekit.testing.move_checks import COUNTED, WHOLE
from puzzlekit.testing.target import Target

_STATES = 6  # random states of a check


@check("named goals can be tested", PUZZLE, needs=(WHOLE,))
def goals(target: Target) -> None:
    """Each goal names pieces of the puzzle. Where its conditions hold, their needs hold too."""
    puzzle, named = target.puzzle, target.solver.goals
    if not named:
        skip("it names no goals")
    walked = target.walk(target.all_moves, _STATES)
    states = [puzzle.solved, *(state for _, state in walked)]
    for goal in named.values():
        try:
            for state in states:
                goal.reached(puzzle, state)
            for condition in {each for case in goal.cases for each in case.conditions}:
                _check_condition(target, goal, condition, states)
        except PuzzlekitError as error:
            fail(f"the goal {goal.name} cannot be tested: {error}")


def _check_condition(
    target: Target, goal: Goal, condition: Condition, states: Sequence[bytes]
) -> None:
    """Fail if a condition contradicts its `needs` or its `is_kept`."""
    puzzle = target.puzzle
    test = condition.test(puzzle)
    where = f"{goal.name}: {condition.words}"
    for state in filter(test, states):
        for orbit, home, placed, turned in condition.needs(puzzle):
            labels, turns = puzzle.labels(state, orbit), puzzle.orientations(state, orbit)
            own = orbit.solved[home]
            if placed and labels[home] != own:
                fail(f"{where}: {orbit.places[home]} is not at home, although it needs to be")
            if turned and orbit.distinct and turns[labels.index(own)]:
                fail(f"{where}: {orbit.places[home]} is twisted, although it must not be")
    for held in puzzle.whole_rotations[1:]:
        if condition.is_kept(puzzle, held):
            back = invert(held, puzzle.modulus)
            for state in states:
                seen = act(puzzle.relabel(state, back), *held, puzzle.modulus)
                if test(seen) != test(state):
                    fail(f"{where}: a rotation changes the condition, although `is_kept` denies it")


@check("rankings count every move", PUZZLE, needs=(WHOLE, COUNTED))
def rankings(target: Target) -> None:
    """Each metric for sorting has a cost of at least 0 for each move of the default method."""
    own = [
        metric for metric in target.solver.rankings.values() if metric not in target.puzzle.metrics
    ]
    if not own:
        skip("it has no metrics only for sorting")
    moves = {
        move
        for phase in target.solver.method().phases
        if phase.view is None
        for move in phase.allowed(target.puzzle)
    }
    for metric in own:
        for move in moves:
            try:
                cost = metric.total((move,))
            except PuzzlekitError as error:
                fail(f"{metric.name}: {error}")
            if cost < 0:
                fail(f"{metric.name}: {move.name} costs {cost}")
