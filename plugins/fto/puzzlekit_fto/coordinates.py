"""Coordinates of the FTO: alike triangles, edges up to turns of faces, and pairs with corners.

Edges and triangles are in the order of their faces: numbers 0 to 2 belong to U, then come F, BR and
BL (for the other triangles R, L, D and B).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import permutations, product
from math import comb
from typing import Any

import attrs

from puzzlekit import Coordinate, Move
from puzzlekit.coordinates.coordinate import Vector, look_up

# The number of ways to choose `count` of `at` places, at index 4 * at + count.
_CHOICES = tuple(comb(at, count) for at in range(13) for count in range(4))


def _arrangement(kinds: Sequence[Any], several: int) -> Any:
    """Return the rank of an arrangement of three pieces each of `several` kinds.

    It has a digit for each kind but the last: the rank of its places among those that earlier kinds
    leave.
    """
    rank: Any = 0
    for kind in range(several - 1):
        at: Any = 0  # how many places before this one are left
        count: Any = 0
        own: Any = 0
        for each in kinds:
            here = (each == kind) + 0
            count = count + here
            own = own + here * look_up(_CHOICES, at * 4 + count)
            at = at + (each >= kind)
        rank = rank * comb(3 * (several - kind), 3) + own
    return rank


def _unranked(index: Any, several: int) -> list[Any]:
    """Return the kind of piece at each place of the arrangement with this rank."""
    sizes = [comb(3 * (several - kind), 3) for kind in range(several - 1)]
    ranks: list[Any] = []
    for size in reversed(sizes):
        ranks.insert(0, index % size)
        index = index // size
    counts: list[Any] = [3] * len(sizes)
    found: list[Any] = []
    for place in reversed(range(3 * several)):
        kind: Any = 0
        at: Any = place
        left: Any = 1  # 0 after the kind is found
        for each in range(len(sizes)):
            here = left * ((ranks[each] >= look_up(_CHOICES, at * 4 + counts[each])) + 0)
            here = here * ((counts[each] > 0) + 0)
            ranks[each] = ranks[each] - here * look_up(_CHOICES, at * 4 + counts[each])
            left = left - here
            kind = kind + left
            at = at - counts[each] + here
            counts[each] = counts[each] - here
        found.insert(0, kind)
    return found


@attrs.frozen(slots=False, eq=False, repr=False)
class Arrangement(Coordinate):
    """Which colour each triangle has at the first 6, 9 or 12 places of an orbit.

    There are 20, 1,680 or 369,600 values. The colours of these places must not be elsewhere.
    """

    about = "the colours of triangles"

    #: The number of colours.
    colours: int = 4

    @property
    def size(self) -> int:
        """The number of values."""
        return (1, 20, 1_680, 369_600)[self.colours - 1]

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the arrangement; -1 if another colour is at one of the places."""
        start = self.puzzle.offsets[self.orbit_name]
        labels = [vector[j] for j in range(start, start + 3 * self.colours)]
        there: Any = 1
        for label in labels:
            there = there * (label < self.colours)
        return _arrangement(labels, self.colours) * there - (1 - there)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the colours in this arrangement, as a dict from byte indices to labels."""
        return dict(enumerate(_unranked(index, self.colours), self.puzzle.offsets[self.orbit_name]))


@attrs.frozen(slots=False, eq=False, repr=False)
class Trio(Coordinate):
    """Where the three edges of a face are, and the parity of their order: 440 values.

    Turns of this face keep the value.
    """

    about = "where the edges of a face are, up to turns of the face"

    #: The names of the homes of the three edges.
    pieces: str = ""

    size = 440

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the set of places, and the parity as the last digit."""
        start = self.puzzle.offsets[self.orbit_name]
        labels = [vector[j] for j in range(start, start + 12)]
        own = [self.orbit.place(piece) for piece in self.pieces.split()]
        at = [sum(i * (label == each) for i, label in enumerate(labels)) for each in own]
        count: Any = 0
        rank: Any = 0
        for i, label in enumerate(labels):
            here = sum((label == each) + 0 for each in own)
            count = count + here
            rank = rank + here * look_up(_CHOICES, 4 * i + count)
        return rank * 2 + _odd(at)


def _odd(at: Sequence[Any]) -> Any:
    """Return 1 if three places are in an odd order, else 0."""
    return ((at[0] > at[1]) + 0 + (at[0] > at[2]) + (at[1] > at[2])) % 2


@attrs.frozen(slots=False, eq=False, repr=False)
class ThreeTrios(Coordinate):
    """Where the edges of the first three faces are, up to turns of these faces: 6,720 values.

    It is defined if these edges are on these faces, and their permutation is even.
    """

    about = "where the edges of three faces are, up to turns of these faces"

    size = 6_720

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the arrangement, and two parities, which determine the third."""
        start = self.puzzle.offsets[self.orbit_name]
        labels = [vector[j] for j in range(start, start + 9)]
        there: Any = 1
        for label in labels:
            there = there * (label < 9)
        rank = _arrangement([label // 3 for label in labels], 3)
        for first in (0, 3):
            at = [sum(i * (label == first + k) for i, label in enumerate(labels)) for k in range(3)]
            rank = rank * 2 + _odd(at)
        return rank * there - (1 - there)


@attrs.frozen(slots=False, eq=False, repr=False)
class Pairs(Coordinate):
    """How many turns of R, L, D or B it takes at least to pair the other triangles with corners.

    A triangle is paired if the sticker of the corner beside it has its colour. Turns of the upright
    faces carry each corner along with the two triangles beside it, so they keep the value. A turn
    of another face cycles three triangles against the corners: see `least_cycles`.

    The value is the index of the last of the `steps` that this number of turns reaches.
    """

    about = "how many turns of a face it takes at least to pair triangles with corners"

    #: Increasing numbers of turns, from 0 on.
    steps: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)

    @property
    def size(self) -> int:
        """The number of steps."""
        return len(self.steps)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """For each corner the bytes of its label, its orientation, and the triangles beside it."""
        from puzzlekit_fto.octahedron import beside

        corners, triangles = (self.puzzle.offsets[name] for name in ("corners", self.orbit_name))
        return tuple(
            byte
            for at, (one, other) in enumerate(beside())
            for byte in (corners + at, corners + 6 + at, triangles + one, triangles + other)
        )

    @property
    def parameters(self) -> str:
        """The steps."""
        return str(self.steps)

    @cached_property
    def _values(self) -> tuple[int, ...]:
        """The value for each index into `least_cycles`."""
        number = [sum(turns >= step for step in self.steps) - 1 for turns in range(7)]
        return tuple(number[turns] for turns in least_cycles())

    def rank(self, vector: Vector) -> Any:
        """Count the pairs of colours, and look up the number of turns."""
        counts: Any = 0  # for each of three colours of corners, three digits to base 4
        own = iter(self.reads)
        for label, turn, one, other in zip(own, own, own, own, strict=True):
            corner = vector[label] * 4 + vector[turn]
            colours = vector[one] * 4 + vector[other]
            counts = counts + look_up(_weights(), corner * 16 + colours)
        index: Any = 0
        for digits in (counts // 4096, counts // 64 % 64, counts % 64):
            index = index * 20 + look_up(_ROWS, digits)
        return look_up(self._values, index)

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program, which a compiled module runs."""
        from puzzlekit_fto.engine.pair_ranks import PAIRS

        return (PAIRS, 0, len(self.reads), *self.reads, *_weights(), *_ROWS, *self._values)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return a state with this value: solved corners, and triangles exchanged in pairs."""
        corners, triangles = (self.puzzle.offsets[name] for name in ("corners", self.orbit_name))
        found: dict[int, Any] = {corners + at: at + 0 * index for at in range(6)}
        found |= {corners + 6 + at: 0 * index for at in range(6)}
        turns = look_up(self.steps, index)  # each of them exchanges two triangles
        for place in range(12):
            colour, number = divmod(place, 3)
            exchanged = (turns > 3 * (colour // 2) + number) + 0
            found[triangles + place] = colour + exchanged * (1 - 2 * (colour % 2))
        return found

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Return False: the value after a turn of R depends on more than the value before it."""
        return False


# Three counts that add up to 3 at most, as digits to base 4, and their numbers.
_SUMS = [n for n in range(64) if n // 16 + n // 4 % 4 + n % 4 <= 3]
_ROWS = tuple(_SUMS.index(n) if n in _SUMS else 0 for n in range(64))


@cache
def _weights() -> tuple[int, ...]:
    """Return what a corner and the triangles beside it add to the counts of pairs of colours.

    The index has the label and the orientation of the corner, and the colours of both triangles.
    """
    from puzzlekit_fto.octahedron import corner_colours

    found = []
    for label, turn, *seen in product(range(6), range(4), range(4), range(4)):
        total = 0
        for side, colour in zip((1, 3), seen, strict=True):
            own = corner_colours()[4 * label + (side - turn) % 4]
            if 3 not in (own, colour):
                total += 64 ** (2 - own) * 4 ** (2 - colour)
        found.append(total)
    return tuple(found)


@cache
def least_cycles() -> tuple[int, ...]:
    """Return the least number of cycles of three triangles that pair all triangles with corners.

    The index states for each of three colours of corners how many triangles of each of three
    colours are beside it. Triangles that are not paired form cycles of colours: a cycle of two or
    three colours takes one turn, and one of four colours two.
    """
    rings = [
        (ring, (len(ring) + 1) // 2 - (len(ring) == 3))
        for size in (2, 3, 4)
        for ring in permutations(range(4), size)
        if ring[0] == min(ring)
    ]

    @cache
    def least(wrong: tuple[int, ...]) -> int:
        """Return the number for the counts of all 16 pairs, with 0 for the pairs that are right."""
        found = 99 if any(wrong) else 0
        for ring, turns in rings:
            left = [*wrong]
            for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
                left[4 * one + other] -= 1
            if min(left) >= 0:
                found = min(found, turns + least(tuple(left)))
        return found

    found = []
    for rows in product(_SUMS, repeat=3):
        table = [[n // 16, n // 4 % 4, n % 4] for n in rows]
        table = [[*row, 3 - sum(row)] for row in table]
        table.append([3 - sum(column) for column in zip(*table, strict=True)])
        wrong = tuple(0 if r == c else table[r][c] for r in range(4) for c in range(4))
        found.append(least(wrong) if min(map(min, table)) >= 0 else 0)
    return tuple(found)


@attrs.frozen(slots=False, eq=False, repr=False)
class HalfTurns(Coordinate):
    """How the corners are turned. A corner turns by half a turn, if at all: 2^5 values."""

    about = "which corners are turned"

    size = 32

    def rank(self, vector: Vector) -> Any:
        """Return a number with one binary digit for each corner but the last."""
        start = self.puzzle.offsets[self.orbit_name] + 6
        turns = [vector[j] // 2 for j in range(start, start + 6)]
        rank: Any = 0
        for each in turns[:-1]:
            rank = rank * 2 + each
        even = 1 - sum(turns) % 2
        return rank * even - (1 - even)


@attrs.frozen(slots=False, eq=False, repr=False)
class FaceTurns(Coordinate):
    """How far the edges of each of four faces are turned about the face: 3^4 values.

    It is defined if each edge is on its own upright face, in the right cyclic order.
    """

    about = "how far the edges of each face are turned"

    size = 81

    def rank(self, vector: Vector) -> Any:
        """Return a number with a digit for each face: the place of its first edge."""
        start = self.puzzle.offsets[self.orbit_name]
        rank: Any = 0
        there: Any = 1
        for first in range(0, 12, 3):
            labels = [vector[start + first + k] for k in range(3)]
            there = there * sum((label == first) + 0 for label in labels)
            rank = rank * 3 + sum(k * (label == first) for k, label in enumerate(labels))
        return rank * there - (1 - there)
