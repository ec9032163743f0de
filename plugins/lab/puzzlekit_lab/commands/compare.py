"""`puzzlekit compare`."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from puzzlekit import UsageError
from puzzlekit.cli import Command, options
from puzzlekit.cli.output import is_terminal, several, size, wants_colour
from puzzlekit_batch.batching import WorkerChoice, worker_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from puzzlekit.tables.table import TableSpec
    from puzzlekit_lab.case import Case
    from puzzlekit_lab.comparison import Comparison, Experiment
    from puzzlekit_lab.record import CaseName
    from puzzlekit_lab.summary import Row, Summary

T = TypeVar("T")

_USUAL = "max,sum,max-sd,max-sum,euclid,blended"  # all that are bundled, for any phase
_ALONE = 5.0  # seconds of runs in this process before others start by default
_PARAMETER = re.compile("[^:=/]*=")

_WIDTH = 100  # columns if stdout is not a terminal
_WIDE = 90  # least columns for confidence intervals
_NARROW = 76  # least columns for the whole table
_LEFT_OUT = {4, 6, 8, 9, 10}  # columns of the table that a narrower terminal does not show


@click.command("compare", cls=Command, short_help="Compare heuristics on the same instances.")
@click.option(
    "-p",
    "--puzzle",
    "puzzles",
    multiple=True,
    metavar="NAMES",
    shell_complete=options.complete_puzzles,
    help="Puzzles or files that define one, separated by commas; 'puzzlekit puzzles' lists the "
    "names.",
)
@click.option(
    "--heuristic",
    "heuristics",
    multiple=True,
    metavar="NAMES",
    shell_complete=options.complete_heuristics,
    help="Heuristics, separated by commas. Each may have parameters: max,blended:a=3,d=1.5,sum. "
    f"Default: {_USUAL}.",
)
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    metavar="NAMES",
    help="Algorithms with which each heuristic searches, separated by commas: ida (the search of "
    "the method; the default), a-star:w=2, focal, greedy, level-beam, ida-star, mm, nbs, dvcbs, "
    "bae. --heuristic gap@mm names both.",
)
@click.option(
    "--baseline",
    metavar="NAME",
    shell_complete=options.complete_heuristics,
    help="Heuristic with which the others are compared; it takes part even if --heuristic does not "
    "name it. Default: max.",
)
@click.option(
    "--count",
    type=options.whole(1, 20_000),
    help="Number of random states of each puzzle. Default: 50; with --input all lines.",
)
@click.option(
    "--input",
    "source",
    type=click.File("rb"),
    metavar="FILE",
    help="Compare on the positions in a file, one a line, instead of random states. Lines that "
    "begin with '#' are skipped; '-' is stdin.",
)
@click.option(
    "--seed", type=options.seeds, default=1, help="Seed of the random states. Default: 1."
)
@options.method_option
@click.option(
    "--phase",
    "phases",
    multiple=True,
    metavar="NAME",
    help="Compare only this phase, given by name or number; can be repeated.",
)
@options.metric_option
@options.profile_option
@click.option(
    "--timeout",
    type=options.seconds,
    help="Time limit of each run. Default: 10; with --max-nodes no limit.",
)
@click.option(
    "--max-nodes",
    type=options.nodes,
    help="Node limit of each run. Without --timeout, all results except times are repeatable.",
)
@worker_options("1 for some seconds, then the number of cores")
@click.option(
    "--quality/--no-quality",
    default=True,
    help="Whether to compare estimates with true distances. Default: yes.",
)
@click.option(
    "--memory",
    type=options.memory_size,
    metavar="SIZE",
    help="With --quality: compare all states of a phase if they fit into this memory, else a "
    "sample. Default: 1GB.",
)
@click.option(
    "--output",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Directory for runs.jsonl, summary.csv, summary.tex, report.html and the plots as PDF and "
    "PNG. Runs that are already in runs.jsonl are not repeated.",
)
@click.option("--json", "json_lines", is_flag=True, help="Print the records as JSON Lines.")
def command(
    puzzles: tuple[str, ...],
    heuristics: tuple[str, ...],
    algorithms: tuple[str, ...],
    baseline: str | None,
    count: int | None,
    source: BinaryIO | None,
    seed: int,
    timeout: float | None,
    max_nodes: int | None,
    workers: WorkerChoice,
    quality: bool,
    memory: int | None,
    output: str | None,
    json_lines: bool,
    **how: Any,
) -> int:
    """Compare heuristics on the same random states.

    Each heuristic searches every phase that has several pruning tables, or one whose distance some
    heuristic changes, then the whole method. The table shows nodes, times, lengths and the quality
    of the estimates. --output also writes a report with plots (needs permutation-puzzlekit[plot])
    and tables for LaTeX, and lets the same command continue after an interruption.

    \b
    Examples
      puzzlekit compare --puzzle cube2
      puzzlekit compare --puzzle cube2,cube3,cube4 --count 50 --output results
      puzzlekit compare --puzzle cube4 --phase split --heuristic max,blended --timeout 5
      puzzlekit compare --puzzle cube3 --heuristic max,blended:a=3,d=1.5
      puzzlekit compare --puzzle cube3 --heuristic sum,euclid --baseline blended
      puzzlekit compare --puzzle pancake-14 --heuristic gap --algorithm ida,a-star,mm,bae
      puzzlekit compare --puzzle cube2 --count 10 --max-nodes 1000000 --json

    \b
    Exit codes
      0 compared   2 error in the command line   4 tables, memory or a plugin failed, or a
      heuristic is declared admissible but overestimates   130 interrupted
    """
    from puzzlekit.cli.output import ENVIRONMENT, INTERRUPTED, say
    from puzzlekit_lab.algorithms.names import IDA
    from puzzlekit_lab.comparison import TIMEOUT, Comparison, Experiment, Journal
    from puzzlekit_lab.qualities import false_claims

    candidates = _listed(heuristics) if heuristics else _USUAL.split(",")
    if not candidates:
        raise click.UsageError("--heuristic is empty: name at least one heuristic")
    if algorithms:
        chosen = _listed(algorithms)
        candidates = [
            each if "@" in each or name == IDA else f"{each}@{name}"
            for name in chosen
            for each in candidates
        ]
        candidates = list(dict.fromkeys(candidates))
    if baseline is not None:
        candidates = list(dict.fromkeys([baseline, *candidates]))
    positions = () if source is None else _positions(source)
    cases = _cases(puzzles, {**how, "heuristics": candidates, "positions": positions})
    if count is None:
        count = len(positions) or 50
    if timeout is None and max_nodes is None:
        timeout = TIMEOUT
    if output == "":
        raise click.UsageError("--output is empty: name a directory")
    experiment = Experiment(cases, candidates, count, seed, timeout, max_nodes)
    with contextlib.ExitStack() as stack:
        journal = None if output is None else stack.enter_context(Journal(output))
        _prepare(experiment)
        comparison = Comparison(experiment, journal)
        interrupted = _run(comparison, workers, quality, memory)
        _report(comparison, baseline, None if interrupted else output, json_lines)
    if interrupted:
        left = len(comparison.tasks) - comparison.finished
        kept = "repeat the command to continue" if output else "use --output to keep finished runs"
        say(f"interrupted: {comparison.finished:,} runs done, {left:,} left; {kept}")
        return INTERRUPTED
    claims = false_claims(comparison.qualities, comparison.runs)
    for claim in claims:
        say(f"error: {claim}")
    return ENVIRONMENT if claims else 0


def _listed(given: tuple[str, ...]) -> list[str]:
    """Split names at commas, but not at the commas between the parameters of a heuristic."""
    found: list[str] = []
    for text in given:
        names: list[str] = []
        for part in filter(None, map(str.strip, text.split(","))):
            if names and ":" in names[-1] and _PARAMETER.match(part):
                names[-1] += f",{part}"
            else:
                names.append(part)
        found += names
    return list(dict.fromkeys(found))


def _positions(source: BinaryIO) -> tuple[str, ...]:
    from puzzlekit_batch.lines import read_lines

    found = []
    for _, text, error in read_lines(source):
        if error is not None:
            raise error
        found.append(text)
    if not found:
        raise click.UsageError("--input has no positions")
    return tuple(found)


def _cases(puzzles: tuple[str, ...], how: dict[str, Any]) -> list[Case]:
    from puzzlekit_lab.case import Case

    names = _listed(puzzles)
    if not names:
        options.load_puzzle(None)  # raises an error that lists the puzzles
    return [Case(options.load_puzzle(name), **how) for name in names]


def _prepare(experiment: Experiment) -> None:
    """Load or build all tables before the first run."""
    from functools import partial

    from puzzlekit.cli.progress import building

    for case in experiment.cases:
        texts = experiment.texts(case)
        with building(case.solver, partial(case.table_keys, texts)):
            for text in texts:
                case.candidate(text)


def _run(comparison: Comparison, workers: WorkerChoice, quality: bool, memory: int | None) -> bool:
    """Do the remaining runs, and return whether Ctrl-C interrupted the runs."""
    from puzzlekit.cli.output import end_line, say, several
    from puzzlekit.cli.progress import Stepping

    left = len(comparison.tasks)
    if there := len(comparison.runs):
        say(f"{there:,} of {several(there + left, 'run')} are already done")
    try:
        with Crew(comparison, workers) as crew:
            with Stepping(left, "runs", begun=0) as bar:
                for run in crew.watched(comparison.run(), left):
                    bar.tell("" if run is None else f"{run.puzzle} {run.phase}, {run.heuristic}")
            if quality:
                tasks = comparison.quality_tasks(memory)
                with Stepping(len(tasks), "true distances", begun=0, even=False) as bar:
                    for found in crew.watched(comparison.measure_quality(tasks), len(tasks)):
                        bar.tell(f"{found[0].puzzle} {found[0].phase}" if found else "")
    except KeyboardInterrupt:
        end_line()
        return True
    return False


class Crew(contextlib.ExitStack):
    """The workers of a comparison. They end with the context.

    By default the runs begin in this process. If they take more than some seconds, and if dask is
    installed, a process for each core does the rest.
    """

    def __init__(self, comparison: Comparison, workers: WorkerChoice) -> None:
        super().__init__()
        self._comparison = comparison
        self._workers = workers
        self._due = perf_counter()
        if workers.jobs is None and workers.cluster is None:
            installed = find_spec("distributed") is not None
            self._workers = workers._replace(jobs=os.cpu_count() if installed else 1)
            self._due += _ALONE

    def watched(self, results: Iterator[T], left: int) -> Iterator[T]:
        """Yield `left` results, and start the workers when they are due."""
        self._start(left)
        for result in results:
            yield result
            left -= 1
            self._start(left)

    def _start(self, left: int) -> None:
        comparison, workers = self._comparison, self._workers
        needed = left > 1 and perf_counter() >= self._due
        if comparison.client is not None or not workers.several or not needed:
            return
        from puzzlekit_batch.batching import check, connected, say_tallies
        from puzzlekit_lab.comparison import ExperimentJob, run_task

        experiment = comparison.experiment

        def keys() -> list[TableSpec]:
            cases = experiment.cases
            return [key for case in cases for key in case.table_keys(experiment.texts(case))]

        client = self.enter_context(connected(workers))
        check(workers, client, ExperimentJob.of(experiment, run_task), keys)
        comparison.client = client
        if workers.cluster is not None:
            self.callback(say_tallies, comparison.tallies, 0)


def _report(
    comparison: Comparison, baseline: str | None, output: str | None, json_lines: bool
) -> None:
    from puzzlekit_lab.summary import summarise

    if json_lines:
        for record in comparison.records:
            click.echo(record.line())
    if not comparison.runs:
        return
    text = comparison.experiment.cases[0].text(baseline or "max")
    summary = summarise(comparison.records, text)
    if not json_lines:
        show(summary)
    if output is not None:
        _write(summary, output)


def _write(summary: Summary, directory: str) -> None:
    from puzzlekit.cli.output import say
    from puzzlekit.cli.progress import Searching
    from puzzlekit_lab.latex import write_latex
    from puzzlekit_lab.origins import provenance
    from puzzlekit_lab.plots import write_plots
    from puzzlekit_lab.summary import write_csv

    names = ("summary.csv", "summary.tex", "report.html", "plots")
    table, latex, page, plots = (os.path.join(directory, name) for name in names)
    write_csv(summary, table)
    write_latex(summary, latex)
    try:
        from puzzlekit_lab.page import write_page

        with Searching(what="drawing the report"):
            write_page(summary, page, provenance(click.get_current_context().obj or ()))
            write_plots(summary, plots)
    except UsageError as error:  # without matplotlib
        say(f"{page} is not written: {error}")
        say(f"written: {table}, {latex}")
    else:
        say(f"written: {table}, {latex}, {page}, {plots}")


_EXPLAINED = (
    "Means are over the states that every heuristic solved. If a heuristic solved more, 'all: N' "
    "gives the number of these states. "
    "Means of nodes, times and ratios are geometric. nodes: generated nodes. ms: CPU time. "
    "/ {baseline}: ratio to {baseline} on the same state{interval}. p: Wilcoxon's test of the "
    "nodes, with Holm's correction. optimal: share of answers "
    "known to be optimal. worst: largest cost / optimum. whole: all phases, one after the other."
)
_OVER_EXPLAINED = (
    " over: share of the states of a phase, or of a sample, whose estimate is above the true "
    "distance."
)


def show(summary: Summary) -> None:
    """Print the tables of a comparison, and explain their columns."""
    from rich.console import Console

    colour = wants_colour()
    width = _WIDTH
    if is_terminal():
        width = min(max(shutil.get_terminal_size().columns, 60), 120)
    console = Console(
        width=width, force_terminal=colour, no_color=not colour, highlight=False, markup=False
    )
    with console.capture() as captured:  # so that click.echo notices a closed pipe
        _print(console, summary)
    click.echo("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()), nl=False)


def _print(console: Console, summary: Summary) -> None:
    for case in summary.cases:
        console.print(_table(summary, case, console.width))
        _print_tables(console, summary, case)
    if summary.rows:
        interval = ", with its 95% confidence interval" if console.width >= _WIDE else ""
        more = "" if interval else " A wider terminal shows more."
        over = _OVER_EXPLAINED if summary.qualities else ""
        baseline = summary.rows[0].baseline
        console.print(_EXPLAINED.format(baseline=baseline, interval=interval) + over + more)
    for row in summary.rows:
        if row.refuted:
            console.print(
                f"{row.heuristic} claims to be admissible in {row.phase} of {row.puzzle}, but it "
                f"overestimates distances by up to {row.over_most}",
                style="bold red",
            )


def _table(summary: Summary, case: CaseName, width: int) -> Table:
    """Return the table of a case, with a section for each phase and a row for each heuristic."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from puzzlekit_lab.statistics import percent

    table = Table(
        title=str(case),
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("heuristic", overflow="fold", min_width=12, max_width=24)
    baseline = summary.rows_of(case)[0].baseline
    by = f"/ {baseline}" if len(baseline) <= 8 else "ratio"
    headings = ("solved", "nodes", by, "p", "ms", by, "cost", "optimal", "worst")
    measured = any(row.over is not None for row in summary.rows_of(case))
    left_out = _LEFT_OUT if width < _NARROW else ()
    for number, heading in enumerate((*headings, "over") if measured else headings, 1):
        if number not in left_out:
            table.add_column(heading, justify="right", no_wrap=True)
    for phase in summary.phases(case):
        rows = summary.rows_of(case, phase)
        common = rows[0].common
        fewer = any(row.solved > common for row in rows)
        table.add_row(phase, f"all: {common}" if fewer else "", style="bold")
        for row in rows:
            cells = [*_cells(row, width >= _WIDE), *[percent(row.over)] * measured]
            table.add_row(*(cell for i, cell in enumerate(cells) if i not in left_out))
        table.add_section()
    return table


def _cells(row: Row, wide: bool) -> list[str]:
    from puzzlekit_lab.statistics import (
        NOTHING,
        between,
        middle,
        milliseconds,
        p_value,
        percent,
        ratio,
        ratio_of,
    )

    worst = row.suboptimality_max

    return [
        f"  {row.heuristic}",
        f"{row.solved}/{row.instances}",
        middle(row.generated),
        (between if wide else ratio)(row.node_ratio),
        p_value(row.by_nodes and row.by_nodes.p_holm),
        milliseconds(row.cpu_seconds),
        ratio(row.time_ratio),
        middle(row.cost),
        percent(row.optimal),
        NOTHING if worst is None else ratio_of(worst),
    ]


def _print_tables(console: Console, summary: Summary, case: CaseName) -> None:
    """Print the size of the pruning tables, and the phases that are not compared."""
    tables = summary.tables_of(case)
    if not tables:
        return
    nbytes = sum(each.nbytes for each in tables)
    seconds = sum(each.seconds for each in tables)
    console.print(f"Tables: {size(nbytes)}, built once in {seconds:.1f} s.")
    left_out = [each.phase for each in tables if not each.compared]
    if left_out:
        those = "it has" if len(left_out) == 1 else "they have"
        console.print(
            f"Left out: {several(len(left_out), 'phase')} ({', '.join(left_out)}), because {those} "
            "only one distance, which no heuristic changes."
        )
    console.print()
