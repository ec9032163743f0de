"""Plain pruning tables: the distance of each value."""

from __future__ import annotations

import attrs

from puzzlekit.tables.product_table import ProductTable


@attrs.frozen
class Plain(ProductTable):
    """A pruning table with the distance of each joint value of one to three coordinates.

    In `Phase.tables`, a string of names ("twist slice") stands for a `Plain` table with 4 bits per
    entry. In the metric of a machine with steps of unequal cost, such a table has 8 bits per entry.

    >>> Plain("twist slice", bits=8).bits
    8
    """

    #: The names of the coordinates, the most significant first. A sym coordinate must come first.
    coordinates: str
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    is_exact = True

    def __attrs_post_init__(self) -> None:
        if self.bits not in (4, 8):
            hint = "; use Modulo3 for entries of 2 bits" if self.bits == 2 else ""
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}{hint}")
