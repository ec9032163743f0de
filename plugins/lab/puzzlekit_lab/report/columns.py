"""Columns of report tables and their meanings."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlekit_lab.experiment.record import Quality, Tables
from puzzlekit_lab.report.row import Row
from puzzlekit_lab.report.statistics import Interval
from puzzlekit_lab.report.wording import (
    NOTHING,
    middle,
    milliseconds,
    percent,
    ratio,
    rounded,
    size,
)


class Cell(NamedTuple):
    """A table cell: its text, and a second line in small type."""

    text: str
    small: str = ""


class Column(NamedTuple):
    """A column: its heading, its meaning, and a function that returns its cell for a row."""

    heading: str
    meaning: str
    cell: Callable[[Row], Cell]


def _mean(name: str, words: Callable[[Interval | None], str]) -> Callable[[Row], Cell]:
    """Return a function that returns the cell of a mean, with its confidence interval below."""

    def cell(row: Row) -> Cell:
        found: Interval | None = getattr(row, name)
        if found is None or found.low is None or found.high is None or found.low == found.high:
            return Cell(words(found))
        low, high = (words(Interval(bound, None, None)) for bound in (found.low, found.high))
        return Cell(words(found), f"{low} to {high}")

    return cell


def _suboptimality(row: Row) -> Cell:
    if row.suboptimality is None or row.suboptimality_95 is None or row.suboptimality_max is None:
        return Cell(NOTHING)
    most = f"{row.suboptimality_95:.2f}, {row.suboptimality_max:.2f}"
    return Cell(f"{row.suboptimality.value:.3f}", most)


RESULTS = (
    Column(
        "solved",
        "number of runs that found an answer within the limits, out of all runs. The second line "
        "is the number of common instances, which every heuristic solved. All other columns cover "
        "the common instances",
        lambda row: Cell(f"{row.solved} of {row.instances}", f"{row.common} by all"),
    ),
    Column("cost", "mean cost of the answers in the metric", _mean("cost", middle)),
    Column(
        "optimal",
        "share of the answers whose cost is the optimal cost. The optimal cost is the cost of the "
        "answer that an admissible heuristic found from the same start",
        lambda row: Cell(percent(row.optimal)),
    ),
    Column(
        "cost / optimum",
        "mean ratio of the cost of an answer to the optimal cost. The second line has the 95th "
        "percentile and the maximum. An optimal cost of 0 counts as 1",
        _suboptimality,
    ),
    Column(
        "nodes",
        "geometric mean of the nodes generated in all iterations of a search. 0 counts as 1",
        _mean("generated", middle),
    ),
    Column(
        "nodes, ratio",
        "geometric mean of the ratio of generated nodes to the baseline from the same start",
        _mean("node_ratio", ratio),
    ),
    Column(
        "CPU ms",
        "geometric mean of the CPU time of the search in milliseconds, without building or loading "
        "tables. Less than a microsecond counts as a microsecond",
        _mean("cpu_seconds", milliseconds),
    ),
    Column(
        "CPU, ratio",
        "geometric mean of the ratio of CPU time to the baseline from the same start",
        _mean("time_ratio", ratio),
    ),
    Column(
        "extra cost",
        "mean difference between the cost of an answer and the optimal cost",
        _mean("extra", middle),
    ),
    Column("estimate", "mean estimate of the starts", _mean("h", middle)),
    Column(
        "before last",
        "geometric mean of the nodes generated before the last iteration. 0 counts as 1",
        _mean("before_last", middle),
    ),
    Column(
        "expanded",
        "geometric mean of the nodes whose successors were generated. 0 counts as 1",
        _mean("expanded", middle),
    ),
    Column(
        "nodes/s",
        "sum of the generated nodes divided by the sum of the seconds of CPU time",
        lambda row: Cell(rounded(row.nodes_per_second)),
    ),
    Column(
        "branching",
        "geometric mean of the effective branching factor b. The number of generated nodes is b + "
        "b^2 + ... + b^d, and d is the number of moves of the answer",
        _mean("branching", ratio),
    ),
    Column(
        "growth",
        "geometric mean of the ratio of nodes between successive complete iterations. The last "
        "iteration ends at the answer, so it is not complete",
        _mean("growth", ratio),
    ),
)

QUALITIES = (
    "phase",
    "heuristic",
    "claims",
    "states",
    "overestimated",
    "worst",
    "broken edges",
    "goals above 0",
    "tables 0 at goals only",
    "other than max",
    "combinations other than max",
)


def quality_cells(quality: Quality) -> list[Cell]:
    """Return a row of the table with the headings QUALITIES."""
    worst = quality.worst
    edge = quality.worst_edge
    told = [zero for zero in quality.zeros.values() if zero is not None]
    return [
        Cell(quality.phase),
        Cell(quality.heuristic),
        Cell("admissible" if quality.admissible else "nothing", _verdict(quality)),
        Cell(f"{quality.states:,}", quality.how),
        Cell(percent(_share(quality.over, quality.states))),
        Cell(NOTHING)
        if worst is None
        else Cell(f"+{worst.h - worst.distance}", f"{worst.h} for {worst.distance}"),
        Cell(
            percent(_share(quality.broken, quality.edges)),
            "" if edge is None else f"{edge.move}: {edge.h} to {edge.h_after}",
        ),
        Cell(f"{quality.goals_above:,} of {quality.goals:,}"),
        Cell(f"{sum(told)} of {len(told)}" if told else NOTHING),
        Cell(percent(_share(quality.differ, quality.states))),
        Cell(percent(_share(quality.vectors_differ, quality.vectors))),
    ]


def _verdict(quality: Quality) -> str:
    """Return what the checked states show about the claim to be admissible."""
    if not quality.over:
        return f"overestimates {'no state' if quality.how == 'exhaustive' else 'none of these'}"
    return "but is not" if quality.admissible else ""


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


TABLES = ("phase", "goal", "pruning tables", "all tables", "built in")


def table_cells(tables: Tables) -> list[Cell]:
    """Return a row of the table with the headings TABLES."""
    pruning = ", ".join(f"{name} {size(nbytes)}" for name, nbytes, _ in tables.tables)
    left_out = "" if tables.compared else "not compared: one distance, all heuristics equal"
    return [
        Cell(tables.phase, left_out),
        Cell(tables.goal),
        Cell(pruning),
        Cell(size(tables.nbytes)),
        Cell(f"{tables.seconds:.2f} s"),
    ]
