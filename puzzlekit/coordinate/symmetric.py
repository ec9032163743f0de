"""Sym coordinates: values that only differ by a symmetry of the puzzle are kept as one class.

H. Kociemba, "Symmetric coordinates", kociemba.org.
"""

from __future__ import annotations

import attrs

from puzzlekit.coordinate.joint import Product
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class SymCoordinate(Product):
    """One coordinate, or several together, reduced by the symmetries of the puzzle.

    `parts` are coordinates that are closed under the moves; `rank` and `unrank` are those of their
    product, the first part most significant. The engine runs it as class and symmetry: each value
    is carried by a symmetry to the representative of its class, and in a pruning table of it and
    others, the others (partners) are carried by the same symmetry. Such a table is smaller by
    nearly the number of symmetries.

    `symmetries` is how many symmetries (rotations and reflections) carry moves to moves of the same
    cost and the goals of the coordinate and of its partners to themselves; `classes` is how many
    classes they leave. Both follow from the rest; they are stated so that sizes are known before
    anything is built, and a DeclarationError tells the right numbers when a table is built.

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

    classes: int = 1
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 31:
            raise DeclarationError(f"coordinate {self.name}: up to 64 symmetries, 2^31 values")

    @property
    def shift(self) -> int:
        """How many low bits of the engine's value tell the symmetry; the others tell the class."""
        return (self.symmetries - 1).bit_length()
