"""The interface of pruning tables.

A pruning table (pattern database) holds lower bounds of the cost to the goal for the values of some
coordinates. Each kind has its own file in this directory. No other code lists the kinds.
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
#: Called with the share of a build that is done, from 0 to 1.
Tell = Callable[[float], None]


class TableText(NamedTuple):
    """The texts that describe a pruning table."""

    #: The part of the name after the names of the coordinates: "distance HTM".
    name: str
    #: Text that differs between tables with different entries. It names the kind and its version.
    identity: str
    #: The purpose, without the size: "least cost (HTM) to the goal for each value of a".
    purpose: str


class PruningTable(ABC):
    """A pruning table of a phase: the base class of all kinds.

    A kind is a frozen attrs class. Its fields are the choices of an author. It checks them and
    raises DeclarationError for impossible values. The phase in one metric supplies a
    `DistanceGraph`.
    """

    __slots__ = ()

    #: The names of the coordinates, the most significant first: "twist slice".
    coordinates: str
    #: Bits per entry: 2, 4 or 8. The lowest bits of a byte hold the first entry.
    bits: int
    #: The largest number of coordinates.
    most_coordinates = 3
    #: The group of tables whose distances are added; "" for a table on its own.
    group = ""
    #: Whether the table counts for the estimate. A table that does not prunes only near the goal.
    in_estimate = True
    #: Whether each value of the coordinates has its own entry with its exact distance.
    is_exact = False

    def in_graph(self, graph: DistanceGraph) -> PruningTable:
        """Return this table, or a replacement with wider entries if the graph requires one."""
        return self

    @abstractmethod
    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""

    @abstractmethod
    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""

    @abstractmethod
    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""

    @abstractmethod
    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes. A long build calls `tell` with the share done."""

    def further_keys(self, graph: DistanceGraph) -> list[TableKey]:
        """Return the keys of further tables that the engine needs for a look-up."""
        return []

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Return the input of the engine: a `HashedInput` if the table is not in the estimate.

        `numbers` are the numbers of the table's coordinates in the engine.
        """
        return TableInput(numbers, self.bits, data)

    def refused(self, why: str) -> DeclarationError:
        """Return the error for an impossible table."""
        return DeclarationError(f"pruning table {self.coordinates}: {why}")


class ResolvedTable:
    """A pruning table of a phase in one metric: its kind, and the graph of its distances."""

    def __init__(self, declared: PruningTable, graph: DistanceGraph) -> None:
        self.kind = declared.in_graph(graph)
        self.graph = graph

    @property
    def entries(self) -> int:
        """The number of entries."""
        return self.kind.entries_in(self.graph)

    def check(self) -> None:
        """Raise DeclarationError, with the names of the coordinates, if it cannot be built."""
        try:
            self.kind.check(self.graph)
        except DeclarationError as error:
            raise self.kind.refused(str(error)) from None

    @cached_property
    def key(self) -> TableKey:
        """The key in the store. Raises DeclarationError if the table cannot be built."""
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
        """Return the table from the store; build it if it is missing."""

        def build() -> Any:
            return self.kind.build(self.graph, store, partial(store.tell, self.key))

        return store.get(self.key, build)

    def engine_input(self, store: TableStore, numbers: tuple[int, ...]) -> TableInput | HashedInput:
        """Return the input of the engine: see `PruningTable.engine_input`."""
        return self.kind.engine_input(self.graph, store, numbers, self.get(store).data)
