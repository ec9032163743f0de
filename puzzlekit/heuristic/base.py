"""Heuristics: functions from the distances of a phase's pruning tables to one estimate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar

import attrs

from puzzlekit.errors import UsageError

_SAMPLES = ((0, 0), (1, 0), (3, 7), (9, 2, 5), (4, 4, 6, 8))


class Heuristic(ABC):
    """Joins the distances of a phase's pruning tables into one estimate.

    Subclasses are attrs classes whose fields are the parameters. They state their `name` and
    whether the estimate is `admissible` (never more than the true distance, given tables whose
    distances are not). The engine looks estimates up in a table made with `join`, so that a slow
    formula costs it nothing.
    """

    name: ClassVar[str]
    admissible: ClassVar[bool] = False
    version: ClassVar[int] = 1

    @property
    def identity(self) -> str:
        """Text that differs wherever two heuristics join differently.

        It holds the class, its `version` (count it up when the formula changes) and parameters,
        and what some vectors of distances join to.
        """
        kind: Any = type(self)
        named = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else vars(self)
        fields = {name: getattr(self, name) for name in named}
        samples = [self.join(vector) for vector in _SAMPLES]
        return f"{kind.__module__}.{kind.__qualname__}.{self.version} {fields} {samples}"

    @abstractmethod
    def join(self, distances: Sequence[Any]) -> Any:
        """The estimate for distances, one a table: integers, or NumPy arrays of one shape."""


@attrs.frozen
class Max(Heuristic):
    """The largest distance: admissible.

    >>> Max().join([3, 7, 5])
    7
    """

    name = "max"
    admissible = True

    def join(self, distances: Sequence[Any]) -> Any:
        """The largest of the distances."""
        return reduce(lambda one, other: one + (other - one) * (other > one), distances)


@attrs.frozen
class Sum(Heuristic):
    """The sum of the distances: not admissible where tables count the same moves.

    >>> Sum().join([3, 7, 5])
    15
    """

    name = "sum"

    def join(self, distances: Sequence[Any]) -> Any:
        """The sum of the distances."""
        return sum(distances)


_BUILT_IN: tuple[type[Heuristic], ...] = (Max, Sum)


def heuristics() -> tuple[Heuristic, ...]:
    """Every heuristic that is there, with its usual parameters."""
    return tuple(kind() for kind in _BUILT_IN)


def find_heuristic(name: str) -> Heuristic:
    """The heuristic of that name; a UsageError lists what exists.

    >>> find_heuristic("max")
    Max()
    """
    for kind in _BUILT_IN:
        if kind.name == name:
            return kind()
    known = ", ".join(kind.name for kind in _BUILT_IN)
    raise UsageError(f"there is no heuristic {name!r}; there are {known}")
