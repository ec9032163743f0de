"""Moves declared by the destinations of stickers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, gather_of
from puzzlekit.puzzle.orbit import Orbit


def sticker_effect(
    orbits: Iterable[Orbit],
    places: Mapping[str, Sequence[Sequence[int]]],
    destination: Sequence[int],
) -> Effect:
    """Return the effect (gather, add) of a move that carries sticker i to `destination[i]`.

    `places` has the indices of the stickers of each place, by orbit, as in `FaceletLayout.places`.
    Raises a DeclarationError if the stickers of a piece do not stay together.

    >>> pair = Orbit("edges", "edge", "AB CD", orientations=2)
    >>> gather, add = sticker_effect([pair], {"edges": [(0, 1), (2, 3)]}, [3, 2, 0, 1])
    >>> list(gather), list(add)
    ([1, 0, 3, 2], [0, 0, 0, 1])
    """
    gather: list[int] = []
    add = bytearray()
    moved = {sticker for sticker, arrival in enumerate(destination) if arrival != sticker}
    for orbit in orbits:
        start = len(gather)
        concerned = [
            (i, place) for i, place in enumerate(places[orbit.name]) if not moved.isdisjoint(place)
        ]
        at = {sticker: (i, k) for i, place in concerned for k, sticker in enumerate(place)}
        source = list(range(orbit.size))
        twist = bytearray(orbit.size)
        for i, place in concerned:
            arrival = [at.get(destination[sticker], (-1, 0)) for sticker in place]
            j, k = arrival[0]
            if j < 0 or any(other != j for other, _ in arrival):
                raise DeclarationError(f"the stickers of {orbit.places[i]} do not stay together")
            if arrival != [(j, (k + n) % len(place)) for n in range(len(place))]:
                raise DeclarationError(
                    f"the stickers of {orbit.places[i]} come to {orbit.places[j]} in another "
                    "cyclic order: a piece can be turned, but not mirrored"
                )
            source[j] = i
            twist[j] = k
        gather += [start + i for i in source]
        add += bytes(orbit.size)
        if orbit.orientations > 1:
            gather += [start + orbit.size + i for i in source]
            add += twist
    return gather_of(gather), bytes(add)
