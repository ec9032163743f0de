"""`puzzlekit dataset`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from puzzlekit.cli import Command, options
from puzzlekit_batch.batching import WorkerChoice, worker_options

if TYPE_CHECKING:
    from puzzlekit_batch.results_file import ResultsFile
    from puzzlekit_lab.datasets import Recipe


@options.completed
def _complete_labels(ctx: click.Context) -> list[str]:
    return [*(each.name for each in options.named(ctx).methods), "coordinates"]


@click.command("dataset", cls=Command, short_help="Write states with labels, for training.")
@options.puzzle_option
@click.option(
    "--count", type=options.whole(1, 10**9), default=1000, help="Number of rows. Default: 1000."
)
@click.option(
    "--kind",
    metavar="KIND",
    default="random",
    help="States to draw: 'random', 'walk:LENGTH' (random moves of the solved puzzle), or "
    "'exact-depth:DISTANCE' (states at one distance from the solved state). Default: random.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL",
    shell_complete=_complete_labels,
    help="Label of each state: the name of a method for its answer, or 'coordinates' or "
    "'coordinates:METHOD' for the coordinates of a method; can be repeated.",
)
@options.metric_option
@options.profile_option
@options.defaulted(
    "--seed", options.whole(0, 2**63 - 1), 1, "Seed; the same seed gives the same rows"
)
@click.option(
    "--output",
    metavar="FILE",
    help="File for the rows, .jsonl or .parquet. The same command again continues where it "
    "stopped. Default: print JSON Lines.",
)
@worker_options()
def command(
    puzzle: str | None,
    count: int,
    kind: str,
    labels: tuple[str, ...],
    metric: Any,
    profile: str | None,
    seed: int,
    output: str | None,
    workers: WorkerChoice,
) -> int:
    """Write states of a puzzle with labels: the moves of a solution, its length, or coordinates.

    A row depends on its number, the seed, the kind and the labels, so any number of workers writes
    the same rows.

    \b
    Examples
      puzzlekit dataset --puzzle cube2 --count 2 --kind exact-depth:2 --label optimal
      puzzlekit dataset --puzzle cube3 --count 100000 --kind walk:20 --output walks.parquet
      puzzlekit dataset --puzzle cube3 --label two-phase --label coordinates --output cube3.jsonl
      puzzlekit dataset --puzzle cube2 --label optimal --jobs 2 --output cube2.parquet

    \b
    Exit codes
      0 written   1 some states have no label   2 error in the command line
      4 tables, memory or a plugin failed   130 interrupted
    """
    from puzzlekit_batch.results_file import ResultsFile, check_name
    from puzzlekit_lab.datasets import Recipe

    if output is not None:
        check_name(output)
    if workers.several:
        from puzzlekit_batch.clients import load_dask

        load_dask()  # before the file is made
    solver = options.load_puzzle(puzzle)
    recipe = Recipe(solver, kind, labels, metric, profile, seed)
    with contextlib.ExitStack() as stack:
        file = None
        if output is not None:
            file = stack.enter_context(ResultsFile(output, recipe.layout))
        return _Rows(recipe, count, file).write(workers)


class _Rows:
    """Makes the rows of a data set that are missing, and prints or writes them."""

    def __init__(self, recipe: Recipe, count: int, file: ResultsFile | None) -> None:
        self._recipe = recipe
        self._count = count
        self._file = file
        self._done = 0

    def _missing(self) -> Iterator[tuple[int, int]]:
        for number in range(self._count):
            if self._file is not None and self._file.is_done(number):
                self._done += 1
            else:
                yield number, number

    def write(self, workers: WorkerChoice) -> int:
        """Make the rows, and return the exit code."""
        from puzzlekit import PuzzlekitError
        from puzzlekit.cli.output import INTERRUPTED, end_line, exit_code, print_error, say, several

        file = self._file
        if file is not None and file.found:
            say(f"{several(file.found, 'row')} are already done")
        worst = 0
        try:
            for number, row in self._made(workers):
                if isinstance(row, PuzzlekitError):
                    print_error(row, f"row {number}: ")
                    worst = max(worst, exit_code(row))
                elif file is not None:
                    file.append(self._recipe.record(number, row))
                else:
                    from puzzlekit.search.solution import as_json

                    click.echo(as_json(self._recipe.record(number, row)))
        except KeyboardInterrupt:
            end_line()
            again = "repeat the command to continue" if file else "use --output to keep rows"
            say(f"interrupted: {several(self._done, 'row')} done; {again}")
            return INTERRUPTED
        if file is not None:
            file.finish()
        return worst

    def _made(self, workers: WorkerChoice) -> Iterator[tuple[int, Any]]:
        """Yield the number of each missing row, and the row."""
        from puzzlekit.cli.progress import prepare
        from puzzlekit.search.options import table_keys
        from puzzlekit_batch.batching import BatchProgress, working

        solver, choices = self._recipe.solver, self._recipe.choices
        if workers.needs_tables:
            for choice in choices:
                prepare(solver, choice)

        def keys() -> list[Any]:
            return [key for choice in choices for key in table_keys(choice)]

        with (
            working(workers, self._recipe.job, [solver], keys) as stream,
            BatchProgress(self._file is not None, "making rows", "row") as progress,
            contextlib.closing(stream.results(self._missing())) as results,
        ):
            for number, _, row in results:
                self._done += 1
                yield number, row
                progress.tell(self._done, stream.workers, lambda: self._done / self._count)
