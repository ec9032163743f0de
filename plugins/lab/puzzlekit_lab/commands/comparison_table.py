"""Print the result of a comparison in the terminal."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import click

from puzzlekit.cli.output import is_terminal, several, size, wants_colour

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from puzzlekit_lab.experiment.record import CaseName
    from puzzlekit_lab.report.row import Row
    from puzzlekit_lab.report.summary import Summary

_WIDTH = 100  # columns if stdout is not a terminal
_WIDE = 90  # least columns for confidence intervals
_NARROW = 76  # least columns for the whole table
_LEFT_OUT = {5, 7, 8, 9}  # columns of the table that a narrower terminal does not show

_EXPLAINED = (
    "Means are over the states that every heuristic solved. If a heuristic solved more, 'all: N' "
    "gives the number of these states. "
    "Means of nodes, times and ratios are geometric. nodes: generated nodes. ms: CPU time. "
    "/ {baseline}: ratio to {baseline} on the same state{interval}. optimal: share of answers "
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

    from puzzlekit_lab.report.wording import percent

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
    headings = ("solved", "nodes", by, "ms", by, "cost", "optimal", "worst")
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
    from puzzlekit_lab.report import wording

    return [
        f"  {row.heuristic}",
        f"{row.solved}/{row.instances}",
        wording.middle(row.generated),
        (wording.between if wide else wording.ratio)(row.node_ratio),
        wording.milliseconds(row.cpu_seconds),
        wording.ratio(row.time_ratio),
        wording.middle(row.cost),
        wording.percent(row.optimal),
        wording.rounded(row.suboptimality_max),
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
            "only one distance, so all heuristics are equal."
        )
    console.print()
