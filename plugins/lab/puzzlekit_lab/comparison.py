"""Experiments: every heuristic runs on the same instances, in every phase of every case."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import attrs

from puzzlekit import Limits, Solver, UsageError
from puzzlekit.amounts import whole
from puzzlekit_batch.job import Job, Source, new_token
from puzzlekit_batch.results_file import AppendedFile
from puzzlekit_batch.stream import Stream, WorkerTally, values
from puzzlekit_lab.algorithms.names import parted
from puzzlekit_lab.case import Case
from puzzlekit_lab.distances import MEMORY
from puzzlekit_lab.measurement import computer, measure, settings_of, versions
from puzzlekit_lab.qualities import quality
from puzzlekit_lab.record import Quality, Record, Run, key_of, record_of
from puzzlekit_lab.summary import summarise
from puzzlekit_pictures import beside, heading, table

if TYPE_CHECKING:
    from pandas import DataFrame

T = TypeVar("T")

_COUNTS = whole(1, 1_000_000)  # range for the number of instances
TIMEOUT = 10.0  # default limit of a run in seconds

NAME = "runs.jsonl"


class Task(NamedTuple):
    """A run to do: the number of the case, the heuristic as text, the phase, the instance."""

    case: int
    heuristic: str
    phase: str
    instance: int


class QualityTask(NamedTuple):
    """A task: the estimates of a phase are to be checked against true distances.

    `runs` are the runs of the phase with `max`. If the states of the phase do not fit into `memory`
    bytes, the answers of these runs give true distances.
    """

    case: int
    phase: str
    heuristics: tuple[str, ...]
    runs: tuple[Run, ...]
    memory: int


@attrs.frozen(eq=False)
class Experiment:
    """The runs of every heuristic on the same instances, in every phase of all cases.

    Raises UsageError if a case or heuristic cannot be run.

    >>> import puzzlekit
    >>> experiment = Experiment([Case(puzzlekit.load("cube2"))], ["max", "euclid"], count=3)
    >>> len(experiment.tasks())
    6
    """

    #: The methods to compare.
    cases: Sequence[Case]
    #: The heuristics as strings, such as "blended:a=3".
    heuristics: Sequence[str]
    #: Number of instances.
    count: int = 50
    #: The seed of the random instances.
    seed: int = 1
    #: Number of seconds that a run may take; None for no limit. If only `max_nodes` limits a run,
    #: all numbers except the times are repeatable.
    timeout: float | None = TIMEOUT
    #: Number of nodes that a run may generate; None for no limit.
    max_nodes: int | None = None

    def __attrs_post_init__(self) -> None:
        if not self.heuristics:
            raise UsageError("no heuristics are given")
        _COUNTS.check_argument("count", self.count)
        self.limits.checked()
        for case_name, times in Counter(case.case_name for case in self.cases).items():
            if times > 1:
                name = " ".join(filter(None, case_name))
                raise UsageError(f"{name} is given twice: give each puzzle once")
        for case in self.cases:
            for heuristic in self.heuristics:
                case.text(heuristic)
            if case.positions and self.count > len(case.positions):
                raise UsageError(
                    f"there are {len(case.positions)} positions, but count is {self.count}"
                )

    @property
    def limits(self) -> Limits:
        """The limits of each run."""
        return Limits(timeout=self.timeout, max_nodes=self.max_nodes)

    def texts(self, case: Case) -> list[str]:
        """Return the distinct heuristics of a case, as canonical texts."""
        return list(dict.fromkeys(case.text(heuristic) for heuristic in self.heuristics))

    def tasks(self) -> list[Task]:
        """Return all runs, ordered by instance.

        With this order, other load on the machine affects all heuristics alike, and the time so far
        predicts the remaining time. The heuristics are shuffled for each instance, so no heuristic
        always follows the same heuristic.
        """
        return [
            Task(number, heuristic, phase, instance)
            for instance in range(self.count)
            for number, case in enumerate(self.cases)
            for phase in case.stretches
            for heuristic in self._shuffled(case, instance)
        ]

    def _shuffled(self, case: Case, instance: int) -> list[str]:
        texts = self.texts(case)
        return Random(f"order {self.seed} {instance}").sample(texts, len(texts))

    def key(self, task: Task) -> Hashable:
        """Return the `Run.key` that the run of a task will have."""
        number, heuristic, phase, instance = task
        case = self.cases[number]
        return key_of(settings_of(case, heuristic, phase, self.seed, instance, self.limits))


# A function that does a task. The task ends early once the event is set.
Work = Callable[[Experiment, Any, Event | None], T]


def run_task(experiment: Experiment, task: Task, cancel: Event | None) -> Run | None:
    """Return the run of a task; None if it has no start. The run ends early if `cancel` is set."""
    case, limits = experiment.cases[task.case], experiment.limits._replace(cancel=cancel)
    return measure(case, task.heuristic, task.phase, experiment.seed, task.instance, limits)


def quality_task(experiment: Experiment, task: QualityTask, cancel: Event | None) -> list[Quality]:
    """Return one record per heuristic of a task. The task ends early once `cancel` is set."""

    def tell(_: float) -> None:
        if cancel is not None and cancel.is_set():
            raise KeyboardInterrupt

    case = experiment.cases[task.case]
    return quality(case, task.phase, task.heuristics, task.runs, task.memory, tell)


@attrs.frozen
class ExperimentJob(Job):
    """Do tasks of an experiment. There is one source for each case."""

    #: Arguments of each `Case`.
    cases: tuple[Mapping[str, Any], ...]
    #: The other arguments of the `Experiment`.
    settings: Mapping[str, Any]
    #: The function that does a task.
    work: Work[Any]

    @classmethod
    def of(cls, experiment: Experiment, work: Work[Any]) -> ExperimentJob:
        """Return the job that does tasks of an experiment with a function."""
        settings = attrs.asdict(experiment, recurse=False)
        cases = settings.pop("cases")
        sources = tuple(Source.of(case.solver) for case in cases)
        return cls(new_token(), sources, tuple(case.how for case in cases), settings, work)

    def prepare(self, solvers: Sequence[Solver], cancel: threading.Event) -> Callable[[Any], Any]:
        """Make the experiment in this process, and return the function that does a task."""
        cases = [Case(solver, **how) for solver, how in zip(solvers, self.cases, strict=True)]
        experiment = Experiment(cases, **self.settings)
        return lambda task: self.work(experiment, task, cancel)


class Journal(AbstractContextManager["Journal"]):
    """The file `runs.jsonl` in a directory.

    The directory and the file are created if they do not exist. `records` is the list of all
    records in the file. A crash may leave an incomplete last line, which is removed. Raises
    UsageError if a line is not a record, or if another process writes to the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory, Journal(directory) as journal:
    ...     len(journal.records)
    0
    """

    def __init__(self, directory: str) -> None:
        self.path = os.path.join(directory, NAME)
        self.records: list[Record] = []
        with contextlib.ExitStack() as stack:
            self._file = stack.enter_context(AppendedFile(self.path))
            for number, line in enumerate(self._file.lines(), 1):
                try:
                    self.records.append(record_of(line.decode()))
                except (UsageError, ValueError, TypeError) as error:
                    raise UsageError(f"{self.path}: line {number}: {error}") from None
            self._stack = stack.pop_all()

    def append(self, record: Record) -> None:
        """Write a record to the file at once. Raises PuzzlekitError if writing fails."""
        self._file.append(record.line())
        self.records.append(record)

    def __exit__(self, *_: object) -> None:
        self._stack.close()


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
        from puzzlekit_lab.page import RESULTS

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
                from puzzlekit_lab.plots import plots

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
        stream = Stream(self.client, ExperimentJob.of(self.experiment, work), unordered=True)
        stream.tallies = self.tallies
        yield from values(stream, left)

    def quality_tasks(self, memory: int | None = None) -> list[QualityTask]:
        """Return the phases whose estimates are still to be checked.

        If all states of a phase fit into `memory` bytes, all are checked. Otherwise a sample is
        checked. A result for all states is taken from the journal. A sample is always checked
        again.
        """
        found = []
        for number, case in enumerate(self.experiment.cases):
            texts = [each for each in self.experiment.texts(case) if not parted(each)[1]]
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
