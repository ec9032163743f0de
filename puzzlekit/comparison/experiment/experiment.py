"""An experiment runs every heuristic on the same instances in every phase of its cases."""

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

_COUNTS = whole(1, 1_000_000)  # range for the number of instances
TIMEOUT = 10.0  # default limit of a run in seconds


class Task(NamedTuple):
    """One run to do: number of the case, text of the heuristic, phase, number of the instance."""

    case: int
    heuristic: str
    phase: str
    instance: int


class QualityTask(NamedTuple):
    """The estimates of a phase to check against true distances.

    `runs` are the runs of the phase with `max`. Their answers give true distances if the states of
    the phase do not fit into `memory` bytes.
    """

    case: int
    phase: str
    heuristics: tuple[str, ...]
    runs: tuple[Run, ...]
    memory: int


@attrs.frozen(eq=False)
class Experiment:
    """The runs of every heuristic on the same instances, in every phase of all cases.

    Raises UsageError at once if anything in it cannot be run.

    >>> import puzzlekit
    >>> experiment = Experiment([Case(puzzlekit.load("cube2"))], ["max", "euclid"], count=3)
    >>> len(experiment.tasks())
    6
    """

    #: The methods to compare.
    cases: Sequence[Case]
    #: The heuristics, as texts such as "blended:a=3".
    heuristics: Sequence[str]
    #: Number of instances.
    count: int = 50
    #: The seed that the instances are drawn with.
    seed: int = 1
    #: Seconds that a run may take. None, with `max_nodes`, makes all but the times repeatable.
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
                raise UsageError(f"{name} is given twice; records identify a puzzle by its name")
        for case in self.cases:
            for heuristic in self.heuristics:
                case.text(heuristic)

    @property
    def limits(self) -> Limits:
        """The limits of each run."""
        return Limits(timeout=self.timeout, max_nodes=self.max_nodes)

    def texts(self, case: Case) -> list[str]:
        """Return the distinct heuristics of a case, as canonical texts."""
        return list(dict.fromkeys(case.text(heuristic) for heuristic in self.heuristics))

    def tasks(self) -> list[Task]:
        """Return all runs in order: all runs of an instance before the next instance.

        So changing load on the machine affects all heuristics alike, and the remaining time can be
        estimated from the time so far. The heuristics are shuffled for each instance, so that none
        always follows the same other one.
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


# A function that does a task. It ends early once the event is set.
Work = Callable[[Experiment, Any, Event | None], T]


def run_task(experiment: Experiment, task: Task, cancel: Event | None) -> Run | None:
    """Do the run of a task; None if it has no start. It ends early once `cancel` is set."""
    case, limits = experiment.cases[task.case], experiment.limits._replace(cancel=cancel)
    return measure(case, task.heuristic, task.phase, experiment.seed, task.instance, limits)
