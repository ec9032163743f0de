"""Parts: places of an orbit that exchange pieces under some moves."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlekit.puzzle.move import Move, permutation_parity
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["Part", "moved_parts", "parts_of", "trading"]


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

    A part is a set of places of one orbit that exchange pieces only with each other.

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
    """Divide the places 0 to size - 1 into groups. Only places of the same group exchange pieces.

    `sources` has one list for each move. Item i of this list is the place from which the move
    brings a piece to place i.

    >>> trading(4, [[0, 3, 2, 1]])
    [(0,), (1, 3), (2,)]
    """
    group = {i: [i] for i in range(size)}  # for each place, the list that all its group shares
    for source in sources:
        for one, other in enumerate(source):
            larger, smaller = group[one], group[other]
            if larger is not smaller:
                if len(larger) < len(smaller):
                    larger, smaller = smaller, larger
                larger += smaller
                group.update(dict.fromkeys(smaller, larger))
    found = {id(each): tuple(sorted(each)) for each in group.values()}
    return list(found.values())


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
    """Return the parts that some move changes.

    A part is a set of places that exchange pieces. There is one more kind: all pieces of an orbit
    that turn but never leave their places form one part. If some of these pieces always turn
    together by the same amount, the part has only the first of them.

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
