"""Kinds of coordinates for the edges and wings of cubes: halves, flips, and parities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import attrs

from puzzlekit import Combination, Coordinate, DeclarationError, Orientation
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.coordinates.programs import combination
from puzzlekit.engine.opcodes import HALVES, PARITY, RELATIVE_ORIENTATION

__all__ = ["Halves", "Parity", "RelativeOrientation"]


def relative_orientation(base: int, reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program whose digits to `base` are the bytes after the first, less the first."""
    return (RELATIVE_ORIENTATION, base, len(reads), *reads)


def halves(labels: Sequence[int], reads: Sequence[int]) -> tuple[int, ...]:
    """Return the program for the coordinate `Halves`.

    Half of the bytes with the indices `reads` have one of the labels. The rank is the smaller of
    the ranks of this half and of the other half (see `combination`).
    """
    count = len(reads) // 2
    return (HALVES, *combination(labels, count, reads)[1:], comb(len(reads), count))


def parity(parts: Sequence[tuple[Sequence[int], Mapping[int, int]]]) -> tuple[int, ...]:
    """Return the program for the sum of the parities of several permutations.

    For each permutation, `parts` has the indices of the bytes to read, and a dict that maps each
    label to its number from 0 to n - 1.
    """
    reads = [j for part, _ in parts for j in part]
    tables: list[int] = []
    for part, numbers in parts:
        tables += [len(part), *(numbers.get(label, -1) for label in range(128))]
    return (PARITY, len(parts), len(reads), *reads, *tables)


@attrs.frozen(slots=False, eq=False, repr=False)
class RelativeOrientation(Orientation):
    """How the pieces at n places are turned, relative to the piece at the first place.

    The value is a number to base m, where m is the number of orientations of a piece. Each digit
    is the orientation at one place minus the orientation at the first place, modulo m. So the value
    stays the same if all pieces are turned alike. The size is m**(n-1), or m**(n-2) if `summed` is
    true. In this case n must be a multiple of m.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> RelativeOrientation("flips", cube, "edges").size
    1024
    """

    about = "how the pieces at some places are turned relative to each other"
    is_tested = True

    def __attrs_post_init__(self) -> None:
        """Check that the orientations add up."""
        if self.summed and len(self.reads) % self.orbit.orientations:
            raise DeclarationError(
                f"coordinate {self.name}: the number of places must be a multiple of the number "
                "of orientations"
            )

    @cached_property
    def size(self) -> int:
        return int(self.orbit.orientations ** (len(self._digits) - 1))

    def rank(self, vector: Vector) -> Any:
        """Return the number whose digits are the differences, the first digit most significant."""
        rank: Any = 0
        for j in self._digits[1:]:
            turned = (vector[j] + self.orbit.orientations - vector[self._digits[0]]) + 0
            rank = rank * self.orbit.orientations + turned % self.orbit.orientations
        return rank

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Return an empty dict: each piece may be turned in any way."""
        return {}

    @property
    def program(self) -> tuple[int, ...]:
        return relative_orientation(self.orbit.orientations, self._digits)


class Halves(Combination):
    """How two halves of n pieces share n places, no matter which half is which.

    `pieces` names the pieces of one half. The size is (n choose n/2) / 2. Each half of the pieces
    occupies a set of places, which has a rank (see `Combination`). The value is the smaller of the
    two ranks.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> layers = Halves("layers", cube, "corners", "ULB UBR URF UFL")
    >>> turned = cube.apply(cube.solved, cube.moves("x2"))
    >>> layers.size, layers.rank(turned) == layers.rank(cube.solved)
    (35, True)
    """

    about = "how n pieces are split into two halves over n places"
    is_tested = True

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if 2 * self._occupied != len(self.reads):
            raise DeclarationError(f"coordinate {self.name}: name half as many pieces as places")

    @cached_property
    def size(self) -> int:
        return comb(len(self.reads), self._occupied) // 2

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Return an empty dict: each place may hold a piece of either half."""
        return {}

    def rank(self, vector: Vector) -> Any:
        """Return the smaller of the ranks of the two halves."""
        one = super().rank(vector)
        other = 2 * self.size - 1 - one
        return one + (other - one) * (other < one)

    @property
    def program(self) -> tuple[int, ...]:
        return halves(self._labels, self.reads)


@attrs.frozen(slots=False, eq=False, repr=False)
class Parity(Coordinate):
    """The parity of a permutation: 0 if it is even, 1 if it is odd."""

    about = "the parity of a permutation"
    is_tested = True

    #: The names of the places of pairs, in the form of `Pairing.pairs`. The value is then the
    #: parity of the permutation that maps each first place to the pair of the piece there. Empty:
    #: the value is the parity of the permutation of all pieces of the orbit.
    pairs: str = ""
    #: Another parity. The value is the sum of both parities modulo 2.
    plus: Parity | None = None

    size = 2

    @cached_property
    def _part(self) -> tuple[tuple[int, ...], dict[int, int]]:
        """The indices of the bytes to read, and the number of each label."""
        if not self.pairs:
            if not self.orbit.distinct:
                raise DeclarationError(
                    f"coordinate {self.name}: some pieces have the same label, so their "
                    "permutation has no parity"
                )
            labels = self.orbit.solved
            reads = tuple(range(self._start, self._start + self.orbit.size))
            return reads, {label: i for i, label in enumerate(labels)}
        places = self._places(self.pairs)
        reads = tuple(self._start + place for place in places[::2])
        return reads, {self.orbit.solved[place]: i // 2 for i, place in enumerate(places)}

    @cached_property
    def _parts(self) -> tuple[tuple[tuple[int, ...], dict[int, int]], ...]:
        return (self._part, *(self.plus._parts if self.plus else ()))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        return tuple(j for reads, _ in self._parts for j in reads)

    @property
    def parameters(self) -> str:
        return str(self._parts)

    def rank(self, vector: Vector) -> Any:
        """Return the number of inversions modulo 2; -1 if the pieces are not a permutation."""
        odd: Any = 0
        whole: Any = 1
        for reads, numbers in self._parts:
            table = tuple(numbers.get(label, -1) for label in range(128))
            found = [look_up(table, vector[j]) for j in reads]
            for i, one in enumerate(found):
                whole = whole * (one >= 0)
                for other in found[:i]:
                    odd = odd + (other > one)
                    whole = whole * (other != one)
        return odd % 2 * whole - (1 - whole)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        Rank 0 gives the solved labels. For rank 1 the first two labels are exchanged.
        """
        vector: dict[int, Any] = {}
        for number, (reads, numbers) in enumerate(self._parts):
            home: dict[int, int] = {}
            for label, i in numbers.items():
                home.setdefault(i, label)
            for i, j in enumerate(reads):
                other = home[1 - i] if i < 2 and not number else home[i]
                vector[j] = home[i] + index * (other - home[i])
        return vector

    @property
    def program(self) -> tuple[int, ...]:
        return parity(self._parts)
