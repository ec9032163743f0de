"""Links between the pieces of two parts: what moves do to one part may restrict the other.

Half turns of a 3x3x3 permute two groups of four corners. Each of the groups may have all orders,
but only a third of their even pairs is reached. A phase does not see that of the pieces it brings
home one by one. So a coordinate over both parts tells it at its start that it has no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import attrs

from puzzlekit import Coordinate, Move, Puzzle
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.puzzle.groups import Part, parts_of

__all__ = ["LinkedParts", "linked_parts"]

_MOST_LOOKS = 120  # of a part
_MOST_CODES = 1 << 16  # numbers with a digit for the piece at each place
_LABELS = 128
_LEAST = 2.5  # arrangements for each reached one; parities alone make two


@attrs.frozen(slots=False, eq=False, repr=False)
class LinkedParts(Coordinate):
    """The pieces of two parts, alike ones not told apart, if moves reach that.

    All arrangements that moves reach are goals. All others have the last value.
    """

    about = "which pieces two parts have, if moves reach it"
    is_tested = True

    #: The bytes of the labels.
    places: tuple[int, ...] = ()
    #: The labels there for each value. The last ones are not reached.
    looks: tuple[bytes, ...] = ()

    @property
    def size(self) -> int:
        """The number of arrangements, and one."""
        return len(self.looks)

    @property
    def reads(self) -> tuple[int, ...]:
        """The bytes of the labels of both parts."""
        return self.places

    @property
    def parameters(self) -> str:
        """The bytes and the arrangements."""
        return f"{self.places} {self.looks}"

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """All values but the last."""
        return tuple(range(self.size - 1))

    @cached_property
    def _digits(self) -> tuple[tuple[int, ...], ...]:
        """For each byte the digit of each label, times the radix of the byte."""
        found = []
        radix = 1
        for labels in map(sorted, map(set, zip(*self.looks, strict=True))):
            digits = [0] * _LABELS
            for digit, label in enumerate(labels):
                digits[label] = radix * digit
            found.append(tuple(digits))
            radix *= len(labels)
        return tuple(found)

    @cached_property
    def _values(self) -> tuple[int, ...]:
        """The value for each sum of digits."""
        values = [self.size - 1] * (1 + sum(map(max, self._digits)))
        for value, look in enumerate(self.looks):
            values[sum(row[label] for row, label in zip(self._digits, look, strict=True))] = value
        return tuple(values)

    def rank(self, vector: Vector) -> Any:
        """Return the number of the arrangement."""
        pairs = zip(self._digits, self.places, strict=True)
        return look_up(self._values, sum(look_up(row, vector[j]) for row, j in pairs))

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return the labels of the arrangement with this number."""
        columns = zip(self.places, zip(*self.looks, strict=True), strict=True)
        return {j: look_up(labels, index) for j, labels in columns}


def linked_parts(puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[LinkedParts]:
    """Yield coordinates over parts of which moves reach few common arrangements.

    Parts that are linked by others are not linked again.
    """
    parts = parts_of(puzzle, moves)
    small = [part for part in parts if len(_looks(puzzle, [part], moves)) > 1]
    edges: list[tuple[float, tuple[Part, Part], tuple[bytes, ...]]] = []
    for pair in combinations(small, 2):
        every = [[*_looks(puzzle, [part], moves)] for part in pair]
        labels = [{look[i] for look in looks} for looks in every for i in range(len(looks[0]))]
        if prod(map(len, labels)) > _MOST_CODES:
            continue
        reached = _looks(puzzle, pair, moves)
        if not reached or len(every[0]) * len(every[1]) < _LEAST * len(reached):
            continue
        stray = next(a + b for a in every[0] for b in every[1] if a + b not in reached)
        edges.append((len(reached) / len(every[0]) / len(every[1]), pair, (*reached, stray)))
    group = {part: {part} for part in small}
    for _, (one, other), looks in sorted(edges, key=lambda edge: edge[0]):
        if group[one] is group[other]:
            continue
        group[one] |= group[other]
        group |= dict.fromkeys(group[one], group[one])
        name = f"{one.orbit.name}-{other.orbit.name}-linked:"
        name += f"{one.orbit.places[one.homes[0]]},{other.orbit.places[other.homes[0]]}"
        places = tuple(j for part in (one, other) for j in _places(puzzle, part))
        yield LinkedParts(name, puzzle, one.orbit.name, places, looks)


def _places(puzzle: Puzzle, part: Part) -> list[int]:
    return [puzzle.offsets[part.orbit.name] + home for home in part.homes]


def _looks(puzzle: Puzzle, parts: Sequence[Part], moves: Sequence[Move]) -> dict[bytes, None]:
    """Return the arrangements of the pieces of some parts that moves reach; {} if too many."""
    places = [j for part in parts for j in _places(puzzle, part)]
    at = {j: i for i, j in enumerate(places)}
    sources = {tuple(at[move.gather[j]] for j in places) for move in moves}
    found = {bytes(puzzle.solved[j] for j in places): None}
    fresh = [*found]
    for look in fresh:  # grows during the loop
        for source in sources:
            after = bytes([look[i] for i in source])
            if after not in found:
                found[after] = None
                fresh.append(after)
        if len(found) > _MOST_LOOKS ** len(parts):
            return {}
    return found
