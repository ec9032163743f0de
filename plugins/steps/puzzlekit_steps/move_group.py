"""The group that moves generate, as a chain of stabilisers, and its elements that meet some needs.

The Schreier-Sims algorithm; C. C. Sims, "Computational methods in the study of permutation groups"
(1970). SymPy has this algorithm, too, but importing SymPy takes a second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from math import prod
from typing import TYPE_CHECKING

from puzzlekit import Move, Orbit, Puzzle
from puzzlekit.puzzle.groups import parts_of
from puzzlekit.puzzle.move import Effect, act, compose, gather_of, invert, no_effect
from puzzlekit_steps.parts import Need

if TYPE_CHECKING:
    from random import Random

__all__ = ["MoveGroup", "NeedsGroup", "whole_group"]

_MOST_PRODUCTS = 150_000  # of effects, which take about a second
_MOST_TURNS = 20_000  # orientations of pieces that a level of a chain lists

_Point = Callable[[Effect], Hashable]


class _Level:
    """A level of a chain: what its elements may change, and the first element for each change."""

    def __init__(self, point: _Point, identity: Effect) -> None:
        self.point = point
        self.generators: list[Effect] = []
        self.known = {point(identity): identity}

    def extend(self, effect: Effect, modulus: bytes) -> Iterator[tuple[Effect, Effect] | None]:
        """Add a generator, and yield an item for each product of elements.

        The item is None if the product is the first element for its change. Otherwise it is a pair:
        the known element and the product, whose quotient belongs to the next level.
        """
        self.generators.append(effect)
        products = [compose(effect, one, modulus) for one in self.known.values()]
        while products:
            own = products.pop()
            known = self.known.setdefault(self.point(own), own)
            if known is own:
                products += [compose(one, own, modulus) for one in self.generators]
            yield None if known is own else (known, own)


class _Chain:
    """A chain of stabilisers. The elements of the group are those of the levels from `_first`."""

    def __init__(self, puzzle: Puzzle, points: Iterable[_Point]) -> None:
        self.puzzle = puzzle
        self._modulus = puzzle.modulus
        self._identity = no_effect(puzzle.modulus)
        self._levels = [_Level(point, self._identity) for point in points]
        self._first = 0

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(len(level.known) for level in self._levels[self._first :])

    @cached_property
    def _factors(self) -> list[list[Effect]]:
        return [[*level.known.values()] for level in self._levels[self._first :]]

    def random(self, rng: Random) -> Effect:
        """Return a random element. All elements are equally likely."""
        effect = self._identity
        for known in reversed(self._factors):
            effect = compose(known[rng.randrange(len(known))], effect, self._modulus)
        return effect

    def elements(self) -> list[Effect]:
        """Return all elements."""
        found = [self._identity]
        for known in reversed(self._factors):
            found = [compose(one, rest, self._modulus) for one in known for rest in found]
        return found

    def _reduced(self, effect: Effect, depth: int = 0) -> tuple[Effect, int]:
        """Return what is left of an element, and the first level that does not have it."""
        for level in self._levels[depth:]:
            known = level.known.get(level.point(effect))
            if known is None:
                break
            effect = compose(invert(known, self._modulus), effect, self._modulus)
            depth += 1
        return effect, depth


def _at(place: int, turn: int) -> _Point:
    return lambda effect: (effect[0][place], effect[1][turn] if turn else 0)


def _turns(start: int, size: int, homes: Sequence[int], loose: Sequence[int]) -> _Point:
    """The orientations of pieces, wherever they are."""
    places = [start + home for home in homes]

    def point(effect: Effect) -> Hashable:
        gather, add = effect
        turned = {gather[place]: add[place + size] for place in places}
        return tuple(turned[start + home] for home in loose)

    return point


class _TooLong(Exception):
    """More products would be necessary than are allowed."""


class MoveGroup(_Chain):
    """The group that some moves of a puzzle generate.

    If pieces of an orbit are alike, the moves must exchange only pieces of this orbit that are
    alike, so that nobody sees it. The group does not contain these exchanges.

    `base` lists bytes of places, each with a truth value: whether it matters how the piece there is
    turned. `solves_base` answers for these places. `orbits` has the only orbits that matter.
    `most_products` limits the work (see `whole_group`).

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> group = MoveGroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"))
    >>> group.order
    663552
    """

    def __init__(
        self,
        puzzle: Puzzle,
        moves: Sequence[Move],
        base: Sequence[tuple[int, bool]] = (),
        orbits: Collection[Orbit] | None = None,
        most_products: int | None = None,
    ) -> None:
        self.moves = moves
        self._left = most_products
        #: The byte of the orientation at each place; 0 if pieces never turn.
        self._turn: dict[int, int] = {}
        #: The home byte of each label at a place.
        self._home: dict[int, dict[int, int]] = {}
        self._alike: list[tuple[int, int]] = []  # the ends of the bytes of orbits of alike pieces
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            if not orbit.distinct or (orbits is not None and orbit not in orbits):
                self._alike.append((start, start + orbit.width))
                continue
            home = {label: start + i for i, label in enumerate(orbit.solved)}
            for j in range(start, start + orbit.size):
                self._turn[j] = j + orbit.size if orbit.orientations > 1 else 0
                self._home[j] = home
        self._base = base
        super().__init__(
            puzzle, (_at(place, turned and self._turn[place]) for place, turned in base)
        )
        for move in moves:
            self._add(0, self._seen(move.effect))

    def contains(self, effect: Effect) -> bool:
        """Whether moves of the group have an effect."""
        return self.keeps_looks(effect) and self._is_element(self._seen(effect))

    def keeps_looks(self, effect: Effect) -> bool:
        """Whether an effect exchanges pieces of orbits with alike pieces only unseen."""
        after = act(self.puzzle.solved, *effect, self._modulus)
        return all(after[i:j] == self.puzzle.solved[i:j] for i, j in self._alike)

    def reaches(self, state: bytes) -> bool:
        """Whether moves of the group lead from the solved state to a state."""
        if any(state[i:j] != self.puzzle.solved[i:j] for i, j in self._alike):
            return False
        gather = list(range(len(state)))
        add = bytearray(len(state))
        for j, turn in self._turn.items():
            home = self._home[j][state[j]]
            gather[j] = home
            if turn:
                gather[turn] = self._turn[home]
                add[turn] = state[turn]
        return self.contains((gather_of(gather), bytes(add)))

    def solves_base(self, state: bytes) -> bool:
        """Whether moves of the group lead from a state to one in which the base is solved.

        In such a state, the places of the base hold the pieces that they have when the puzzle is
        solved.
        """
        modulus = self._modulus
        for (base, turned), level in zip(self._base, self._levels, strict=False):
            label = self.puzzle.solved[base]
            place = next(j for j in self._home[base].values() if state[j] == label)
            turn = turned and self._turn[place]
            found = level.known.get((place, -state[turn] % modulus[turn] if turn else 0))
            if found is None:
                return False
            state = act(state, *found, modulus)
        return True

    def _seen(self, effect: Effect) -> Effect:
        """Return an effect without its exchanges of alike pieces."""
        if not self._alike:
            return effect
        gather, add = [*effect[0]], bytearray(effect[1])
        for start, end in self._alike:
            gather[start:end] = range(start, end)
            add[start:end] = bytes(end - start)
        return gather_of(gather), bytes(add)

    def _is_element(self, effect: Effect, level: int = 0) -> bool:
        return self._reduced(effect, level) == (self._identity, len(self._levels))

    def _add(self, level: int, effect: Effect) -> None:
        """Add an element that leaves the base places before a level in place."""
        if self._is_element(effect, level):
            return
        if level == len(self._levels):
            points = (_at(place, turn) for place, turn in self._turn.items())
            moved = next(each for each in points if each(effect) != each(self._identity))
            self._levels.append(_Level(moved, self._identity))
        for quotient in self._levels[level].extend(effect, self._modulus):
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise _TooLong
            if quotient is not None:
                known, own = quotient
                back = invert(known, self._modulus)
                self._add(level + 1, compose(back, own, self._modulus))


@lru_cache(maxsize=8)  # a goal with several cases asks for each of them
def whole_group(puzzle: Puzzle) -> MoveGroup | None:
    """Return the group of all moves of a puzzle whose pieces all differ.

    Return None for other puzzles, if moves are not always possible, and if finding the order of the
    group would take more than a second.

    >>> import puzzlekit
    >>> whole_group(puzzlekit.load("cube2").puzzle).order
    88179840
    >>> whole_group(puzzlekit.load("cube4").puzzle)  # its centers are alike
    """
    if puzzle.restricted or not all(orbit.distinct for orbit in puzzle.orbits):
        return None
    moves = [puzzle.move(family) for family in puzzle.turns]
    try:
        return MoveGroup(puzzle, moves, most_products=_MOST_PRODUCTS)
    except _TooLong:
        return None


class NeedsGroup(_Chain):
    """The elements of a group of moves after which some needs are met, from the solved state.

    Needs of the places of pieces are always met. Needs of orientations are met if all pieces that
    trade places, apart from those that are placed, need them. `is_exact` says whether all needs are
    met, so that the elements are exactly those that meet the needs.

    The chain of stabilisers begins with the points of the needs. Because the order of the group is
    known, random elements find the chain without the tests of the Schreier-Sims algorithm: it is
    complete when its order is right (D. F. Holt, "Handbook of Computational Group Theory", 2005).

    >>> import puzzlekit
    >>> from puzzlekit_steps import Solved
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> half = MoveGroup(cube, cube.moves("U2 D2 R2 L2 F2 B2"))
    >>> NeedsGroup(half, Solved("edges").needs(cube)).order  # of 663,552 elements
    96
    """

    def __init__(self, group: MoveGroup, needs: Iterable[Need]) -> None:
        from random import Random  # not needed by a solve

        self.is_exact = True
        super().__init__(group.puzzle, self._points(group, needs))
        first = len(self._levels)
        rng = Random(1)
        while self.order < group.order:
            self._add(group.random(rng))
        self._first = first  # only the elements that keep all points above meet the needs

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
                start = puzzle.offsets[part.orbit.name]
                found.append(_turns(start, part.orbit.size, part.homes, loose))
            else:
                self.is_exact = False
        return found

    def _add(self, effect: Effect) -> None:
        """Add an element of the group to the levels that do not have it yet."""
        effect, depth = self._reduced(effect)
        if depth == len(self._levels):
            if effect == self._identity:
                return
            self._levels.append(_Level(self._moved(effect), self._identity))
        for level in self._levels[: depth + 1]:
            for _ in level.extend(effect, self._modulus):
                pass

    def _moved(self, effect: Effect) -> _Point:
        """Return a point that an effect moves."""
        for orbit in self.puzzle.orbits:
            start = self.puzzle.offsets[orbit.name]
            for place in range(start, start + orbit.size):
                point = _at(place, place + orbit.size if orbit.orientations > 1 else 0)
                if point(effect) != point(self._identity):
                    return point
        raise AssertionError("the effect changes nothing")
