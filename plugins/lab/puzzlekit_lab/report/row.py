"""A row of a comparison: one heuristic in one phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Any

import attrs

from puzzlekit_lab.experiment.record import WHOLE, OfPhase, Quality, Run
from puzzlekit_lab.report.statistics import (
    LEAST_NODES,
    LEAST_SECONDS,
    Interval,
    branching_factor,
    geometric_mean,
    geometric_ratio,
    growth,
    mean,
)

Start = tuple[Any, ...]  # the key of a start, as `start_of` returns it
Group = Mapping[str, Mapping[Start, Run]]  # the runs of a phase by heuristic and start


@attrs.frozen
class Row(OfPhase):
    """The numbers of one heuristic in one phase of a method.

    The fields from `h` to `cost_ratio` cover the `common` instances. They are None if there are no
    such instances. In the phase "whole" a run is not a single search, so `h`, `before_last`,
    `branching`, `growth` and all fields that need an optimum are None.

    The fields are the columns of `summary.csv`. A field with an `Interval` has three columns. The
    columns with the endings `_low` and `_high` are its 95 % confidence interval.
    """

    #: The heuristic, as text.
    heuristic: str
    #: The heuristic that ratios refer to: `max` if it was compared, else the first by name.
    baseline: str
    #: Whether the heuristic claims to be admissible.
    admissible: bool
    #: Number of runs.
    instances: int
    #: Number of runs that found an answer.
    solved: int
    #: Number of instances that all heuristics solved.
    common: int
    #: Mean estimate at the start.
    h: Interval | None
    #: Mean cost of the answers in the metric.
    cost: Interval | None
    #: Mean number of moves of the answers.
    length: Interval | None
    #: Geometric mean of the generated nodes over all iterations. 0 nodes count as 1.
    generated: Interval | None
    #: Geometric mean of the expanded nodes over all iterations. 0 nodes count as 1.
    expanded: Interval | None
    #: Geometric mean of the nodes generated before the last iteration. 0 nodes count as 1.
    before_last: Interval | None
    #: Geometric mean of the CPU time in seconds. Less than a microsecond counts as a microsecond.
    cpu_seconds: Interval | None
    #: Sum of the generated nodes divided by the sum of the CPU time.
    nodes_per_second: float | None
    #: Geometric mean of the effective branching factors (see `branching_factor`).
    branching: Interval | None
    #: Geometric mean of the growth between complete iterations (see `growth`).
    growth: Interval | None
    #: Geometric mean of the ratio of generated nodes to the baseline from the same start.
    node_ratio: Interval | None
    #: Geometric mean of the ratio of CPU time to the baseline from the same start.
    time_ratio: Interval | None
    #: Geometric mean of the ratio of cost to the baseline from the same start.
    cost_ratio: Interval | None
    #: Number of common instances whose optimal cost is known from an admissible heuristic.
    proven: int
    #: Mean ratio of the cost to the optimal cost. An optimal cost of 0 counts as 1.
    suboptimality: Interval | None
    #: 95th percentile of the ratio of the cost to the optimal cost.
    suboptimality_95: float | None
    #: Maximum of the ratio of the cost to the optimal cost.
    suboptimality_max: float | None
    #: Mean difference between the cost and the optimal cost.
    extra: Interval | None
    #: Share of the answers whose cost is the optimal cost.
    optimal: float | None
    #: Share of the checked states whose estimate exceeds the true distance; None without `Quality`.
    over: float | None
    #: Largest excess of an estimate over the true distance; None without a `Quality`.
    over_most: int | None
    #: Whether the estimate of the checked states is consistent; None without a `Quality`.
    consistent: bool | None
    #: Share of the checked states whose estimate differs from the estimate of `max`; None without a
    #: `Quality`.
    differs: float | None

    @property
    def refuted(self) -> bool:
        """Whether the heuristic is declared admissible, but overestimates a state."""
        return self.admissible and bool(self.over)

    @property
    def unsolved(self) -> int:
        """Number of runs that found no answer."""
        return self.instances - self.solved


def common_starts(group: Group) -> list[Start]:
    """Return the starts from which all heuristics of a phase found an answer."""
    solved = [{start for start, run in runs.items() if run.solved} for runs in group.values()]
    return sorted(set.intersection(*solved), key=str)


def optima(group: Group, qualities: Mapping[str, Quality]) -> dict[Start, int]:
    """Return the optimal cost from each start from which an admissible heuristic found an answer.

    A heuristic that is declared admissible counts as inadmissible if it overestimates a state, or
    if its answer costs more than another answer.
    """
    least: dict[Start, int] = {}
    for runs in group.values():
        for start, run in runs.items():
            if run.cost is not None and run.phase != WHOLE:
                least[start] = min(run.cost, least.get(start, run.cost))
    found: dict[Start, int] = {}
    for heuristic, runs in group.items():
        solved = [start for start, run in runs.items() if start in least and run.solved]
        refuted = heuristic in qualities and qualities[heuristic].over
        refuted = refuted or any(
            max(run.h, run.cost or 0) > least.get(start, inf) for start, run in runs.items()
        )
        if not refuted:
            found |= {start: least[start] for start in solved if runs[start].admissible}
    return found


def row_of(heuristic: str, group: Group, qualities: Mapping[str, Quality]) -> Row:
    """Return the row of a heuristic, from the runs and qualities of all heuristics in a phase."""
    every = list(group[heuristic].values())
    baseline = "max" if "max" in group else min(group)
    starts = common_starts(group)
    runs = [group[heuristic][start] for start in starts]
    others = [group[baseline][start] for start in starts]
    known = optima(group, qualities)
    proven = [
        (run, known[start]) for start, run in zip(starts, runs, strict=True) if start in known
    ]
    one = every[0]
    return Row(
        **one.case._asdict(),
        phase=one.phase,
        heuristic=heuristic,
        baseline=baseline,
        admissible=one.admissible,
        instances=len(every),
        solved=sum(run.solved for run in every),
        common=len(starts),
        proven=len(proven),
        **_means(runs),
        **_ratios(runs, others),
        **_suboptimality(proven),
        **_quality(qualities.get(heuristic)),
    )


def _means(runs: Sequence[Run]) -> dict[str, Any]:
    searched = [run for run in runs if run.phase != WHOLE]
    factors = [branching_factor(run.generated, run.length or 0) for run in searched]
    grown = [growth([each.generated for each in run.iterations[:-1]]) for run in runs]
    seconds = sum(run.cpu_seconds for run in runs)
    return {
        "h": _mean([run.h for run in searched]),
        "cost": _mean([run.cost for run in runs]),
        "length": _mean([run.length for run in runs]),
        "generated": _geometric([run.generated for run in runs], LEAST_NODES),
        "expanded": _geometric([run.expanded for run in runs], LEAST_NODES),
        "before_last": _geometric([run.before_last for run in searched], LEAST_NODES),
        "cpu_seconds": _geometric([run.cpu_seconds for run in runs], LEAST_SECONDS),
        "nodes_per_second": sum(run.generated for run in runs) / seconds if seconds > 0 else None,
        "branching": _geometric(factors, 0.0),
        "growth": _geometric(grown, 0.0),
    }


def _ratios(runs: Sequence[Run], others: Sequence[Run]) -> dict[str, Any]:
    names = (
        ("node_ratio", "generated", LEAST_NODES),
        ("time_ratio", "cpu_seconds", LEAST_SECONDS),
        ("cost_ratio", "cost", 1.0),
    )
    found = dict.fromkeys(ratio for ratio, _, _ in names)
    for ratio, name, least in names if runs else ():
        ones, those = ([getattr(run, name) for run in group] for group in (runs, others))
        found[ratio] = geometric_ratio(ones, those, least)
    return found


def _suboptimality(proven: Sequence[tuple[Run, int]]) -> dict[str, Any]:
    costs = [(run.cost or 0, optimum) for run, optimum in proven]
    ratios = [max(cost, 1) / max(optimum, 1) for cost, optimum in costs]
    from numpy import percentile

    return {
        "suboptimality": _mean(ratios),
        "suboptimality_95": float(percentile(ratios, 95)) if ratios else None,
        "suboptimality_max": max(ratios, default=None),
        "extra": _mean([cost - optimum for cost, optimum in costs]),
        "optimal": sum(cost <= best for cost, best in costs) / len(costs) if costs else None,
    }


def _quality(quality: Quality | None) -> dict[str, Any]:
    if quality is None:
        return dict.fromkeys(("over", "over_most", "consistent", "differs"))
    worst = quality.worst
    return {
        "over": quality.over / quality.states if quality.states else None,
        "over_most": 0 if worst is None else worst.h - worst.distance,
        "consistent": quality.broken == 0,
        "differs": quality.differ / quality.states if quality.states else None,
    }


def _mean(values: Iterable[float | None]) -> Interval | None:
    known = [value for value in values if value is not None]
    return mean(known) if known else None


def _geometric(values: Iterable[float | None], least: float) -> Interval | None:
    known = [value for value in values if value is not None]
    return geometric_mean(known, least) if known else None
