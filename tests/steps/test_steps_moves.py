"""Step methods with moves of their own."""

from __future__ import annotations

import pytest
from test_allowed_moves import CUBE2

from puzzlekit import (
    Solver,
    UsageError,
)
from puzzlekit_steps import GoalStep, StepBeam, StepMethod, solve_in_steps


def test_steps_keep_single_powers() -> None:
    steps = (
        GoalStep("first", "piece:URF", moves="U' R'"),
        GoalStep("second", "solved:corners", moves="U' R'"),
    )
    solver = Solver(
        CUBE2.puzzle,
        CUBE2.methods,
        steps=[StepMethod("own", "own", steps)],
    )
    for scramble in ("U R", "U R U2 R", "R2 U R' U"):
        answer = solve_in_steps(solver, scramble, "own")
        assert answer.solved
        assert {move.name for move in answer.sequence} <= {"U'", "R'"}


@pytest.mark.slow
def test_a_beam_of_steps_needs_inverses_for_the_inverse_state() -> None:
    moves = "U' R' F'"
    steps = (
        GoalStep("first", "piece:URF", moves=moves),
        GoalStep("second", "piece:UFL", moves=moves),
        GoalStep("third", "solved:corners", moves=moves),
    )
    for inverse in (True, False):
        beam = StepBeam((100,), inverse=inverse)
        own = StepMethod("own", "own", steps, beam=beam)
        solver = Solver(CUBE2.puzzle, CUBE2.methods, steps=[own])
        if inverse:
            with pytest.raises(UsageError, match="inverse"):
                solve_in_steps(solver, "U R", "own")
        else:
            answer = solve_in_steps(solver, "U R", "own")
            assert {move.name for move in answer.sequence} <= set(moves.split())
