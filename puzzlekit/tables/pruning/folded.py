"""Pruning tables over a sym coordinate whose entries are shared or cut off."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.product_table import ProductTable


@attrs.frozen
class Folded(ProductTable):
    """The least distance of several neighbouring values, up to a largest distance.

    Neighbouring values of the last partner of a sym coordinate share an entry. Such a table prunes
    far more than a table of the same size over fewer coordinates. The limit on distances saves most
    of the build time.

    >>> Folded("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    #: The names of the coordinates: a sym coordinate, then one or two partners.
    coordinates: str
    #: How many neighbouring values of the last partner share an entry.
    fold: int = 1
    #: The largest distance to compute, for each metric. Larger distances are stored as one more. In
    #: other metrics, and if the costs of a machine are scaled, all distances are computed.
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    #: Bits per entry: 4 or 8. With 4 bits, larger distances are stored as 15.
    bits: int = 4

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}")
        if self.fold < 1:
            raise self.refused(f"fold must be at least 1, not {self.fold}")
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise self.refused("the largest distance must be at least 1")

    def farthest_in(self, graph: DistanceGraph) -> int | None:
        """Return the largest distance to compute; None for no limit."""
        return self.farthest.get(graph.metric)

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        super().check(graph)
        if graph.sym is None:
            raise DeclarationError("fold and farthest work only in tables over a sym coordinate")
