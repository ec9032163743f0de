"""Pruning tables over a sym coordinate whose entries are shared or cut off."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.product_table import ProductTable


@attrs.frozen
class Folded(ProductTable):
    """The least distance of some neighbouring values, up to a largest distance.

    Values of the last partner of a sym coordinate share an entry. That keeps far more than a table
    of the same size over fewer coordinates. Cutting off saves most of the time of building.

    >>> Folded("flip-slice twist", fold=9, farthest={"HTM": 8}).bits
    4
    """

    #: The names of the coordinates: a sym coordinate, then one or two partners.
    coordinates: str
    #: How many neighbouring values of the last partner share an entry.
    fold: int = 1
    #: By metric, the largest distance that is worked out; larger ones are stored as one more. In a
    #: metric that is missing, and where a machine's costs are scaled, all distances are worked out.
    farthest: Mapping[str, int] = attrs.field(factory=dict)
    #: How many bits an entry has: 8, or 4, where distances over 15 are stored as 15.
    bits: int = 4

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            raise self.refused(f"entries have 4 or 8 bits, not {self.bits}")
        if self.fold < 1:
            raise self.refused(f"at least 1 value shares an entry, not {self.fold}")
        if any(farthest < 1 for farthest in self.farthest.values()):
            raise self.refused("distances are worked out up to 1 at least")

    def farthest_in(self, graph: DistanceGraph) -> int | None:
        """The largest distance that is worked out; None for all."""
        return self.farthest.get(graph.metric)

    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""
        super().check(graph)
        if graph.sym is None:
            raise DeclarationError("folding and farthest are for tables over a sym coordinate")
