"""Search for goals, and solve step by step, as people do: CFOP, Roux, fewest moves.

>>> import puzzlekit
>>> from puzzlekit_steps import solve_in_steps
>>> answer = solve_in_steps(puzzlekit.load("cube3"), "R U R' U'", "cfop")
>>> answer.solved, [step.length for step in answer.steps]
(True, [0, 0, 0, 0, 4, 0, 0])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import ServiceEntry

if TYPE_CHECKING:
    from puzzlekit_steps.conditions import Joined as Joined
    from puzzlekit_steps.conditions import Oriented as Oriented
    from puzzlekit_steps.conditions import Placed as Placed
    from puzzlekit_steps.conditions import Solved as Solved
    from puzzlekit_steps.conditions import Within as Within
    from puzzlekit_steps.file import parse_steps as parse_steps
    from puzzlekit_steps.file import read_steps as read_steps
    from puzzlekit_steps.goal import Condition as Condition
    from puzzlekit_steps.goal import Goal as Goal
    from puzzlekit_steps.goal_method import derive_goal as derive_goal
    from puzzlekit_steps.report import StepReport as StepReport
    from puzzlekit_steps.report import StepSolution as StepSolution
    from puzzlekit_steps.solvable_by import EachSolvableBy as EachSolvableBy
    from puzzlekit_steps.solvable_by import SolvableBy as SolvableBy
    from puzzlekit_steps.solving import solve_in_steps as solve_in_steps
    from puzzlekit_steps.step_method import GoalStep as GoalStep
    from puzzlekit_steps.step_method import StepBeam as StepBeam
    from puzzlekit_steps.step_method import StepMethod as StepMethod

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".conditions": "Joined Oriented Placed Solved Within",
        ".file": "parse_steps read_steps",
        ".goal": "Condition Goal",
        ".goal_method": "derive_goal",
        ".report": "StepReport StepSolution",
        ".solvable_by": "EachSolvableBy SolvableBy",
        ".solving": "solve_in_steps",
        ".step_method": "GoalStep StepBeam StepMethod",
    },
)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Add `solve --goal` and `--moves`."""
    yield ServiceEntry("goals", "puzzlekit_steps.goal_text:Goals")


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit steps` and `practice`."""
    yield CommandEntry(
        "steps",
        "puzzlekit_steps.command:command",
        "Solve a position in the steps of a method.",
        ("beginner", "cfop", "petrus", "roux", "zz", "solve --steps"),
    )
    yield CommandEntry(
        "practice",
        "puzzlekit_steps.practice_command:command",
        "Print scrambles for practice: to states of a goal, or of a few moves.",
        tuple(f"scramble {name}" for name in ("--goal", "--not", "--at-most", "--moves")),
    )
