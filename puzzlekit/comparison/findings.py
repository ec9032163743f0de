"""What a comparison found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.comparison.record import WHOLE
from puzzlekit.comparison.row import Row
from puzzlekit.comparison.statistics import Interval
from puzzlekit.comparison.summary import Case, Summary
from puzzlekit.comparison.words import between, more, percent


def wrong_claims(summary: Summary) -> list[str]:
    """A sentence for each heuristic that claims to be admissible in a phase and is not."""
    return [
        f"{row.heuristic} claims to be admissible in {row.phase} of {row.puzzle}, but is not: it "
        f"overestimates {percent(row.over)} of the states, by up to {row.over_most}."
        for row in summary.rows
        if row.refuted
    ]


def findings(summary: Summary, case: Case) -> list[str]:
    """What stands out in a case, in sentences; all phases together come first.

    A difference is said to be one where the 95 % confidence interval of the ratio does not hold 1.
    """
    phases = sorted(summary.phases(case), key=lambda phase: phase != WHOLE)
    return [
        sentence
        for phase in phases
        for sentence in _of_phase(
            summary.rows_of(case, phase),
            "over all phases" if phase == WHOLE else f"in {phase}",
        )
    ]


def _of_phase(rows: tuple[Row, ...], where: str) -> Iterator[str]:
    """Unsolved ones, then each heuristic that differs from the baseline, the best one first."""
    start = where[0].upper() + where[1:]
    if not rows[0].common:
        yield f"{start} no instance was solved by all heuristics, so nothing can be compared."
        return
    missed = [f"{row.heuristic} {row.unsolved}" for row in rows if row.unsolved]
    if missed:
        yield (
            f"{start} not all of {rows[0].instances} instances were solved within the limits; "
            f"unsolved: {', '.join(missed)}."
        )
    others = [row for row in rows if row.heuristic != row.baseline]
    if not others:
        return
    fewest = min(others, key=lambda row: _value(row.node_ratio))
    if _value(fewest.node_ratio) < 1 and _differs(fewest.node_ratio):
        yield f"{start} {_sentence(fewest)}"
    else:
        yield f"{start} no heuristic generates clearly fewer nodes than {rows[0].baseline}."
    alike = [row.heuristic for row in others if _same(row)]
    if alike:
        verb = "searches" if len(alike) == 1 else "search"
        yield f"{start} {' and '.join(alike)} {verb} exactly as {rows[0].baseline} does."
    most = max(others, key=lambda row: _value(row.node_ratio))
    if most is not fewest and _value(most.node_ratio) > 1 and _differs(most.node_ratio):
        yield f"{start} {_sentence(most)}"


def _sentence(row: Row) -> str:
    length = row.cost_ratio.value if row.cost_ratio else 1.0
    optimal = f"; {percent(row.optimal)} of them are optimal" if row.optimal is not None else ""
    return (
        f"{row.heuristic} generates {between(row.node_ratio)} times the nodes of {row.baseline} "
        f"and takes {between(row.time_ratio)} times its CPU time; its answers are "
        f"{more(length)}{optimal}."
    )


def _value(interval: Interval | None) -> float:
    return interval.value if interval else 1.0


def _differs(interval: Interval | None) -> bool:
    """Whether 1 is outside of the confidence interval."""
    if interval is None or interval.low is None or interval.high is None:
        return False
    return interval.low > 1 or interval.high < 1


def _same(row: Row) -> bool:
    """Whether nodes and costs are those of the baseline for every instance."""
    return row.node_ratio == row.cost_ratio == Interval(1.0, 1.0, 1.0)
