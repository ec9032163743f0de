"""`puzzlekit solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import click

from puzzlekit.cli import options
from puzzlekit.errors import NoSolutionError, NotationError, StateError

if TYPE_CHECKING:
    from puzzlekit.phase.solution import Solution
    from puzzlekit.phase.solver import Solver

# What a position can be wrong with; all other errors end the command at once.
_OF_A_POSITION = (NoSolutionError, NotationError, StateError)


@click.command("solve", short_help="Solve a scramble, a state, or a file of them.")
@options.puzzle_option
@options.scramble_argument
@options.state_options
@click.option("--random", is_flag=True, help="Solve a random state.")
@options.seed_option
@click.option(
    "--input",
    "source",
    type=click.File("rb"),
    metavar="FILE",
    help="Solve each line of a file ('-': of stdin), a scramble or a state.",
)
@options.method_option
@options.heuristic_option
@options.metric_option
@options.limit_options
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object a line.")
@click.option("--explain", is_flag=True, help="Show each phase with its goal.")
def command(
    puzzle: str | None,
    scramble: tuple[str, ...],
    facelets: str | None,
    vectors: str | None,
    scheme: str | None,
    random: bool,
    seed: int | None,
    source: BinaryIO | None,
    json_lines: bool,
    explain: bool,
    **asked: Any,
) -> int:
    """Solve a puzzle from a scramble, a state, at random, or line by line.

    Without a limit, a method that improves its answers goes on for a fraction of a second.

    \b
    Examples
      puzzlekit solve --puzzle cube3 "R U R' F2 D L2"
      puzzlekit solve --puzzle cube3 "[R: U] (F B')3" --timeout 2 --explain
      puzzlekit solve --puzzle cube2 --facelets OGWWGYWRBOGGYRYYBROORWBB
      puzzlekit solve --puzzle cube3 --random --seed 7 --max-length 20 --json
      puzzlekit scramble --puzzle cube3 --count 9 | puzzlekit solve --puzzle cube3 --input -

    \b
    Exit codes
      0 solved   1 nothing found within the limits   2 bad command line or moves
      3 bad state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli import positions

    given = positions.position_source(scramble, facelets, vectors)
    positions.one_source({**given, "--random": random, "--input": source is not None})
    if seed is not None and not random:
        raise click.UsageError("--seed goes with --random")
    if json_lines and explain:
        raise click.UsageError("--explain is for people: it cannot go with --json")
    if source is not None and explain:
        raise click.UsageError("--explain shows one position: it cannot go with --input")
    solver = options.load_puzzle(puzzle)
    # Names that do not exist are told before anything is read or built.
    solver.metric(asked["method"], asked["metric"])
    if source is not None:
        return _solve_lines(solver, source, scheme, json_lines, asked)
    try:
        if random:
            state = solver.random_state(seed)
        else:
            state = positions.read_position(solver, scramble, facelets, vectors, scheme)
        _prepare(solver, asked)
        best = _solve_one(solver, state, asked, quiet=json_lines)
    except _OF_A_POSITION as error:
        if json_lines:
            from puzzlekit.cli.answers import as_json, error_record

            click.echo(as_json(error_record(solver.puzzle.name, error)))
        raise
    _print(solver, best, json_lines, explain)
    return 0


def _prepare(solver: Solver, asked: dict[str, Any]) -> None:
    from puzzlekit.cli.progress import prepare

    prepare(solver, asked["method"], asked["heuristic"], asked["metric"])


def _solve_one(solver: Solver, state: bytes, asked: dict[str, Any], quiet: bool) -> Solution:
    """The best answer within the limits; after Ctrl-C the best one so far is printed, at least."""
    from puzzlekit.cli.progress import Searching

    best: Solution | None = None

    def keep(solution: Solution) -> None:
        nonlocal best
        best = solution
        progress.tell(f"(found {solution.length} {solution.metric})")

    try:
        with Searching() as progress:
            return solver.solve(state, on_answer=keep, **asked)
    except KeyboardInterrupt:
        if best is not None and not quiet:
            from puzzlekit.cli.errors import end_line

            end_line()
            _print(solver, best, json_lines=False, explain=False)
            click.echo("interrupted: this is the best answer so far", err=True)
        raise


def _print(solver: Solver, solution: Solution, json_lines: bool, explain: bool) -> None:
    from puzzlekit.cli import answers, output

    if json_lines:
        click.echo(answers.as_json(answers.solution_record(solver, solution)))
        return
    show = answers.explain if explain else answers.describe
    output.echo(show(solver, solution, output.wants_colour()))


def _solve_lines(
    solver: Solver,
    source: BinaryIO,
    scheme: str | None,
    json_lines: bool,
    asked: dict[str, Any],
) -> int:
    """Solve line by line; the exit code is that of the worst line."""
    import sys

    from puzzlekit.cli import answers
    from puzzlekit.cli.errors import print_error
    from puzzlekit.cli.positions import read_lines, read_text
    from puzzlekit.cli.progress import Searching

    _prepare(solver, asked)
    worst = 0
    solved = 0
    # Where the answers themselves show up, they are progress enough.
    with Searching(shown=not (sys.stdout and sys.stdout.isatty())) as progress:
        for number, text, unread in read_lines(source):
            of_line = {"line": number, "text": text}
            try:
                if unread:
                    raise unread
                solution = solver.solve(read_text(solver, text, scheme), **asked)
            except _OF_A_POSITION as error:
                worst = max(worst, error.exit_code)
                if json_lines:
                    record = answers.error_record(solver.puzzle.name, error)
                    click.echo(answers.as_json(record | of_line))
                print_error(error, f"line {number}: ")
            else:
                solved += 1
                if json_lines:
                    record = answers.solution_record(solver, solution)
                    click.echo(answers.as_json(record | of_line))
                else:
                    click.echo(answers.one_line(solution, number))
            progress.tell(f"(line {number}, {solved} solved)")
    return worst
