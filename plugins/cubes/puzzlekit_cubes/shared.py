"""Shared pruning tables: two coordinates whose values begin with the same digit."""

from __future__ import annotations

import attrs

from puzzlekit import DeclarationError, TableStore
from puzzlekit.engine.inputs import HashedInput, ImageInput, TableInput
from puzzlekit.tables.classes import MOST_PARTNER_VALUES, Classes
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.product_table import ProductTable
from puzzlekit.tables.pruning_table import Entries, TableText, Tell
from puzzlekit.tables.table import TableSpec


@attrs.frozen
class Shared(ProductTable):
    """A pruning table over two coordinates that share a digit, such as two `Companions`.

    A value of the second coordinate is digit * `rest` + remainder. The first coordinate, a sym
    coordinate, determines this digit: it has the same digit in front. So an entry needs only the
    remainder, and the table has an entry for each class of the first coordinate and each remainder.

    >>> Shared("low-classes high", rest=1680).bits
    4
    """

    #: The names of two coordinates. The first is a sym coordinate with one part.
    coordinates: str
    #: The number of remainders of the second coordinate, up to 65,536.
    rest: int
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    most_coordinates = 2

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        sym = graph.sym
        if sym is None or len(graph.coordinates) != 2 or len(sym.coordinate.parts) != 1:
            raise DeclarationError(
                "a shared table is over a sym coordinate with one part and one more coordinate"
            )
        partner = graph.coordinates[1]
        if not 0 < self.rest <= MOST_PARTNER_VALUES or partner.size % self.rest:
            raise DeclarationError(
                f"'rest' must divide the number of values of {partner.name}, and be at most "
                f"{MOST_PARTNER_VALUES:,}"
            )
        every = (*sym.coordinate.parts, partner)
        if partner.is_reduced or not all(is_tabulated(each, graph.moves) for each in every):
            raise DeclarationError("the coordinates of a shared table need move tables")
        if not graph.is_undone or set(graph.costs) - {1, 2} or graph.goal_states:
            raise DeclarationError(
                "a shared table needs moves that cost 1 or 2, an inverse move of the same cost for "
                "each move, and no goal turns"
            )

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""
        assert graph.sym is not None
        return graph.sym.coordinate.classes * self._stride(graph)

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
        found = super().text(graph)
        return found._replace(identity=f"shared {self.rest} {found.identity}")

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes."""
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.sym_distances import SymDistances

        assert graph.sym is not None
        partners = graph.coordinates[1:]
        distances = SymDistances(store, graph.sym, partners, 1, None, keep=True, rest=self.rest)
        distances.fill(COMPILED, tell)
        return distances.packed(self.bits, self._stride(graph))

    def further_keys(self, graph: DistanceGraph) -> list[TableSpec]:
        """Return the key of the table of images of the second coordinate."""
        assert graph.sym is not None
        return [graph.sym.images_key(graph.coordinates[1], rest=self.rest)]

    def engine_input(
        self, graph: DistanceGraph, store: TableStore, numbers: tuple[int, ...], data: memoryview
    ) -> TableInput | HashedInput:
        """Return the input of the engine."""
        assert graph.sym is not None
        images = Classes(store, graph.sym).images(graph.coordinates[1], rest=self.rest)
        return TableInput(numbers, self.bits, data, [ImageInput(images, self._stride(graph))])

    def _stride(self, graph: DistanceGraph) -> int:
        in_byte = 8 // self.bits
        return -(-self.rest // in_byte) * in_byte
