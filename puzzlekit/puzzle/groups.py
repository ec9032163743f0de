"""Permutation groups: orbits of places under moves, and chains of stabilisers as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import attrs

from puzzlekit.puzzle.move import Move, permutation_parity
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Part", "StabiliserLevels", "moved_parts", "orbits_of", "parts_of"]


def orbits_of(size: int, permutations: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the orbits of the points 0 to size - 1 under the group of some permutations.

    >>> orbits_of(4, [[0, 3, 2, 1]])
    [(0,), (1, 3), (2,)]
    """
    group = {i: [i] for i in range(size)}  # for each point, the list that all its orbit shares
    for permutation in permutations:
        for one, other in enumerate(permutation):
            larger, smaller = group[one], group[other]
            if larger is not smaller:
                if len(larger) < len(smaller):
                    larger, smaller = smaller, larger
                larger += smaller
                group.update(dict.fromkeys(smaller, larger))
    found = {id(each): tuple(sorted(each)) for each in group.values()}
    return list(found.values())


class Part(NamedTuple):
    """Places of an orbit that exchange pieces only with each other under some moves."""

    orbit: Orbit
    #: The numbers of the places in the orbit.
    homes: tuple[int, ...]
    #: Whether some move changes orientations at these places.
    turned: bool
    #: Whether no move changes the sum of the orientations at these places.
    summed: bool
    #: Whether no piece leaves its place.
    still: bool
    #: Whether every move permutes the pieces evenly.
    even: bool

    @property
    def names(self) -> str:
        """The names of the places, separated by spaces."""
        return self.named(self.homes)

    def named(self, homes: Iterable[int]) -> str:
        """Return the names of the places with the indices `homes`, separated by spaces."""
        return " ".join(self.orbit.places[home] for home in homes)


def parts_of(puzzle: Puzzle, moves: Sequence[Move]) -> list[Part]:
    """Return the parts of all orbits under some moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> [part.names for part in parts_of(cube, cube.moves("R U F"))]
    ['ULB UBR URF UFL DRB DFR DLF', 'DBL']
    """
    parts = []
    for orbit in puzzle.orbits:
        start, end = puzzle.offsets[orbit.name], puzzle.offsets[orbit.name] + orbit.size
        sources = [[byte - start for byte in move.gather[start:end]] for move in moves]
        for homes in orbits_of(orbit.size, sources):
            parts.append(_part(puzzle, orbit, homes, moves, len(homes) == 1))
    return parts


def moved_parts(puzzle: Puzzle, moves: Sequence[Move]) -> list[Part]:
    """Return the parts that some move changes.

    All pieces of an orbit that turn but never leave their places form one part. If some of these
    pieces always turn together by the same amount, the part has only the first of them.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [(part.orbit.name, len(part.homes)) for part in moved_parts(cube, cube.moves("R U"))]
    [('corners', 6), ('edges', 7)]
    """
    parts = parts_of(puzzle, moves)
    found = [part for part in parts if not part.still]
    known: set[tuple[int, ...]] = set()
    for orbit in puzzle.orbits:
        homes: list[int] = []
        for part in parts:
            if part.orbit is orbit and part.still and part.turned:
                turn = puzzle.offsets[orbit.name] + orbit.size + part.homes[0]
                added = orbit.orientations, *(move.add[turn] for move in moves)
                homes += part.homes if added not in known else ()
                known.add(added)
        if homes:
            found.append(_part(puzzle, orbit, tuple(homes), moves, still=True))
    return found


def _part(
    puzzle: Puzzle, orbit: Orbit, homes: tuple[int, ...], moves: Sequence[Move], still: bool
) -> Part:
    start, base = puzzle.offsets[orbit.name], orbit.orientations
    places = [start + home for home in homes]
    turns = [place + orbit.size for place in places] if base > 1 else []
    added = [[move.add[j] for j in turns] for move in moves]
    even = not any(
        permutation_parity([places.index(move.gather[j]) for j in places]) for move in moves
    )
    summed = all(sum(row) % base == 0 for row in added)
    return Part(orbit, homes, any(map(any, added)), summed, still, even)


@attrs.frozen(eq=False)
class StabiliserLevels:
    """A chain of stabilisers of a group of permutations.

    - `base`: the base points.
    - `carriers`: for each base point, the elements of the stabiliser of the base points before it
      that carry it to each point of its orbit. The shape is (orbit, points). The first element is
      the identity.
    - `images`: for each move, the point to which the move carries each point.
    - `solved`: the numbers of the elements that look like the solved state. If no pieces are alike,
      this is only the identity, which has the number 0.

    The digits of the number of an element are the indices of its carriers. The first base point has
    the first digit.
    """

    base: tuple[int, ...]
    carriers: tuple[npt.NDArray[np.uint16], ...]
    images: Mapping[str, npt.NDArray[np.uint16]]
    solved: tuple[int, ...] = (0,)

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return prod(len(each) for each in self.carriers)

    def image(self, family: str, amount: int) -> npt.NDArray[np.uint16]:
        """Return the point to which a move, done `amount` times, carries each point."""
        import numpy as np

        base = self.images[family]
        image = np.arange(len(base), dtype=np.uint16)
        for _ in range(amount):
            image = base[image]
        return image
