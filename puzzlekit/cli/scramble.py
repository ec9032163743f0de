"""`puzzlekit scramble`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from puzzlekit.phase.solver import Solver

_NODES = 30_000  # that a scramble may take to find; more where that finds none


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
def command(puzzle: str | None, count: int, seed: int | None) -> int:
    """Print moves that lead from the solved puzzle to a random state.

    Every state is as likely as any other. One scramble a line; with a seed always the same ones.

    \b
    Examples
      puzzlekit scramble --puzzle cube3
      puzzlekit scramble --puzzle cube2 --count 5 --seed 2024
    """
    from random import Random

    from puzzlekit.cli.progress import prepare

    solver = options.load_puzzle(puzzle)
    prepare(solver)
    rng = Random(seed)
    for _ in range(count):
        state = solver.random_state(rng)
        while solver.puzzle.is_solved(state):
            state = solver.random_state(rng)
        click.echo(scramble_of(solver, state))
    return 0


def scramble_of(solver: Solver, state: bytes) -> str:
    """Moves that lead from the solved state to this one: a solution of it, undone."""
    from puzzlekit.errors import NoSolutionError

    puzzle = solver.puzzle
    nodes = _NODES
    while True:
        try:
            solution = solver.solve(state, max_nodes=nodes, threads=1)
        except NoSolutionError:
            nodes *= 4
        else:
            break
    moves = puzzle.moves(str(solution))
    return " ".join(puzzle.inverse(move).name for move in reversed(moves))
