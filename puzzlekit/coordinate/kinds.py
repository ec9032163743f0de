"""The kinds of coordinates that nearly every puzzle needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import comb, perm
from typing import Any

import attrs

from puzzlekit.coordinate.coordinate import Coordinate, Vector, look_up
from puzzlekit.coordinate.programs import (
    combination,
    orientation,
    oriented_combination,
    permutation,
)
from puzzlekit.errors import DeclarationError

_BLANK = 127  # a label that no piece of interest has


def rank_places(positions: Sequence[Any], n: int) -> Any:
    """The rank of different places out of n, in the factorial number system: below n! / (n-k)!.

    The first digit is the first place, the next the second among the places still free, and so on.

    >>> rank_places([2, 0], 3), unrank_places(4, 3, 2)
    (4, [2, 0])
    """
    rank: Any = 0
    for k, position in enumerate(positions):
        digit = position - sum((other < position) + 0 for other in positions[:k])
        rank = rank * (n - k) + digit
    return rank


def unrank_places(index: Any, n: int, count: int) -> list[Any]:
    """The `count` places out of n with that rank."""
    digits = []
    for k in reversed(range(count)):
        digits.append(index % (n - k))
        index = index // (n - k)
    positions: list[Any] = []
    for digit in digits:  # the last one first
        # Among all places, not only those still free: step over each earlier piece at or below.
        positions = [later + (digit <= later) for later in positions]
        positions.insert(0, digit)
    return positions


@attrs.frozen(slots=False, eq=False, repr=False)
class Orientation(Coordinate):
    """How the pieces at some places are turned, to the base of the number of orientations.

    `places` are names (all places of the orbit without). With `summed`, the orientations at these
    places always add up to 0, and the last one is left out.

    Size m**n, or m**(n-1) when summed.
    """

    about = "how the pieces at some places are turned"

    places: str = ""
    summed: bool = True

    @cached_property
    def _digits(self) -> tuple[int, ...]:
        return self.reads[:-1] if self.summed else self.reads

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return int(self.orbit.orientations ** len(self._digits))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The numbers of the orientation bytes."""
        start = self._start + self.orbit.size
        return tuple(start + place for place in self._places(self.places))

    @property
    def parameters(self) -> str:
        """The places and whether they are summed."""
        return f"{self._places(self.places)} summed={self.summed}"

    def rank(self, vector: Vector) -> Any:
        """The number whose digits are the orientations, the first place most significant."""
        rank = 0
        for j in self._digits:
            rank = rank * self.orbit.orientations + vector[j]
        return rank

    def unrank(self, index: Any) -> dict[int, Any]:
        """The orientations with that rank."""
        base = self.orbit.orientations
        vector: dict[int, Any] = {}
        total: Any = 0
        for j in reversed(self._digits):
            vector[j] = index % base
            total = total + vector[j]
            index = index // base
        if self.summed:
            vector[self.reads[-1]] = -total % base
        return vector

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """The orientations."""
        return {j: frozenset([turn]) for j, turn in self.unrank(index).items()}

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return orientation(self.orbit.orientations, self._digits)


@attrs.frozen(slots=False, eq=False, repr=False)
class _PiecesAtPlaces(Coordinate):
    """Shared by the coordinates that ask where some pieces sit among some places."""

    pieces: str = ""
    places: str = ""

    _told_apart = False

    def __attrs_post_init__(self) -> None:
        """Check what is asked for; the kinds themselves add no fields."""
        if self.size < 1:
            raise DeclarationError(
                f"coordinate {self.name}: it looks at more pieces than the "
                f"{len(self._places(self.places))} places hold: name fewer, or more places"
            )

    @cached_property
    def _labels(self) -> tuple[int, ...]:
        return tuple(self.orbit.solved[place] for place in self._places(self.pieces))

    @cached_property
    def _label_reads(self) -> tuple[int, ...]:
        start = self._start
        return tuple(start + place for place in self._places(self.places))

    @property
    def reads(self) -> tuple[int, ...]:
        """The numbers of the label bytes; a kind may add those of the orientation bytes."""
        return self._label_reads

    @property
    def parameters(self) -> str:
        """The pieces and the places."""
        return f"{self._labels} at {self._places(self.places)}"

    @property
    def looks_at(self) -> frozenset[int]:
        """The labels of the pieces."""
        return frozenset(self._labels)

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """The labels: of the pieces where one is, which one or any, of the others elsewhere.

        And the orientations of the pieces, for kinds that look at them.
        """
        pieces = frozenset(self._labels)
        others = frozenset(self.orbit.solved) - pieces
        told = {label: frozenset([label]) if self._told_apart else pieces for label in pieces}
        vector, labels = self.unrank(index), self._label_reads
        found = {j: told.get(vector[j], others) for j in labels}
        turned = zip(labels, self.reads[len(labels) :], strict=False)  # maybe none
        return found | {k: frozenset([vector[k]]) for j, k in turned if vector[j] in told}


class Permutation(_PiecesAtPlaces):
    """At which of n places each of k pieces sits (all of the orbit without names).

    The first digit is the place of the first piece, the next that of the second among the places
    still free, and so on: size n! / (n-k)!. With fewer places than the orbit has it is defined only
    while the pieces are at those places.
    """

    about = "at which of n places each of k pieces sits"

    _told_apart = True

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if len(set(self._labels)) != len(self._labels):
            raise DeclarationError(f"coordinate {self.name}: two of the pieces are alike")

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return perm(len(self.reads), len(self._labels))

    def rank(self, vector: Vector) -> Any:
        """The rank of the places of the pieces, in the factorial number system."""
        positions: list[Any] = []
        there: Any = 1
        for label in self._labels:
            positions.append(sum(i * (vector[j] == label) for i, j in enumerate(self._label_reads)))
            there = there * sum((vector[j] == label) + 0 for j in self._label_reads)
        # -1 where a piece is somewhere else
        return rank_places(positions, len(self._label_reads)) * there - (1 - there)

    def unrank(self, index: Any) -> dict[int, Any]:
        """The labels with that rank; other places get a label of no piece."""
        positions = unrank_places(index, len(self._label_reads), len(self._labels))
        vector: dict[int, Any] = {}
        for i, j in enumerate(self._label_reads):
            here = [(position == i) + 0 for position in positions]
            value = sum(flag * label for flag, label in zip(here, self._labels, strict=True))
            vector[j] = value + (1 - sum(here)) * _BLANK
        return vector

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return permutation(self._labels, self.reads)


class Combination(_PiecesAtPlaces):
    """Which of n places hold one of k pieces, not telling them apart: size n choose k.

    Ranks are those of the combinatorial number system over the order of the places.
    """

    about = "which of n places hold one of k pieces"

    @cached_property
    def _occupied(self) -> int:
        return sum(self.orbit.solved.count(label) for label in set(self._labels))

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return comb(len(self.reads), self._occupied)

    def rank(self, vector: Vector) -> Any:
        """The sum of (i choose c) over the places i that hold the c-th of the pieces."""
        rank: Any = 0
        count: Any = 0
        labels = tuple(set(self._labels))
        for i, j in enumerate(self._label_reads):
            here = sum((vector[j] == label) + 0 for label in labels)
            count = count + here
            chosen = tuple(comb(i, c) for c in range(len(self._label_reads) + 1))
            rank = rank + here * look_up(chosen, count)
        there = (count == self._occupied) + 0
        return rank * there - (1 - there)  # -1 where a piece is somewhere else

    def unrank(self, index: Any) -> dict[int, Any]:
        """Labels with that rank: one of the pieces wherever any is, else a label of no piece."""
        left: Any = self._occupied
        vector: dict[int, Any] = {}
        label = self._labels[0]
        for i in reversed(range(len(self._label_reads))):
            skipped = look_up(tuple(comb(i, c) for c in range(self._occupied + 1)), left)
            here = ((index >= skipped) + 0) * ((left > 0) + 0)
            index = index - here * skipped
            left = left - here
            vector[self._label_reads[i]] = here * label + (1 - here) * _BLANK
        return vector

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return combination(self._labels, self._occupied, self.reads)


class OrientedCombination(Combination):
    """Which of n places hold one of k pieces, and how the piece at each of those is turned.

    Size (n choose k) * m**k for m orientations: the rank of the combination times m**k, plus the
    orientations as digits, that at the first occupied place least significant.
    """

    about = "which of n places hold one of k pieces, and how each is turned"

    @cached_property
    def _turns(self) -> int:
        return int(self.orbit.orientations**self._occupied)

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return comb(len(self._label_reads), self._occupied) * self._turns

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The numbers of the label bytes, then those of the orientation bytes."""
        return self._label_reads + tuple(j + self.orbit.size for j in self._label_reads)

    def rank(self, vector: Vector) -> Any:
        """The rank of the combination and the orientations."""
        base = self.orbit.orientations
        labels = tuple(set(self._labels))
        count: Any = 0
        turns: Any = 0
        for j in self._label_reads:
            here = sum((vector[j] == label) + 0 for label in labels)
            digit = sum((count == c) * base**c for c in range(self._occupied))
            turns = turns + here * vector[j + self.orbit.size] * digit
            count = count + here
        there = (count == self._occupied) + 0
        return super().rank(vector) * (self._turns * there + 1 - there) + turns * there

    def unrank(self, index: Any) -> dict[int, Any]:
        """Labels and orientations with that rank; orientation 0 where no piece of interest is."""
        base = self.orbit.orientations
        vector = super().unrank(index // self._turns)
        turns = index % self._turns
        for j in self._label_reads:
            here = (vector[j] != _BLANK) + 0
            vector[j + self.orbit.size] = here * (turns % base)
            turns = turns // (1 + here * (base - 1))
        return vector

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return oriented_combination(
            self._labels, self._occupied, self.orbit.orientations, self.reads
        )


class Halves(Combination):
    """How n pieces are split into two halves over n places, not telling which half is which.

    `pieces` name one of the halves. Size (n choose n/2) / 2: the rank of the combination, or what
    is left to the largest rank, which is that of the other half, if that is less.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> layers = Halves("layers", cube, "corners", "ULB UBR URF UFL")
    >>> turned = cube.apply(cube.solved, cube.moves("x2"))
    >>> layers.size, layers.rank(turned) == layers.rank(cube.solved)
    (35, True)
    """

    about = "how n pieces are split into two halves over n places"

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if 2 * self._occupied != len(self.reads):
            raise DeclarationError(
                f"coordinate {self.name}: half as many pieces as places are named"
            )

    @cached_property
    def size(self) -> int:
        """How many values the coordinate takes."""
        return comb(len(self.reads), self._occupied) // 2

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Nothing of a place by itself: either half may be there."""
        return {}

    def rank(self, vector: Vector) -> Any:
        """The lesser one of the ranks of the two halves."""
        one = super().rank(vector)
        other = 2 * self.size - 1 - one
        return one + (other - one) * (other < one)
