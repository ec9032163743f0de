"""`puzzlekit practice`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.options import F
from puzzlekit.cli.scramble import print_scramble, scramble_options

if TYPE_CHECKING:
    from puzzlekit import Solver
    from puzzlekit_steps.practice import Practice, PracticeStates

__all__ = ["practice_of", "practice_options", "print_practice"]

# For each step of speedcubers the goal before it: its cases are the states there.
_BEFORE = {"f2l": "cross", "oll": "f2l", "pll": "oll", "cmll": "blocks"}


def practice_options(command: F) -> F:
    """Add the options for states at a goal or near one."""
    for option in reversed(
        (
            click.option(
                "--goal",
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
                help="With --goal: states from which the goal needs 1 to N moves, instead of "
                "states at the goal.",
            ),
        )
    ):
        command = option(command)
    return command


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


@click.command("practice", cls=Command, short_help="Print scrambles for practice.")
@scramble_options
@practice_options
@click.argument("steps", nargs=-1, metavar="[STEP]")
@click.option(
    "--moves",
    metavar="LIST",
    help="Instead of --goal: scramble with these moves only, such as R,U, to random states that "
    "they reach.",
)
def command(
    puzzle: str | None,
    goal: str | None,
    unwanted: str | None,
    at_most: int | None,
    steps: tuple[str, ...],
    moves: str | None,
    count: int | None,
    seed: int | None,
    json_lines: bool,
) -> int:
    """Print scrambles for practice: to random states at a goal, near one, or of a few moves.

    STEP is a step of speedcubers: f2l, oll, pll or cmll. 'practice oll' is short for the first
    example.

    With --moves, the scrambles have these moves only, and lead to random states of the group that
    the moves generate. The solved state is left out. A line on stderr says which states are equally
    likely. The same seed gives the same scrambles.

    \b
    Examples
      puzzlekit practice --puzzle cube3 --goal f2l --not oll
      puzzlekit practice --puzzle cube3 --goal oll --not pll --count 5
      puzzlekit practice --puzzle cube3 --goal cross --at-most 4
      puzzlekit practice --puzzle cube3 --moves R,U --count 5
    """
    from puzzlekit.cli.progress import prepare
    from puzzlekit.search.scrambling import fresh_seed
    from puzzlekit_steps.practice import practice_scrambler

    if steps:
        puzzle = puzzle or "cube3"
        step, mixed = " ".join(steps).lower(), goal or unwanted or at_most or moves
        if mixed or step not in _BEFORE or options.load_puzzle(puzzle).puzzle.name != "cube3":
            raise click.UsageError(
                f"{step!r} is no step to practise: give only {', '.join(_BEFORE)} of cube3, or a "
                "goal, as in 'puzzlekit practice --puzzle cube3 --goal cross --at-most 4'"
            )
        goal, unwanted = _BEFORE[step], step
    if goal is not None and moves is not None:
        raise click.UsageError("--moves and --goal cannot be combined")
    practice = practice_of(goal, unwanted, at_most)
    if practice is None and moves is None:
        raise click.UsageError("give a step, such as oll, or --goal or --moves")
    solver = options.load_puzzle(puzzle)
    if practice is None:
        assert moves is not None
        return _print_of_group(solver, moves, count or 1, seed, json_lines)
    for choice in practice.choices(solver):
        prepare(solver, choice)
    states = practice.states(solver)
    make = practice_scrambler(solver, states, fresh_seed() if seed is None else seed)
    return print_practice(solver, practice.goal, states, map(make, range(count or 1)), json_lines)


def _print_of_group(
    solver: Solver, moves: str, count: int, seed: int | None, json_lines: bool
) -> int:
    """Print scrambles of some moves to random states of their group."""
    from random import Random

    from puzzlekit.cli.output import say
    from puzzlekit.search.scrambling import RANDOM_MOVES
    from puzzlekit_steps.group_scrambler import GroupScrambler

    scrambler = GroupScrambler(solver, moves)
    words = (
        f"random states of the group of {moves}, which has {scrambler.order:,} elements: all "
        "states are equally likely, except solved ones"
    )
    rng = Random(seed)
    told = False
    for number in range(count):
        found = scrambler.scramble(rng)
        if number == 0 and found is not None:
            say(words)
        elif found is None and not told:
            say(f"some scrambles are {RANDOM_MOVES} random moves: finding moves takes too long")
            told = True
        names = [move.name for move in found or scrambler.random_moves(rng)]
        print_scramble(solver, names, json_lines, found is not None)
    return 0


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
