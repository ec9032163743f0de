"""State the findings of a comparison in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter

from puzzlekit_lab.experiment.record import WHOLE, CaseName, Run
from puzzlekit_lab.report.row import Group, Row, Start, common_starts
from puzzlekit_lab.report.statistics import LEAST_SECONDS, Interval, geometric_ratio
from puzzlekit_lab.report.summary import Summary
from puzzlekit_lab.report.wording import between, listed, middle, milliseconds, more, percent

_SLIGHT = 0.01  # a smaller relative difference is irrelevant


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

    A ratio of nodes to the baseline is clear if its 95 % confidence interval lies on one side of 1
    and its mean differs from 1 by more than 1 %. For each phase, a sentence names the heuristic
    with the fewest nodes if its ratio is clearly below 1. Another sentence names the heuristic with
    the most nodes if its ratio is clearly above 1. The intervals are not corrected for multiple
    comparisons.
    """
    phases = sorted(summary.phases(case), key=lambda phase: phase != WHOLE)
    every = [summary.rows_of(case, phase) for phase in phases]
    found = [rows for rows in every if rows[0].common and len(rows) > 1]
    searched = [(rows, summary.runs[case, rows[0].phase]) for rows in found]
    fewer = [[row for row in _others(rows) if _side(row.node_ratio) < 0] for rows in found]
    more = [[row for row in _others(rows) if _side(row.node_ratio) > 0] for rows in found]
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


def _same(runs: Mapping[Start, Run], others: Mapping[Start, Run]) -> bool:
    """Whether two heuristics searched the same nodes with the same outcome in all instances."""
    search = attrgetter("outcome", "generated", "expanded", "cost", "moves", "iterations")
    return {start: search(run) for start, run in runs.items()} == {
        start: search(run) for start, run in others.items()
    }
