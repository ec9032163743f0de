"""How the entries of a pruning table over a sym coordinate lie."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.symmetric import SymCoordinate


class SymShape(NamedTuple):
    """How the entries of a table over a sym coordinate lie: rows of one byte boundary each.

    A row holds, for a class and a value of the first of two partners, an entry for each value of
    the last partner, or for each `fold` neighbouring ones; `stride` entries with the padding.
    """

    rows: int
    groups: int
    stride: int

    @classmethod
    def of(
        cls, coordinate: SymCoordinate, partners: Sequence[Coordinate], bits: int, fold: int
    ) -> SymShape:
        """The shape for entries of so many bits."""
        sizes = [partner.size for partner in partners] or [1]
        groups = -(-sizes[-1] // fold)
        in_byte = 8 // bits
        stride = -(-groups // in_byte) * in_byte if partners else 1
        return cls(coordinate.classes * prod(sizes[:-1]), groups, stride)

    @property
    def entries(self) -> int:
        """How many entries there are, padding included."""
        return self.rows * self.stride
