"""Sym coordinates: values that differ only by a symmetry of the puzzle form one class.

H. Kociemba, "Symmetric coordinates", kociemba.org.
"""

from __future__ import annotations

import attrs

from puzzlekit.coordinate.joint import Product
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class SymCoordinate(Product):
    """A product of coordinates, reduced by the symmetries of the puzzle.

    `rank` and `unrank` refer to the product itself, not reduced. The engine represents a value as a
    class and the symmetry that maps the value to the representative of the class. A pruning table
    may have further coordinates, the partners. The same symmetry maps their values too. Such a
    table is smaller by nearly the number of symmetries.

    `symmetries` and `classes` follow from the other fields. They are stated so that sizes are known
    before a build. If one is wrong, the build of a table raises a DeclarationError with the right
    number.

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
    #: The number of symmetries (rotations and reflections). They map moves to moves of the same
    #: cost, and the goals of the coordinate and of its partners to themselves.
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 31:
            raise DeclarationError(
                f"coordinate {self.name}: it takes at most 64 symmetries and 2^31 values"
            )

    @property
    def shift(self) -> int:
        """The number of low bits of a value that hold the symmetry; the others hold the class."""
        return (self.symmetries - 1).bit_length()
