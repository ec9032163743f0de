"""The group that moves generate: its size, and which states it reaches.

Schreier-Sims algorithm; C. C. Sims, "Computational methods in the study of permutation groups"
(1970). SymPy has this algorithm, too, but importing SymPy takes a second.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import prod
from random import Random

from puzzlekit.puzzle.move import Effect, Move, act, compose, gather_of, invert, no_effect
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

_Point = tuple[int, int]  # a place, as the index of its byte, and an orientation
_MOST_PRODUCTS = 150_000  # of effects, which take about a second


class _TooLong(Exception):
    """More products would be necessary than are allowed."""


class MoveGroup:
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
        self.puzzle, self.moves = puzzle, moves
        self._puzzle = puzzle
        self._left = most_products
        #: The byte of the orientation at each place; the same byte if pieces never turn.
        self._turn: dict[int, int] = {}
        #: The home byte of each label at a place.
        self._home: dict[int, dict[int, int]] = {}
        #: The places of the orbit of each place.
        self._places: dict[int, range] = {}
        self._alike: list[tuple[int, int]] = []  # the ends of the bytes of orbits of alike pieces
        for orbit in puzzle.orbits:
            start = puzzle.offsets[orbit.name]
            if not orbit.distinct or (orbits is not None and orbit not in orbits):
                self._alike.append((start, start + orbit.width))
                continue
            home = {label: start + i for i, label in enumerate(orbit.solved)}
            for j in range(start, start + orbit.size):
                self._turn[j] = j + orbit.size * (orbit.orientations > 1)
                self._home[j] = home
                self._places[j] = range(start, start + orbit.size)
        self._base = [*base]  # each with whether it matters how the piece is turned
        self._asked = len(base)
        # The generators of each level leave the base places of the levels before in place.
        self._generators: list[list[Effect]] = [[] for _ in base]
        # For each level and each point an element that brings the point to the base place.
        self._known: list[dict[_Point, Effect]] = [
            {(place, 0): no_effect(puzzle.modulus)} for place, _ in base
        ]
        for move in moves:
            self._add(0, self._seen(move.effect))

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(len(known) for known in self._known)

    def random(self, rng: Random) -> Effect:
        """Return a random element. All elements are equally likely."""
        modulus = self._puzzle.modulus
        effect = no_effect(modulus)
        for known in reversed(self._known):
            effect = compose([*known.values()][rng.randrange(len(known))], effect, modulus)
        return effect

    def contains(self, effect: Effect) -> bool:
        """Whether moves of the group have an effect."""
        return self.keeps_looks(effect) and self._is_element(0, self._seen(effect))

    def keeps_looks(self, effect: Effect) -> bool:
        """Whether an effect exchanges pieces of orbits with alike pieces only unseen."""
        after = act(self._puzzle.solved, *effect, self._puzzle.modulus)
        return all(after[i:j] == self._puzzle.solved[i:j] for i, j in self._alike)

    def reaches(self, state: bytes) -> bool:
        """Whether moves of the group lead from the solved state to a state."""
        if any(state[i:j] != self._puzzle.solved[i:j] for i, j in self._alike):
            return False
        gather = list(range(len(state)))
        add = bytearray(len(state))
        for j, turn in self._turn.items():
            home = self._home[j][state[j]]
            gather[j] = home
            if turn != j:
                gather[turn] = self._turn[home]
                add[turn] = state[turn]
        return self.contains((gather_of(gather), bytes(add)))

    def _seen(self, effect: Effect) -> Effect:
        """Return an effect without its exchanges of alike pieces."""
        if not self._alike:
            return effect
        gather, add = [*effect[0]], bytearray(effect[1])
        for start, end in self._alike:
            gather[start:end] = range(start, end)
            add[start:end] = bytes(end - start)
        return gather_of(gather), bytes(add)

    def solves_base(self, state: bytes) -> bool:
        """Whether moves of the group lead from a state to one in which the base is solved.

        In such a state, the places of the base hold the pieces that they have when the puzzle is
        solved.
        """
        modulus = self._puzzle.modulus
        for (base, turned), known in zip(
            self._base[: self._asked], self._known[: self._asked], strict=True
        ):
            label = self._puzzle.solved[base]
            place = next(j for j in self._places[base] if state[j] == label)
            turn = self._turn[place]
            back = -state[turn] % modulus[turn] if turned and turn != place else 0
            found = known.get((place, back))
            if found is None:
                return False
            state = act(state, *found, modulus)
        return True

    def _point(self, effect: Effect, base: tuple[int, bool]) -> _Point:
        place, turned = base
        turn = self._turn[place]
        return effect[0][place], effect[1][turn] if turned and turn != place else 0

    def _is_element(self, level: int, effect: Effect) -> bool:
        """Whether an element that leaves the base places before a level in place is known."""
        modulus = self._puzzle.modulus
        for base, known in zip(self._base[level:], self._known[level:], strict=True):
            found = known.get(self._point(effect, base))
            if found is None:
                return False
            effect = compose(invert(found, modulus), effect, modulus)
        return effect == no_effect(modulus)

    def _add(self, level: int, effect: Effect) -> None:
        """Add an element that leaves the base places before a level in place."""
        if self._is_element(level, effect):
            return
        modulus = self._puzzle.modulus
        if level == len(self._base):
            every = ((j, True) for j in self._turn)
            base = next(each for each in every if self._point(effect, each) != (each[0], 0))
            self._base.append(base)
            self._generators.append([])
            self._known.append({(base[0], 0): no_effect(modulus)})
        base, known = self._base[level], self._known[level]
        self._generators[level].append(effect)
        products = [compose(effect, one, modulus) for one in known.values()]
        while products:
            if self._left is not None:
                self._left -= 1
                if self._left < 0:
                    raise _TooLong
            own = products.pop()
            point = self._point(own, base)
            if point in known:
                self._add(level + 1, compose(invert(known[point], modulus), own, modulus))
            else:
                known[point] = own
                products += [compose(one, own, modulus) for one in self._generators[level]]


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
