"""The base class of kinds of states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from puzzlekit_batch import DataColumn
from puzzlekit_lab.datasets.kind import Kind

if TYPE_CHECKING:
    from puzzlekit import Choice, Solver

#: The kinds that `--kind` knows, by their words.
STATE_KINDS: dict[str, type[StateKind]] = {}


class Drawn(NamedTuple):
    """A state of a data set."""

    state: bytes
    #: The values of the kind's columns, by name.
    fields: Mapping[str, Any]


class StateKind(Kind, ABC):
    """How the states of a data set are drawn.

    A subclass is a frozen attrs class with a `word`. See `Kind` for its fields.
    """

    #: The columns that the kind adds to a data set.
    columns: ClassVar[tuple[DataColumn, ...]] = ()

    def __init_subclass__(cls) -> None:
        if cls.word:
            STATE_KINDS[cls.word] = cls

    def choice(self, solver: Solver, metric: str) -> Choice | None:
        """Return the search that drawing needs; None if it needs no tables.

        Raises a UsageError if the puzzle has no such states.
        """
        return None

    @abstractmethod
    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        """Load the tables, and return the function that draws a state.

        The state depends only on the random numbers.
        """
