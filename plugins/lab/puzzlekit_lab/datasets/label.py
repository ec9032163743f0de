"""The base class of data set labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from puzzlekit_batch import DataColumn
from puzzlekit_lab.datasets.kind import Kind

if TYPE_CHECKING:
    from puzzlekit import Choice, Solver

#: The kinds that `--label` knows, by their words. Every other label is the name of a method.
LABELS: dict[str, type[Label]] = {}


class Label(Kind, ABC):
    """A statement about each state of a data set, such as its shortest solution.

    A subclass is a frozen attrs class with a `word`. See `Kind` for its fields.
    """

    def __init_subclass__(cls) -> None:
        if cls.word:
            LABELS[cls.word] = cls

    def settled(self, solver: Solver, metric: str, profile: str | None) -> Self:
        """Return the label with every option named, so that all processes give the same values.

        Raises a UsageError if the label does not fit the puzzle.
        """
        return self

    @property
    def constants(self) -> Mapping[str, Any]:
        """The columns whose values are equal in all rows, with these values."""
        return {}

    def choice(self, solver: Solver, metric: str) -> Choice | None:
        """Return the search that the label needs; None if it needs no tables."""
        return None

    @abstractmethod
    def columns_for(self, solver: Solver) -> Sequence[DataColumn]:
        """Return the columns of the label."""

    @abstractmethod
    def labelling(self, solver: Solver, metric: str) -> Callable[[bytes], Mapping[str, Any]]:
        """Load the tables, and return the function that gives the values of the columns.

        The values depend only on the state. The function raises a NoSolutionError if a state has no
        label.
        """

    def fault(self, solver: Solver, state: bytes, fields: Mapping[str, Any]) -> str:
        """Return what is wrong with the values that a worker has returned; empty if nothing is.

        The check is to be much quicker than the label.
        """
        return ""
