"""`puzzlekit batch`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import click

from puzzlekit.cli import Command, options
from puzzlekit_batch.options import WorkerChoice, worker_options

if TYPE_CHECKING:
    from puzzlekit import Choice, Limits, SearchOptions
    from puzzlekit.cli.solve import Solving


@click.command("batch", cls=Command, short_help="Solve many positions, in several processes.")
@options.puzzle_option
@options.advanced(
    options.heuristic_option, options.nodes_option, options.scheme_option, options.order_option
)
@options.scramble_argument
@options.state_option
@click.option("--random", is_flag=True, help="Solve a random state.")
@options.seed_option
@click.option(
    "--input",
    "source",
    type=options.Lines("rb"),
    metavar="FILE",
    help="File with one scramble or state per line; '-' reads stdin.",
)
@worker_options()
@click.option(
    "--unordered", is_flag=True, help="With --jobs or --cluster: print answers as they come."
)
@click.option(
    "--output",
    metavar="FILE",
    help="With --input: write one JSON object per line into this .jsonl file, or a row per line "
    "into this .parquet file. The same command again continues where it stopped.",
)
@options.search_options
@options.goal_options
@options.limit_options
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object per answer.")
@click.option(
    "--explain", is_flag=True, help="Show the goal and moves of each phase, and the net after it."
)
def command(
    puzzle: str | None,
    given: options.Given,
    random: bool,
    seed: int | None,
    source: BinaryIO | None,
    workers: WorkerChoice,
    unordered: bool,
    output: str | None,
    json_lines: bool,
    explain: bool,
    asked: SearchOptions,
    limits: Limits,
) -> int:
    """Solve each line of a file, in one or several processes, or on a cluster.

    A line is a scramble or a state. The answers come in the order of the lines, and do not depend
    on the number of processes. Without --input, the processes share the search of one position, by
    a method that proves its answers.

    \b
    Examples
      puzzlekit scramble --puzzle cube3 --count 9 | puzzlekit batch --puzzle cube3 --input -
      puzzlekit scramble -p cube3 --count 99 | puzzlekit batch -p cube3 --input - --jobs 2
      puzzlekit batch --puzzle cube3 --random --method optimal --cluster tcp://host:8786

    \b
    Exit codes
      0 solved   1 no solution within the limits   2 error in the command line or moves
      3 impossible state   4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit.cli.positions import check_drawn, loaded, one_source, read_position
    from puzzlekit.cli.progress import Searching
    from puzzlekit.cli.solve import Solving
    from puzzlekit.puzzle.position import Position

    one_source({**given.sources, "--random": random, "--input": source is not None})
    check_drawn(random, seed, given)
    if explain and (json_lines or source is not None):
        raise click.UsageError(
            "--explain and --json cannot be combined"
            if json_lines
            else "--explain cannot be combined with --input, because --explain shows one position"
        )
    _check(source, unordered, output, workers)
    solver, asked, aim = loaded(puzzle, asked, given)
    if source is not None:
        from puzzlekit_batch.lines import LinesSolver

        search = Solving(solver, aim(None), limits, json_lines)
        return LinesSolver(search, source, given, aim, workers, output).run(unordered)
    search = Solving(solver, asked, limits, json_lines, random)
    try:
        with search.errors_printed():
            if random:
                position = Position(solver.random_state(seed))
            else:
                position = read_position(solver, given, asked.method)
            search.asked = aim(position.symbols)
            with _shared(search, position.state, workers) as choice, Searching() as progress:
                best = search.solve(position.state, choice, progress)
    except KeyboardInterrupt:
        return search.interrupted()
    search.print(best, explain=explain, symbols=position.symbols)
    return 0


def _check(
    source: BinaryIO | None, unordered: bool, output: str | None, workers: WorkerChoice
) -> None:
    """Raise a UsageError for options that do not fit the lines of a file, or one position."""
    for name, there in {"--unordered": unordered, "--output": output is not None}.items():
        if there and source is None:
            raise click.UsageError(f"{name} is for lines of a file: it needs --input")
    if source is None and not workers.several:
        raise click.UsageError(
            "one position needs --jobs 2 or more, or --cluster; 'puzzlekit solve' searches in one "
            "process"
        )
    if output is not None:
        from puzzlekit_batch.results_file import check_name

        check_name(output)


@contextmanager
def _shared(search: Solving, state: bytes, workers: WorkerChoice) -> Iterator[Choice]:
    """Prepare the search of a state, and let other processes share it within the context."""
    from puzzlekit.search.options import table_keys
    from puzzlekit_batch.batching import helping
    from puzzlekit_batch.solve_many import solve_job
    from puzzlekit_batch.subtrees import check_shared

    solver = search.solver
    choice = solver.choose(search.asked)
    check_shared(choice)
    search.prepare(state, choice)
    job = solve_job(solver, choice, search.asked, search.limits)
    seen = state if choice.target is None else solver.puzzle.relabel_to(state, choice.target)
    normal = solver.make_ready(choice).normal(seen)
    with helping(workers, job, normal, lambda: table_keys(choice)) as helpers:
        search.limits = search.limits._replace(helpers=helpers)
        yield choice
