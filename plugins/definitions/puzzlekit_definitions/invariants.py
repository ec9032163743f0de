"""Invariants of the moves: sums of orientations, parities, and links between these numbers.

For each orbit, a state has the parity of its permutation (modulo 2) and the sum of its orientations
(modulo the number of orientations). A move adds constants to these numbers. The constants of all
moves span a lattice. The lattice contains the numbers of all reachable states, and is stored as a
matrix in Hermite normal form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import factorial, gcd, prod

import attrs

from puzzlekit import EvenParity, OrientationSum
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.puzzle.orbit import Constraint
from puzzlekit_definitions.deriving.lattice import Lattice
from puzzlekit_definitions.orbits import DefinedOrbit


@attrs.frozen
class StateNumber:
    """One number of a state that a move changes by a constant: a parity or an orientation sum."""

    part: DefinedOrbit
    parity: bool

    @property
    def modulus(self) -> int:
        """The modulus of the number."""
        return 2 if self.parity else self.part.orientations

    @property
    def free(self) -> int:
        """The smallest change of the number that alike pieces hide; 0 if none is hidden."""
        if self.parity:
            return int(not self.part.distinct)
        return gcd(*self.part.moduli) if self.part.stickers else 0

    def __str__(self) -> str:
        """In words."""
        return f"{'exchanges' if self.parity else 'orientations'} of the {self.part.piece}s"


@attrs.frozen(slots=False, eq=False)
class Invariants:
    """Which parities and sums of orientations reachable states can have.

    `parts` lists the parts of the puzzle that moves change. `moves` has an item for each move: for
    each part, a pair (permutation of the places, changes of the orientations).
    """

    parts: tuple[DefinedOrbit, ...]
    moves: tuple[tuple[tuple[Sequence[int], Sequence[int]], ...], ...]

    @cached_property
    def columns(self) -> tuple[StateNumber, ...]:
        """The numbers that describe a state: for each part, its orientation sum and its parity."""
        found = []
        for part in self.parts:
            if part.orientations > 1:
                found.append(StateNumber(part, parity=False))
            if len(part.places) > 1:
                found.append(StateNumber(part, parity=True))
        return tuple(found)

    def numbers(self, changes: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
        """Return the numbers of a state or a move, in the order of `columns`."""
        of = dict(zip(self.parts, changes, strict=True))
        return [
            permutation_parity(of[each.part][0]) if each.parity else sum(of[each.part][1])
            for each in self.columns
        ]

    def _unit(self, i: int, value: int) -> list[int]:
        return [value if j == i else 0 for j in range(len(self.columns))]

    @cached_property
    def _moduli(self) -> list[int]:
        return [column.modulus for column in self.columns]

    @cached_property
    def _vectors(self) -> list[list[int]]:
        return [self.numbers(move) for move in self.moves]

    @cached_property
    def exact(self) -> Lattice:
        """The lattice of the parities and sums that sequences of moves can have."""
        return Lattice(self._vectors, self._moduli)

    @cached_property
    def seen(self) -> Lattice:
        """The lattice `exact`, extended by the changes that alike pieces hide."""
        free = [self._unit(i, column.free) for i, column in enumerate(self.columns) if column.free]
        return Lattice(self._vectors + free, self._moduli)

    @cached_property
    def states(self) -> int:
        """The number of states with possible parities and sums, if all pieces differed."""
        every = prod(
            factorial(len(part.places)) * part.orientations ** len(part.places)
            for part in self.parts
        )
        return int(every // self.exact.index)

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The simple constraints: a sum of orientations is 0, or a permutation is even."""
        found: list[Constraint] = []
        for i, column in enumerate(self.columns):
            assert column.part.orbit is not None
            kept = all(row[i] % column.modulus == 0 for row in self._vectors)
            if not column.parity and not column.free and kept:
                found.append(OrientationSum(column.part.orbit.name))
        return (*found, *map(EvenParity, self._even()))

    def _even(self) -> list[tuple[str, ...]]:
        """Return a smallest list of sets of orbits that every move permutes evenly."""
        at = [
            i
            for i, each in enumerate(self.columns)
            if each.parity and not each.free and not each.part.stickers
        ]
        rows = [sum((row[i] % 2) << k for k, i in enumerate(at)) for row in self._vectors]
        # Echelon form over GF(2): each row leads with a bit that no other row has.
        basis: dict[int, int] = {}
        for row in rows:
            for lead, other in basis.items():
                if row >> lead & 1:
                    row ^= other
            if row:
                lead = row.bit_length() - 1
                basis = {
                    k: other ^ row if other >> lead & 1 else other for k, other in basis.items()
                }
                basis[lead] = row
        found = []
        for free in range(len(at)):
            if free not in basis:
                kept = [free, *(lead for lead, row in basis.items() if row >> free & 1)]
                orbits = [self.columns[at[k]].part.orbit for k in sorted(kept)]
                found.append(tuple(orbit.name for orbit in orbits if orbit is not None))
        return found

    def fault(self, changes: Sequence[tuple[Sequence[int], Sequence[int]]]) -> str:
        """Describe the parities and sums of a state that moves cannot reach; "" if none."""
        numbers = self.numbers(changes)
        if numbers in self.seen:
            return ""
        wrong = [
            str(column)
            for i, column in enumerate(self.columns)
            if numbers in Lattice([*self.seen.rows, self._unit(i, 1)], self._moduli)
        ]
        names = " and the ".join(wrong or map(str, self.columns))
        return f"no moves lead to this state: the {names} do not fit together"
