"""Tuning: which parameters of a heuristic serve an objective best, on instances kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.comparison.experiment.case import Case
from puzzlekit.comparison.experiment.measurement import measure
from puzzlekit.comparison.experiment.record import WHOLE, OfPhase, Run
from puzzlekit.comparison.report.statistics import Interval, geometric_ratio
from puzzlekit.comparison.tuning.objective import (
    LEAST,
    QUANTITIES,
    Figures,
    Objective,
    amount,
    figures,
    parse_objective,
)
from puzzlekit.comparison.tuning.ranges import ranges
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.heuristic.heuristic import Heuristic, parameters
from puzzlekit.heuristic.registry import find_heuristic
from puzzlekit.run.limits import Limits

if TYPE_CHECKING:
    from puzzlekit.puzzle.metric import Metric
    from puzzlekit.solve.solver import Solver

TRIALS = 50
COUNT = 30
HELD_OUT = 60
MAX_NODES = 20_000_000
_FAIR = 5  # instances before a trial is given up for being worse than the best


@attrs.frozen
class TrialRow:
    """A heuristic on some instances, by the text that asks for it.

    `ratios` compare it with the defaults, by quantity: the geometric mean of the ratios from the
    same instances, with its 95 % confidence interval; for the length on those that both solved,
    None where there are none.
    """

    heuristic: str
    figures: Figures
    ratios: dict[str, Interval | None]


@attrs.frozen
class Tuned(OfPhase):
    """What tuning found.

    `phase` is its name, or "whole" for all. `heuristic` is the text for `--heuristic` of what is
    best on the training instances, `defaults` that of the heuristic as it was given. `training` and
    `held_out` are the rows of the defaults, of `max` and of the best (left out where that is one of
    these): of the instances 0 to `count` - 1 of the `seed`, and of those that follow. `by_max` are
    the ratios of the best to `max` on the latter. `trials` is how many sets of parameters were
    tried, `refused` how many of them the class did not accept. `feasible` says whether the best
    keeps to the bound of the objective in training, and solves as much as the defaults.
    """

    objective: Objective
    seed: int
    limits: Limits
    trials: int
    refused: int
    defaults: str
    heuristic: str
    feasible: bool
    training: tuple[TrialRow, ...]
    held_out: tuple[TrialRow, ...]
    by_max: dict[str, Interval | None]

    @property
    def changed(self) -> bool:
        """Whether anything but the defaults is best."""
        return self.heuristic != self.defaults

    def row(self, heuristic: str) -> TrialRow:
        """The row of a heuristic on the held-out instances."""
        return next(row for row in self.held_out if row.heuristic == heuristic)

    @property
    def holds(self) -> bool:
        """Whether the best keeps to the bound on the held-out instances."""
        return self.keeps(self.heuristic)

    def keeps(self, heuristic: str) -> bool:
        """Whether a heuristic keeps to the bound on the held-out instances."""
        return self.objective.excess(self.row(heuristic).figures) <= 0

    @property
    def better(self) -> bool:
        """Whether it is better than the defaults on the held-out instances, beyond noise.

        So it is where the interval of the ratio is below 1 and no fewer instances are solved.
        """
        best, defaults = self.row(self.heuristic), self.row(self.defaults)
        ratio = best.ratios[self.objective.quantity]
        below = ratio is not None and ratio.high is not None and ratio.high < 1
        return below and best.figures.solved >= defaults.figures.solved


# What `Tuning` tells of itself in a `Tuned`.
_TOLD = ("phase", "objective", "seed", "limits", "trials", "refused", "defaults")


class _Attempt:
    """A set of parameters: its runs on training instances, on all of them if it is `complete`."""

    def __init__(self, heuristic: str) -> None:
        self.heuristic = heuristic
        self.runs: list[Run] = []
        self.complete = False


class Tuning:
    """A search for parameters, step by step, so that it may be interrupted between any two.

    Go through `train(trials)`, then through `check()`, then take `result()`. `heuristic` is one for
    all phases; parameters that are given with it are fixed. The tables that joined estimates take
    are kept in memory, and no longer than needed. See `tune` for the arguments.
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
    ) -> None:
        if not isinstance(objective, Objective):
            objective = parse_objective(objective)
        self.objective = objective
        if count < 2 or held_out < 2:
            raise UsageError("tuning needs two instances for training and two held-out ones")
        self.base = find_heuristic(heuristic)
        given = heuristic.partition(":")[2].split(",")
        self.fixed = tuple(item.partition("=")[0].strip() for item in given if item)
        self.ranges = ranges(self.base, self.fixed)
        phases = () if phase is None else (phase,)
        self.case = Case(solver, method, phases, metric, profile, stored=False)
        self.phase = WHOLE if phase is None else self.case.phases[0].name
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

    def _measure(self, heuristic: str, number: int) -> Run | None:
        return measure(self.case, heuristic, self.phase, self.seed, number, self.limits)

    @property
    def best(self) -> str:
        """The best heuristic so far; where none keeps to the bound, what is nearest to it."""
        complete = [each for each in self._attempts.values() if each.complete]
        return min(complete, key=self._rank).heuristic

    def _rank(self, attempt: _Attempt) -> tuple[float, float]:
        excess = max([0.0, *self._excesses(attempt)])
        return excess, self._amount(attempt)

    def _amount(self, attempt: _Attempt) -> float:
        """How much of what is to be small an attempt takes."""
        return figures(attempt.runs).of(self.objective.quantity)

    def _excesses(self, attempt: _Attempt) -> list[float]:
        """By how much an attempt is above each constraint; at most 0 where it keeps to it."""
        allowed = sum(not run.solved for run in self._attempts[self.defaults].runs)
        unsolved = sum(not run.solved for run in attempt.runs)
        excess = self.objective.excess(figures(attempt.runs))
        return [float(unsolved - allowed), min(excess, 1e9)]

    @property
    def gain(self) -> float:
        """The objective of the best so far, by that of the defaults, in training."""
        best, defaults = self._attempts[self.best], self._attempts[self.defaults]
        return self._amount(best) / self._amount(defaults)

    def train(self, trials: int = TRIALS) -> Iterator[str]:
        """Try this many sets of parameters, the defaults first; yield the best after each."""
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
        found = {number: self._measure(self.defaults, number) for number in self._training}
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
            self.refused += 1  # the class does not accept these together, or they do not join
            self.study.tell(trial, state=TrialState.PRUNED)
            return
        attempt = self._attempt(text)
        for name, excess in zip(("unsolved", "bound"), self._excesses(attempt), strict=True):
            trial.set_constraint(name, excess)
        self.study.tell(trial, self._value(attempt))

    def _attempt(self, heuristic: str) -> _Attempt:
        """The runs of a heuristic, given up where it can no longer become the best."""
        if heuristic in self._attempts:
            return self._attempts[heuristic]
        attempt = _Attempt(heuristic)
        best = self._attempts[self.best]
        feasible = self._rank(best)[0] <= 0
        try:
            for number in self._training:
                run = self._measure(heuristic, number)
                assert run is not None  # whether there is a start is the same for all
                attempt.runs.append(run)
                if feasible and self._hopeless(attempt, best):
                    break
            else:
                attempt.complete = True
        finally:
            self.case.forget(heuristic)
        self._attempts[heuristic] = attempt
        return attempt

    def _hopeless(self, attempt: _Attempt, best: _Attempt) -> bool:
        """Whether an attempt leaves too much unsolved, or is worse than the best beyond noise."""
        if self._excesses(attempt)[0] > 0:
            return True
        ratio = self._ratio(attempt, best) if len(attempt.runs) >= _FAIR else None
        return ratio is not None and ratio.low is not None and ratio.low > 1

    def _ratio(self, attempt: _Attempt, other: _Attempt) -> Interval | None:
        """The ratio of the objective to that of a complete attempt, as far as this one came."""
        ratios = _against(attempt.runs, other.runs[: len(attempt.runs)])
        return ratios[self.objective.quantity]

    def _value(self, attempt: _Attempt) -> float:
        """The objective of an attempt; of one given up, the share of what the defaults take."""
        if attempt.complete:
            return self._amount(attempt)
        defaults = self._attempts[self.defaults]
        ratio = self._ratio(attempt, defaults)
        return inf if ratio is None else ratio.value * self._amount(defaults)

    def check(self) -> Iterator[int]:
        """Run the defaults, `max` and the best on the held-out instances; yield their numbers.

        Before that, `max` is run on the training instances.
        """
        if self.max not in self._attempts:
            ran = [self._measure(self.max, number) for number in self._training]
            attempt = self._attempts[self.max] = _Attempt(self.max)
            attempt.runs = [run for run in ran if run is not None]
        texts = dict.fromkeys((self.defaults, self.max, self.best))
        self._checked = {text: [] for text in texts}
        for number in self.held_out:
            # One after the other, so that whatever slows the machine down slows all of them.
            for text, runs in self._checked.items():
                run = self._measure(text, number)
                runs += [] if run is None else [run]
            yield number

    def result(self) -> Tuned:
        """What was found, after `check`."""
        if not self._checked or not self._checked[self.defaults]:
            raise UsageError("there is no held-out instance to check with")
        trained = {text: self._attempts[text].runs for text in self._checked}
        return Tuned(
            **self.case.case_name._asdict(),
            **{name: getattr(self, name) for name in _TOLD},
            heuristic=self.best,
            feasible=self._rank(self._attempts[self.best])[0] <= 0,
            training=_rows(trained, self.defaults),
            held_out=_rows(self._checked, self.defaults),
            by_max=_against(self._checked[self.best], self._checked[self.max]),
        )


def _rows(runs: dict[str, list[Run]], defaults: str) -> tuple[TrialRow, ...]:
    return tuple(
        TrialRow(text, figures(own), _against(own, runs[defaults])) for text, own in runs.items()
    )


def _against(runs: Sequence[Run], others: Sequence[Run]) -> dict[str, Interval | None]:
    """The ratios of runs to others from the same instances, by quantity."""
    pairs = list(zip(runs, others, strict=True))
    both = [pair for pair in pairs if all(run.solved for run in pair)]
    found: dict[str, Interval | None] = {}
    for quantity in QUANTITIES:
        used = both if quantity == "length" else pairs
        ones, those = ([amount(pair[i], quantity) for pair in used] for i in (0, 1))
        found[quantity] = geometric_ratio(ones, those, LEAST[quantity]) if used else None
    return found


def _study(seed: int) -> Any:
    """A study of Optuna that minimises, by a sampler with that seed."""
    try:
        import optuna
    except ImportError:
        raise UsageError(
            "heuristics are tuned by Optuna, which is not installed: pip install 'puzzlekit[tune]'"
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
    """Search for the parameters of a heuristic that serve an objective best.

    `heuristic` names one with parameters; those given with it, as in "blended:sd=population", are
    fixed, and `puzzlekit.comparison.tuning.ranges` says which values of the others are tried.
    `objective` is a text for `parse_objective`. Options: `method`, `phase` (all phases end to end
    without it), `metric` and `profile` say what is searched, as for `Case`; `count` and `held_out`
    how many instances of the `seed` are for training and for the check afterwards; `max_nodes` and
    `timeout` (seconds) what a run may take. Values come from the tree-structured Parzen estimator
    of Optuna, seeded too: with the objective "nodes" and no timeout the result is always the same.

    A UsageError where nothing can be tuned, or where Optuna is not installed.
    """
    tuning = Tuning(solver, heuristic, objective, **options)
    for _ in tuning.train(trials):
        pass
    for _ in tuning.check():
        pass
    return tuning.result()
