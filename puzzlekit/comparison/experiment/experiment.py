"""An experiment: the same instances for every heuristic in every phase of some cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from threading import Event
from typing import Any, NamedTuple, TypeVar

import attrs

from puzzlekit.amounts import whole
from puzzlekit.comparison.experiment.case import Case
from puzzlekit.comparison.experiment.measurement import measure, settings_of
from puzzlekit.comparison.experiment.record import Run, key_of
from puzzlekit.errors import UsageError
from puzzlekit.run.limits import Limits

T = TypeVar("T")

_COUNTS = whole(1, 1_000_000)  # instances; more than anyone waits for
TIMEOUT = 10.0  # seconds a run may take unless another limit is given


class Task(NamedTuple):
    """One run that is to be done: the number of the case, the text of the heuristic and so on."""

    case: int
    heuristic: str
    phase: str
    instance: int


class QualityTask(NamedTuple):
    """The estimates of a phase that are to be held against true distances.

    `runs` are those of the phase with `max`, whose answers tell true distances where there are too
    many states to look at all within `memory` bytes.
    """

    case: int
    phase: str
    heuristics: tuple[str, ...]
    runs: tuple[Run, ...]
    memory: int


@attrs.frozen(eq=False)
class Experiment:
    """What is run: `count` instances of a `seed` for every heuristic in every phase of all cases.

    `heuristics` are texts such as "blended:a=3". Every run ends after `timeout` seconds or
    `max_nodes` nodes; with `max_nodes` alone (`timeout` None) all but the times is repeatable. A
    UsageError for what cannot be run, before anything is.

    >>> import puzzlekit
    >>> experiment = Experiment([Case(puzzlekit.load("cube2"))], ["max", "euclid"], count=3)
    >>> len(experiment.tasks())
    6
    """

    cases: Sequence[Case]
    heuristics: Sequence[str]
    count: int = 50
    seed: int = 1
    timeout: float | None = TIMEOUT
    max_nodes: int | None = None

    def __attrs_post_init__(self) -> None:
        if not self.heuristics:
            raise UsageError("no heuristics are given")
        _COUNTS.check_argument("count", self.count)
        self.limits.checked()
        for case_name, times in Counter(case.case_name for case in self.cases).items():
            if times > 1:
                name = " ".join(filter(None, case_name))
                raise UsageError(f"{name} is given twice: records tell puzzles by name")
        for case in self.cases:
            for heuristic in self.heuristics:
                case.text(heuristic)

    @property
    def limits(self) -> Limits:
        """The limits of each run."""
        return Limits(timeout=self.timeout, max_nodes=self.max_nodes)

    def texts(self, case: Case) -> list[str]:
        """The heuristics that differ in a case."""
        return list(dict.fromkeys(case.text(heuristic) for heuristic in self.heuristics))

    def tasks(self) -> list[Task]:
        """All runs, in the order in which they are done: all of an instance before the next one.

        So what comes and goes on a machine meets all heuristics alike, and what is left takes as
        long as what is done did. The heuristics are shuffled for each instance, so that none
        follows the same one each time.
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
        """The `Run.key` that the run of a task will have."""
        number, heuristic, phase, instance = task
        case = self.cases[number]
        return key_of(settings_of(case, heuristic, phase, self.seed, instance, self.limits))


# What is done with a task; it ends early once the event is set.
Work = Callable[[Experiment, Any, Event | None], T]


def run_task(experiment: Experiment, task: Task, cancel: Event | None) -> Run | None:
    """The run of a task, which ends early once `cancel` is set; None without a start."""
    case, limits = experiment.cases[task.case], experiment.limits._replace(cancel=cancel)
    return measure(case, task.heuristic, task.phase, experiment.seed, task.instance, limits)
