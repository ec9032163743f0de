"""Objectives of tuning: what to minimise, and an optional bound on something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isfinite
from statistics import geometric_mean

import attrs

from puzzlekit import NotationError
from puzzlekit_lab.experiment.record import Run
from puzzlekit_lab.report.statistics import LEAST_NODES, LEAST_SECONDS

QUANTITIES = ("time", "nodes", "length")
LEAST = {"time": LEAST_SECONDS, "nodes": LEAST_NODES, "length": 1.0}
GRAMMAR = (
    "an objective is time, nodes or length, or one of them at a bound on another, as in "
    "'time at length <= 54.5'"
)
PENALTY = 10  # factor for the cost of an unsolved instance


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
