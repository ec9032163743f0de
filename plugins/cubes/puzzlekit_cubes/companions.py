"""Coordinates of pieces together with the companion of each piece in another orbit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import comb, perm
from typing import Any

import attrs

from puzzlekit import Coordinate, DeclarationError, Move
from puzzlekit.coordinates.coordinate import Vector, look_up
from puzzlekit.coordinates.kinds import rank_places, unrank_places
from puzzlekit_cubes.programs import companions


@attrs.frozen(slots=False, eq=False, repr=False)
class Companions(Coordinate):
    """At which of n places k pieces sit, and at which of n other places the companion of each sits.

    Each piece has a companion, which may belong to another orbit. The coordinate does not see which
    piece is which. It sees the set of places that hold pieces, and for each of these places the
    place of the companion of the piece there. The size is (n choose k) * n! / (n-k)!. The value is
    the rank of the set (see `Combination`), followed by the rank of the places of the companions
    (see `rank_places`).

    The coordinate is defined if exactly k of the pieces are at the n places, and if their
    companions are at the n other places.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube4").puzzle
    >>> low, high = "UFr UBl DFl DBr", "FUl BUr FDr BDl"
    >>> Companions("dedges", cube, "wings", low, "wings", high).size
    24
    """

    is_tested = True
    about = "where some pieces sit, and where the companion of each sits"

    #: The names of the homes of the pieces, separated by blanks.
    pieces: str
    #: The name of the orbit of the companions.
    beside: str
    #: The names of the homes of the companions, in the order of the pieces. A piece may have
    #: several companions, if one of them is at the n other places. The first companions of all
    #: pieces come first, then the second ones, and so on.
    others: str
    #: The names of the n places, separated by blanks. Empty: the homes of the pieces.
    places: str = ""
    #: The names of the n places of the companions. Empty: the homes of the companions.
    other_places: str = ""
    #: The number k of pieces at the places. 0: the number of pieces, but at most n.
    count: int = 0
    #: The number of names of each piece. If it is more than 1, a piece may be any of several, and
    #: `pieces` has the first names of all pieces, then the second ones, and so on.
    names: int = 1

    def __attrs_post_init__(self) -> None:
        firsts, seconds = self._at
        if not (len(firsts) == len(seconds) >= self._count >= 1):
            raise DeclarationError(
                f"coordinate {self.name}: name as many places of companions as places, and at most "
                "as many pieces at them"
            )
        labels, others = self._labels
        if len({*labels}) < len(labels) or len({*others}) < len(others):
            raise DeclarationError(f"coordinate {self.name}: name each piece only once")
        if self.names < 1 or len(labels) % self.names or not labels:
            raise DeclarationError(f"coordinate {self.name}: give each piece as many names")
        if len(others) % self._pieces or not others:
            raise DeclarationError(
                f"coordinate {self.name}: name as many companions for each of the pieces"
            )

    @cached_property
    def _at(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The indices of the label bytes of the places, and of the places of the companions."""
        other = self.puzzle.orbit(self.beside)
        start = self.puzzle.offsets[other.name]
        names = (self.other_places or self.others).split()
        seconds = tuple(start + other.place(name) for name in names)
        firsts = self._places(self.places or self.pieces)
        return tuple(self._start + place for place in firsts), seconds

    @cached_property
    def _labels(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The labels of the pieces, and of their companions."""
        other = self.puzzle.orbit(self.beside)
        return (
            tuple(self.orbit.solved[place] for place in self._places(self.pieces)),
            tuple(other.solved[other.place(name)] for name in self.others.split()),
        )

    @cached_property
    def _count(self) -> int:
        return self.count or min(self._pieces, len(self._at[0]))

    @property
    def _pieces(self) -> int:
        return len(self._labels[0]) // self.names

    @cached_property
    def _numbers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """For each label of a piece, and of a companion, its number; -1 for other labels."""
        found = []
        for labels in self._labels:
            numbers = [-1] * 128
            for i, label in enumerate(labels):
                numbers[label] = i % self._pieces
            found.append(tuple(numbers))
        return found[0], found[1]

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """The indices of the label bytes of the places, then of the places of the companions."""
        firsts, seconds = self._at
        return firsts + seconds

    @cached_property
    def size(self) -> int:
        """The number of values of the coordinate."""
        n, k = len(self._at[0]), self._count
        return comb(n, k) * perm(n, k)

    @property
    def parameters(self) -> str:
        """Text for the pieces, the companions, and the places."""
        names = f" {self.names} names" if self.names > 1 else ""
        return f"{self._labels} {self.beside} at {self._at} {self._count}{names}"

    def rank(self, vector: Vector) -> Any:
        """Return the rank of the set of places and of the companions; -1 if not defined."""
        firsts, seconds = self._at
        n, k = len(firsts), self._count
        one = [look_up(self._numbers[0], vector[j]) for j in firsts]
        other = [look_up(self._numbers[1], vector[j]) for j in seconds]
        count: Any = 0
        among: Any = 0
        whole: Any = 1
        positions: list[Any] = [0] * k
        for i, number in enumerate(one):
            here = (number >= 0) + 0
            met = [here * (number == each) for each in other]
            whole = whole * (sum(met) == here)
            at = sum(j * flag for j, flag in enumerate(met))
            positions = [old + here * (count == c) * at for c, old in enumerate(positions)]
            count = count + here
            among = among + here * look_up(tuple(comb(i, c) for c in range(n + 1)), count)
        whole = whole * (count == k)
        rank = among * perm(n, k) + rank_places(positions, n)
        return rank * whole - (1 - whole)

    def unrank(self, index: Any) -> dict[int, Any]:
        """Return labels that have this rank, as a dict from byte indices to labels.

        The first k of the pieces are at the places, in this order. All other places get a label
        that no piece has.
        """
        firsts, seconds = self._at
        n, k = len(firsts), self._count
        vector: dict[int, Any] = {j: index * 0 + 127 for j in self.reads}
        positions = unrank_places(index % perm(n, k), n, k)
        left: Any = k
        among = index // perm(n, k)
        for i in reversed(range(n)):
            skipped = look_up(tuple(comb(i, c) for c in range(k + 1)), left + index * 0)
            here = ((among >= skipped) + 0) * ((left > 0) + 0)
            among = among - here * skipped
            left = left - here
            number = here * look_up(self._labels[0], here * left)
            vector[firsts[i]] = number + (1 - here) * 127
        for position, label in zip(positions, self._labels[1], strict=False):
            for i, j in enumerate(seconds):
                vector[j] = vector[j] + (position == i) * (label - 127)
        return vector

    def closed_under(self, moves: Iterable[Move]) -> bool:
        """Whether the moves permute the places, and also the places of the companions."""
        return all(
            {move.gather[j] for j in part} == set(part) for move in moves for part in self._at
        )

    @property
    def program(self) -> tuple[int, ...]:
        """The rank program."""
        return companions(*self._labels, self._count, self.reads, self._pieces)
