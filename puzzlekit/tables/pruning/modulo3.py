"""Pruning tables that hold distances modulo 3."""

from __future__ import annotations

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.plain import Plain
from puzzlekit.tables.pruning.product_table import ProductTable


@attrs.frozen
class Modulo3(ProductTable):
    """The distance modulo 3 of each value: 2 bits an entry, half of what `Plain` takes.

    The search finds the distance of the start by walking to the goal, and then follows it from move
    to move. That takes moves that cost 1: in other metrics a `Plain` table takes its place.

    >>> Modulo3("flip-slice twist").bits
    2
    """

    #: The names of the coordinates, the first most significant. A sym coordinate comes first.
    coordinates: str

    bits = 2
    is_exact = True

    def in_graph(self, graph: DistanceGraph) -> ProductTable:
        """A plain table where moves cost more than 1, or where distances may be large."""
        if graph.large or max(graph.costs) > 1:
            return Plain(self.coordinates).in_graph(graph)
        return self

    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""
        super().check(graph)
        if graph.is_guarded:
            raise DeclarationError(
                "a pruning table of 2 bits an entry is for moves that are always possible"
            )
        if not graph.is_undone:
            raise DeclarationError(
                "a pruning table of 2 bits an entry is for moves that are each undone by one of "
                "the same cost"
            )
        if (sym := graph.sym) is not None and len(graph.coordinates) == 1:
            name = sym.coordinate.name
            raise DeclarationError(f"a pruning table of {name} alone has 4 or 8 bits an entry")
        for each in graph.coordinates:
            if not each.closed_under(graph.moves):
                raise DeclarationError(
                    "a pruning table of 2 bits an entry is over coordinates that are closed under "
                    f"the moves, which {each.name} is not: give it 4 or 8 bits"
                )
