"""What tuning minimises, and the values of the parameters that it tries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isfinite, log
from statistics import geometric_mean
from typing import Any

import attrs

from puzzlekit import Heuristic, NotationError, UsageError
from puzzlekit.search.heuristic import parameters, usage
from puzzlekit_lab.record import Run
from puzzlekit_lab.statistics import LEAST_NODES, LEAST_SECONDS

QUANTITIES = ("time", "nodes", "length")
LEAST = {"time": LEAST_SECONDS, "nodes": LEAST_NODES, "length": 1.0}
GRAMMAR = (
    "an objective is time, nodes or length, or one of them at a bound on another, as in "
    "'time at length <= 54.5'"
)
PENALTY = 10  # factor for the cost of an unsolved instance

_END = 0.05  # share of a range at each end
_WIDTH = 4  # without a declared range, the largest ratio of a number to its default


def amount(run: Run, quantity: str) -> float:
    """Return a quantity of a run: seconds of CPU time, generated nodes, or the cost of its answer.

    A run without an answer is penalised: its time is multiplied by ten, its nodes are ten times the
    limit of nodes, and its length is infinite. The factor 10 is usual in algorithm configuration
    (PAR10).
    """
    factor = 1 if run.solved else PENALTY
    if quantity == "time":
        return factor * run.cpu_seconds
    if quantity == "nodes":
        return factor * (run.generated if run.solved else max(run.max_nodes or 0, run.generated))
    return inf if run.cost is None else run.cost


@attrs.frozen
class Figures:
    """The results of a heuristic on some instances."""

    #: Number of instances.
    instances: int
    #: Number of solved instances.
    solved: int
    #: Arithmetic mean of the costs of the answers; None without answers.
    length: float | None
    #: Geometric mean of the nodes over all instances (see `amount`).
    nodes: float
    #: Geometric mean of the seconds of CPU time over all instances (see `amount`).
    time: float

    def of(self, quantity: str) -> float:
        """Return a quantity. A missing length is infinite."""
        found: float | None = getattr(self, quantity)
        return inf if found is None else found


def figures(runs: Sequence[Run]) -> Figures:
    """Return the figures of the runs of a heuristic on different instances."""
    costs = [run.cost for run in runs if run.cost is not None]
    nodes, time = (
        geometric_mean([max(amount(run, quantity), LEAST[quantity]) for run in runs])
        for quantity in ("nodes", "time")
    )
    length = sum(costs) / len(costs) if costs else None
    return Figures(len(runs), sum(run.solved for run in runs), length, nodes, time)


@attrs.frozen
class Objective:
    """The objective of tuning.

    `quantity` is minimised. The quantity `bounded`, if it is not empty, must not exceed `most`.
    """

    quantity: str
    bounded: str = ""
    most: float = inf

    def __str__(self) -> str:
        """Return the text of the objective, as `parse_objective` reads it."""
        return f"{self.quantity} at {self.bound}" if self.bounded else self.quantity

    @property
    def bound(self) -> str:
        """The bound as text, or an empty string without a bound."""
        return f"{self.bounded} <= {self.most:.15g}" if self.bounded else ""

    def excess(self, found: Figures) -> float:
        """Return by which share of the bound the figures exceed it; 0 or less if they keep it."""
        return found.of(self.bounded) / self.most - 1 if self.bounded else 0.0


def parse_objective(text: str) -> Objective:
    """Return the objective in a string.

    Raises NotationError if the string is not an objective.


    >>> parse_objective("nodes")
    Objective(quantity='nodes', bounded='', most=inf)
    >>> print(parse_objective("time at length<=54.50"))
    time at length <= 54.5
    >>> parse_objective("time on length <= 54.5")
    Traceback (most recent call last):
    ...
    puzzlekit.errors.NotationError: column 6: 'on': expected at or the end (an objective is time, \
nodes or length, or one of them at a bound on another, as in 'time at length <= 54.5')
    """
    words = [(found[0], found.start() + 1) for found in re.finditer(r"[<>=]+|[^\s<>=]+", text)]
    words.append(("", len(text) + 1))
    steps = iter(words)

    def take(*wanted: str) -> str:
        word, column = next(steps)
        if word not in wanted:
            known = " or ".join(filter(None, (", ".join(wanted[:-1]), wanted[-1] or "the end")))
            raise _error(text, word, column, f"expected {known}")
        return word

    quantity = take(*QUANTITIES)
    if not take("at", ""):
        return Objective(quantity)
    bounded = take(*(each for each in QUANTITIES if each != quantity))
    take("<=")
    word, column = next(steps)
    try:
        most = float(word)
    except ValueError:
        raise _error(text, word, column, "expected a number") from None
    if not (isfinite(most) and most > 0):
        raise _error(text, word, column, "expected a finite number above 0")
    take("")
    return Objective(quantity, bounded, most)


def _error(text: str, word: str, column: int, problem: str) -> NotationError:
    if not word:
        problem = f"{problem}, not the end"
    return NotationError(problem, text=text, token=word, column=column, hint=GRAMMAR)


@attrs.frozen
class Range:
    """The values that tuning tries for a parameter: from `low` to `high`, or the `choices`."""

    #: Name of the parameter.
    name: str
    #: Smallest number. If `low` is an int, only whole numbers are tried.
    low: Any = 0
    #: Largest number.
    high: Any = 0
    #: Whether numbers are drawn on a logarithmic scale.
    log: bool = False
    #: The values to try. If there are none, `low` and `high` give a range.
    choices: tuple[Any, ...] = ()

    def suggest(self, trial: Any) -> Any:
        """Return the value that a trial of Optuna suggests."""
        if self.choices:
            return trial.suggest_categorical(self.name, self.choices)
        if isinstance(self.low, int):
            return trial.suggest_int(self.name, self.low, self.high, log=self.log)
        value = trial.suggest_float(self.name, self.low, self.high, log=self.log)
        return self.nearest(float(f"{value:.3g}"))

    def nearest(self, value: Any) -> Any:
        """Return the value, or the nearest value in the range."""
        if self.choices:
            return value if value in self.choices else self.choices[0]
        return min(max(value, self.low), self.high)

    def at_end(self, value: Any) -> bool:
        """Whether a number lies in the first or last twentieth of the range, where it may stop.

        >>> each = Range("a", 0.25, 4.0, log=True)
        >>> each.at_end(0.26), each.at_end(1.0), each.at_end(3.9)
        (True, False, True)
        """
        if self.choices or not self.low < self.high:
            return False
        low, value, high = map(log if self.log else float, (self.low, value, self.high))
        return not _END < (value - low) / (high - low) < 1 - _END


def ranges(heuristic: Heuristic, fixed: tuple[str, ...] = ()) -> tuple[Range, ...]:
    """Return the ranges of all parameters of a heuristic, except the `fixed` parameters.

    The metadata of an attrs field declare the range of a parameter. "search" is the lowest and the
    highest number, "log" selects a logarithmic scale, and "choices" lists values. Without metadata,
    the range of a number is a quarter of its default to four times its default. If the default is
    0, the range is -1 to 1, or -4 to 4 for a whole number. A string keeps its default.

    Raises UsageError if no parameter is left to tune.

    >>> from puzzlekit_cubes.formulas import MaxSd
    >>> [each.name for each in ranges(MaxSd(), fixed=("sd",))]
    ['a']
    """
    found = [_range(field) for field in parameters(type(heuristic)) if field.alias not in fixed]
    tried = tuple(each for each in found if each is not None)
    if not tried:
        given = f" but {', '.join(fixed)}" if fixed else ""
        raise UsageError(
            f"the heuristic {usage(type(heuristic))} has no parameters{given}, so there is "
            "nothing to tune: choose another heuristic"
        )
    return tried


def _range(field: Any) -> Range | None:
    default, metadata = field.default, field.metadata
    if metadata.get("choices"):
        return Range(field.alias, choices=tuple(metadata["choices"]))
    if isinstance(default, str):
        return None
    kind = type(default)
    if "search" in metadata:
        low, high = metadata["search"]
    elif default:
        low, high = sorted((default / _WIDTH, default * _WIDTH))
    else:
        low, high = (-1, 1) if kind is float else (-_WIDTH, _WIDTH)
    log = bool(metadata.get("log", "search" not in metadata and low > 0))
    low, high = kind(low), kind(high)
    return Range(field.alias, max(low, kind(1)) if log and kind is int else low, high, log)
