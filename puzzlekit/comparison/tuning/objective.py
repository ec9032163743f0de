"""What tuning aims at, as a text says it: the time, the nodes or the length, perhaps at a bound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isfinite
from statistics import geometric_mean

import attrs

from puzzlekit.comparison.experiment.record import Run
from puzzlekit.comparison.report.statistics import LEAST_NODES, LEAST_SECONDS
from puzzlekit.errors import NotationError

QUANTITIES = ("time", "nodes", "length")
LEAST = {"time": LEAST_SECONDS, "nodes": LEAST_NODES, "length": 1.0}
GRAMMAR = (
    "an objective is time, nodes or length, or one of them at a bound on another, as in "
    "'time at length <= 54.5'"
)
PENALTY = 10  # an unsolved instance counts this many times what it was given


def amount(run: Run, quantity: str) -> float:
    """How much a run took of a quantity: seconds of CPU time, generated nodes, or its cost.

    Where there is no answer ten times what it took is counted, as usual in the configuration of
    algorithms (PAR10): for nodes ten times the limit. The length is then infinite.
    """
    factor = 1 if run.solved else PENALTY
    if quantity == "time":
        return factor * run.cpu_seconds
    if quantity == "nodes":
        return factor * (run.generated if run.solved else max(run.max_nodes or 0, run.generated))
    return inf if run.cost is None else run.cost


@attrs.frozen
class Figures:
    """What a heuristic did with instances, and how many it solved.

    `length` is the arithmetic mean of the costs of the answers (None if there are none), `nodes`
    and `time` (seconds of CPU time) are geometric means over all instances: see `amount`.
    """

    instances: int
    solved: int
    length: float | None
    nodes: float
    time: float

    def of(self, quantity: str) -> float:
        """One of the quantities; infinity for a length that there is not."""
        found: float | None = getattr(self, quantity)
        return inf if found is None else found


def figures(runs: Sequence[Run]) -> Figures:
    """The figures of one run or more of a heuristic, each from another instance."""
    costs = [run.cost for run in runs if run.cost is not None]
    nodes, time = (
        geometric_mean([max(amount(run, quantity), LEAST[quantity]) for run in runs])
        for quantity in ("nodes", "time")
    )
    length = sum(costs) / len(costs) if costs else None
    return Figures(len(runs), sum(run.solved for run in runs), length, nodes, time)


@attrs.frozen
class Objective:
    """The quantity that is to be small, and the `bounded` one that is to be `most` at most."""

    quantity: str
    bounded: str = ""
    most: float = inf

    def __str__(self) -> str:
        """The text that `parse_objective` reads as this objective."""
        return f"{self.quantity} at {self.bound}" if self.bounded else self.quantity

    @property
    def bound(self) -> str:
        """The bound as text; empty without one."""
        return f"{self.bounded} <= {self.most:.15g}" if self.bounded else ""

    def excess(self, found: Figures) -> float:
        """By how much of the bound figures are above it; 0 or less where they keep to it."""
        return found.of(self.bounded) / self.most - 1 if self.bounded else 0.0


def parse_objective(text: str) -> Objective:
    """The objective that a text names; a NotationError says where it is wrong.

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
