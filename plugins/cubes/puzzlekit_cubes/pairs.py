"""Coordinates of pieces that come in pairs, such as the wings of a dedge.

Each pair of pieces has a pair of places as its home: a first place and a second place. A piece may
be at any first or second place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import factorial, perm
from typing import Any

import attrs

from puzzlekit import Coordinate, DeclarationError, Move
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.coordinates.kinds import rank_places, unrank_places
from puzzlekit_cubes.programs import pair_numbers, pair_split, pairing


@attrs.frozen(slots=False, eq=False, repr=False)
class PairedPlaces(Coordinate):
    """The base class of coordinates for pieces that come in pairs."""

    #: The names of the places, separated by blanks. Each pair has a first and a second place, in
    #: this order.
    pairs: str = ""

    def __attrs_post_init__(self) -> None:
        if len(self._paired) % 2 or len(self._paired) < 4:
            raise DeclarationError(
                f"coordinate {self.name}: name two pairs or more, with two places each"
            )

    @cached_property
    def _paired(self) -> tuple[int, ...]:
        return self._places(self.pairs)

    @cached_property
    def _labels(self) -> tuple[int, ...]:
        return tuple(self.orbit.solved[place] for place in self._paired)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each label the number of its pair of pieces; -1 if the piece has no pair."""
        return tuple(pair_numbers(self._labels))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes: all first places, then all second places."""
        return tuple(self._start + place for place in self._paired[::2] + self._paired[1::2])

    @property
    def _firsts(self) -> tuple[int, ...]:
        return self.reads[: len(self.reads) // 2]

    @property
    def _seconds(self) -> tuple[int, ...]:
        return self.reads[len(self.reads) // 2 :]

    @property
    def parameters(self) -> str:
        """Text for the labels and the places of the pairs."""
        return f"{self._labels} {self._paired}"

    def _seated(
        self, index: Any, pairs: Sequence[int], positions: Iterable[tuple[int, Any]]
    ) -> dict[int, Any]:
        """Return the labels of a state with given places of the partners.

        For each item (i, position), the first place of the pair pairs[i] holds the piece whose home
        it is. The partner of this piece is at the second place with the number `position`.
        """
        vector: dict[int, Any] = {j: index * 0 for j in self.reads}
        for i, position in positions:
            first, second = self._labels[2 * pairs[i] : 2 * pairs[i] + 2]
            vector[self._firsts[i]] = index * 0 + first
            for j, byte in enumerate(self._seconds):
                vector[byte] = vector[byte] + (position == j) * second
        return vector


@attrs.frozen(slots=False, eq=False, repr=False)
class Pairing(PairedPlaces):
    """Which pieces sit together. The size is n! / (n-k)!.

    Each pair of pieces has a pair of places as its home: a first place and a second place. The two
    pieces of a pair are partners. The coordinate looks at n pairs of places, and at k of their
    first places. The value encodes, for the piece at each of these k places, the second place that
    holds its partner. At the goal, each of the k pieces is beside its partner: both are at the two
    places of one pair, which need not be their home.

    The coordinate is defined only if each pair of pieces has one piece at a first place and one
    piece at a second place. The partner of each piece at the n pairs of places must also be there.

    Moves must bring pieces from first places to first places only. If k < n, a move can bring other
    pieces to the k places, so the coordinate may not be closed under the moves. The engine then
    computes the value at every node from the state. The pruning table assumes that such a move
    leads to any value that is possible after it. So its distances never exceed the true distances.
    """

    is_tested = True
    about = "which pieces sit together"

    #: The names of the first places of the n pairs of places, separated by blanks. Empty: the first
    #: places of all pairs.
    within: str = ""
    #: The names of the k first places, separated by blanks. Empty: all places of `within`.
    at: str = ""

    @cached_property
    def _within(self) -> tuple[int, ...]:
        """The numbers of the pairs of places."""
        return self._chosen(self.within, tuple(range(len(self._paired) // 2)))

    @cached_property
    def _at(self) -> tuple[int, ...]:
        """The index in `within` of each place of `at`."""
        chosen = self._chosen(self.at, self._within)
        if not set(chosen) <= set(self._within):
            raise DeclarationError(
                f"coordinate {self.name}: each place of 'at' must be one of the places of 'within'"
            )
        return tuple(map(self._within.index, chosen))

    def _chosen(self, names: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
        firsts = self._paired[::2]
        if not names:
            return otherwise
        if not set(self._places(names)) <= set(firsts):
            raise DeclarationError(
                f"coordinate {self.name}: each place of 'within' and 'at' must be the first place "
                "of a pair"
            )
        return tuple(map(firsts.index, self._places(names)))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes of the n first places, then of the n second places."""
        return tuple(
            self._start + self._paired[2 * i + second] for second in (0, 1) for i in self._within
        )

    @cached_property
    def size(self) -> int:
        """The number of values of the coordinate."""
        return perm(len(self._firsts), len(self._at))

    @property
    def parameters(self) -> str:
        """Text for the pairs, and for the places of `within` and `at`."""
        return f"{super().parameters} within {self._within} at {self._at}"

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the k second places with the partners (see `rank_places`)."""
        here = [look_up(self.numbers, vector[j]) for j in self._firsts]
        there = [look_up(self.numbers, vector[j]) for j in self._seconds]
        met = [[(one == other) * (one >= 0) + 0 for other in there] for one in here]
        whole: Any = 1  # each pair has one piece at a second place
        for j in range(len(there)):
            for i in range(j):
                whole = whole * ((there[i] != there[j]) | (there[j] < 0))
        positions = []
        for i in self._at:
            whole = whole * (sum(met[i]) == 1)
            positions.append(sum(j * flag for j, flag in enumerate(met[i])))
        return rank_places(positions, len(there)) * whole - (1 - whole)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        At each first place is the piece whose home it is. Partners that the rank does not determine
        are at the second places that are left.
        """
        n, k = len(self._firsts), len(self._at)
        order = [*self._at, *(i for i in range(n) if i not in self._at)]
        positions = unrank_places(index * factorial(n - k), n, n)
        return self._seated(index, self._within, zip(order, positions, strict=True))

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether the moves permute the places of `at`, and also the second places."""
        parts = {self._firsts[i] for i in self._at}, set(self._seconds)
        return all({move.gather[j] for j in part} == part for move in moves for part in parts)

    def passages(self, moves: Iterable[Move]) -> Iterator[tuple[Any, Any]]:
        """Yield where each move may lead: see `Coordinate.passages`."""
        import numpy as np

        positions = unrank_places(np.arange(self.size), len(self._firsts), len(self._at))
        at = [self._firsts[i] for i in self._at]
        for move in moves:
            arrival = {move.gather[j]: i for i, j in enumerate(self._seconds)}
            if arrival.keys() != set(self._seconds):
                raise DeclarationError(
                    f"coordinate {self.name}: the move {move.name} brings pieces from first "
                    "places to second places"
                )
            carried = np.array([arrival[j] for j in self._seconds])
            before = after = np.zeros(self.size, dtype=np.int64)
            for position, i in zip(positions, self._at, strict=True):
                old = move.gather[self._firsts[i]]
                if old in at:
                    before = before * len(carried) + carried[positions[at.index(old)]]
                    after = after * len(carried) + position
            yield before, after

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return pairing(self._labels, self._at, self.reads)


class PairSplit(PairedPlaces):
    """Whether each pair has one piece at a first place, and how many pairs are exchanged (mod 2).

    Each pair of pieces has a pair of places as its home: a first place and a second place. A pair
    of pieces is exchanged if the piece whose home is the second place is at a first place. The
    value is:

    - 0: each pair has one piece at a first place, and the number of exchanged pairs is even.
    - 1: each pair has one piece at a first place, and the number of exchanged pairs is odd.
    - 2: some pair has both pieces or no piece at first places.

    The coordinate is not closed under moves that bring pieces from first places to second places.
    Use the coordinate for goals.
    """

    is_tested = True
    about = "whether one piece of each pair is at a first place"

    size = 3

    @property
    def differing(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """At a goal, the pieces at first places are of different pairs."""
        return self._firsts, self.numbers

    def rank(self, vector: Vector) -> Any:
        """Return 0, 1 or 2."""
        numbers = [look_up(self.numbers, vector[j]) for j in self._firsts]
        split: Any = 1
        for i, number in enumerate(numbers):
            split = split * (number >= 0)
            for other in numbers[:i]:
                split = split * (number != other)
        exchanged: Any = 0
        for label in self._labels[1::2]:
            exchanged = exchanged + sum((vector[j] == label) + 0 for j in self._firsts)
        return exchanged % 2 * split + 2 * (1 - split)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        All places except those of the first two pairs are solved.
        """
        vector: dict[int, Any] = {}
        for j, label in zip(self.reads, self._labels[::2] + self._labels[1::2], strict=True):
            vector[j] = index * 0 + label
        one, (other, third) = self._firsts[0], self._seconds[:2]
        odd, mixed = (index == 1) + 0, (index == 2) + 0
        first, second, fourth = (vector[j] for j in (one, other, third))
        vector[one] = first + odd * (second - first) + mixed * (fourth - first)
        vector[other] = second + odd * (first - second)
        vector[third] = fourth + mixed * (first - fourth)
        return vector

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether pieces at first places stay at first places, so that the rank never changes."""
        firsts = set(self._firsts)
        return all({move.gather[j] for j in firsts} == firsts for move in moves)

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return pair_split(self._labels, self.reads)
