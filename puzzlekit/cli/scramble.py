"""`puzzlekit scramble`."""

from __future__ import annotations

import click

from puzzlekit.cli import Command, options


@click.command("scramble", cls=Command, short_help="Print scrambles of random states.")
@options.puzzle_option
@click.option(
    "--count",
    type=options.whole(1, 1_000_000),
    default=1,
    metavar="N",
    help="How many scrambles to print.",
)
@options.seed_option
def command(puzzle: str | None, definition: str | None, count: int, seed: int | None) -> int:
    """Print moves that lead from the solved puzzle to a random state.

    Every state is as likely as any other. One scramble a line; with a seed always the same ones.
    With --definition they are random moves where moves to a random state take too long to find; a
    line on stderr says so.

    \b
    Examples
      puzzlekit scramble --puzzle cube3
      puzzlekit scramble --puzzle cube2 --count 5 --seed 2024
    """
    from random import Random

    from puzzlekit.cli.errors import say
    from puzzlekit.cli.progress import prepare
    from puzzlekit.phase.scrambling import RANDOM_MOVES, random_moves, scramble_of, scrambled_state

    solver = options.load_puzzle(puzzle, definition)
    prepare(solver)
    rng = Random(seed)
    easy = True
    for _ in range(count):
        state = scrambled_state(solver, rng)
        found = scramble_of(solver, state, definition is not None) if easy else ""
        if not found and easy:
            easy = False
            say(
                f"these scrambles are {RANDOM_MOVES} random moves each: finding moves to a random "
                "state takes this puzzle too long"
            )
        click.echo(found or random_moves(solver, rng))
    return 0
