"""Tuning: search for the best parameters of a heuristic, and check them on other instances."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import attrs

from puzzlekit import DeclarationError, Heuristic, Limits, Metric, Solver, UsageError
from puzzlekit.search.estimates import find_heuristic
from puzzlekit.search.heuristic import parameters
from puzzlekit_batch.job import Job, Source, new_token
from puzzlekit_batch.stream import Stream, WorkerTally, values
from puzzlekit_lab.case import Case
from puzzlekit_lab.measurement import measure
from puzzlekit_lab.objective import (
    LEAST,
    QUANTITIES,
    Figures,
    Objective,
    amount,
    figures,
    parse_objective,
    ranges,
)
from puzzlekit_lab.record import WHOLE, OfPhase, Run
from puzzlekit_lab.statistics import Interval, geometric_ratio

TRIALS = 50
COUNT = 30
HELD_OUT = 60
MAX_NODES = 20_000_000
_FAIR = 5  # instances before a trial may be stopped for being worse than the best


class AtEnd(NamedTuple):
    """A tuned parameter whose best value lies at an end of the range that was tried."""

    parameter: str
    value: float
    low: float
    high: float


@attrs.frozen
class TrialRow:
    """The results of a heuristic on some instances.

    `ratios` compares each quantity with the defaults. A ratio is the geometric mean of the ratios
    on the same instances, with its 95 % confidence interval. The ratio of lengths covers only the
    instances that both heuristics solved, and is None if there are no such instances.
    """

    heuristic: str
    figures: Figures
    ratios: dict[str, Interval | None]


@attrs.frozen
class Tuned(OfPhase):
    """The result of tuning. `phase` is the name of a phase, or "whole" for all phases."""

    #: The quantity that was minimised, and a bound on another quantity.
    objective: Objective
    #: The seed of the instances.
    seed: int
    #: The limits of each run.
    limits: Limits
    #: Number of parameter sets that were tried.
    trials: int
    #: Number of parameter sets that the class of the heuristic rejected.
    refused: int
    #: The heuristic with the original parameters, as a text for `--heuristic`.
    defaults: str
    #: The best heuristic on the training instances, as a text for `--heuristic`.
    heuristic: str
    #: Whether `heuristic` keeps the bound in training and solves as many instances as `defaults`.
    feasible: bool
    #: Results of `defaults`, `max` and `heuristic` on the training instances, without duplicates.
    training: tuple[TrialRow, ...]
    #: Results of these heuristics on the held-out instances. The numbers of the held-out instances
    #: follow the numbers of the training instances.
    held_out: tuple[TrialRow, ...]
    #: Ratios of `heuristic` to `max` on the held-out instances, by quantity.
    by_max: dict[str, Interval | None]
    #: Parameters of `heuristic` at an end of their range. Better values may lie outside.
    at_ends: tuple[AtEnd, ...]

    @property
    def changed(self) -> bool:
        """Whether the best heuristic differs from the defaults."""
        return self.heuristic != self.defaults

    def row(self, heuristic: str) -> TrialRow:
        """Return the row of a heuristic on the held-out instances."""
        return next(row for row in self.held_out if row.heuristic == heuristic)

    @property
    def holds(self) -> bool:
        """Whether the best heuristic keeps the bound on the held-out instances."""
        return self.keeps(self.heuristic)

    def keeps(self, heuristic: str) -> bool:
        """Whether a heuristic keeps the bound on the held-out instances."""
        return self.objective.excess(self.row(heuristic).figures) <= 0

    @property
    def better(self) -> bool:
        """Whether the best heuristic is significantly better than the defaults.

        On the held-out instances, the confidence interval of the ratio must lie below 1, and the
        best heuristic must solve at least as many instances as the defaults.
        """
        best, defaults = self.row(self.heuristic), self.row(self.defaults)
        ratio = best.ratios[self.objective.quantity]
        below = ratio is not None and ratio.high is not None and ratio.high < 1
        return below and best.figures.solved >= defaults.figures.solved


# The attributes that a `Tuned` takes from `Tuning`.
_TOLD = ("phase", "objective", "seed", "limits", "trials", "refused", "defaults")


#: A run to measure: the heuristic and the number of the instance.
Wanted = tuple[str, int]


@attrs.frozen
class TuningJob(Job):
    """Measure runs. An item is a `Wanted`."""

    #: Arguments of the `Case`, as pairs.
    how: tuple[tuple[str, Any], ...]
    phase: str
    seed: int
    limits: Limits

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[Wanted], Run | None]:
        """Return the function that measures a run."""
        (solver,) = solvers
        case = _case(solver, self.how)
        case.keep_only("max")  # each set of parameters has a job of its own
        limits = self.limits._replace(cancel=cancel)
        return lambda wanted: measure(case, wanted[0], self.phase, self.seed, wanted[1], limits)


@lru_cache(maxsize=4)
def _case(solver: Solver, how: tuple[tuple[str, Any], ...]) -> Case:
    """Return a case, which keeps the starts of its instances for later jobs."""
    return Case(solver, **dict(how))


class _Attempt:
    """The runs of a parameter set. If `complete`, they cover all training instances."""

    def __init__(self, heuristic: str) -> None:
        self.heuristic = heuristic
        self.runs: list[Run] = []
        self.complete = False


class Tuning:
    """A search for parameters that can be interrupted between its steps.

    Iterate over `train(trials)`, then over `check()`, then call `result()`. See `tune` for the
    arguments. The tables of estimates are kept in memory only while a heuristic is measured.
    """

    def __init__(
        self,
        solver: Solver,
        heuristic: str = "blended",
        objective: str | Objective = "time",
        *,
        method: str | None = None,
        phase: str | None = None,
        metric: str | Metric | None = None,
        profile: str | None = None,
        count: int = COUNT,
        held_out: int = HELD_OUT,
        seed: int = 1,
        max_nodes: int = MAX_NODES,
        timeout: float | None = None,
        client: Any = None,
    ) -> None:
        if not isinstance(objective, Objective):
            objective = parse_objective(objective)
        self.objective = objective
        if count < 2 or held_out < 2:
            raise UsageError("tuning needs at least two training and two held-out instances")
        self.base = find_heuristic(heuristic)
        given = heuristic.partition(":")[2].split(",")
        self.fixed = tuple(item.partition("=")[0].strip() for item in given if item)
        self.ranges = ranges(self.base, self.fixed)
        phases = () if phase is None else (phase,)
        tried = [str(each) for each in (self.base, *self._extremes())]
        self.case = Case(solver, method, phases, metric, profile, stored=False, heuristics=tried)
        self.phase = WHOLE if phase is None else self.case.phases[0].name
        self.client = client
        #: The work of each worker so far, by its name.
        self.tallies: dict[str, WorkerTally] = {}
        self.seed = seed
        self.limits = Limits(timeout=timeout, max_nodes=max_nodes).checked()
        self.study = _study(seed)
        self.defaults, self.max = self._text(self.base), self._text(find_heuristic("max"))
        self.trials = self.refused = 0
        self.held_out = range(count, count + held_out)
        self._training: Sequence[int] = range(count)
        self._attempts: dict[str, _Attempt] = {}
        self._checked: dict[str, list[Run]] = {}

    def _text(self, heuristic: Heuristic) -> str:
        several = len(self.case.method.phases) > 1
        return f"{self.phase}={heuristic}" if several and self.phase != WHOLE else str(heuristic)

    def _extremes(self) -> Iterator[Heuristic]:
        """Yield the heuristic with the largest value of each parameter, or with each choice."""
        base: Any = self.base
        for each in self.ranges:
            for value in each.choices or (each.high,):
                with suppress(TypeError, ValueError, UsageError):
                    yield attrs.evolve(base, **{each.name: value})

    @property
    def job(self) -> TuningJob:
        """The job that measures runs."""
        how = tuple(self.case.how.items())
        sources = (Source.of(self.case.solver),)
        return TuningJob(new_token(), sources, how, self.phase, self.seed, self.limits)

    def _runs(self, wanted: Sequence[Wanted]) -> Generator[Run | None, None, None]:
        """Measure runs, in this process or on workers, and yield them in their order."""
        if self.client is None:
            settings = self.phase, self.seed
            yield from (measure(self.case, text, *settings, i, self.limits) for text, i in wanted)
            return
        stream = Stream(self.client, self.job)
        stream.tallies = self.tallies
        yield from values(stream, wanted)

    def _runs_of(self, heuristic: str) -> Generator[Run | None, None, None]:
        """Measure the training instances with a heuristic."""
        return self._runs([(heuristic, number) for number in self._training])

    @property
    def best(self) -> str:
        """The best heuristic so far. If none keeps the bound, the one that exceeds it least."""
        complete = [each for each in self._attempts.values() if each.complete]
        return min(complete, key=self._rank).heuristic

    def _rank(self, attempt: _Attempt) -> tuple[float, float]:
        excess = max([0.0, *self._excesses(attempt)])
        return excess, self._amount(attempt)

    def _amount(self, attempt: _Attempt) -> float:
        """Return the objective's quantity of an attempt."""
        return figures(attempt.runs).of(self.objective.quantity)

    def _excesses(self, attempt: _Attempt) -> list[float]:
        """Return the excess of an attempt over each constraint. Up to 0, the constraint is kept."""
        allowed = sum(not run.solved for run in self._attempts[self.defaults].runs)
        unsolved = sum(not run.solved for run in attempt.runs)
        excess = self.objective.excess(figures(attempt.runs))
        return [float(unsolved - allowed), min(excess, 1e9)]

    @property
    def gain(self) -> float:
        """The objective of the best heuristic so far, divided by the objective of the defaults.

        Both values are those of the training instances.
        """
        best, defaults = self._attempts[self.best], self._attempts[self.defaults]
        return self._amount(best) / self._amount(defaults)

    def train(self, trials: int = TRIALS) -> Iterator[str]:
        """Try sets of parameters. After each set, yield the best heuristic so far.

        The defaults are tried first.
        """
        self._begin()
        fields = parameters(type(self.base))
        given = {field.alias: getattr(self.base, field.name) for field in fields}
        self.study.enqueue_trial(
            {each.name: each.nearest(given[each.name]) for each in self.ranges}
        )
        for _ in range(trials):
            self._try()
            self.trials += 1
            yield self.best

    def _begin(self) -> None:
        """Run the defaults on the training instances that have a start."""
        attempt = _Attempt(self.defaults)
        found = dict(zip(self._training, self._runs_of(self.defaults), strict=True))
        self._training = [number for number, run in found.items() if run is not None]
        attempt.runs = [run for run in found.values() if run is not None]
        attempt.complete = True
        if not any(run.solved for run in attempt.runs):
            raise UsageError(
                f"{self.defaults} solves none of {len(found)} training instances within the "
                "limits: allow more nodes or time"
            )
        self._attempts[self.defaults] = attempt

    def _try(self) -> None:
        from optuna.trial import TrialState

        trial = self.study.ask()
        base: Any = self.base
        values = {each.name: each.suggest(trial) for each in self.ranges}
        try:
            text = self._text(attrs.evolve(base, **values))
            self.case.candidate(text)
        except (UsageError, DeclarationError, ArithmeticError, TypeError, ValueError):
            self.refused += 1  # the class rejects the combination, or `join` fails
            self.study.tell(trial, state=TrialState.PRUNED)
            return
        attempt = self._attempt(text)
        for name, excess in zip(("unsolved", "bound"), self._excesses(attempt), strict=True):
            trial.set_constraint(name, excess)
        self.study.tell(trial, self._value(attempt))

    def _attempt(self, heuristic: str) -> _Attempt:
        """Run a heuristic, and stop early if it cannot become the best."""
        if heuristic in self._attempts:
            return self._attempts[heuristic]
        attempt = _Attempt(heuristic)
        best = self._attempts[self.best]
        feasible = self._rank(best)[0] <= 0
        try:
            with closing(self._runs_of(heuristic)) as runs:
                for run in runs:
                    assert run is not None  # the starts do not depend on the heuristic
                    attempt.runs.append(run)
                    if feasible and self._hopeless(attempt, best):
                        break
                else:
                    attempt.complete = True
        finally:
            self.case.keep_only(self.max, self.defaults)
        self._attempts[heuristic] = attempt
        return attempt

    def _hopeless(self, attempt: _Attempt, best: _Attempt) -> bool:
        """Whether an attempt solves too few instances, or is significantly worse than the best."""
        if self._excesses(attempt)[0] > 0:
            return True
        ratio = self._ratio(attempt, best) if len(attempt.runs) >= _FAIR else None
        return ratio is not None and ratio.low is not None and ratio.low > 1

    def _ratio(self, attempt: _Attempt, other: _Attempt) -> Interval | None:
        """Return the ratio to a complete attempt for the objective, over the runs so far."""
        ratios = _against(attempt.runs, other.runs[: len(attempt.runs)])
        return ratios[self.objective.quantity]

    def _value(self, attempt: _Attempt) -> float:
        """Return the objective of an attempt, or estimate it if the attempt stopped early."""
        if attempt.complete:
            return self._amount(attempt)
        defaults = self._attempts[self.defaults]
        ratio = self._ratio(attempt, defaults)
        return inf if ratio is None else ratio.value * self._amount(defaults)

    def check(self) -> Iterator[int]:
        """Run the defaults, `max` and the best heuristic on the held-out instances.

        First `max` runs on the training instances. Yields the number of each finished held-out
        instance.
        """
        if self.max not in self._attempts:
            attempt = self._attempts[self.max] = _Attempt(self.max)
            attempt.runs = [run for run in self._runs_of(self.max) if run is not None]
        texts = dict.fromkeys((self.defaults, self.max, self.best))
        self._checked = {text: [] for text in texts}
        # The heuristics take turns, so that other load on the machine affects all alike.
        wanted = [(text, number) for number in self.held_out for text in texts]
        last = [*texts][-1]
        with closing(self._runs(wanted)) as measured:
            for (text, number), run in zip(wanted, measured, strict=True):
                self._checked[text] += [] if run is None else [run]
                if text == last:
                    yield number

    def result(self) -> Tuned:
        """Return the result. Call `check` first."""
        if not self._checked or not self._checked[self.defaults]:
            raise UsageError("no held-out instance was measured: iterate over check() first")
        trained = {text: self._attempts[text].runs for text in self._checked}
        return Tuned(
            **self.case.case_name._asdict(),
            **{name: getattr(self, name) for name in _TOLD},
            heuristic=self.best,
            feasible=self._rank(self._attempts[self.best])[0] <= 0,
            training=_rows(trained, self.defaults),
            held_out=_rows(self._checked, self.defaults),
            by_max=_against(self._checked[self.best], self._checked[self.max]),
            at_ends=tuple(self._at_ends()),
        )

    def _at_ends(self) -> Iterator[AtEnd]:
        best = find_heuristic(self.best.removeprefix(f"{self.phase}="))
        fields = {each.alias: each.name for each in parameters(type(best))}
        for each in self.ranges:
            value = getattr(best, fields[each.name])
            if each.at_end(value):
                yield AtEnd(each.name, value, each.low, each.high)


def _rows(runs: dict[str, list[Run]], defaults: str) -> tuple[TrialRow, ...]:
    return tuple(
        TrialRow(text, figures(own), _against(own, runs[defaults])) for text, own in runs.items()
    )


def _against(runs: Sequence[Run], others: Sequence[Run]) -> dict[str, Interval | None]:
    """Return the ratio of runs to others on the same instances, for each quantity."""
    pairs = list(zip(runs, others, strict=True))
    both = [pair for pair in pairs if all(run.solved for run in pair)]
    found: dict[str, Interval | None] = {}
    for quantity in QUANTITIES:
        used = both if quantity == "length" else pairs
        ones, those = ([amount(pair[i], quantity) for pair in used] for i in (0, 1))
        found[quantity] = geometric_ratio(ones, those, LEAST[quantity]) if used else None
    return found


def _study(seed: int) -> Any:
    """Return a study of Optuna that minimises an objective, with a seeded sampler."""
    try:
        import optuna
    except ImportError:
        raise UsageError(
            "tuning needs Optuna, which is not installed: pip install 'permutation-puzzlekit[tune]'"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed % 2**32))


def tune(
    solver: Solver,
    heuristic: str = "blended",
    objective: str | Objective = "time",
    trials: int = TRIALS,
    **options: Any,
) -> Tuned:
    """Return the parameters of a heuristic that minimise an objective.

    Optuna suggests the parameters with its tree-structured Parzen estimator. The estimator is
    seeded, so the result is always the same if the objective is "nodes" and there is no timeout.

    Parameters
    ----------
    solver
        The solver of the puzzle.
    heuristic
        A heuristic with parameters, as a string. Parameters in the string, as in
        "blended:sd=population", are fixed. `tuning.ranges` lists the values to try for the others.
    objective
        The objective, or a string for `parse_objective`.
    trials
        Number of parameter sets to try.
    **options
        `method`, `metric` and `profile` have the same meaning as for `Case`. `phase` is the phase
        to search. By default all phases are searched in sequence. `count` is the number of training
        instances, and `held_out` the number of instances for the check afterwards. `seed` is the
        seed of the instances and of Optuna. `max_nodes` limits the nodes of each run, and `timeout`
        its seconds. `client` is a `distributed.Client` whose workers do the runs.

    Raises
    ------
    UsageError
        If the heuristic has no parameters to tune, or Optuna is not installed.
    """
    tuning = Tuning(solver, heuristic, objective, **options)
    for _ in tuning.train(trials):
        pass
    for _ in tuning.check():
        pass
    return tuning.result()
