"""The report of a comparison: one self-contained HTML page."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from puzzlekit import UsageError
from puzzlekit.search.estimates import find_heuristic
from puzzlekit.search.heuristic import parameters
from puzzlekit_lab.distances import check_matplotlib
from puzzlekit_lab.paired import Paired
from puzzlekit_lab.record import WHOLE, CaseName, Quality, Run, Tables
from puzzlekit_lab.statistics import (
    LEAST_SECONDS,
    LEVEL,
    NOTHING,
    Interval,
    between,
    geometric_ratio,
    listed,
    middle,
    milliseconds,
    more,
    p_value,
    percent,
    ratio,
    ratio_of,
    rounded,
    size,
)
from puzzlekit_lab.summary import Group, Row, Start, Summary, common_starts

TABLES = ("phase", "goal", "pruning tables", "all tables", "built in")
_SLIGHT = 0.01  # a smaller relative difference is irrelevant
_NOTHING_KNOWN: Mapping[str, str] = MappingProxyType({})


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
    most = f"{ratio_of(row.suboptimality_95)}, {ratio_of(row.suboptimality_max)}"
    return Cell(ratio_of(row.suboptimality.value, 3), most)


def _total_nodes(row: Row) -> Cell:
    total = row.generated_total
    return Cell(middle(row.generated_mean), "" if total is None else f"{rounded(total)} in all")


def _milliseconds(row: Row) -> Cell:
    total = row.cpu_seconds_total
    seconds = "" if total is None else f"{rounded(total)} s in all"
    return Cell(milliseconds(row.cpu_seconds_mean), seconds)


def _test(name: str) -> Callable[[Row], Cell]:
    """Return a function that returns the cell of a paired test, with its p-value below."""

    def cell(row: Row) -> Cell:
        found: Paired | None = getattr(row, name)
        if found is None:
            return Cell(NOTHING)
        return Cell(f"{found.wins}-{found.ties}-{found.losses}", f"p {p_value(found.p_holm)}")

    return cell


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
        "nodes, wins",
        "number of instances with fewer generated nodes than the baseline, with as many, and with "
        "more. The second line is the p-value of Wilcoxon's signed-rank test, with Holm's "
        "correction for all comparisons of nodes on this page",
        _test("by_nodes"),
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
        "CPU, wins",
        "number of instances with less CPU time than the baseline, with as much, and with more; "
        "below it the p-value, as for nodes",
        _test("by_time"),
    ),
    Column(
        "cost, wins",
        "number of instances with a cheaper answer than the baseline, with one that costs as much, "
        "and with a dearer one; below it the p-value, as for nodes",
        _test("by_cost"),
    ),
    Column(
        "nodes, mean",
        "arithmetic mean of the generated nodes, and their sum",
        _total_nodes,
    ),
    Column(
        "CPU ms, mean",
        "arithmetic mean of the CPU time in milliseconds, and the sum in seconds",
        _milliseconds,
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


def table_cells(tables: Tables) -> list[Cell]:
    """Return a row of the table with the headings TABLES."""
    pruning = ", ".join(f"{name} {size(nbytes)}" for name, nbytes, _ in tables.tables)
    left_out = "" if tables.compared else "not compared: one distance, which no heuristic changes"
    return [
        Cell(tables.phase, left_out),
        Cell(tables.goal),
        Cell(pruning),
        Cell(size(tables.nbytes)),
        Cell(f"{tables.seconds:.2f} s"),
    ]


def wrong_claims(summary: Summary) -> list[str]:
    """Return a sentence for each heuristic that wrongly claims to be admissible in a phase."""
    return [
        f"{row.heuristic} claims to be admissible in {row.phase} of {row.puzzle}, but is not: it "
        f"overestimates {percent(row.over)} of the states, by up to {row.over_most}."
        for row in summary.rows
        if row.refuted
    ]


def findings(summary: Summary, case: CaseName) -> list[str]:
    """Return the main findings of a case as sentences. The findings for "whole" come first.

    A ratio of nodes to the baseline is clear if its 95 % confidence interval lies on one side of 1,
    its mean differs from 1 by more than 1 %, and its test is significant: p < 0.05 after Holm's
    correction. For each phase, a sentence names the heuristic with the fewest nodes if its ratio is
    clearly below 1. Another sentence names the heuristic with the most nodes if its ratio is
    clearly above 1.
    """
    phases = sorted(summary.phases(case), key=lambda phase: phase != WHOLE)
    every = [summary.rows_of(case, phase) for phase in phases]
    found = [rows for rows in every if rows[0].common and len(rows) > 1]
    searched = [(rows, summary.runs[case, rows[0].phase]) for rows in found]
    fewer = [[row for row in _others(rows) if _nodes_differ(row) < 0] for rows in found]
    more = [[row for row in _others(rows) if _nodes_differ(row) > 0] for rows in found]
    same = [
        row
        for rows, group in searched
        for row in _others(rows)
        if _same(group[row.heuristic], group[row.baseline])
    ]
    return [
        *_unsolved(every),
        *(_quickest(rows, group, case.metric) for rows, group in searched[:1]),
        *(_sentence(min(rows, key=_nodes)) for rows in fewer if rows),
        *_grouped(
            (rows[0] for rows, clear in zip(found, fewer, strict=True) if not clear),
            lambda row: f"No heuristic generates clearly fewer nodes than {row.baseline}",
        ),
        *_grouped(same, lambda row: f"{row.heuristic} searches exactly like {row.baseline}"),
        *(_sentence(max(rows, key=_nodes)) for rows in more if rows),
    ]


def _where(row: Row) -> str:
    return "over all phases" if row.phase == WHOLE else f"in {row.phase}"


def _others(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.heuristic != row.baseline]


def _unsolved(every: Sequence[Sequence[Row]]) -> list[str]:
    missed = [
        f"{_where(rows[0])} " + listed([f"{row.heuristic} {row.unsolved}" for row in rows])
        for rows in ([row for row in rows if row.unsolved] for rows in every)
        if rows
    ]
    said = [f"Unsolved instances: {'; '.join(missed)}."]
    nothing = [_where(rows[0]) for rows in every if not rows[0].common]
    return (said if missed else []) + (
        [f"No instance was solved by all heuristics {listed(nothing)}."] if nothing else []
    )


def _quickest(rows: Sequence[Row], group: Group, metric: str) -> str:
    """Return a sentence about the fastest heuristic and the cheapest answers."""
    quick = min(rows, key=lambda row: _value(row.cpu_seconds))
    times = {
        row.heuristic: [group[row.heuristic][start].cpu_seconds for start in common_starts(group)]
        for row in rows
    }
    alike = [
        row.heuristic
        for row in rows
        if row is not quick
        and not _side(geometric_ratio(times[row.heuristic], times[quick.heuristic], LEAST_SECONDS))
    ]
    doubt = f"; {listed(alike)} may be as fast" if alike else ""
    least = min(_value(row.cost) for row in rows)
    cheap = [row for row in rows if _value(row.cost) == least]
    where = _where(quick)
    return (
        f"{where[0].upper()}{where[1:]}, {quick.heuristic} is fastest "
        f"(geometric mean {milliseconds(quick.cpu_seconds)} ms{doubt}). The answers of "
        f"{listed([row.heuristic for row in cheap])} cost least (mean {middle(cheap[0].cost)} "
        f"{metric})."
    )


def _grouped(rows: Iterable[Row], words: Callable[[Row], str]) -> list[str]:
    """Return one sentence for each distinct text, with the phases of all its rows."""
    said = [(words(row), _where(row)) for row in rows]
    return [
        f"{text} {listed([where for each, where in said if each == text])}."
        for text in dict.fromkeys(text for text, _ in said)
    ]


def _sentence(row: Row) -> str:
    where = _where(row)
    where = f"{where[0].upper()}{where[1:]}"
    optimal = ""
    if row.proven == row.common:
        optimal = f", and {percent(row.optimal)} of them are optimal"
    elif row.proven:
        optimal = (
            f", and {percent(row.optimal)} of the {row.proven:,} with a known optimum are optimal"
        )
    return (
        f"{where}, {row.heuristic} generates {between(row.node_ratio, ' to ')} "
        f"times the nodes of {row.baseline} and takes {between(row.time_ratio, ' to ')} times its "
        f"CPU time. Its answers are {more(_value(row.cost_ratio))}{optimal}."
    )


def _nodes(row: Row) -> float:
    return _value(row.node_ratio)


def _value(interval: Interval | None) -> float:
    return interval.value if interval else 1.0


def _side(interval: Interval | None) -> int:
    """Return -1 if a ratio is clearly below 1, 1 if it is clearly above 1, else 0.

    A ratio is clear if its confidence interval does not contain 1 and its mean differs from 1 by at
    least 1 %.
    """
    if interval is None or interval.low is None or interval.high is None:
        return 0
    if abs(interval.value - 1) < _SLIGHT:
        return 0
    return (interval.low > 1) - (interval.high < 1)


def _nodes_differ(row: Row) -> int:
    """Return -1 for clearly fewer nodes than the baseline, 1 for clearly more, else 0."""
    significant = row.by_nodes is not None and row.by_nodes.p_holm < LEVEL
    return _side(row.node_ratio) if significant else 0


def _same(runs: Mapping[Start, Run], others: Mapping[Start, Run]) -> bool:
    """Whether two heuristics searched the same nodes with the same outcome in all instances."""
    search = attrgetter("outcome", "generated", "expanded", "cost", "moves", "iterations")
    return {start: search(run) for start, run in runs.items()} == {
        start: search(run) for start, run in others.items()
    }


def write_page(
    summary: Summary, path: str | Path, made: Mapping[str, str] = _NOTHING_KNOWN
) -> None:
    """Write the report to a file, as a self-contained HTML page.

    `made` says how the report was made: names and texts, such as those of `provenance`. The same
    arguments always give the same page. Raises UsageError if there are no rows, if the
    directory does not exist, or if matplotlib or Jinja is not installed.
    """
    if not summary.rows:
        raise UsageError("nothing to report: no run is finished")
    if not Path(path).parent.is_dir():
        raise UsageError(f"{path}: the directory {Path(path).parent} does not exist")
    check_matplotlib()
    try:
        import jinja2  # noqa: F401
    except ImportError:
        raise UsageError(
            "the report needs Jinja, which is not installed: "
            "pip install 'permutation-puzzlekit[plot]'"
        ) from None
    Path(path).write_text(_page(summary, made), encoding="utf-8", newline="\n")


def _page(summary: Summary, made: Mapping[str, str]) -> str:
    from jinja2 import Environment, StrictUndefined

    from puzzlekit_lab.plots import overview

    source = files("puzzlekit_lab").joinpath("report.html.template").read_text("utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text: str = environment.from_string(source).render(
        puzzles=list(dict.fromkeys(case.puzzle for case in summary.cases)),
        heuristics=summary.heuristics,
        instances=max(row.instances for row in summary.rows),
        runs=sum(summary.counts.values()),
        wrong=wrong_claims(summary),
        overview=overview(summary),
        cases=[_case(summary, case) for case in summary.cases],
        columns=RESULTS,
        qualities=QUALITIES,
        tables=TABLES,
        formulas=_formulas(summary.heuristics),
        settings=summary.settings,
        made=made,
        counts=summary.counts,
    )
    return text


def _formulas(heuristics: Sequence[str]) -> dict[str, str]:
    """Return the descriptions and parameters of the heuristics that are installed here."""
    found = {}
    for text in heuristics:
        with contextlib.suppress(UsageError):
            heuristic = find_heuristic(text)
            said = " ".join((type(heuristic).__doc__ or "").partition("\n\n")[0].split())
            fields = parameters(type(heuristic))
            values = [f"{each.alias} = {getattr(heuristic, each.name)}" for each in fields]
            found[text] = f"{said} {', '.join(values)}".replace("`", "").strip()
    return found


def _case(summary: Summary, case: CaseName) -> dict[str, Any]:
    from puzzlekit_lab.plots import plots

    qualities = [quality for quality in summary.qualities if quality.case == case]
    return {
        "name": str(case),
        "id": "-".join(filter(None, case)),
        "baseline": summary.rows_of(case)[0].baseline,
        "findings": findings(summary, case),
        "phases": [_phase(summary, case, phase) for phase in summary.phases(case)],
        "plots": plots(summary, case),
        "qualities": list(map(quality_cells, qualities)),
        "samples": sorted(
            {f"{each.phase}: {each.sample}" for each in qualities if each.how != "exhaustive"}
        ),
        "tables": [table_cells(tables) for tables in summary.tables_of(case)],
    }


def _phase(summary: Summary, case: CaseName, phase: str) -> dict[str, Any]:
    goals = [tables.goal for tables in summary.tables_of(case) if tables.phase == phase]
    return {
        "name": "all phases in sequence" if phase == WHOLE else phase,
        "goal": goals[0] if goals else "",
        "rows": [
            {
                "heuristic": row.heuristic,
                "baseline": row.heuristic == row.baseline,
                "claim": "claims admissible" if row.admissible else "",
                "refuted": row.refuted,
                "cells": [column.cell(row) for column in RESULTS],
            }
            for row in summary.rows_of(case, phase)
        ],
    }
