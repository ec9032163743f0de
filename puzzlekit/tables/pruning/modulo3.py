"""Pruning tables that hold distances modulo 3."""

from __future__ import annotations

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.plain import Plain
from puzzlekit.tables.pruning.product_table import ProductTable


@attrs.frozen
class Modulo3(ProductTable):
    """The distance modulo 3 of each value: 2 bits per entry, half the size of `Plain`.

    A search finds the distance of the start by walking to the goal, and then updates it from move
    to move. That works only if all moves cost 1. In other metrics a `Plain` table replaces it.

    >>> Modulo3("flip-slice twist").bits
    2
    """

    #: The names of the coordinates, the most significant first. A sym coordinate must come first.
    coordinates: str

    bits = 2
    is_exact = True

    def in_graph(self, graph: DistanceGraph) -> ProductTable:
        """Return a plain table if moves cost more than 1 or distances may be large, else itself."""
        if graph.large or max(graph.costs) > 1:
            return Plain(self.coordinates).in_graph(graph)
        return self

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        super().check(graph)
        if graph.is_guarded:
            raise DeclarationError(
                "a pruning table with 2 bits per entry needs moves that are always possible"
            )
        if not graph.is_undone:
            raise DeclarationError(
                "a pruning table with 2 bits per entry needs moves that are each undone by one of "
                "the same cost"
            )
        if (sym := graph.sym) is not None and len(graph.coordinates) == 1:
            name = sym.coordinate.name
            raise DeclarationError(f"a pruning table of {name} alone needs 4 or 8 bits per entry")
        for each in graph.coordinates:
            if not each.closed_under(graph.moves):
                raise DeclarationError(
                    "a pruning table with 2 bits per entry needs coordinates that are closed under "
                    f"the moves, and {each.name} is not: give the table 4 or 8 bits"
                )
