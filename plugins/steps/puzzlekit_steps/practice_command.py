"""`puzzlekit practice`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.options import F
from puzzlekit.cli.scramble import print_scramble, scramble_options

if TYPE_CHECKING:
    from puzzlekit import Solver
    from puzzlekit_steps.practice import Practice, PracticeStates

__all__ = ["practice_of", "practice_options", "print_practice"]


def practice_options(required: bool) -> Callable[[F], F]:
    """Return a decorator that adds the options for states at a goal or near one."""
    added = (
        click.option(
            "--goal",
            required=required,
            metavar="GOAL",
            shell_complete=options.complete_goals,
            help="Scramble to states at this goal, named as for 'puzzlekit solve'.",
        ),
        click.option(
            "--not",
            "unwanted",
            metavar="GOAL",
            shell_complete=options.complete_goals,
            help="With --goal: leave out states that are at this goal.",
        ),
        click.option(
            "--at-most",
            type=options.whole(1, 30),
            metavar="N",
            help="With --goal: states from which the goal needs 1 to N moves, instead of states at "
            "the goal.",
        ),
    )

    def add(command: F) -> F:
        for option in reversed(added):
            command = option(command)
        return command

    return add


def practice_of(goal: str | None, unwanted: str | None, at_most: int | None) -> Practice | None:
    """Return the states that the options name; None without a goal."""
    if goal is not None:
        if unwanted is not None and at_most is not None:
            raise click.UsageError("--not and --at-most cannot be combined")
        from puzzlekit_steps.practice import Practice

        return Practice(goal, unwanted, at_most)
    for name, value in {"--not": unwanted, "--at-most": at_most}.items():
        if value is not None:
            raise click.UsageError(f"{name} needs --goal")
    return None


@click.command("practice", cls=Command, short_help="Print scrambles that lead to states of a goal.")
@scramble_options
@practice_options(required=True)
def command(
    puzzle: str | None,
    goal: str,
    unwanted: str | None,
    at_most: int | None,
    count: int | None,
    seed: int | None,
    json_lines: bool,
) -> int:
    """Print scrambles for practice: to random states at a goal, or near one.

    The solved state is left out. A line on stderr says which states are equally likely. The same
    seed gives the same scrambles.

    \b
    Examples
      puzzlekit practice --puzzle cube3 --goal f2l --not oll
      puzzlekit practice --puzzle cube3 --goal oll --not pll --count 5
      puzzlekit practice --puzzle cube3 --goal cross --at-most 4
    """
    from puzzlekit.cli.progress import prepare
    from puzzlekit.search.scrambling import fresh_seed
    from puzzlekit_steps.practice import practice_scrambler

    practice = practice_of(goal, unwanted, at_most)
    assert practice is not None
    solver = options.load_puzzle(puzzle)
    for choice in practice.choices(solver):
        prepare(solver, choice)
    states = practice.states(solver)
    make = practice_scrambler(solver, states, fresh_seed() if seed is None else seed)
    return print_practice(solver, goal, states, map(make, range(count or 1)), json_lines)


def print_practice(
    solver: Solver,
    goal: str,
    states: PracticeStates,
    found: Iterable[tuple[bytes, list[str]]],
    json_lines: bool,
) -> int:
    """Print scrambles for practice: states with moves that lead to them."""
    from puzzlekit.cli.output import say

    say(states.words)
    for _, moves in found:
        print_scramble(
            solver, moves, json_lines, goal=goal, states=states.count, words=states.words
        )
    return 0
