"""The pairing of all pairs of pieces, such as the wings of dedges, reduced by symmetries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import factorial
from typing import Any

import attrs

from puzzlekit.coordinate.coordinate import Vector, look_up
from puzzlekit.coordinate.kinds import rank_places, unrank_places
from puzzlekit.coordinate.paired_places import PairedPlaces
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move, permutation_parity

# For each pair of places the one from which a move brings its pieces: to first and second places.
Step = tuple[tuple[int, ...], tuple[int, ...]]


@attrs.frozen(slots=False, eq=False, repr=False)
class SymPairing(PairedPlaces):
    """Which pieces sit together, of all n pairs, where that is an even permutation.

    It is p, with p[i] the number of the second place at which the partner of the piece at first
    place i sits (see `Pairing`), for moves that keep first places first. A move makes relabel p
    gather of it, so it has no move table: the engine carries the n bytes of p along and ranks them
    at each node. The pieces are paired where p is the identity; that is its only goal.

    `pairs` lists the first and the second place of each pair. `head` names first places that each
    symmetry (see `puzzlekit.tables.symmetry.pairing_classes`) keeps as a set. A symmetry s makes s
    p s^-1 of p. The images of the head places, up to symmetries, are its class, and p is carried by
    the same symmetry as they are; then the other images are ranked. So the engine's values, which
    are those of the entries of a pruning table, are class * (n-k)!/2 + rank, with k head places.
    `classes` and `symmetries` are how many there are; a DeclarationError tells the right numbers
    when the tables are built. A class may be kept by some symmetries: then several values stand for
    the same, and all of them are filled in.

    `rank`, `unrank` and `size` are those of p itself, not reduced: n!/2 values, in the factorial
    number system with the head places first.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4").puzzle
    >>> wings = cube.orbit("wings").places
    >>> pairs = " ".join(f"{one} {other}" for one, other in zip(wings[:12], wings[12:]))
    >>> head = " ".join(wing for wing in wings[:12] if not {"R", "L"} & set(wing[:2]))
    >>> pairing = SymPairing("pairing", cube, "wings", pairs, head, 1538, 8)
    >>> pairing.size, pairing.values
    (239500800, 31006080)
    """

    about = "which pieces sit together"

    head: str = ""
    is_reduced = True

    classes: int = 1
    symmetries: int = 1

    def __attrs_post_init__(self) -> None:
        if not self.head.split():
            raise DeclarationError(f"coordinate {self.name}: it needs head places")
        if not set(self._places(self.head)) <= set(self._places(self.pairs)[::2]):
            raise DeclarationError(f"coordinate {self.name}: head places are first places of pairs")
        super().__attrs_post_init__()
        if not 4 <= self.n <= 16 or self.n - self.k < 3 or self.n**self.k > 1 << 20:
            raise DeclarationError(
                f"coordinate {self.name}: 4 to 16 pairs, three of them at least not in the head"
            )
        if not 1 <= self.symmetries <= 64 or self.classes << self.shift >= 1 << 16:
            raise DeclarationError(f"coordinate {self.name}: up to 64 symmetries, 2^16 heads")
        if self.values >= 1 << 31:
            raise DeclarationError(f"coordinate {self.name}: up to 2^31 values")

    @cached_property
    def _paired(self) -> tuple[int, ...]:
        """The places of all pairs, those of the head first."""
        places, head = self._places(self.pairs), self._places(self.head)
        pairs = list(zip(places[::2], places[1::2], strict=True))
        second = dict(pairs)
        ordered = [*head, *(first for first, _ in pairs if first not in head)]
        return tuple(place for first in ordered for place in (first, second[first]))

    @property
    def n(self) -> int:
        """How many pairs there are."""
        return len(self._places(self.pairs)) // 2

    @property
    def carried(self) -> int:
        """The length of p, which is carried along."""
        return self.n

    @property
    def k(self) -> int:
        """How many head places there are."""
        return len(self._places(self.head))

    @property
    def shift(self) -> int:
        """How many low bits of a head's number tell the symmetry; the others tell the class."""
        return (self.symmetries - 1).bit_length()

    @property
    def tails(self) -> int:
        """In how many ways the places that are not head places may be paired, given those."""
        return factorial(self.n - self.k) // 2

    @property
    def values(self) -> int:
        """How many values the engine tells apart."""
        return self.classes * self.tails

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes, before they are reduced."""
        return factorial(self.n) // 2

    @property
    def parameters(self) -> str:
        """The pairs and the head."""
        return f"{super().parameters} head {self.k}"

    def pairing(self, vector: Vector) -> tuple[list[Any], Any]:
        """The images of all first places under p, and 1 where p is a permutation, else 0."""
        here = [look_up(self.numbers, vector[j]) for j in self._firsts]
        there = [look_up(self.numbers, vector[j]) for j in self._seconds]
        whole: Any = 1
        positions = []
        for one in here:
            met = [(one == other) * (one >= 0) + 0 for other in there]
            whole = whole * (sum(met) == 1)
            positions.append(sum(j * flag for j, flag in enumerate(met)))
        for j, one in enumerate(here):
            for other in here[:j]:
                whole = whole * (one != other)
        return positions, whole

    def rank(self, vector: Vector) -> Any:
        """The rank of p, not reduced; -1 where it is no even permutation."""
        positions, whole = self.pairing(vector)
        whole = whole * (_inversions(positions) % 2 == 0)
        return rank_places(positions, self.n) // 2 * whole - (1 - whole)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Labels with that rank, first places solved."""
        positions = unrank_places(index * 2, self.n, self.n)
        odd = _inversions(positions) % 2
        last = positions[-1]
        positions[-1] = last + odd * (positions[-2] - last)
        positions[-2] = positions[-2] + odd * (last - positions[-2])
        return self._seated(index, range(self.n), enumerate(positions))

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether first places stay first, and p stays even."""
        return all(self.step(move) is not None for move in moves)

    def passages(self, moves: Iterable[Move]) -> Iterator[tuple[Any, Any]]:
        """There are too many values to list them."""
        raise DeclarationError(
            f"coordinate {self.name}: it is for pruning tables with thresholds and for hashed ones"
        )

    def steps(self, moves: Sequence[Move]) -> list[Step]:
        """How each move acts on the pairs of places."""
        found = []
        for move in moves:
            step = self.step(move)
            if step is None:
                raise DeclarationError(
                    f"coordinate {self.name}: the move {move.name} does not keep first places "
                    "first, or does not keep even permutations even"
                )
            found.append(step)
        return found

    def step(self, move: Move) -> Step | None:
        """How a move acts on the pairs of places; None if p does not follow it, or gets odd."""
        parts = []
        for bytes_of in (self._firsts, self._seconds):
            number = {j: i for i, j in enumerate(bytes_of)}
            if any(move.gather[j] not in number for j in bytes_of):
                return None
            parts.append(tuple(number[move.gather[j]] for j in bytes_of))
        first, second = parts
        if permutation_parity(first) != permutation_parity(second):
            return None
        return first, second

    def effects(self, moves: Sequence[Move]) -> list[tuple[bytes, bytes]]:
        """For each move (gather, relabel); a DeclarationError where p does not follow it."""
        found = []
        for first, second in self.steps(moves):
            relabel = bytearray(self.n)
            for j, source in enumerate(second):
                relabel[source] = j
            found.append((bytes(first), bytes(relabel)))
        return found


def _inversions(values: Sequence[Any]) -> Any:
    """How many values follow a larger one."""
    return sum((other > one) + 0 for i, one in enumerate(values) for other in values[:i])
