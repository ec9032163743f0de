"""Heuristics: functions from the distances of a phase's pruning tables to one estimate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Any, ClassVar

import attrs

_SAMPLES = ((0, 0), (1, 0), (3, 7), (9, 2, 5), (4, 4, 6, 8))


class Heuristic(ABC):
    """Joins the distances of a phase's pruning tables into one estimate.

    Subclasses are attrs classes whose fields are the parameters. They state their `name` and
    whether the estimate is `admissible` (never more than the true distance, given tables whose
    distances are not). The engine looks estimates up in a table made with `join`, so that a slow
    formula costs it nothing. `str` gives the text by which `find_heuristic` finds the heuristic:
    its name, and the parameters that differ from their defaults.
    """

    name: ClassVar[str]
    admissible: ClassVar[bool] = False
    version: ClassVar[int] = 1

    @property
    def is_max(self) -> bool:
        """Whether it is the largest distance, which a search takes without a table of estimates."""
        return type(self).join is Max.join

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

    def __str__(self) -> str:
        """The name with the parameters that differ from their defaults, as in "max-sd:a=2"."""
        given = ",".join(
            f"{field.alias}={_text(getattr(self, field.name))}"
            for field in parameters(type(self))
            if getattr(self, field.name) != field.default
        )
        return f"{self.name}:{given}" if given else self.name

    @abstractmethod
    def join(self, distances: Sequence[Any]) -> Any:
        """The estimate for distances: integers, or NumPy arrays of one shape.

        One a table, or the sum of each group of tables that are added.
        """


def parameters(kind: Any) -> tuple[Any, ...]:
    """The attrs fields of a class of heuristics that are its parameters."""
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    return tuple(field for field in fields if field.init)


def usage(kind: type[Heuristic]) -> str:
    """The name of a class of heuristics with all its parameters and their defaults.

    >>> usage(Max)
    'max'
    """
    given = ",".join(defaults(kind))
    return f"{kind.name}:{given}" if given else kind.name


def defaults(kind: type[Heuristic]) -> list[str]:
    """The parameters of a class of heuristics with their defaults, as texts: "a=2"."""
    return [f"{field.alias}={_text(field.default)}" for field in parameters(kind)]


def _text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


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
