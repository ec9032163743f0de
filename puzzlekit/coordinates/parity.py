"""Coordinates of the parity of a permutation."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate, Vector, look_up
from puzzlekit.coordinates.programs import parity
from puzzlekit.errors import DeclarationError

__all__ = ["Parity"]


@attrs.frozen(slots=False, eq=False, repr=False)
class Parity(Coordinate):
    """The parity of a permutation: 0 if it is even, 1 if it is odd."""

    about = "the parity of a permutation"

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
