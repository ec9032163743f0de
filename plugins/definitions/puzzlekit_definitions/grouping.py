"""Make coordinates over the pieces of a part: one for each group of pieces, or for each colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import perm

from puzzlekit import Permutation, Pieces, Puzzle
from puzzlekit.coordinates.kinds import Covering
from puzzlekit.puzzle.groups import Part

__all__ = ["coverings", "groups", "shared", "some_pieces", "titled"]


def titled(part: Part, what: str, homes: Sequence[int]) -> str:
    """Return a name for a coordinate over some pieces of a part.

    A part is a set of places of one orbit that exchange pieces only with each other. `what` says
    what the coordinate describes. `homes` has the indices of the home places of the pieces. If they
    are only some of the part, the name lists them.

    >>> import puzzlekit
    >>> from puzzlekit.puzzle.groups import parts_of
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> (corners,) = parts_of(cube, cube.family_moves("URFDLB"))
    >>> titled(corners, "places", range(8)), titled(corners, "pieces", [0, 1])
    ('corners-places', 'corners-pieces:ULB,UBR')
    """
    if len(homes) == part.orbit.size:
        return f"{part.orbit.name}-{what}"
    listed = part.named(homes).split()
    if len(listed) > 8:
        listed = [*listed[:2], "...", listed[-1]]
    return f"{part.orbit.name}-{what}:{','.join(listed)}"


def shared(homes: Sequence[int], count: int) -> Iterator[list[int]]:
    """Divide pieces into `count` groups of nearly equal size. Yield the groups.

    >>> list(shared([1, 2, 3, 4, 5], 2))
    [[1, 2], [3, 4, 5]]
    """
    for i in range(count):
        yield list(homes[i * len(homes) // count : (i + 1) * len(homes) // count])


def groups(homes: Sequence[int], places: int, orientations: int, most: int) -> Iterator[list[int]]:
    """Divide pieces into as few groups as possible, of nearly equal size.

    - `homes`: the indices of the home places of the pieces.
    - `places`: the number of places of the pieces.
    - `orientations`: the number of orientations of a piece.
    - `most`: the largest number of ways to put the pieces of one group into the places, with all
      their orientations.
    """
    size = 1
    while size < places and perm(places, size + 1) * orientations ** (size + 1) <= most:
        size += 1
    yield from shared(homes, -(-len(homes) // size))


def some_pieces(
    kind: type[Permutation], puzzle: Puzzle, part: Part, homes: Sequence[int]
) -> Permutation:
    """Return a coordinate over the places of some pieces of a part.

    If `kind` is `Pieces`, the coordinate also describes the orientations of the pieces.
    """
    own, orbit = sorted(homes), part.orbit.name
    name = titled(part, "pieces" if kind is Pieces else "places", own)
    return kind(name, puzzle, orbit, part.named(own), part.names)


def coverings(puzzle: Puzzle, part: Part, places: Sequence[int | None]) -> Iterator[Covering]:
    """Yield one coordinate for each set of identical pieces of a part.

    A coordinate describes which places have a piece of its set. `places` has the goal: item i is
    the index of the place at which the piece from place i of the solved puzzle must be at the end.
    The item is None if this piece may be at any place.
    """
    orbit, homes = part.orbit, part.homes
    taken = {places[home] for home in homes}
    open_places = part.named([home for home in homes if home not in taken])
    colours: dict[int, list[int]] = {}
    for home in homes:
        colours.setdefault(orbit.solved[home], []).append(home)
    if all(places[home] is not None for home in homes):
        colours.popitem()  # the last colour follows from the others
    for alike in colours.values():
        covered = [place for home in alike if (place := places[home]) is not None]
        if covered and len(alike) < len(homes):
            yield Covering(
                titled(part, "like", alike[:1]),
                puzzle,
                orbit.name,
                orbit.places[alike[0]],
                part.names,
                part.named(sorted(covered)),
                open_places if len(covered) < len(alike) else "",
            )
