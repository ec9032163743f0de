"""Sym coordinates: values that differ only by a symmetry of the puzzle form one class.

H. Kociemba, "Symmetric coordinates", kociemba.org.
"""

from __future__ import annotations

import attrs

from puzzlekit.coordinates.joint import Product
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class SymCoordinate(Product):
    """A product of coordinates, reduced by the symmetries of the puzzle.

    Values that symmetries map to each other form a class. The engine represents a value of the
    product as its class and a symmetry, which maps the value to the representative of the class.
    The pruning table may be over further coordinates, the partners. To find an entry, the search
    applies the same symmetry to the values of the partners. The number of symmetries is nearly the
    factor by which the table gets smaller.

    In contrast, `rank` and `unrank` refer to the values of the product, without symmetries.

    The fields `symmetries` and `classes` follow from the other fields. The declaration states them
    all the same, so that the sizes of tables are known before a build. If a number is wrong, the
    build of a table raises a DeclarationError with the right number.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> corners = puzzlekit.Permutation("corners", cube, "corners")
    >>> reduced = SymCoordinate(
    ...     "corner-classes", cube, "corners", (corners,), classes=2768, symmetries=16
    ... )
    >>> reduced.size, reduced.shift
    (40320, 4)
    """

    about = "coordinates reduced by symmetries"

    is_reduced = True

    #: The number of classes.
    classes: int = 1
    #: The number of symmetries (rotations and reflections) of the phase. A symmetry maps each move
    #: to a move of the same cost. It maps the goals of each coordinate of the table to themselves.
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 31:
            raise DeclarationError(
                f"coordinate {self.name} has too many symmetries or values: at most 64 "
                "symmetries and 2^31 values are possible"
            )

    @property
    def shift(self) -> int:
        """The number of low bits that store a symmetry. The bits above store the class."""
        return (self.symmetries - 1).bit_length()
