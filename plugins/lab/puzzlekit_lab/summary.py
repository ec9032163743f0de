"""The summary of an experiment: one row for each heuristic in each phase."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from numpy import percentile

from puzzlekit.search.solution import frame
from puzzlekit_lab.paired import Paired, holm, paired
from puzzlekit_lab.record import WHOLE, CaseName, OfPhase, Quality, Record, Run, Tables
from puzzlekit_lab.statistics import (
    LEAST_NODES,
    LEAST_SECONDS,
    Interval,
    branching_factor,
    geometric_mean,
    geometric_ratio,
    growth,
    mean,
)

if TYPE_CHECKING:
    from pandas import DataFrame

Start = tuple[Any, ...]  # the key of a start, as `start_of` returns it
Group = Mapping[str, Mapping[Start, Run]]  # the runs of a phase by heuristic and start

Settings = Mapping[str, tuple[str, ...]]
# Endings of the headings of a field with several columns, by the beginning of its type.
_ENDS = {
    "Interval": ("", "_low", "_high"),
    "Paired": ("_wins", "_ties", "_losses", "_p", "_p_holm"),
}
_TESTS = ("by_nodes", "by_time", "by_cost")  # the fields with a `Paired`
BASELINE = "max"  # the usual one


@attrs.frozen
class Row(OfPhase):
    """The numbers of one heuristic in one phase of a method.

    The fields from `h` to `by_cost` cover the `common` instances. They are None if there are no
    such instances. In the phase "whole" a run is not a single search, so `h`, `before_last`,
    `branching`, `growth` and all fields that need an optimum are None.

    The fields are the columns of `summary.csv`. A field with an `Interval` has three columns. The
    columns with the endings `_low` and `_high` are its 95 % confidence interval. A field with a
    `Paired` has five, and is None for the baseline itself.
    """

    #: The heuristic, as text.
    heuristic: str
    #: The heuristic that ratios refer to: the one that `summarise` was told, if it was compared, or
    #: `max`, or else the first by name.
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
    #: Arithmetic mean of the generated nodes.
    generated_mean: Interval | None
    #: Sum of the generated nodes.
    generated_total: int | None
    #: Geometric mean of the expanded nodes over all iterations. 0 nodes count as 1.
    expanded: Interval | None
    #: Arithmetic mean of the expanded nodes.
    expanded_mean: Interval | None
    #: Sum of the expanded nodes.
    expanded_total: int | None
    #: Geometric mean of the nodes generated before the last iteration. 0 nodes count as 1.
    before_last: Interval | None
    #: Geometric mean of the CPU time in seconds. Less than a microsecond counts as a microsecond.
    cpu_seconds: Interval | None
    #: Arithmetic mean of the CPU time in seconds.
    cpu_seconds_mean: Interval | None
    #: Sum of the CPU time in seconds.
    cpu_seconds_total: float | None
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
    #: Instances with fewer generated nodes than the baseline, as many, and more; with a test.
    by_nodes: Paired | None
    #: The same for the CPU time. Less than a microsecond counts as a microsecond.
    by_time: Paired | None
    #: The same for the cost of the answers.
    by_cost: Paired | None
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


def row_of(
    heuristic: str, group: Group, qualities: Mapping[str, Quality], baseline: str = BASELINE
) -> Row:
    """Return the row of a heuristic, from the runs and qualities of all heuristics in a phase.

    The p-values of its tests are not corrected for multiple comparisons yet.
    """
    every = list(group[heuristic].values())
    baseline = next((each for each in (baseline, BASELINE) if each in group), min(group))
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
        **_ratios(runs, others, heuristic != baseline),
        **_suboptimality(proven),
        **_quality(qualities.get(heuristic)),
    )


_PLAIN = tuple(
    f"{name}_{what}"
    for name in ("generated", "expanded", "cpu_seconds")
    for what in ("mean", "total")
)


def _means(runs: Sequence[Run]) -> dict[str, Any]:
    searched = [run for run in runs if run.phase != WHOLE]
    factors = [branching_factor(run.generated, run.length or 0) for run in searched]
    grown = [growth([each.generated for each in run.iterations[:-1]]) for run in runs]
    seconds = sum(run.cpu_seconds for run in runs)
    plain: dict[str, Any] = {}
    for name in ("generated", "expanded", "cpu_seconds") if runs else ():
        values = [getattr(run, name) for run in runs]
        plain |= {f"{name}_mean": mean(values), f"{name}_total": sum(values)}
    return {
        **(plain or dict.fromkeys(_PLAIN)),
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


def _ratios(runs: Sequence[Run], others: Sequence[Run], tested: bool) -> dict[str, Any]:
    names = (
        ("node_ratio", "by_nodes", "generated", LEAST_NODES),
        ("time_ratio", "by_time", "cpu_seconds", LEAST_SECONDS),
        ("cost_ratio", "by_cost", "cost", 1.0),
    )
    found: dict[str, Any] = {}
    for ratio, test, name, least in names:
        ones, those = ([getattr(run, name) for run in group] for group in (runs, others))
        found[ratio] = geometric_ratio(ones, those, least) if runs else None
        found[test] = paired(ones, those, least) if runs and tested else None
    return found


def _corrected(rows: Sequence[Row]) -> list[Row]:
    """Correct the p-values of each quantity for all its comparisons, of all phases and cases."""
    found = list(rows)
    for name in _TESTS:
        tests = {i: test for i, row in enumerate(rows) if (test := getattr(row, name)) is not None}
        for i, p in holm({i: test.p for i, test in tests.items()}).items():
            found[i] = attrs.evolve(found[i], **{name: tests[i]._replace(p_holm=p)})
    return found


def _suboptimality(proven: Sequence[tuple[Run, int]]) -> dict[str, Any]:
    costs = [(run.cost or 0, optimum) for run, optimum in proven]
    ratios = [max(cost, 1) / max(optimum, 1) for cost, optimum in costs]

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


@attrs.frozen(repr=False)
class Summary:
    """All rows of a comparison and the records behind them."""

    #: The rows, sorted by case, phase and heuristic. The baseline is the first heuristic, and the
    #: others follow by name.
    rows: tuple[Row, ...]
    #: The runs of the rows. Maps (case, phase) to a mapping by heuristic, then by start.
    runs: Mapping[tuple[CaseName, str], Group]
    #: The qualities of the estimates.
    qualities: tuple[Quality, ...]
    #: The tables of the phases.
    tables: tuple[Tables, ...]
    #: Seeds, limits, machines and versions, in words.
    settings: Settings
    #: Number of runs with each outcome.
    counts: Mapping[str, int]
    #: The heuristic that `summarise` was told to compare the others with.
    baseline: str = BASELINE

    def __repr__(self) -> str:
        """The cases, and the numbers of rows and runs."""
        cases = "; ".join(map(str, self.cases)) or "nothing"
        runs = sum(self.counts.values())
        return f"<Summary of {cases}: {len(self.rows):,} rows of {runs:,} runs>"

    @property
    def cases(self) -> tuple[CaseName, ...]:
        """The cases, in order."""
        return tuple(dict.fromkeys(case for case, _ in self.runs))

    @property
    def heuristics(self) -> tuple[str, ...]:
        """All heuristics, in order."""
        rank = partial(_rank, self.baseline)
        return tuple(sorted({row.heuristic for row in self.rows}, key=rank))

    def heuristics_of(self, case: CaseName) -> tuple[str, ...]:
        """Return the heuristics of a case, in order."""
        found = {row.heuristic for row in self.rows_of(case)}
        return tuple(each for each in self.heuristics if each in found)

    def phases(self, case: CaseName) -> tuple[str, ...]:
        """Return the compared phases of a case in order, "whole" last."""
        return tuple(phase for each, phase in self.runs if each == case)

    def rows_of(self, case: CaseName, phase: str | None = None) -> tuple[Row, ...]:
        """Return the rows of a case, or of one of its phases."""
        return tuple(
            row for row in self.rows if row.case == case and (phase is None or row.phase == phase)
        )

    def optima(self, case: CaseName, phase: str) -> Mapping[Start, int]:
        """Return the optimal cost from each start, if it is known."""
        return optima(self.runs[case, phase], quality_of(self.qualities, case, phase))

    def to_frame(self) -> DataFrame:
        """Return the rows as a pandas data frame, with the columns of `write_csv`.

        Raises UsageError if pandas is not installed.
        """
        return frame(
            {
                heading: [_value(row, name, at) for row in self.rows]
                for heading, name, at in _columns()
            }
        )

    def tables_of(self, case: CaseName) -> tuple[Tables, ...]:
        """Return the tables of the phases of a case, in order."""
        return tuple(each for each in self.tables if each.case == case)


def summarise(records: Iterable[Record], baseline: str = BASELINE) -> Summary:
    """Return the summary of records.

    Ratios and tests compare each heuristic with `baseline`, the text of a heuristic. A phase
    without runs of this heuristic is compared with `max`, or else with the first heuristic by name.

    The records may have any kind and any order. If several runs have the same `Run.key`, only the
    last run is used. If there are several `Quality` or `Tables` records about the same phase and
    heuristic, only the last record is used. If the formula or the tables of a heuristic have
    changed, only the records of the last version are used. Two runs have the same start if seed,
    instance, state, limits, machine and versions are the same. If there are no runs, the summary
    has no rows.
    """
    runs: dict[Any, Run] = {}
    qualities: dict[Any, Quality] = {}
    tables: dict[Any, Tables] = {}
    newest: dict[Any, str] = {}
    for record in records:
        if isinstance(record, Run):
            runs[record.key] = record
            newest[_place(record)] = record.fingerprint
        elif isinstance(record, Quality):
            qualities[_place(record)] = record
        elif isinstance(record, Tables):
            tables[record.case, record.phase] = record
    kept = [run for run in runs.values() if run.fingerprint == newest[_place(run)]]
    qualities = {
        place: quality
        for place, quality in qualities.items()
        if quality.fingerprint == newest.get(place, quality.fingerprint)
    }
    numbers = {place: each.number for place, each in tables.items()}

    def order(record: Any) -> tuple[Any, ...]:
        case, phase = record.case, record.phase
        return case, phase == WHOLE, numbers.get((case, phase), len(numbers)), phase

    def order_of_row(record: Any) -> tuple[Any, ...]:
        return *order(record), _rank(baseline, record.heuristic)

    groups: dict[tuple[CaseName, str], dict[str, dict[Start, Run]]] = {}
    for run in sorted(kept, key=lambda run: (order_of_row(run), str(start_of(run)))):
        group = groups.setdefault((run.case, run.phase), {})
        group.setdefault(run.heuristic, {})[start_of(run)] = run
    rows = [
        row_of(heuristic, group, quality_of(qualities.values(), case, phase), baseline)
        for (case, phase), group in groups.items()
        for heuristic in group
    ]
    return Summary(
        rows=tuple(_corrected(rows)),
        runs=groups,
        qualities=tuple(sorted(qualities.values(), key=order_of_row)),
        tables=tuple(sorted(tables.values(), key=order)),
        settings=_settings(kept),
        counts=dict(sorted(Counter(run.outcome for run in kept).items())),
        baseline=baseline,
    )


def quality_of(found: Iterable[Quality], case: CaseName, phase: str) -> Mapping[str, Quality]:
    """Return the qualities of a phase by heuristic."""
    return {
        quality.heuristic: quality
        for quality in found
        if (quality.case, quality.phase) == (case, phase)
    }


def start_of(run: Run) -> Start:
    """Return the key of a start. Runs with the same key can be compared one by one."""
    which = run.seed, run.instance, run.state, run.timeout, run.max_nodes
    return (*which, _words(run.machine), _words(run.versions))


def _place(record: Run | Quality) -> tuple[Any, ...]:
    return record.case, record.phase, record.heuristic


def _rank(baseline: str, heuristic: str) -> tuple[bool, bool, str]:
    """Return the sort key of a heuristic; the baseline comes first, then `max`."""
    return heuristic != baseline, heuristic != BASELINE, heuristic


def _words(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in sorted(given.items()))


def _limits(run: Run) -> str:
    time = "" if run.timeout is None else f"{run.timeout:g} s"
    nodes = "" if run.max_nodes is None else f"{run.max_nodes:,} nodes"
    return " and ".join(filter(None, (time, nodes))) or "none"


def _settings(runs: Sequence[Run]) -> Settings:
    told: Mapping[str, Callable[[Run], str]] = {
        "seed": lambda run: str(run.seed),
        "limits of a run": _limits,
        "machine": lambda run: _words(run.machine),
        "versions": lambda run: _words(run.versions),
    }
    return {name: tuple(sorted(set(map(tell, runs)))) for name, tell in told.items()}


def write_csv(summary: Summary, path: str | Path) -> None:
    """Write the rows to a CSV file. The columns are the fields of `Row`.

    The first line has the headings. Numbers have six digits, truth values are "yes" and "no", and
    unknown values are empty.
    """
    columns = _columns()
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(heading for heading, _, _ in columns)
        for row in summary.rows:
            writer.writerow(_cell(_value(row, name, at)) for _, name, at in columns)


def _columns() -> list[tuple[str, str, int]]:
    """Return the heading of each column, its field, and its index if the field has several."""
    return [
        (f"{field.name}{end}", field.name, at)
        for field in attrs.fields(Row)
        for at, end in enumerate(_ENDS.get(str(field.type).partition(" ")[0], ("",)))
    ]


def _value(row: Row, name: str, at: int) -> Any:
    """Return the value of a field. If it has several numbers, return the one at index `at`."""
    value = getattr(row, name)
    return value[at] if isinstance(value, Interval | Paired) else value


def _cell(value: Any) -> str:
    """Return a value as text for the file."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
