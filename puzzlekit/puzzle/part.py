"""Parts: the places of an orbit that trade pieces under some moves."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlekit.puzzle.move import Move, permutation_parity
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle


class Part(NamedTuple):
    """Places of an orbit that trade pieces only with each other under some moves."""

    orbit: Orbit
    #: The numbers of the places in the orbit.
    homes: tuple[int, ...]
    #: Whether a move changes orientations there.
    turned: bool
    #: Whether all moves keep the sum of the orientations.
    summed: bool
    #: Whether no piece leaves its place.
    still: bool
    #: Whether all moves permute the pieces evenly.
    even: bool

    @property
    def names(self) -> str:
        """The names of the places."""
        return self.named(self.homes)

    def named(self, homes: Iterable[int]) -> str:
        """The names of some of the places."""
        return " ".join(self.orbit.places[home] for home in homes)


def parts_of(puzzle: Puzzle, moves: Sequence[Move]) -> list[Part]:
    """The orbits, each split into the places that trade pieces under the moves.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> [part.names for part in parts_of(cube, cube.moves("R U F"))]
    ['ULB UBR URF UFL DRB DFR DLF', 'DBL']
    """
    parts = []
    for orbit in puzzle.orbits:
        start, end = puzzle.offsets[orbit.name], puzzle.offsets[orbit.name] + orbit.size
        sources = [[byte - start for byte in move.gather[start:end]] for move in moves]
        for homes in trading(orbit.size, sources):
            parts.append(_part(puzzle, orbit, homes, moves, len(homes) == 1))
    return parts


def trading(size: int, sources: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """The places 0 to size - 1 in groups that trade pieces.

    `sources` has for each move the place from which it brings the piece of each place.

    >>> trading(4, [[0, 3, 2, 1]])
    [(0,), (1, 3), (2,)]
    """
    root = list(range(size))
    for source in sources:
        for one, other in enumerate(source):
            if root[one] != root[other]:
                root = [root[one] if each == root[other] else each for each in root]
    groups = (tuple(i for i in range(size) if root[i] == first) for first in dict.fromkeys(root))
    return list(groups)


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


def moved_parts(puzzle: Puzzle, moves: Sequence[Move]) -> list[Part]:
    """The parts that some move changes; pieces of an orbit that only turn in place are one part.

    If every move turns several such pieces in the same way, only the first of them counts.

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
