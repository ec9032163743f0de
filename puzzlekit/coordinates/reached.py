"""A product of coordinates, restricted to the values that some moves reach."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any
from zlib import crc32

import attrs

from puzzlekit.coordinates.coordinate import Coordinate, Vector
from puzzlekit.coordinates.joint import Product
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MOST_VALUES = 1 << 26  # of the product: there is a number of four bytes for each


@attrs.frozen(slots=False, eq=False, repr=False)
class Reached(Coordinate):
    """Several coordinates as one, with a number for each value that moves reach.

    In later phases of a method, moves often reach few values of a `Product`. Tables over these
    values alone are much smaller. The values have the order that they have in the product.

    The field `count` follows from the other fields. The declaration states it all the same, so that
    the sizes of tables are known before a build. If the number is wrong, the first use of the
    coordinate raises a DeclarationError with the right number.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> parts = (puzzlekit.Permutation("places", cube, "corners"),)
    >>> turned = Reached("turned", cube, "corners", parts, moves="U R2", count=120)
    >>> parts[0].size, turned.size, turned.rank(cube.solved)
    (40320, 120, 0)
    """

    about = "values of several coordinates that moves reach"

    #: The coordinates. A part must be closed under the moves and must not be a product itself.
    parts: tuple[Coordinate, ...] = ()
    #: The moves, named as in `Phase.moves`. They start from the solved state. The phase must have
    #: no other moves.
    moves: str = ""
    #: The number of values that the moves reach.
    count: int = 1

    def __attrs_post_init__(self) -> None:
        if self.whole.size > _MOST_VALUES:
            raise DeclarationError(
                f"coordinate {self.name}: the product of its parts has {self.whole.size:,} values, "
                f"but at most {_MOST_VALUES:,} are possible"
            )

    @cached_property
    def whole(self) -> Product:
        """The product of the parts."""
        return Product(self.name, self.puzzle, self.orbit_name, self.parts)

    @property
    def size(self) -> int:
        """The number of values that the moves reach."""
        return self.count

    @property
    def reads(self) -> tuple[int, ...]:
        """The indices of the bytes that any part reads."""
        return self.whole.reads

    @cached_property
    def allowed(self) -> tuple[Move, ...]:
        """The moves, in search order."""
        return self.puzzle.named_moves(self.moves)

    @property
    def parameters(self) -> str:
        """The identities of the parts, and the moves."""
        effects = crc32(repr([move.effect for move in self.allowed]).encode())
        return f"{self.whole.parameters} reached by {self.moves} {effects:08x}"

    @cached_property
    def _effects(self) -> frozenset[Effect]:
        return frozenset(move.effect for move in self.allowed)

    @cached_property
    def values(self) -> npt.NDArray[np.int64]:
        """The values of the product that the moves reach, in ascending order: shape (count,)."""
        import numpy as np

        whole = self.whole
        seen = np.zeros(whole.size, dtype=bool)
        fresh = np.array([whole.rank(self.puzzle.solved)], dtype=np.int64)
        while len(fresh):
            seen[fresh] = True
            vector = whole.unrank(fresh)
            near = [whole.rank(whole.after(vector, move)) for move in self.allowed]
            fresh = np.unique(np.concatenate(near))
            fresh = fresh[~seen[fresh]]
        found = np.flatnonzero(seen)
        if len(found) != self.count:
            raise DeclarationError(
                f"coordinate {self.name}: the moves reach {len(found):,} values, not {self.count:,}"
            )
        return found

    def rank(self, vector: Vector) -> Any:
        """Return the number of the value; -1 if moves do not reach it."""
        value = self.whole.rank(vector)
        if isinstance(value, int):
            return -1 if value < 0 else int(self.numbers[value])
        there = (value >= 0) + 0
        return self.numbers[value * there] * there - (1 - there)

    @cached_property
    def numbers(self) -> npt.NDArray[np.int32]:
        """The number of each value of the product; -1 for values that no moves reach.

        Shape (`whole.size`,).
        """
        import numpy as np

        found = np.full(self.whole.size, -1, dtype=np.int32)
        found[self.values] = np.arange(self.count)
        return found

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the bytes of a state that has this number, as `Product.unrank` does."""
        value = self.values[index]
        return self.whole.unrank(int(value) if isinstance(index, int) else value)

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether these are moves of the coordinate, and its parts are closed under them."""
        listed = tuple(moves)
        own = all(move.effect in self._effects for move in listed)
        return own and self.whole.closed_under(listed)
