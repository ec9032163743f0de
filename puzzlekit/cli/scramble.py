"""`puzzlekit scramble`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.phase.solver import Solver

_NODES = 30_000  # that a scramble may take to find; more where that finds none
_MOST_NODES = 5_000_000  # of the method that was derived for a definition, which knows no short way
_FAR_TOO_MANY = 500_000_000  # nodes: no state of a puzzle with a method takes so many
_RANDOM_MOVES = 100


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

    solver = options.load_puzzle(puzzle, definition)
    prepare(solver)
    rng = Random(seed)
    easy = True
    for _ in range(count):
        state = solver.random_state(rng)
        while solver.puzzle.is_solved(state):
            state = solver.random_state(rng)
        found = scramble_of(solver, state, definition is not None) if easy else ""
        if not found and easy:
            easy = False
            say(
                f"these scrambles are {_RANDOM_MOVES} random moves each: finding moves to a random "
                "state takes this puzzle too long"
            )
        click.echo(found or random_moves(solver, rng))
    return 0


def random_moves(solver: Solver, rng: Random) -> str:
    """Some moves, no two of one family in a row."""
    puzzle = solver.puzzle
    families: list[str] = []
    while len(families) < _RANDOM_MOVES:
        family = rng.choice([each for each in puzzle.turns if each not in puzzle.rotations])
        if not families or family != families[-1] or len(puzzle.turns) == 1:
            families.append(family)
    return " ".join(rng.choice(puzzle.family_moves([family])).name for family in families)


def scramble_of(solver: Solver, state: bytes, give_up: bool = False) -> str:
    """Moves that lead from the solved state to this one: a solution of it, undone.

    Or nothing, where it may `give_up` what takes long.
    """
    from puzzlekit.errors import NoSolutionError

    puzzle = solver.puzzle
    nodes = _NODES
    while True:
        try:
            solution = solver.solve(state, max_nodes=nodes, threads=1)
        except NoSolutionError:
            if give_up and nodes > _MOST_NODES:
                return ""
            if nodes > _FAR_TOO_MANY:
                raise NoSolutionError(
                    f"no moves to a random state found; 'puzzlekit check-plugin {puzzle.name}' "
                    "tells whether random states can be reached"
                ) from None
            nodes *= 4
        else:
            break
    return " ".join(move.name for move in puzzle.undo(puzzle.moves(str(solution))))
