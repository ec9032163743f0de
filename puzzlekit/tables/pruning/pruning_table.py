"""What every kind of pruning table can do.

A pruning table (pattern database) holds lower bounds of the cost to the goal for the values of some
coordinates. Each kind is a file beside this one. No other code lists the kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import Table, TableKey
from puzzlekit.tables.pruning.distance_graph import DistanceGraph

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

#: The entries of a table, packed into bytes.
Entries: TypeAlias = "npt.NDArray[np.uint8]"
#: Gets the share of a build that is done.
Tell = Callable[[float], None]


class TableText(NamedTuple):
    """How a pruning table is described."""

    #: What stands in its name after the names of its coordinates: "distance HTM".
    name: str
    #: Text that differs wherever the entries do. It names the kind, and a version of it.
    identity: str
    #: What the table is for, without its size: "least cost (HTM) to the goal for each value of a".
    purpose: str


class PruningTable(ABC):
    """A pruning table of a phase: the base class of all kinds.

    A kind is a frozen attrs class. Its fields say what an author chooses; it checks them itself and
    raises a DeclarationError for what cannot be. What the phase adds, in one metric, comes as a
    `DistanceGraph`.
    """

    __slots__ = ()

    #: The names of the coordinates that it reads, the first most significant: "twist slice".
    coordinates: str
    #: How many bits an entry has: 2, 4 or 8, the lowest bits of a byte first.
    bits: int
    #: How many coordinates it may read.
    most_coordinates = 3
    #: The group of tables whose distances are added; "" where it stands by itself.
    group = ""
    #: Whether it counts for the estimate. One that does not only cuts near the goal.
    in_estimate = True
    #: Whether each value of the coordinates has an entry of its own that tells its distance.
    is_exact = False

    def in_graph(self, graph: DistanceGraph) -> PruningTable:
        """The table that takes its place in a graph which it does not suit: with wider entries."""
        return self

    @abstractmethod
    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""

    @abstractmethod
    def entries_in(self, graph: DistanceGraph) -> int:
        """How many entries it has."""

    @abstractmethod
    def text(self, graph: DistanceGraph) -> TableText:
        """How it is named and told apart from other tables."""

    @abstractmethod
    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Its entries, packed into bytes. `tell` gets the share that is done, if it takes long."""

    def further_keys(self, graph: DistanceGraph) -> list[TableKey]:
        """The keys of further tables that the engine needs to look it up."""
        return []

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """How the engine looks it up, over the coordinates that have these numbers in the engine.

        A `HashedInput` where it does not count for the estimate.
        """
        return TableInput(numbers, self.bits, data)

    def refused(self, why: str) -> DeclarationError:
        """The error that says why it cannot be."""
        return DeclarationError(f"pruning table {self.coordinates}: {why}")


class ResolvedTable:
    """A pruning table of a phase in one metric: its kind and the graph whose distances it holds."""

    def __init__(self, declared: PruningTable, graph: DistanceGraph) -> None:
        self.kind = declared.in_graph(graph)
        self.graph = graph

    @property
    def entries(self) -> int:
        """How many entries it has."""
        return self.kind.entries_in(self.graph)

    def check(self) -> None:
        """Raise a DeclarationError, with the names of its coordinates, where it cannot be built."""
        try:
            self.kind.check(self.graph)
        except DeclarationError as error:
            raise self.kind.refused(str(error)) from None

    @cached_property
    def key(self) -> TableKey:
        """The name under which it is kept. A DeclarationError where it cannot be built."""
        self.check()
        text, entries, bits = self.kind.text(self.graph), self.entries, self.kind.bits
        return TableKey(
            puzzle=self.graph.coordinates[0].puzzle.name,
            name=f"{self.graph.names} {text.name}",
            identity=text.identity,
            dtype="u1",
            shape=((entries * bits + 7) // 8,),
            purpose=f"{text.purpose}, {entries:,} entries of {bits} bits",
        )

    def get(self, store: TableStore) -> Table:
        """The table from the store, built if need be."""

        def build() -> Any:
            return self.kind.build(self.graph, store, partial(store.tell, self.key))

        return store.get(self.key, build)

    def engine_input(self, store: TableStore, numbers: tuple[int, ...]) -> TableInput | HashedInput:
        """How the engine looks it up: see `PruningTable.engine_input`."""
        return self.kind.engine_input(self.graph, store, numbers, self.get(store).data)
