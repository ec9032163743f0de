"""The kinds of coordinates that nearly every puzzle needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from math import comb, perm
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate, Vector, look_up
from puzzlekit.coordinates.programs import combination, orientation, permutation, pieces
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move

__all__ = ["Covering", "rank_places", "unrank_places"]


_BLANK = 127  # a label that no counted piece has


def rank_places(positions: Sequence[Any], n: int) -> Any:
    """Return the rank of k different places out of n, from 0 to n! / (n-k)! - 1.

    The rank is a number in the factorial number system. The digit of a place is its index among the
    places that the earlier places leave. The first digit is the most significant.

    >>> rank_places([2, 0], 3), unrank_places(4, 3, 2)
    (4, [2, 0])
    """
    rank: Any = 0
    for k, position in enumerate(positions):
        digit = position - sum((other < position) + 0 for other in positions[:k])
        rank = rank * (n - k) + digit
    return rank


def unrank_places(index: Any, n: int, count: int) -> list[Any]:
    """Return the `count` places out of n with this rank."""
    digits = []
    for k in reversed(range(count)):
        digits.append(index % (n - k))
        index = index // (n - k)
    positions: list[Any] = []
    for digit in digits:  # the last digit first
        # An earlier place is not free for later places, so shift indices that are not below it.
        positions = [later + (digit <= later) for later in positions]
        positions.insert(0, digit)
    return positions


@attrs.frozen(slots=False, eq=False, repr=False)
class Orientation(Coordinate):
    """How the pieces at n places are turned.

    The value is a number to base m, where m is the number of orientations of a piece. Each digit is
    the orientation at one place. The size is m**n, or m**(n-1) if `summed` is true.
    """

    about = "how the pieces at some places are turned"

    #: The names of the places, separated by blanks. Empty: all places of the orbit.
    places: str = ""
    #: Whether the orientations at these places always add up to 0 modulo m. If so, the value omits
    #: the last orientation, because it follows from the other orientations.
    summed: bool = True

    @cached_property
    def _digits(self) -> tuple[int, ...]:
        return self.reads[:-1] if self.summed else self.reads

    @cached_property
    def size(self) -> int:
        return int(self.orbit.orientations ** len(self._digits))

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the orientation bytes."""
        start = self._start + self.orbit.size
        return tuple(start + place for place in self._places(self.places))

    @property
    def parameters(self) -> str:
        return f"{self._places(self.places)} summed={self.summed}"

    def rank(self, vector: Vector) -> Any:
        """Return the number whose digits are the orientations, the first digit most significant."""
        rank = 0
        for j in self._digits:
            rank = rank * self.orbit.orientations + vector[j]
        return rank

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return orientations that have this rank, as a dict from byte indices to orientations."""
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
        return {j: frozenset([turn]) for j, turn in self.unrank(index).items()}

    def closed_under(self, moves: Iterable[Move]) -> bool:
        listed = [*moves]
        for move in listed if self.summed else ():
            turned = sum(move.add[j] for j in self.reads) % self.orbit.orientations
            if turned and super().closed_under([move]):
                raise DeclarationError(
                    f"coordinate {self.name}: the move {move.name} changes the sum of the "
                    "orientations, so the coordinate needs summed=False"
                )
        return super().closed_under(listed)

    @property
    def program(self) -> tuple[int, ...]:
        return orientation(self.orbit.orientations, self._digits)


@attrs.frozen(slots=False, eq=False, repr=False)
class _PiecesAtPlaces(Coordinate):
    """Base class of coordinates that describe where some pieces sit among some places."""

    #: The names of the homes of the pieces, separated by blanks. Empty: all pieces of the orbit.
    pieces: str = ""
    #: The names of the places, separated by blanks. Empty: all places of the orbit.
    places: str = ""

    _told_apart = False

    def __attrs_post_init__(self) -> None:
        if self.size < 1:
            raise DeclarationError(
                f"coordinate {self.name} has more pieces than places "
                f"({len(self._places(self.places))}): name fewer pieces or more places"
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
        """The indices of the label bytes. A subclass may append indices of orientation bytes."""
        return self._label_reads

    @property
    def parameters(self) -> str:
        return f"{self._labels} at {self._places(self.places)}"

    @property
    def looks_at(self) -> frozenset[int]:
        """The labels of the pieces."""
        return frozenset(self._labels)

    def possible(self, index: int) -> dict[int, frozenset[int]]:
        """Return the possible labels of each place, and any orientations that the class reads.

        An occupied place holds one of the pieces of the coordinate. If the class distinguishes the
        pieces, the rank determines the label there. If not, any of their labels is possible. An
        unoccupied place holds a piece that the coordinate does not name.
        """
        pieces = frozenset(self._labels)
        others = frozenset(self.orbit.solved) - pieces
        told = {label: frozenset([label]) if self._told_apart else pieces for label in pieces}
        vector, labels = self.unrank(index), self._label_reads
        found = {j: told.get(vector[j], others) for j in labels}
        turned = zip(labels, self.reads[len(labels) :], strict=False)  # empty if not oriented
        return found | {k: frozenset([vector[k]]) for j, k in turned if vector[j] in told}


class Permutation(_PiecesAtPlaces):
    """The places of k given pieces among n places. The size is n! / (n-k)!.

    The value is a number with a digit for each piece, the first digit most significant. The digit
    of a piece is the index of its place among the places that the earlier pieces leave. If `places`
    does not name all places of the orbit, the coordinate is defined only for states in which the
    pieces are at these places.
    """

    about = "at which of n places each of k pieces sits"

    _told_apart = True

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if len(set(self._labels)) != len(self._labels):
            raise DeclarationError(
                f"coordinate {self.name}: two of the pieces have the same label; "
                "use a Combination, or name different pieces"
            )

    @cached_property
    def size(self) -> int:
        return perm(len(self.reads), len(self._labels))

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the places of the pieces, in the factorial number system."""
        positions: list[Any] = []
        there: Any = 1
        for label in self._labels:
            positions.append(sum(i * (vector[j] == label) for i, j in enumerate(self._label_reads)))
            there = there * sum((vector[j] == label) + 0 for j in self._label_reads)
        # The result is -1 if a piece is at none of the places.
        return rank_places(positions, len(self._label_reads)) * there - (1 - there)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        Places without one of the coordinate's pieces get a label that no piece has.
        """
        positions = unrank_places(index, len(self._label_reads), len(self._labels))
        vector: dict[int, Any] = {}
        for i, j in enumerate(self._label_reads):
            here = [(position == i) + 0 for position in positions]
            value = sum(flag * label for flag, label in zip(here, self._labels, strict=True))
            vector[j] = value + (1 - sum(here)) * _BLANK
        return vector

    @property
    def program(self) -> tuple[int, ...]:
        return permutation(self._labels, self.reads)


class Combination(_PiecesAtPlaces):
    """Which of n places hold k given pieces, no matter which piece. The size is n choose k.

    The value is the rank of the set of places in the combinatorial number system.
    """

    about = "which of n places hold one of k pieces"

    @cached_property
    def _occupied(self) -> int:
        return sum(self.orbit.solved.count(label) for label in set(self._labels))

    @cached_property
    def size(self) -> int:
        return comb(len(self.reads), self._occupied)

    @cached_property
    def _choices(self) -> list[tuple[int, ...]]:
        """For each place i the numbers (i choose c)."""
        places = len(self._label_reads)
        return [tuple(comb(i, c) for c in range(places + 1)) for i in range(places)]

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the set of occupied places.

        It is the sum of (i choose c) over c from 1 to k, where place i is the c-th occupied place.
        """
        rank: Any = 0
        count: Any = 0
        labels = tuple(set(self._labels))
        for j, chosen in zip(self._label_reads, self._choices, strict=True):
            here = sum((vector[j] == label) + 0 for label in labels)
            count = count + here
            rank = rank + here * look_up(chosen, count)
        there = (count == self._occupied) + 0
        return rank * there - (1 - there)  # -1 if a piece is at none of the places

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        The rank does not depend on which piece is at which place. So each occupied place gets the
        label of the first of the `pieces`. Each other place gets a label that no piece has.
        """
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
        return combination(self._labels, self._occupied, self.reads)


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
