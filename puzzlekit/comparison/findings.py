"""What a comparison found, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.comparison.record import WHOLE
from puzzlekit.comparison.row import Row
from puzzlekit.comparison.statistics import Interval
from puzzlekit.comparison.summary import CaseName, Summary
from puzzlekit.comparison.words import between, listed, middle, milliseconds, more, percent

_SLIGHT = 0.01  # a difference that nobody would care for


def wrong_claims(summary: Summary) -> list[str]:
    """A sentence for each heuristic that claims to be admissible in a phase and is not."""
    return [
        f"{row.heuristic} claims to be admissible in {row.phase} of {row.puzzle}, but is not: it "
        f"overestimates {percent(row.over)} of the states, by up to {row.over_most}."
        for row in summary.rows
        if row.refuted
    ]


def findings(summary: Summary, case: CaseName) -> list[str]:
    """What stands out in a case, in sentences; all phases together come first.

    Of each phase the heuristics with the fewest and with the most nodes are told of, if the 95 %
    confidence interval of the ratio to the baseline lies on one side of 1, and the ratio is not
    within 1 % of it. These intervals are not widened for the number of comparisons.
    """
    phases = sorted(summary.phases(case), key=lambda phase: phase != WHOLE)
    every = [summary.rows_of(case, phase) for phase in phases]
    found = [rows for rows in every if rows[0].common and len(rows) > 1]
    best = [min(_others(rows), key=_nodes) for rows in found]
    worst = [max(_others(rows), key=_nodes) for rows in found]
    return [
        *_unsolved(every),
        *(_quickest(rows, case.metric) for rows in found[:1]),
        *(_sentence(row) for row in best if _side(row.node_ratio) < 0),
        *_no_gain([row for row in best if _side(row.node_ratio) >= 0]),
        *_alike([row for rows in found for row in _others(rows) if _same(row)]),
        *(_sentence(row) for row in worst if _side(row.node_ratio) > 0),
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
    said = [f"So many instances were left unsolved at the limits: {'; '.join(missed)}."]
    nothing = [_where(rows[0]) for rows in every if not rows[0].common]
    return (said if missed else []) + (
        [f"No instance was solved by all heuristics {listed(nothing)}."] if nothing else []
    )


def _quickest(rows: Sequence[Row], metric: str) -> str:
    """Which heuristic is quickest, as far as that can be told, and whose answers cost least."""
    quick = min(rows, key=lambda row: _value(row.cpu_seconds))
    if quick.heuristic == quick.baseline:
        alike = [row.heuristic for row in _others(rows) if _side(row.time_ratio) == 0]
    else:
        alike = [quick.baseline] if _side(quick.time_ratio) == 0 else []
    doubt = f"; {listed(alike)} may be as quick" if alike else ""
    least = min(_value(row.cost) for row in rows)
    cheap = [row for row in rows if _value(row.cost) == least]
    where = _where(quick)
    return (
        f"{where[0].upper()}{where[1:]} {quick.heuristic} is quickest "
        f"({milliseconds(quick.cpu_seconds)} ms in the geometric mean{doubt}) and the answers of "
        f"{listed([row.heuristic for row in cheap])} cost least ({middle(cheap[0].cost)} {metric} "
        "in the mean)."
    )


def _no_gain(rows: Sequence[Row]) -> list[str]:
    where = listed(list(map(_where, rows)))
    said = f"No heuristic generates clearly fewer nodes than {rows[0].baseline} " if rows else ""
    return [f"{said}{where}."] if rows else []


def _alike(rows: Sequence[Row]) -> list[str]:
    """Which heuristics do exactly what the baseline does, and where."""
    return [
        f"{heuristic} searches exactly as {rows[0].baseline} does "
        + listed([_where(row) for row in rows if row.heuristic == heuristic])
        + "."
        for heuristic in dict.fromkeys(row.heuristic for row in rows)
    ]


def _sentence(row: Row) -> str:
    where = _where(row)
    where = f"{where[0].upper()}{where[1:]}"
    optimal = f", {percent(row.optimal)} of them optimal" if row.optimal is not None else ""
    return (
        f"{where} {row.heuristic} generates {between(row.node_ratio, ' to ')} "
        f"times the nodes of {row.baseline} and takes {between(row.time_ratio, ' to ')} times its "
        f"CPU time; its answers are {more(_value(row.cost_ratio))}{optimal}."
    )


def _nodes(row: Row) -> float:
    return _value(row.node_ratio)


def _value(interval: Interval | None) -> float:
    return interval.value if interval else 1.0


def _side(interval: Interval | None) -> int:
    """On which side of 1 a confidence interval lies: -1 below, 1 above, 0 if it holds 1.

    Also 0 where the mean is as good as 1.
    """
    if interval is None or interval.low is None or interval.high is None:
        return 0
    if abs(interval.value - 1) < _SLIGHT:
        return 0
    return (interval.low > 1) - (interval.high < 1)


def _same(row: Row) -> bool:
    """Whether nodes and costs are those of the baseline for every instance."""
    return row.node_ratio == row.cost_ratio == Interval(1.0, 1.0, 1.0)
