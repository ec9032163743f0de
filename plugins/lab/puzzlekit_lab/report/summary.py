"""Summaries: one row for each heuristic in each phase."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit_lab.experiment.record import WHOLE, CaseName, Quality, Record, Run, Tables
from puzzlekit_lab.report.row import Group, Row, Start, optima, row_of
from puzzlekit_lab.report.statistics import Interval

if TYPE_CHECKING:
    from pandas import DataFrame

Settings = Mapping[str, tuple[str, ...]]

_ENDS = ("", "_low", "_high")  # endings of the headings of an interval's three columns


@attrs.frozen
class Summary:
    """All rows of a comparison and the records behind them."""

    #: The rows, sorted by case, phase and heuristic. `max` is the first heuristic, and the others
    #: follow by name.
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

    @property
    def cases(self) -> tuple[CaseName, ...]:
        """The cases, in order."""
        return tuple(dict.fromkeys(case for case, _ in self.runs))

    @property
    def heuristics(self) -> tuple[str, ...]:
        """All heuristics, in order."""
        return tuple(sorted({row.heuristic for row in self.rows}, key=_rank))

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
        from puzzlekit.search.solution import frame

        return frame(
            {
                heading: [_value(row, name, at) for row in self.rows]
                for heading, name, at in _columns()
            }
        )

    def tables_of(self, case: CaseName) -> tuple[Tables, ...]:
        """Return the tables of the phases of a case, in order."""
        return tuple(each for each in self.tables if each.case == case)


def summarise(records: Iterable[Record]) -> Summary:
    """Return the summary of records.

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
        return *order(record), _rank(record.heuristic)

    groups: dict[tuple[CaseName, str], dict[str, dict[Start, Run]]] = {}
    for run in sorted(kept, key=lambda run: (order_of_row(run), str(start_of(run)))):
        group = groups.setdefault((run.case, run.phase), {})
        group.setdefault(run.heuristic, {})[start_of(run)] = run
    rows = [
        row_of(heuristic, group, quality_of(qualities.values(), case, phase))
        for (case, phase), group in groups.items()
        for heuristic in group
    ]
    return Summary(
        rows=tuple(rows),
        runs=groups,
        qualities=tuple(sorted(qualities.values(), key=order_of_row)),
        tables=tuple(sorted(tables.values(), key=order)),
        settings=_settings(kept),
        counts=dict(sorted(Counter(run.outcome for run in kept).items())),
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


def _rank(heuristic: str) -> tuple[bool, str]:
    """Return the sort key of a heuristic; `max`, the baseline, comes first."""
    return heuristic != "max", heuristic


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
    """Return the heading, the field and the index in an `Interval` of each column."""
    return [
        (f"{field.name}{end}", field.name, at)
        for field in attrs.fields(Row)
        for at, end in enumerate(_ENDS if str(field.type).startswith("Interval") else _ENDS[:1])
    ]


def _value(row: Row, name: str, at: int) -> Any:
    """Return the value of a field. If it is an interval, return its number at index `at`."""
    value = getattr(row, name)
    return value[at] if isinstance(value, Interval) else value


def _cell(value: Any) -> str:
    """Return a value as text for the file."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
