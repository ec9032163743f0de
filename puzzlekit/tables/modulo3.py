"""Pruning tables that hold distances modulo 3."""

from __future__ import annotations

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.plain import Plain
from puzzlekit.tables.product_table import ProductTable


@attrs.frozen
class Modulo3(ProductTable):
    """A pruning table with the distance modulo 3 of each joint value, in 2 bits per entry.

    The table has half the size of a `Plain` table. A search needs true distances. At the start, it
    follows a shortest path to the goal and counts the moves. After each move, the new remainder
    shows whether the distance changed by -1, 0 or 1. So all moves must cost 1. In other metrics the
    phase uses a `Plain` table instead.

    >>> Modulo3("flip-slice twist").bits
    2
    """

    #: The names of the coordinates, the most significant first. A sym coordinate must come first.
    coordinates: str

    bits = 2
    is_exact = True

    def in_graph(self, graph: DistanceGraph) -> ProductTable:
        """Return a `Plain` table if a move costs more than 1 or distances may be large.

        Otherwise return this table.
        """
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
                "a pruning table with 2 bits per entry needs an inverse move of the same cost for "
                "each move"
            )
        if (sym := graph.sym) is not None and len(graph.coordinates) == 1:
            name = sym.coordinate.name
            raise DeclarationError(
                f"a pruning table over only the sym coordinate {name} cannot have 2 bits per "
                "entry: use a table with 4 or 8 bits"
            )
        for each in graph.coordinates:
            if not each.closed_under(graph.moves):
                raise DeclarationError(
                    f"coordinate {each.name} is not closed under the moves, so its pruning table "
                    "cannot have 2 bits per entry: use a Plain table with 4 or 8 bits"
                )
