"""Several coordinates as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from math import prod
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate, Vector
from puzzlekit.coordinates.programs import product
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move

__all__ = ["plain_coordinates"]


@attrs.frozen(slots=False, eq=False, repr=False)
class Product(Coordinate):
    """Several coordinates as one coordinate.

    The digits of the value are the ranks of the parts. The first part gives the most significant
    digit.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> parts = (
    ...     puzzlekit.Orientation("orientation", cube, "corners"),
    ...     puzzlekit.Halves("layers", cube, "corners", "ULB UBR URF UFL"),
    ... )
    >>> Product("both", cube, "corners", parts).size == 3**7 * 35
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
        """The parts of the product."""
        return self.parts

    @cached_property
    def size(self) -> int:
        """The product of the sizes of the parts."""
        return prod(part.size for part in self.parts)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the bytes that any part reads."""
        return tuple(sorted({j for part in self.parts for j in part.reads}))

    @property
    def parameters(self) -> str:
        """The identities of the parts."""
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
        """Whether every part is closed under the moves."""
        listed = tuple(moves)
        return all(part.closed_under(listed) for part in self.parts)

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks at which every part is at a goal."""
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
