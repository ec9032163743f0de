"""Sym coordinates: values that only differ by a symmetry of the puzzle are kept as one class.

H. Kociemba, "Symmetric coordinates", kociemba.org.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

import attrs

from puzzlekit.coordinate.base import Coordinate, Vector
from puzzlekit.coordinate.programs import product
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class SymCoordinate(Coordinate):
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

    parts: tuple[Coordinate, ...] = ()
    classes: int = 1
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        if not self.parts or any(isinstance(part, SymCoordinate) for part in self.parts):
            raise DeclarationError(f"coordinate {self.name}: its parts are plain coordinates")
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 31:
            raise DeclarationError(f"coordinate {self.name}: up to 64 symmetries, 2^31 values")

    @property
    def shift(self) -> int:
        """How many low bits of the engine's value tell the symmetry; the others tell the class."""
        return (self.symmetries - 1).bit_length()

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes, before they are reduced."""
        return prod(part.size for part in self.parts)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The numbers of the bytes of all parts."""
        return tuple(sorted({j for part in self.parts for j in part.reads}))

    @property
    def parameters(self) -> str:
        """The parts."""
        return " x ".join(part.identity for part in self.parts)

    def rank(self, vector: Vector) -> Any:
        """The rank of the product; -1 where a part is not defined."""
        rank: Any = 0
        there: Any = 1
        for part in self.parts:
            value = part.rank(vector)
            there = there * ((value >= 0) + 0)
            rank = rank * part.size + value
        return rank * there - (1 - there)

    def unrank(self, index: Any) -> dict[int, Any]:
        """The bytes of all parts in some state of that rank.

        A byte that several parts look at is as the first of them has it: whatever the others see
        has to follow from their own bytes.
        """
        vector: dict[int, Any] = {}
        for part in reversed(self.parts):
            vector.update(part.unrank(index % part.size))
            index = index // part.size
        return vector

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks at which every part is at a goal."""
        ranks: list[int] = [0]
        for part in self.parts:
            ranks = [rank * part.size + goal for rank in ranks for goal in part.goals]
        return tuple(ranks)

    @property
    def program(self) -> tuple[int, ...] | None:
        """The rank program, if all parts have one."""
        programs = [part.engine_program for part in self.parts]
        if None in programs:
            return None
        return product([part.size for part in self.parts], [each or () for each in programs])
