"""The runs of an experiment, as a job for workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from puzzlekit import Solver
from puzzlekit_batch.job import Job, Source, new_token
from puzzlekit_lab.experiment.case import Case
from puzzlekit_lab.experiment.experiment import Experiment, Work


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
