"""Integer lattices in Hermite normal form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

Vector = list[int]


class Lattice:
    """All sums of integer multiples of some vectors. Component i is taken modulo `moduli[i]`.

    >>> even = Lattice([[1, 1]], [2, 2])
    >>> [1, 3] in even, [1, 2] in even, even.index
    (True, False, 2)
    """

    def __init__(self, vectors: Iterable[Sequence[int]], moduli: Sequence[int]) -> None:
        self.rows: list[Vector] = []
        left = [list(vector) for vector in vectors]
        for column, modulus in enumerate(moduli):
            pivot = [modulus if i == column else 0 for i in range(len(moduli))]
            rest = []
            for row in left:
                while row[column]:
                    pivot, row = row, _less(pivot, row, pivot[column] // row[column])
                # Numbers stay small, because the later components have moduli, too.
                row = [number % m for number, m in zip(row, moduli, strict=True)]
                if any(row):
                    rest.append(row)
            self.rows.append(pivot)
            left = rest

    @property
    def index(self) -> int:
        """The number of all vectors divided by the number of vectors in the lattice."""
        return prod(abs(row[i]) for i, row in enumerate(self.rows))

    def __contains__(self, vector: Sequence[int]) -> bool:
        rest = list(vector)
        for column, row in enumerate(self.rows):
            if rest[column] % row[column]:
                return False
            rest = _less(rest, row, rest[column] // row[column])
        return True


def _less(one: Vector, other: Vector, times: int) -> Vector:
    return [a - times * b for a, b in zip(one, other, strict=True)]
