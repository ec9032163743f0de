"""Coordinates over a few pieces, with goals of more than one value."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import perm
from typing import Any

import attrs

from puzzlekit.coordinate.coordinate import Vector
from puzzlekit.coordinate.kinds import Combination, Permutation
from puzzlekit.errors import DeclarationError


@attrs.frozen(slots=False, eq=False, repr=False)
class Pieces(Permutation):
    """At which of n places each of k pieces sits, and how each of them is turned.

    Size n! / (n-k)! * m**k for m orientations: the rank of the places times m**k, plus the
    orientations as digits, that of the first piece most significant. At a goal the pieces are as in
    the solved state; with `oriented` they are turned so, wherever they sit. The engine does not
    rank it by itself: it has to be closed under the moves, and small enough for a move table.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> pair = Pieces("pair", cube, "corners", "URF UFL")
    >>> pair.size == 8 * 7 * 3**2, pair.goals == (pair.rank(cube.solved),)
    (True, True)
    >>> len(Pieces("pair", cube, "corners", "URF UFL", oriented=True).goals) == 8 * 7
    True
    """

    oriented: bool = False

    @cached_property
    def _turns(self) -> int:
        return int(self.orbit.orientations ** len(self._labels))

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return perm(len(self._label_reads), len(self._labels)) * self._turns

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The numbers of the label bytes, then those of the orientation bytes, if there are any."""
        if self.orbit.orientations == 1:
            return self._label_reads
        return self._label_reads + tuple(j + self.orbit.size for j in self._label_reads)

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The rank of the solved state, or with `oriented` those where all digits are 0."""
        if self.oriented:
            return tuple(range(0, self.size, self._turns))
        return (self.rank(self.puzzle.solved),)

    def rank(self, vector: Vector) -> Any:
        """The rank of the places and the orientations; -1 where a piece is somewhere else."""
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

    def unrank(self, index: Any) -> dict[int, Any]:
        """Labels and orientations with that rank; orientation 0 where no piece of interest is."""
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
    """Which of n places hold one of k alike pieces, where some of these places are to hold one.

    `pieces` names one of them; only those at home among `places` count. At a goal the places
    `covered` hold such pieces, and the rest of them is anywhere among the places `open`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4").puzzle
    >>> Covering("white", cube, "centers", "Ubl", covered="Ubl Ubr Ufl", open="Ufr Rub").size
    10626
    >>> len(Covering("white", cube, "centers", "Ubl", covered="Ubl Ubr Ufl", open="Ufr Rub").goals)
    2
    """

    covered: str = ""
    open: str = ""

    @cached_property
    def _occupied(self) -> int:
        return sum(self.orbit.solved[i] in self._labels for i in self._places(self.places))

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The ranks of all that is allowed at the goal."""
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
            raise DeclarationError(f"coordinate {self.name} has no goal")
        return tuple(sorted(found))
