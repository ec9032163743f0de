"""Run what is left of an experiment, and measure the quality of its estimates."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import PuzzlekitError
from puzzlekit_lab.distances.distribution import MEMORY
from puzzlekit_lab.estimates.qualities import quality_task
from puzzlekit_lab.experiment.experiment import (
    Experiment,
    QualityTask,
    T,
    Task,
    Work,
    run_task,
)
from puzzlekit_lab.experiment.journal import Journal
from puzzlekit_lab.experiment.measurement import computer, versions
from puzzlekit_lab.experiment.record import Quality, Record, Run
from puzzlekit_lab.report.summary import summarise

if TYPE_CHECKING:
    from pandas import DataFrame

    from puzzlekit_batch.stream import WorkerTally


class Comparison:
    """An experiment in progress.

    `run` and `measure_quality` yield once for each finished task. The caller may stop at any time.

    Parameters
    ----------
    experiment
        The runs to do.
    journal
        The journal to which finished runs are written. Runs in the journal are not repeated.
    client
        A `distributed.Client` whose workers do the runs. Each puzzle must come from an installed
        plugin or from a definition. Default: None, which does the runs in this process.

    Attributes
    ----------
    records
        All records so far: the tables of each phase, then the records from the journal, then the
        results of `run` and `measure_quality`.
    tasks
        The runs that were not in the journal at the beginning.
    finished
        Number of `tasks` that are done.
    tallies
        The work of each worker so far, by its name.
    """

    def __init__(
        self, experiment: Experiment, journal: Journal | None = None, client: Any = None
    ) -> None:
        self.experiment = experiment
        self.records: list[Record] = []
        self._journal = journal
        self._written: Sequence[Record] = () if journal is None else journal.records
        self.client = client
        self.tallies: dict[str, WorkerTally] = {}
        for case in experiment.cases:
            for tables in case.tables():
                self._keep(tables)
        tasks = {experiment.key(task): task for task in experiment.tasks()}
        for record in self._written:
            if isinstance(record, Run) and tasks.pop(record.key, None) is not None:
                self.records.append(record)
        self.tasks: list[Task] = list(tasks.values())
        self.finished = 0

    def __repr__(self) -> str:
        """The cases, the heuristics and the progress."""
        cases = "; ".join(str(case.case_name) for case in self.experiment.cases)
        done, left = len(self.runs), len(self.tasks) - self.finished
        heuristics = ", ".join(self.experiment.heuristics)
        return f"<Comparison of {cases}: {heuristics}; {done} runs, {left} left>"

    def to_frame(self) -> DataFrame:
        """Return a pandas data frame with a row per heuristic and phase (see `Summary.to_frame`).

        Raises UsageError if pandas is not installed.
        """
        return summarise(self.records).to_frame()

    def _repr_html_(self) -> str:
        from importlib.util import find_spec

        from puzzlekit.puzzle.svg import beside, heading, table
        from puzzlekit_lab.report.columns import RESULTS

        summary = summarise(self.records)
        parts = [heading(repr(self)[1:-1])]
        for case in summary.cases:
            rows = [
                [row.phase, row.heuristic, *(column.cell(row).text for column in RESULTS)]
                for row in summary.rows_of(case)
            ]
            columns = [column.heading for column in RESULTS]
            parts += [heading(str(case)), table(["phase", "heuristic", *columns], rows)]
            if find_spec("matplotlib") is not None:
                from puzzlekit_lab.report.plots import plots

                drawn = [heading(each.title) + each.svg for each in plots(summary, case)]
                parts.append(beside(*drawn))
        return "".join(parts)

    @property
    def runs(self) -> list[Run]:
        """The runs so far."""
        return [record for record in self.records if isinstance(record, Run)]

    @property
    def qualities(self) -> list[Quality]:
        """The qualities so far."""
        return [record for record in self.records if isinstance(record, Quality)]

    def run(self) -> Iterator[Run | None]:
        """Do the remaining runs and yield each run. Yield None for a task that has no start."""
        for run in self._done(run_task, self.tasks):
            self.finished += 1
            if run is not None:
                self._keep(run)
            yield run

    def _done(self, work: Work[T], tasks: Sequence[Any]) -> Iterator[T]:
        """Do tasks, in this process or on workers, and yield the results."""
        left = deque(tasks)
        while left and self.client is None:  # the caller may find workers between two runs
            yield work(self.experiment, left.popleft(), None)
        if not left:
            return
        from puzzlekit_batch.stream import Stream
        from puzzlekit_lab.experiment.experiment_job import ExperimentJob

        stream = Stream(self.client, ExperimentJob.of(self.experiment, work), unordered=True)
        stream.tallies = self.tallies
        with closing(stream.results((None, task) for task in left)) as results:
            for _, _, result in results:
                if isinstance(result, PuzzlekitError):
                    raise result
                yield result

    def quality_tasks(self, memory: int | None = None) -> list[QualityTask]:
        """Return the phases whose estimates are still to be checked.

        If all states of a phase fit into `memory` bytes, all are checked. Otherwise a sample is
        checked. A result for all states is taken from the journal. A sample is always checked
        again.
        """
        found = []
        for number, case in enumerate(self.experiment.cases):
            texts = self.experiment.texts(case)
            for phase in (*case.left_out, *case.phases):
                known = self._known(number, phase.name, texts)
                if len(known) == len(texts):
                    self.records += [known[text] for text in texts]
                    continue
                of = case.puzzle.name, case.method.name, phase.name, "max"
                runs = tuple(
                    run
                    for run in self.runs
                    if (run.puzzle, run.method, run.phase, run.heuristic) == of and run.solved
                )
                task = QualityTask(number, phase.name, tuple(texts), runs, memory or MEMORY)
                found.append(task)
        return found

    def _known(self, number: int, phase: str, texts: Sequence[str]) -> dict[str, Quality]:
        """Return the qualities in the journal for all states of a phase, by heuristic."""
        case = self.experiment.cases[number]
        return {
            each.heuristic: each
            for each in self._written
            if isinstance(each, Quality)
            and each.how == "exhaustive"
            and (each.case, each.phase) == (case.case_name, phase)
            and each.heuristic in texts
            and each.fingerprint == case.candidate(each.heuristic).fingerprint
            and (each.machine, each.versions) == (computer(), versions())
        }

    def measure_quality(self, tasks: Iterable[QualityTask]) -> Iterator[list[Quality]]:
        """Do tasks of `quality_tasks`. Yield the records of each task, one per heuristic."""
        for qualities in self._done(quality_task, list(tasks)):
            for each in qualities:
                self._keep(each)
            yield qualities

    def _keep(self, record: Record) -> None:
        self.records.append(record)
        # The journal may hold a `Quality` or `Tables` record that differs only in its time.
        known = () if isinstance(record, Run) else map(_untimed, self._written)
        if self._journal is not None and _untimed(record) not in known:
            self._journal.append(record)


def _untimed(record: Record) -> dict[str, Any]:
    return attrs.asdict(record, recurse=False) | {"kind": record.kind, "seconds": 0}
