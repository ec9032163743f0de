"""Sums that tell whether moves can solve a state: parities of pieces, and their orientations.

Each piece of a state may be where some moves can bring it home, and yet these moves cannot solve
the state, because they keep a sum, such as the parity of the corners plus that of the edges. If
more moves change this sum, a phase with these moves can bring it right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import gcd, lcm, prod
from typing import Any

import attrs

from puzzlekit import Coordinate, Move, Puzzle
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.engine.opcodes import PARITY
from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import permutation_parity

__all__ = ["KeptSum", "Lattice", "Summand", "kept_sums", "summands"]

_LABELS = 128  # that the engine knows


class Lattice:
    """All sums of integer multiples of some vectors. Component i is taken modulo `moduli[i]`.

    >>> even = Lattice([[1, 1]], [2, 2])
    >>> [1, 3] in even, [1, 2] in even, even.index
    (True, False, 2)
    """

    def __init__(self, vectors: Iterable[Sequence[int]], moduli: Sequence[int]) -> None:
        self.rows: list[list[int]] = []
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

    @property
    def tests(self) -> Iterator[tuple[list[int], int]]:
        """Yield weights and a modulus for each test of a vector.

        A vector is in the lattice if all its weighted sums are 0 modulo their moduli.
        """
        # A vector v is the combination v * inverse of the rows, whose numbers have to be whole.
        inverse: list[list[Fraction]] = []
        for i, row in reversed([*enumerate(self.rows)]):
            own = [Fraction(int(i == k)) for k in range(len(self.rows))]
            for later, number in zip(inverse, row[i + 1 :], strict=True):
                own = [a - number * b for a, b in zip(own, later, strict=True)]
            inverse.insert(0, [number / row[i] for number in own])
        for column in zip(*inverse, strict=True):
            modulus = lcm(*(number.denominator for number in column))
            if modulus > 1:
                yield [int(number * modulus) % modulus for number in column], modulus

    def __contains__(self, vector: Sequence[int]) -> bool:
        rest = list(vector)
        for column, row in enumerate(self.rows):
            if rest[column] % row[column]:
                return False
            rest = _less(rest, row, rest[column] // row[column])
        return True


def _less(one: Sequence[int], other: Sequence[int], times: int) -> list[int]:
    return [a - times * b for a, b in zip(one, other, strict=True)]


@attrs.frozen
class Summand:
    """The parity of the pieces at some places, or the sum of their orientations."""

    orbit: str
    #: The places.
    homes: tuple[int, ...]
    #: The modulus of the sum of orientations; 0 for the parity.
    orientations: int

    @property
    def modulus(self) -> int:
        """The modulus of the number."""
        return self.orientations or 2

    def of_move(self, puzzle: Puzzle, move: Move) -> int:
        """Return by how much a move changes the number."""
        orbit = puzzle.orbit(self.orbit)
        start = puzzle.offsets[orbit.name]
        if self.orientations:
            return sum(move.add[start + orbit.size + home] for home in self.homes)
        return permutation_parity(
            [self.homes.index(move.gather[start + home] - start) for home in self.homes]
        )


def summands(parts: Sequence[Part], inside: Sequence[Part]) -> Iterator[Summand]:
    """Yield the numbers of each part that are not sure to be 0 when its pieces are at home.

    `inside` are the parts under fewer moves. In a state in which each piece is where these can
    bring it home, the sum of orientations is 0 unless they turn some piece, and the parity is even
    unless they move some. Parts with alike pieces have no parity.
    """
    for part in parts:
        own = [each for each in inside if each.orbit is part.orbit and each.homes[0] in part.homes]
        labels = {part.orbit.solved[home] for home in part.homes}
        if any(each.turned for each in own):
            yield Summand(part.orbit.name, part.homes, part.orbit.orientations)
        if len(labels) == len(part.homes) and not all(each.still for each in own):
            yield Summand(part.orbit.name, part.homes, 0)


@attrs.frozen(slots=False, eq=False, repr=False)
class KeptSum(Coordinate):
    """A weighted sum of parities and sums of orientations, modulo a number.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> both = Summand("corners", tuple(range(8)), 0), Summand("edges", tuple(range(12)), 0)
    >>> parity = KeptSum("parity", cube, "corners", summands=both, weights=(1, 1), modulus=2)
    >>> [parity.rank(cube.apply(cube.solved, cube.moves(moves))) for moves in ("", "R", "M")]
    [0, 0, 1]
    """

    about = "a sum of parities and orientations"
    is_tested = True

    #: What is added.
    summands: tuple[Summand, ...] = ()
    #: How often each of them is added.
    weights: tuple[int, ...] = ()
    #: The modulus of the sum.
    modulus: int = 2
    #: All sums are multiples of this number, a divisor of the modulus.
    step: int = 1
    #: For each value a state with it.
    states: tuple[bytes, ...] = ()

    @property
    def size(self) -> int:
        """The number of multiples of the step below the modulus."""
        return self.modulus // self.step

    @cached_property
    def _bytes(self) -> tuple[tuple[int, ...], ...]:
        """For each summand the bytes that it reads: labels for a parity, else orientations."""
        found = []
        for each in self.summands:
            orbit = self.puzzle.orbit(each.orbit)
            start = self.puzzle.offsets[orbit.name] + (orbit.size if each.orientations else 0)
            found.append(tuple(start + home for home in each.homes))
        return tuple(found)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the bytes of all summands."""
        return tuple(dict.fromkeys(j for places in self._bytes for j in places))

    @property
    def parameters(self) -> str:
        """The bytes that are read, their weights, and the modulus."""
        return f"{self._bytes} {self.weights} {self.modulus} {self.step}"

    def rank(self, vector: Vector) -> Any:
        """Return the sum, divided by the step."""
        total: Any = 0
        for each, places, weight in zip(self.summands, self._bytes, self.weights, strict=True):
            if each.orientations:
                own: Any = sum(vector[j] for j in places)
            else:
                solved = [self.puzzle.solved[j] for j in places]
                own = sum(one > other for one, other in combinations(solved, 2))
                for one, other in combinations(places, 2):
                    own = own + (vector[one] > vector[other])
                own = own % 2
            total = total + own * weight
        return total % self.modulus // self.step

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the bytes of the state with this value."""
        if isinstance(index, int):
            return {j: self.states[index][j] for j in self.reads}
        return {j: look_up([state[j] for state in self.states], index) for j in self.reads}

    @property
    def program(self) -> tuple[int, ...] | None:
        """The rank program: by cycles if the sum has only parities, which is faster."""
        if self.modulus > 2 or any(each.orientations for each in self.summands):
            return self.traced_program
        tables: list[int] = []
        for places in self._bytes:
            number = {self.puzzle.solved[j]: i for i, j in enumerate(places)}
            tables += [len(places), *(number.get(label, -1) for label in range(_LABELS))]
        return (PARITY, len(self._bytes), len(self.reads), *self.reads, *tables)


def kept_sums(puzzle: Puzzle, moves: Sequence[Move], own: Sequence[Move]) -> Iterator[KeptSum]:
    """Yield the sums that all of some `moves` change, but not their `own` ones."""
    parts = parts_of(puzzle, moves)
    found = list(summands(parts, parts_of(puzzle, own)))
    moduli = [each.modulus for each in found]
    kept = Lattice([[each.of_move(puzzle, move) for each in found] for move in own], moduli)
    changes = [[each.of_move(puzzle, move) for each in found] for move in moves]
    tests: list[tuple[list[int], int]] = []
    values = 1
    for weights, modulus in kept.tests:
        every = [*tests, (weights, modulus)]
        rows = [
            [sum(w * c for w, c in zip(own, row, strict=True)) for own, _ in every]
            for row in changes
        ]
        together = [modulus for _, modulus in every]
        reached = prod(together) // Lattice(rows, together).index
        if reached == values:  # it is 0 if the sums before it are
            continue
        tests, values = every, reached
        used = [i for i, weight in enumerate(weights) if weight]
        found_sum = KeptSum(
            f"sum:{'+'.join(dict.fromkeys(found[i].orbit for i in used))}",
            puzzle,
            found[used[0]].orbit,
            tuple(found[i] for i in used),
            tuple(weights[i] for i in used),
            modulus,
            gcd(modulus, *(row[-1] for row in rows)),
        )
        yield attrs.evolve(found_sum, states=tuple(_examples(found_sum, moves)))


def _examples(of: Coordinate, moves: Sequence[Move]) -> Iterator[bytes]:
    """Yield a state for each value of a coordinate, reached by moves."""
    puzzle = of.puzzle
    known = {of.rank(puzzle.solved): puzzle.solved}
    fresh = [puzzle.solved]
    for state in fresh:  # grows during the loop
        for move in moves:
            after = puzzle.apply(state, [move])
            if known.setdefault(of.rank(after), after) is after:
                fresh.append(after)
    yield from (known[value] for value in range(of.size))
