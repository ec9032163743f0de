"""`puzzlekit batch` and `puzzlekit workers`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from puzzlekit.cli import Command, options
from puzzlekit_batch.batching import WorkerChoice, worker_options

if TYPE_CHECKING:
    from puzzlekit import Limits, SearchOptions
    from puzzlekit.cli.solve import Solving
    from puzzlekit.search.options import Choice


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
    if given.scramble and os.path.isfile(path := " ".join(given.scramble)):
        raise click.UsageError(f"{path} is a file: write --input {path}")
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
            "write --input FILE to solve the lines of a file; one position needs --jobs 2 or more, "
            "or --cluster: 'puzzlekit solve' searches in one process"
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
    from puzzlekit_batch.stream import check_shared

    solver = search.solver
    choice = solver.choose(search.asked)
    check_shared(choice)
    search.prepare(state, choice)
    job = solve_job(solver, choice, search.asked, search.limits)
    with helping(workers, job, lambda: table_keys(choice)) as helpers:
        search.limits = search.limits._replace(helpers=helpers)
        yield choice


@click.command("workers", cls=Command, short_help="Show the workers of a cluster.")
@click.argument("address")
@click.option("--json", "json_lines", is_flag=True, help="Print one JSON object.")
def workers(address: str, json_lines: bool) -> int:
    """Show the versions, engine, cache and speed of each worker at the ADDRESS of a scheduler.

    The exit code is 4 if there is no worker, if a worker does not work, or if it has another
    version than this process.

    \b
    Example
      puzzlekit workers tcp://127.0.0.1:8786
    """
    from puzzlekit.cli.output import echo_json

    here, workers = _workers(address)
    works = bool(workers) and not any(map(_problem, workers.values()))
    if json_lines:
        echo_json("workers", works=works, workers=workers)
    else:
        _show_workers(here, workers)
    return 0 if works else 4


def _workers(address: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the facts of this process and of each worker of a cluster, with their problems."""
    from puzzlekit_batch.clients import cluster_client, describe, health

    with cluster_client(address) as client:
        workers = health(client)
    here = describe()
    for facts in workers.values():
        if "host" in facts:
            faults = [
                f"other {name} than in this process"
                for name in ("puzzlekit", "plugins", "compiled")
                if facts[name] != here[name]
            ]
            faults += [f"the plugin {name} is broken" for name in facts["broken"]]
            faults += [] if facts["writable"] else ["the cache is not writable"]
            facts["problem"] = "; ".join(faults) or None
    return here, workers


def _problem(facts: dict[str, Any]) -> str | None:
    problem: str | None = facts["problem"]
    return problem


def _show_workers(here: dict[str, Any], workers: dict[str, dict[str, Any]]) -> None:
    from puzzlekit.cli.output import columns, several, size

    rows = [["worker", "host", "puzzlekit", "python", "engine", "nodes/s", "tables", "cache"]]
    for name, facts in {"this process": here, **workers}.items():
        if "host" in facts:
            tables = f"{facts['tables']} ({size(facts['bytes'])})"
            engine = "compiled" if facts["compiled"] else "interpreted"
            speed = f"{facts['nodes_per_second'] / 1e6:.1f}M"
            named = [facts["host"], facts["puzzlekit"], facts["python"], engine]
            rows.append([name, *named, speed, tables, facts["cache"]])
    click.echo(columns(rows, right=[5]))
    click.echo(several(len(workers), "worker"))
    for name, facts in workers.items():
        if problem := _problem(facts):
            click.echo(f"{name}: {problem}")
