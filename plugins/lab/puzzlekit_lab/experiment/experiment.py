"""Experiments: every heuristic on the same states, in every phase of the cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from threading import Event
from typing import Any, NamedTuple, TypeVar

import attrs

from puzzlekit import Limits, UsageError
from puzzlekit.amounts import whole
from puzzlekit_lab.experiment.case import Case
from puzzlekit_lab.experiment.measurement import measure, settings_of
from puzzlekit_lab.experiment.record import Run, key_of

T = TypeVar("T")

_COUNTS = whole(1, 1_000_000)  # range for the number of instances
TIMEOUT = 10.0  # default limit of a run in seconds


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
