"""`puzzlekit scramble`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from puzzlekit.cli import Command, options
from puzzlekit.cli.options import F
from puzzlekit.cli.output import echo_json, say, size

if TYPE_CHECKING:
    from random import Random

    from puzzlekit.search.solver import Solver

__all__ = ["print_random", "print_scramble", "scramble_options"]


def scramble_options(command: F) -> F:
    """Add the options of every command that scrambles a puzzle."""
    numbers, words = options.whole(1, 1_000_000), "Number of scrambles. Default: 1."
    count = click.option("-n", "--count", type=numbers, help=words)
    words = "Print one JSON object per scramble."
    as_json = click.option("--json", "json_lines", is_flag=True, help=words)
    return options.puzzle_option(count(options.seed_option(as_json(command))))


@click.command(
    "scramble",
    cls=Command,
    short_help="Print scrambles that lead to random states.",
    renamed={"--length": "a scramble is as long as its random state needs"},
)
@scramble_options
def command(puzzle: str | None, count: int | None, seed: int | None, json_lines: bool) -> int:
    """Print moves that lead from the solved puzzle to a random state.

    Each line is one scramble, and every state is equally likely. The same seed gives the same
    scrambles.

    In two cases a scramble is random moves instead. In the first case, large tables are missing and
    no seed is given. In the second case, --puzzle is a file, and the search for moves to a
    random state takes too long. A line on stderr then gives the reason.

    \b
    Examples
      puzzlekit scramble --puzzle cube3
      puzzlekit scramble --puzzle cube2 --count 5 --seed 2024
    """
    from random import Random

    solver = options.load_puzzle(puzzle)
    rng = Random(seed)
    found = _to_random_states(solver, count or 1, rng)
    return print_random(solver, found, count or 1, rng, seed is None, json_lines)


def print_random(
    solver: Solver,
    found: Iterator[list[str]],
    count: int,
    rng: Random,
    quick: bool,
    json_lines: bool,
) -> int:
    """Print scrambles to random states. If `quick`, do not build large tables.

    `found` yields them, and an empty list if finding moves takes too long. It is not used if large
    tables would have to be built.
    """
    from puzzlekit.search.scrambling import RANDOM_MOVES, random_moves

    reason = missing_tables(solver) if quick else ""
    left = count
    if not reason:
        for moves in found:
            if not moves:
                reason = "finding moves to a random state takes too long for this puzzle"
                break
            left -= 1
            print_scramble(solver, moves, json_lines)
    if reason:
        say(f"these scrambles are {RANDOM_MOVES} random moves each: {reason}")
        for _ in range(left):
            print_scramble(solver, random_moves(solver, rng), json_lines, random_state=False)
    return 0


def _to_random_states(solver: Solver, count: int, rng: Random) -> Iterator[list[str]]:
    """Yield moves to random states; an empty list if the solver gave up a search."""
    from puzzlekit.cli.progress import prepare
    from puzzlekit.search.scrambling import moves_to, unsolved_state

    prepare(solver, solver.choose())
    for _ in range(count):
        yield moves_to(solver, unsolved_state(solver, rng))


def print_scramble(
    solver: Solver,
    moves: list[str],
    json_lines: bool,
    random_state: bool = True,
    text: str = "",
    **more: str | int | None,
) -> None:
    """Print one scramble, by default in the notation of the puzzle.

    `text` is another way to write the moves.
    """
    from puzzlekit.search.solution import written

    text = text or solver.puzzle.text(solver.puzzle.moves(" ".join(moves)))
    if json_lines:
        told = {"scramble": text, "moves": moves, "random_state": random_state}
        state = written(solver.puzzle, solver.state(moves))
        echo_json("scramble", puzzle=solver.puzzle.name, **told, state=state, **more)
    else:
        click.echo(text)


def missing_tables(solver: Solver) -> str:
    """Return a message if a scramble needs large tables that are not on disk, else ""."""
    from puzzlekit.search.options import MANY_BYTES, missing_bytes

    if solver.gives_up:
        return ""
    missing = missing_bytes(solver.choose())
    if missing <= MANY_BYTES:
        return ""
    build = f"puzzlekit tables build {solver.puzzle.name}"
    return f"random states need {size(missing)} of tables, which '{build}' builds"
