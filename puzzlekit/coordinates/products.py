"""Several coordinates as one: all joint values, chosen goals, reached values, or classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any
from zlib import crc32

import attrs

from puzzlekit.coordinates.coordinate import Coordinate, Vector
from puzzlekit.coordinates.programs import product
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Reached", "SymCoordinate", "plain_coordinates"]


@attrs.frozen(slots=False, eq=False, repr=False)
class Product(Coordinate):
    """Several coordinates as one coordinate.

    The digits of the value are the ranks of the parts. The first part gives the most significant
    digit.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> parts = (
    ...     puzzlekit.Orientation("orientation", cube, "corners"),
    ...     puzzlekit.Combination("layer", cube, "corners", "ULB UBR URF UFL"),
    ... )
    >>> Product("both", cube, "corners", parts).size == 3**7 * 70
    True
    """

    about = "several coordinates as one"

    #: The coordinates. A part must be closed under the moves and must not be a product itself.
    parts: tuple[Coordinate, ...] = ()

    def __attrs_post_init__(self) -> None:
        if not self.parts or any(part.digits != (part,) for part in self.parts):
            raise DeclarationError(
                f"coordinate {self.name}: name at least one part; a part cannot be a product itself"
            )

    @property
    def digits(self) -> tuple[Coordinate, ...]:
        return self.parts

    @cached_property
    def size(self) -> int:
        return prod(part.size for part in self.parts)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        return tuple(sorted({j for part in self.parts for j in part.reads}))

    @property
    def parameters(self) -> str:
        return " x ".join(part.identity for part in self.parts)

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the product; -1 if a part is not defined."""
        rank: Any = 0
        there: Any = 1
        for part in self.parts:
            value = part.rank(vector)
            there = there * ((value >= 0) + 0)
            rank = rank * part.size + value
        return rank * there - (1 - there)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return bytes of a state that have this rank, as a dict from byte indices to bytes.

        The dict has every byte that a part of the product reads. If several parts read the same
        byte, the first of them determines the byte. The ranks of the other parts must then not
        depend on this byte.
        """
        vector: dict[int, Any] = {}
        for part in reversed(self.parts):
            vector.update(part.unrank(index % part.size))
            index = index // part.size
        return vector

    def closed_under(self, moves: Iterable[Move]) -> bool:
        listed = tuple(moves)
        return all(part.closed_under(listed) for part in self.parts)

    @cached_property
    def goals(self) -> tuple[int, ...]:
        ranks: list[int] = [0]
        for part in self.parts:
            ranks = [rank * part.size + goal for rank in ranks for goal in part.goals]
        return tuple(ranks)

    @property
    def program(self) -> tuple[int, ...] | None:
        """The rank program; None if a part has no rank program."""
        programs = [part.engine_program for part in self.parts]
        if None in programs:
            return None
        return product([part.size for part in self.parts], [each or () for each in programs])


def plain_coordinates(coordinates: Sequence[Coordinate]) -> tuple[Coordinate, ...]:
    """Return the coordinates without duplicates, with parts in place of each product.

    >>> import puzzlekit
    >>> (solve,) = puzzlekit.load("cube3").method("optimal").phases
    >>> [each.name for each in plain_coordinates(solve.coordinates)][:3]
    ['flip', 'slice', 'twist']
    """
    found: dict[str, Coordinate] = {}
    for each in coordinates:
        for part in each.digits:
            found.setdefault(part.identity, part)
    return tuple(found.values())


_MOST_VALUES = 1 << 26  # of the product: there is a number of four bytes for each


@attrs.frozen(slots=False, eq=False, repr=False)
class Reached(Coordinate):
    """Several coordinates as one, with a number for each value that moves reach.

    In later phases of a method, moves often reach few values of a `Product`. Tables over these
    values alone are much smaller. The values have the order that they have in the product.

    A walk by the moves counts the values. If the declaration states their number in `count`, the
    walk is not needed before tables are built, which saves time when they are in the cache.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> parts = (puzzlekit.Permutation("places", cube, "corners"),)
    >>> turned = Reached("turned", cube, "corners", parts, moves="U R2")
    >>> parts[0].size, turned.size, turned.rank(cube.solved)
    (40320, 120, 0)
    """

    about = "values of several coordinates that moves reach"

    #: The coordinates. A part must be closed under the moves and must not be a product itself.
    parts: tuple[Coordinate, ...] = ()
    #: The moves, named as in `Phase.moves`. They start from the solved state. The phase must have
    #: no other moves.
    moves: str = ""
    #: The number of values that the moves reach, as a check. 0: it is counted. If the number is
    #: wrong, a DeclarationError states the right one.
    count: int = 0

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
        return self.count or len(self.values)

    @property
    def reads(self) -> tuple[int, ...]:
        return self.whole.reads

    @cached_property
    def allowed(self) -> tuple[Move, ...]:
        """The moves, in search order."""
        return self.puzzle.named_moves(self.moves)

    @property
    def parameters(self) -> str:
        effects = crc32(repr([move.effect for move in self.allowed]).encode())
        return f"{self.whole.parameters} reached by {self.moves} {effects:08x}"

    @cached_property
    def _effects(self) -> frozenset[Effect]:
        return frozenset(move.effect for move in self.allowed)

    @cached_property
    def values(self) -> npt.NDArray[np.int64]:
        """The values of the product that the moves reach, in ascending order: shape (size,)."""
        import numpy as np

        whole = self.whole
        seen = np.zeros(whole.size, dtype=bool)
        fresh = np.array([whole.rank(self.puzzle.solved)], dtype=np.int64)
        while len(fresh):
            seen[fresh] = True
            vector = whole.unrank(fresh)
            if (whole.rank(vector) != fresh).any():
                raise DeclarationError(
                    f"coordinate {self.name}: two of its parts describe the same pieces or places; "
                    "describe each piece and place in one part"
                )
            near = [whole.rank(whole.after(vector, move)) for move in self.allowed]
            fresh = np.unique(np.concatenate(near))
            fresh = fresh[~seen[fresh]]
        found = np.flatnonzero(seen)
        if self.count not in (0, len(found)):
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
        found[self.values] = np.arange(self.size)
        return found

    @property
    def program(self) -> None:
        """None: the engine ranks the product, and looks the number up."""
        return None

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the bytes of a state that has this number, as `Product.unrank` does."""
        value = self.values[index]
        return self.whole.unrank(int(value) if isinstance(index, int) else value)

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether these are moves of the coordinate, and its parts are closed under them."""
        listed = tuple(moves)
        own = all(move.effect in self._effects for move in listed)
        return own and self.whole.closed_under(listed)


@attrs.frozen(slots=False, eq=False, repr=False)
class SymCoordinate(Product):
    """A product of coordinates, reduced by the symmetries of the puzzle.

    Values that symmetries map to each other form a class. The engine represents a value of the
    product as its class and a symmetry, which maps the value to the representative of the class.
    The pruning table may be over further coordinates, the partners. To find an entry, the search
    applies the same symmetry to the values of the partners. The number of symmetries is nearly the
    factor by which the table gets smaller.

    In contrast, `rank` and `unrank` refer to the values of the product, without symmetries.

    The numbers of classes and of symmetries depend on the phase. If the declaration states both,
    puzzlekit need not compute them, which saves time when the tables are in the cache.

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

    #: The number of classes, as a check. 0: it is computed. If the number is wrong, the build of a
    #: table raises a DeclarationError with the right one.
    classes: int = 0
    #: The number of symmetries (rotations and reflections) of the phase, as a check. 0: it is
    #: computed. A symmetry maps each move to a move of the same cost. It maps the goals of each
    #: coordinate of the table to themselves.
    symmetries: int = 0

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not 0 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 31:
            raise DeclarationError(
                f"coordinate {self.name} has too many symmetries or values: at most 64 "
                "symmetries and 2^31 values are possible"
            )

    @property
    def shift(self) -> int:
        """The number of low bits that store a symmetry. The bits above store the class."""
        return max(self.symmetries - 1, 0).bit_length()
