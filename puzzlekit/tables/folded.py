"""Folded pruning tables: neighbouring values share an entry, and distances have a limit."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.product_table import ProductTable


@attrs.frozen
class Folded(ProductTable):
    """A pruning table with the least distance of several neighbouring values, up to a limit.

    The table is over a sym coordinate and one or two further coordinates. Each `fold` neighbouring
    values of the last coordinate share an entry, which holds the least of their distances. So the
    table has the size of a table over fewer coordinates, but it prunes far more. A limit on the
    distances to compute saves most of the build time.

    >>> Folded("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    #: The names of the coordinates: first a sym coordinate, then one or two other coordinates.
    coordinates: str
    #: The number of neighbouring values of the last coordinate that share an entry.
    fold: int = 1
    #: The largest distance to compute, by the name of the metric. Each larger distance is stored as
    #: this number plus 1. There is no limit in other metrics, or if the costs of a machine are
    #: scaled.
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}")
        if self.fold < 1:
            raise self.refused(f"fold must be at least 1, not {self.fold}")
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise self.refused("the largest distance in 'farthest' must be at least 1")

    def farthest_in(self, graph: DistanceGraph) -> int | None:
        """Return the largest distance to compute; None for no limit."""
        return self.farthest.get(graph.metric)

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        super().check(graph)
        if graph.sym is None:
            raise DeclarationError("'fold' and 'farthest' need a table over a sym coordinate")
