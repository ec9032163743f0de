"""The elements of a group of moves that meet needs: their number, and random ones.

The chain of stabilisers of a group begins with the points of the needs. If the order of the group
is known, random elements find such a chain without the tests of the Schreier-Sims algorithm: the
chain is complete when its order is right (D. F. Holt, "Handbook of Computational Group Theory",
2005).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import prod
from random import Random

from puzzlekit.puzzle.move import Effect, compose, invert, no_effect
from puzzlekit.puzzle.part import parts_of
from puzzlekit.search.goals.condition import Need
from puzzlekit.search.goals.move_group import MoveGroup

_MOST_TURNS = 20_000  # orientations of pieces that a level of the chain lists

_Point = Callable[[Effect], Hashable]


class _Level:
    """A level of the chain: what its elements may change, and the first element for each change."""

    def __init__(self, point: _Point, identity: Effect) -> None:
        self.point = point
        self.generators: list[Effect] = []
        self.known = {point(identity): identity}

    def extend(self, effect: Effect, modulus: bytes) -> None:
        """Add a generator."""
        self.generators.append(effect)
        products = [compose(effect, one, modulus) for one in self.known.values()]
        while products:
            own = products.pop()
            point = self.point(own)
            if point not in self.known:
                self.known[point] = own
                products += [compose(one, own, modulus) for one in self.generators]


class NeedsGroup:
    """The elements of a group of moves after which some needs are met, from the solved state.

    Needs of the places of pieces are always met. Needs of orientations are met if all pieces that
    trade places, apart from those that are placed, need them. `is_exact` says whether all needs are
    met, so that the elements are exactly those that meet the needs.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> half = MoveGroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"))
    >>> NeedsGroup(half, puzzlekit.Solved("edges").needs(cube)).order  # of 663,552 elements
    96
    """

    def __init__(self, group: MoveGroup, needs: Iterable[Need]) -> None:
        self._puzzle = group.puzzle
        self._identity = no_effect(group.puzzle.modulus)
        self.is_exact = True
        self._levels = [_Level(point, self._identity) for point in self._points(group, needs)]
        first = len(self._levels)
        rng = Random(1)
        while prod(len(level.known) for level in self._levels) < group.order:
            self._add(group.random(rng))
        self._own = [[*level.known.values()] for level in self._levels[first:]]

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(map(len, self._own))

    def random(self, rng: Random) -> Effect:
        """Return a random element. All elements are equally likely."""
        effect = self._identity
        for known in reversed(self._own):
            effect = compose(known[rng.randrange(len(known))], effect, self._puzzle.modulus)
        return effect

    def elements(self) -> list[Effect]:
        """Return all elements."""
        found = [self._identity]
        for known in reversed(self._own):
            found = [compose(one, rest, self._puzzle.modulus) for one in known for rest in found]
        return found

    def _points(self, group: MoveGroup, needs: Iterable[Need]) -> list[_Point]:
        """Return what the elements must not change."""
        puzzle = group.puzzle
        listed = [need for need in needs if need.orbit.distinct]  # the moves keep the other orbits
        found = []
        for orbit, home, placed, turned in listed:
            place = puzzle.offsets[orbit.name] + home
            if placed:
                found.append(
                    _at(place, place + orbit.size if turned and orbit.orientations > 1 else 0)
                )
        for part in parts_of(puzzle, group.moves):
            own = [need for need in listed if need.orbit is part.orbit and need.home in part.homes]
            loose = [need.home for need in own if need.turned and not need.placed]
            if not loose or not part.turned:
                continue
            if {need.home for need in own} == {*part.homes} and (
                part.orbit.orientations ** len(loose) <= _MOST_TURNS
            ):
                found.append(
                    _turns(puzzle.offsets[part.orbit.name], part.orbit.size, part.homes, loose)
                )
            else:
                self.is_exact = False
        return found

    def _add(self, effect: Effect) -> None:
        """Add an element of the group to the levels that do not have it yet."""
        modulus = self._puzzle.modulus
        depth = 0
        for level in self._levels:
            known = level.known.get(level.point(effect))
            if known is None:
                break
            effect = compose(invert(known, modulus), effect, modulus)
            depth += 1
        else:
            if effect == self._identity:
                return
            self._levels.append(_Level(self._moved(effect), self._identity))
        for level in self._levels[: depth + 1]:
            level.extend(effect, modulus)

    def _moved(self, effect: Effect) -> _Point:
        """Return a point that an effect moves."""
        for orbit in self._puzzle.orbits:
            start = self._puzzle.offsets[orbit.name]
            for place in range(start, start + orbit.size):
                point = _at(place, place + orbit.size if orbit.orientations > 1 else 0)
                if point(effect) != point(self._identity):
                    return point
        raise AssertionError("the effect changes nothing")


def _at(place: int, turn: int) -> _Point:
    """The piece at a place, and its orientation if `turn` is not 0."""
    if turn:
        return lambda effect: (effect[0][place], effect[1][turn])
    return lambda effect: effect[0][place]


def _turns(start: int, size: int, homes: Sequence[int], loose: Sequence[int]) -> _Point:
    """The orientations of pieces, wherever they are."""
    places = [start + home for home in homes]

    def point(effect: Effect) -> Hashable:
        gather, add = effect
        turned = {gather[place]: add[place + size] for place in places}
        return tuple(turned[start + home] for home in loose)

    return point
