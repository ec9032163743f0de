"""Stickers that stay together: pieces of any kind of orientation.

A piece of a hypercube has twelve orientations, which form no cyclic group. So a puzzle declares its
stickers as an orbit of their own, and each piece is a bundle: a block of imprimitivity of the moves
(M. D. Atkinson, "An algorithm for finding the blocks of a permutation group", 1975).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from puzzlekit import Orbit, Puzzle
from puzzlekit.puzzle.groups import Part, orbits_of

__all__ = ["Bundles", "bundles_of", "decisive_stickers"]

_MOST_PLACES = 128  # of an orbit that is searched for bundles
_MOST_WORK = 2_000_000  # images of places, for the bundles of a puzzle
_MOST_POSES = 5_000

#: The places of the stickers of a bundle, in the order of the stickers.
Pose = tuple[int, ...]


class Bundles(NamedTuple):
    """Bundles of stickers that take each other's places."""

    orbit: Orbit
    #: The homes of the stickers of each bundle. All of them are poses of the first bundle, too.
    homes: tuple[Pose, ...]
    #: The poses that moves reach.
    poses: tuple[Pose, ...]

    def decisive(self, home: Pose, kept: Sequence[int], goals: Sequence[int]) -> tuple[int, ...]:
        """Return the fewest stickers of a bundle that are at their goals only if all are.

        `kept` has a number for each place, the same for places that exchange stickers now.
        `goals` has one for each place, too: a sticker is at its goal if the number is that of its
        home. Stickers with small numbers are preferred.
        """
        order = sorted(range(len(home)), key=lambda i: goals[home[i]])
        wrong = []
        for pose in self.poses:
            if all(kept[one] == kept[other] for one, other in zip(pose, home, strict=True)):
                there = [goals[one] == goals[other] for one, other in zip(pose, home, strict=True)]
                wrong += [] if all(there) else [there]
        for count in range(len(home) + 1):
            for chosen in combinations(order, count):
                if not any(all(there[i] for i in chosen) for there in wrong):
                    return tuple(home[i] for i in chosen)
        return home

    def parts(self, sources: Sequence[Sequence[int]]) -> Iterator[BundlePart]:
        """Yield the bundles that moves exchange. `sources` has the origin of each place."""
        number = {place: n for n, home in enumerate(self.homes) for place in home}
        moved = [[number[source[home[0]]] for home in self.homes] for source in sources]
        kept = {
            home: n for n, part in enumerate(orbits_of(self.orbit.size, sources)) for home in part
        }
        for part in orbits_of(len(self.homes), moved):
            own = [kept[place] for place in self.homes[part[0]]]
            poses = sum(
                number[pose[0]] in part and [kept[place] for place in pose] == own
                for pose in self.poses
            )
            orders = [[part.index(each[bundle]) for bundle in part] for each in moved]
            yield BundlePart(len(part), poses // len(part), orders)


class BundlePart(NamedTuple):
    """Bundles that some moves exchange only with each other."""

    size: int
    #: How many poses of a bundle at a place keep each sticker where it trades places with others.
    poses: int
    #: For each move, how it permutes the bundles.
    orders: Sequence[Sequence[int]]


def decisive_stickers(puzzle: Puzzle, parts: Sequence[Part], goals: Sequence[int]) -> set[int]:
    """Return the homes of stickers of an orbit that are at their goals only if all of them are.

    `parts` are the parts of the orbit under some moves. Each sticker is in its part already. For
    `goals`, see `Bundles.decisive`.
    """
    orbit = parts[0].orbit
    found = set(range(orbit.size))
    kept = [0] * orbit.size
    for number, part in enumerate(parts):
        for home in part.homes:
            kept[home] = number
    for bundles in bundles_of(puzzle):
        if bundles.orbit is orbit:
            for own in bundles.homes:
                found -= {*own} - {*bundles.decisive(own, kept, goals)}
    return found


@lru_cache(maxsize=16)
def bundles_of(puzzle: Puzzle) -> tuple[Bundles, ...]:
    """Return the bundles of all orbits in which all stickers differ.

    Orbits whose pieces have orientations have none. Orbits that are too large are left out.
    """
    found: list[Bundles] = []
    work = 0
    for orbit in puzzle.orbits:
        if orbit.orientations > 1 or not orbit.distinct or orbit.size > _MOST_PLACES:
            continue
        start = puzzle.offsets[orbit.name]
        sources = [
            [byte - start for byte in puzzle.turns[family][0][start : start + orbit.size]]
            for family in puzzle.turns
        ]
        for places in orbits_of(orbit.size, sources):
            work += len(places) ** 2 * len(sources)
            if len(places) > 1 and work <= _MOST_WORK:
                found += _bundles(orbit, places, sources)
    return tuple(found)


def _bundles(
    orbit: Orbit, places: Sequence[int], sources: Sequence[Sequence[int]]
) -> Iterator[Bundles]:
    first = places[0]
    blocks = (_block(first, other, sources) for other in places[1:])
    home = min(blocks, key=len)
    if len(home) == len(places):
        return
    images = [dict(zip(source, range(len(source)), strict=True)) for source in sources]
    poses = {home: None}
    fresh = [home]
    for pose in fresh:  # grows during the loop
        for image in images:
            after = tuple(image[place] for place in pose)
            if after not in poses:
                poses[after] = None
                fresh.append(after)
        if len(poses) > _MOST_POSES:
            return
    homes: dict[frozenset[int], Pose] = {}
    for pose in fresh:
        homes.setdefault(frozenset(pose), pose)
    yield Bundles(orbit, tuple(homes.values()), tuple(fresh))


def _block(one: int, other: int, sources: Sequence[Sequence[int]]) -> Pose:
    """Return the places of the smallest block with two places, in ascending order."""
    leader = list(range(len(sources[0])))

    def found(place: int) -> int:
        while leader[place] != place:
            leader[place] = place = leader[leader[place]]
        return place

    joined = [(one, other)]
    while joined:
        pair = joined.pop()
        low, high = sorted(map(found, pair))
        if low != high:
            leader[high] = low
            joined += [(source[pair[0]], source[pair[1]]) for source in sources]
    root = found(one)
    return tuple(place for place in range(len(leader)) if found(place) == root)
