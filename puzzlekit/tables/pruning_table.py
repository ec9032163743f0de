"""The interface of pruning tables, and the packing of their entries.

A pruning table (pattern database) holds lower bounds of the cost to the goal, for the values of one
coordinate or the joint values of several. Each kind of table has its own module. No other code
lists the kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from puzzlekit.engine.inputs import HashedInput, TableInput
from puzzlekit.engine.space import Lookup
from puzzlekit.errors import DeclarationError
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["UNREACHED", "Entries", "ResolvedTable", "TableText", "Tell", "pack", "pack_codes"]


UNREACHED = 255  # the distance of a value that reaches no goal
STRETCH = 1 << 22  # entries packed at once


#: The entries of a table, packed into bytes.
Entries: TypeAlias = "npt.NDArray[np.uint8]"
#: A function that a build calls with its progress: a number from 0 to 1.
Tell = Callable[[float], None]


class TableText(NamedTuple):
    """The name, the identity and the purpose of a pruning table."""

    #: The name of the table without the names of the coordinates: "distance HTM".
    name: str
    #: A string that differs between tables with different entries. It contains the kind and the
    #: version of the kind.
    identity: str
    #: A sentence that says what an entry means: "least cost (HTM) to the goal for each value of a".
    #: The number of entries and their bits are appended.
    purpose: str


class PruningTable(ABC):
    """The base class of all kinds of pruning tables of a phase.

    A kind is a frozen attrs class. The author of a phase sets the fields of each table. The class
    checks the fields and raises DeclarationError for an impossible value. The methods get a
    `DistanceGraph`, which depends on the phase and on the metric.
    """

    __slots__ = ()

    #: The names of the coordinates, the most significant first: "twist slice".
    coordinates: str
    #: The number of bits per entry: 2, 4 or 8. The lowest bits of a byte hold the first entry.
    #: 0: the table has a layout of its own, which `lookup` reads, and `entries_in` counts bytes.
    bits: int
    #: The largest number of coordinates that a table of this kind can be over.
    most_coordinates = 3
    #: The name of the group: the search adds the distances of its tables. Empty: in no group.
    group = ""
    #: Whether the distances are part of the estimate. Other tables prune only near the goal.
    in_estimate = True
    #: Whether each value of the coordinates has its own entry with its exact distance.
    is_exact = False
    #: Whether an entry depends on more of a state than the coordinates, so that the engine cannot
    #: look it up. The strategy of the method then searches with the table itself.
    reads_more = False

    def in_graph(self, graph: DistanceGraph) -> PruningTable:
        """Return this table. If the graph requires more bits per entry, return a replacement."""
        return self

    def stored(self, graph: DistanceGraph) -> DistanceGraph:
        """Return the graph to build from. Tables with equal entries may share one, and its file."""
        return graph

    @abstractmethod
    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""

    @abstractmethod
    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""

    def seconds_in(self, graph: DistanceGraph) -> float:
        """Return about how many seconds the build takes: progress is measured by it.

        By default, this is the time of a compiled breadth-first search over all entries.
        """
        return 2e-9 * self.entries_in(graph) * len(graph.moves)

    @abstractmethod
    def text(self, graph: DistanceGraph) -> TableText:
        """Return the name, the identity and the purpose of the table."""

    @abstractmethod
    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes. A long build calls `tell` with its progress."""

    def lookup(self, graph: DistanceGraph, data: memoryview, values: list[int]) -> int:
        """Return the distance for the values of the coordinates, if `bits` is 0.

        `data` are the bytes that `build` made. The search calls this method for every node that it
        generates, so a Python method makes the search slow. A class derived from
        `puzzlekit.engine.space.Lookup` in a compiled module is fast: override `engine_input`.
        """
        raise NotImplementedError(f"{type(self).__name__} has bits = 0, but no method 'lookup'")

    def further_keys(self, graph: DistanceGraph) -> list[TableSpec]:
        """Return the keys of all other tables that the engine needs to look up an entry."""
        return []

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Return the input of the engine: a `HashedInput` if the table is not in the estimate.

        `numbers` lists the indices of the coordinates in the engine. `data` are the entries.
        """
        if self.bits:
            return TableInput(numbers, self.bits, data)
        return TableInput(numbers, 0, data, lookup=Lookup(partial(self.lookup, graph, data)))

    def refused(self, why: str) -> DeclarationError:
        """Return the error for an impossible table. `why` says what is wrong."""
        return DeclarationError(f"pruning table {self.coordinates}: {why}")


class ResolvedTable:
    """A pruning table of a phase in one metric, with the graph of its distances."""

    def __init__(self, declared: PruningTable, graph: DistanceGraph) -> None:
        self.kind = declared.in_graph(graph)
        self.graph = self.kind.stored(graph)

    @property
    def entries(self) -> int:
        """The number of entries."""
        return self.kind.entries_in(self.graph)

    def check(self) -> None:
        """Raise DeclarationError if the table cannot be built. The message names the table."""
        try:
            self.kind.check(self.graph)
        except DeclarationError as error:
            raise self.kind.refused(str(error)) from None

    @cached_property
    def key(self) -> TableSpec:
        """The key in the store. Raises DeclarationError if the table cannot be built."""
        self.check()
        text, entries, bits = self.kind.text(self.graph), self.entries, self.kind.bits
        return TableSpec(
            puzzle=self.graph.coordinates[0].puzzle.name,
            name=f"{self.graph.names} {text.name}",
            identity=text.identity,
            dtype="u1",
            shape=((entries * (bits or 8) + 7) // 8,),
            purpose=f"{text.purpose}, {entries:,} "
            + (f"entries of {bits} bits" if bits else "bytes"),
            seconds=self.kind.seconds_in(self.graph),
        )

    def get(self, store: TableStore) -> Table:
        """Return the table from the store; build it if it is missing."""

        def build() -> Any:
            return self.kind.build(self.graph, store, partial(store.tell, self.key))

        return store.get(self.key, build)

    def engine_input(self, store: TableStore, numbers: tuple[int, ...]) -> TableInput | HashedInput:
        """Return the input of the engine: see `PruningTable.engine_input`."""
        return self.kind.engine_input(self.graph, store, numbers, self.get(store).data)


def pack(distance: npt.NDArray[np.uint8], bits: int) -> npt.NDArray[np.uint8]:
    """Pack distances of one byte each into entries of 2, 4 or 8 bits.

    The lowest bits of a byte hold the first entry. With 4 bits, distances above 15 become 15, still
    a lower bound. With 2 bits, an entry is the distance modulo 3, or 3 for 255: no goal is reached.

    >>> import numpy as np
    >>> pack(np.array([1, 2, 99], dtype=np.uint8), 4).tolist()
    [33, 15]
    >>> pack(np.array([0, 1, 5, 255, 1], dtype=np.uint8), 2).tolist()
    [228, 1]
    """
    import numpy as np

    if bits == 8:
        return distance
    if bits == 4:
        return pack_codes(distance, bits, lambda part: np.minimum(part, 15))
    code = (np.arange(256) % 3).astype(np.uint8)
    code[UNREACHED] = 3
    return pack_codes(distance, bits, lambda part: code[part])


def pack_codes(
    numbers: npt.NDArray[np.uint8], bits: int, code: Callable[[Any], Any] = lambda part: part
) -> npt.NDArray[np.uint8]:
    """Apply the function `code` to an array, and pack the results into entries of 2 or 4 bits."""
    import numpy as np

    each = 8 // bits
    packed = np.empty(-(-len(numbers) // each), dtype=np.uint8)
    for number, part in enumerate(stretches(numbers)):
        codes = code(part)
        into = packed[number * (STRETCH // each) :][: -(-len(part) // each)]
        into[:] = codes[::each]
        for i in range(1, each):
            into[: len(codes[i::each])] |= codes[i::each] << np.uint8(bits * i)
    return packed


def stretches(array: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
    """Split a flat array into parts of at most `STRETCH` entries.

    A caller that handles one part after the other needs little memory.
    """
    return [array[at : at + STRETCH] for at in range(0, len(array), STRETCH)]
