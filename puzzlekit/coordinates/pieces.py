"""Coordinates over a few pieces. Several values of such a coordinate may be goals."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import perm
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Vector
from puzzlekit.coordinates.kinds import Combination, Permutation
from puzzlekit.coordinates.programs import pieces
from puzzlekit.errors import DeclarationError

__all__ = ["Covering"]


@attrs.frozen(slots=False, eq=False, repr=False)
class Pieces(Permutation):
    """At which of n places each of k pieces sits, and how each of them is turned.

    For m orientations the size is n! / (n-k)! * m**k. The value is r * m**k + d. Here r is the rank
    of the places (see `Permutation`). d is the number whose k digits are the orientations. The
    orientation of the first piece is the most significant digit.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> pair = Pieces("pair", cube, "corners", "URF UFL")
    >>> pair.size == 8 * 7 * 3**2, pair.goals == (pair.rank(cube.solved),)
    (True, True)
    >>> len(Pieces("pair", cube, "corners", "URF UFL", oriented=True).goals) == 8 * 7
    True
    """

    #: If False, the only goal is the value of the solved state. If True, all values with
    #: orientation 0 are goals, wherever the pieces sit.
    oriented: bool = False

    @cached_property
    def _turns(self) -> int:
        return int(self.orbit.orientations ** len(self._labels))

    @cached_property
    def size(self) -> int:
        """The number of values of the coordinate."""
        return perm(len(self._label_reads), len(self._labels)) * self._turns

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes, followed by any orientation bytes."""
        if self.orbit.orientations == 1:
            return self._label_reads
        return self._label_reads + tuple(j + self.orbit.size for j in self._label_reads)

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The rank of the solved state. If `oriented`, all ranks with orientations 0."""
        if self.oriented:
            return tuple(range(0, self.size, self._turns))
        return (self.rank(self.puzzle.solved),)

    def rank(self, vector: Vector) -> Any:
        """Return the rank of places and orientations; -1 if a piece is outside `places`."""
        places = super().rank(vector)
        base = self.orbit.orientations
        turns: Any = 0
        if base > 1:
            for label in self._labels:
                turn = sum(
                    (vector[j] == label) * vector[j + self.orbit.size] for j in self._label_reads
                )
                turns = turns * base + turn
        there = (places >= 0) + 0
        return (places * self._turns + turns) * there - (1 - there)

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        if self.orbit.orientations == 1:
            return super().program
        return pieces(self._labels, self.orbit.orientations, self.reads)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels and orientations that have this rank, as a dict from byte indices.

        Places without one of the coordinate's pieces get orientation 0.
        """
        base, size = self.orbit.orientations, self.orbit.size
        vector = super().unrank(index // self._turns)
        if base == 1:
            return vector
        vector |= {j + size: 0 * vector[j] for j in self._label_reads}
        digits = index % self._turns
        for label in reversed(self._labels):
            turn = digits % base
            digits = digits // base
            for j in self._label_reads:
                vector[j + size] = vector[j + size] + (vector[j] == label) * turn
        return vector


@attrs.frozen(slots=False, eq=False, repr=False)
class Covering(Combination):
    """Which of n places hold one of k identical pieces. Several sets of places may be goals.

    The identical pieces share a label. `pieces` names the home of any one of them, and k is the
    number of their homes among `places`. At a goal, one of the identical pieces is at each place of
    `covered`, and the others are at places of `open`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4").puzzle
    >>> Covering("white", cube, "centers", "Ubl", covered="Ubl Ubr Ufl", open="Ufr Rub").size
    10626
    >>> len(Covering("white", cube, "centers", "Ubl", covered="Ubl Ubr Ufl", open="Ufr Rub").goals)
    2
    """

    #: The names of the places that hold identical pieces at every goal.
    covered: str = ""
    #: The names of the places that may hold the other identical pieces at a goal.
    open: str = ""

    @cached_property
    def _occupied(self) -> int:
        return sum(self.orbit.solved[i] in self._labels for i in self._places(self.places))

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks of all sets of places that `covered` and `open` allow."""
        covered = [self.orbit.place(name) for name in self.covered.split()]
        free = [self.orbit.place(name) for name in self.open.split()]
        blank = next(label for label in range(128) if label not in self._labels)
        found = []
        for more in combinations(free, self._occupied - len(covered)):
            held = {self._start + place for place in (*covered, *more)}
            found.append(
                self.rank({j: self._labels[0] if j in held else blank for j in self.reads})
            )
        if not found or min(found) < 0:
            raise DeclarationError(
                f"coordinate {self.name} has no goal: its {self._occupied} pieces cannot fill the "
                "places of 'covered' and some places of 'open'"
            )
        return tuple(sorted(found))
