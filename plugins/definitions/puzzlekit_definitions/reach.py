"""Test whether the moves of a definition reach a state, and draw random reachable states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import log
from typing import TYPE_CHECKING

from puzzlekit import TableStore
from puzzlekit.puzzle.groups import Part, StabiliserLevels, parts_of
from puzzlekit.puzzle.move import permutation_parity
from puzzlekit.puzzle.random_states import random_walk
from puzzlekit.tables.table import TableSpec
from puzzlekit_definitions.build import Built
from puzzlekit_definitions.orbits import pieces_from, stickers_from

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    import numpy.typing as npt
    from sympy.combinatorics import PermutationGroup

# Above these limits, the random version of Schreier-Sims would take more than some seconds. The
# first limits the number of pairs of a place and an orientation. The second limits the sum of the
# third powers of the numbers of places of the orbits.
_MOST_POINTS = 300
_MOST_THIRD_POWERS = 600_000
_ORDER_BYTES = 512  # of a stored order, which is less than 300!
_DRAWS = 20_000  # attempts to draw a state with the right sums and parities
_RANDOM_MOVES = 500
_MOST_ELEMENTS = 100_000  # of a group, followed at once to find those that change no colour
# The allowed states form a group, so the order of a smaller group is at most half their number.
_HALF = log(1.5)

# The stored fact about a group: its order is unknown, it has every element that sums and parities
# allow, or it has fewer elements.
_UNKNOWN, _COMPLETE, _SMALLER = range(3)

Changes = Sequence[tuple[Sequence[int], Sequence[int]]]


class Reach:
    """Tests reachability by sums and parities, then by the group that the moves generate.

    The store keeps the result of Schreier-Sims, so the algorithm runs once. `reached` contains
    states that are known to be reachable, because moves have made them. They are not tested.
    """

    def __init__(self, built: Built, store: TableStore) -> None:
        self.built = built
        self.store = store
        self.reached: set[bytes] = set()

    @cached_property
    def _found(self) -> tuple[int, int]:
        """The known fact about the group, and its order."""
        if self.built.puzzle.restricted:
            return _UNKNOWN, 0  # the reachable states form no group
        moving = self.built.moving
        points = sum(len(part.places) * part.orientations for part in moving)
        if (
            points > _MOST_POINTS
            or sum(len(part.places) ** 3 for part in moving) > _MOST_THIRD_POWERS
        ):
            return _UNKNOWN, 0
        key = TableSpec(
            self.built.puzzle.name,
            "group order",
            f"Schreier-Sims 1; {self._generators}; {self.built.invariants.states}",
            "u1",
            (_ORDER_BYTES,),
            "Tells whether sums and parities say which states can be reached.",
        )
        with self.store.checking():  # its few bytes
            stored = bytes(self.store.get(key, self._sought).data)
        return stored[0], int.from_bytes(stored[1:], "little")

    def _sought(self) -> bytes:
        from puzzlekit_definitions.groups import log_order_at_least  # imports NumPy

        allowed = self.built.invariants.states
        known, order = _COMPLETE, allowed
        most = log(allowed)
        if log_order_at_least(self._generators, most) < most - _HALF:
            from puzzlekit_definitions.groups import exact_group

            group = exact_group(self._generators)
            known = _UNKNOWN if group is None else _SMALLER
            order = 0 if group is None else int(group.order())
        return bytes([known]) + order.to_bytes(_ORDER_BYTES - 1, "little")

    @property
    def order(self) -> int:
        """The number of reachable states, with all pieces distinguished; 0 if unknown."""
        return self._found[1]

    @property
    def is_complete(self) -> bool:
        """Whether it is proven that every state with possible sums and parities is reachable."""
        return self._found[0] == _COMPLETE

    @property
    def is_known(self) -> bool:
        """Whether the reachability of every state can be decided."""
        alike = any(part.stickers or not part.distinct for part in self.built.moving)
        return self.is_complete or (self._found[0] == _SMALLER and not alike)

    def fault(self, state: bytes) -> str:
        """Return why moves cannot reach a state; "" if the state is or may be reachable."""
        if state in self.reached:
            return ""
        changes = self.built.unpack(state)
        wrong = self._stray(state) or self.built.invariants.fault(changes)
        if wrong or self.is_complete or not self.is_known:
            return wrong
        from sympy.combinatorics import Permutation

        if self._group.contains(Permutation(self._permutation(changes))):
            return ""
        return (
            "no moves lead to this state: its sums and parities are possible, but it is not among "
            f"the {self.order:,} reachable states"
        )

    def _stray(self, state: bytes) -> str:
        """Describe what no move does in an orbit of stickers: an orientation, or an odd exchange.

        All pieces of an orbit trade places, but its stickers may form several groups. Return "" if
        every group is possible.
        """
        puzzle = self.built.puzzle
        of = {part.orbit.name: part for part in self.built.moving if part.orbit is not None}
        for group in self._groups:
            part, start = of[group.orbit.name], puzzle.offsets[group.orbit.name]
            left = Counter(group.orbit.solved[home] for home in group.homes)
            for home in group.homes:
                left[state[start + home]] -= 1
                if left[state[start + home]] < 0:
                    place = part.place(home // part.orientations)
                    return f"{part.piece} at {place} has an orientation that no move gives it there"
            homes = {group.orbit.solved[home]: i for i, home in enumerate(group.homes)}
            there = [homes[state[start + home]] for home in group.homes]
            if group.even and len(homes) == len(there) and permutation_parity(there):
                words = f"exchanges of the {part.piece}s do not fit together"
                return f"no moves lead to this state: the {words}"
        return ""

    @cached_property
    def _groups(self) -> list[Part]:
        """The groups of places that trade stickers, orbit by orbit."""
        puzzle = self.built.puzzle
        stickers = {part.orbit for part in self.built.moving if part.stickers}
        groups = parts_of(puzzle, [puzzle.move(family) for family in puzzle.turns])
        return [group for group in groups if group.orbit in stickers]

    def random_state(self, rng: Random) -> bytes:
        """Return a random reachable state, uniformly random if the group is known.

        If the group is unknown, many random moves make the state.
        """
        changes = self._drawn(rng)
        if changes is None:
            puzzle = self.built.puzzle
            moves = puzzle.family_moves(puzzle.turns)
            if puzzle.restricted:
                done = random_walk(puzzle, moves, rng, _RANDOM_MOVES)
                done = done[: len(done) - rng.randrange(2)]  # an odd or an even number
            else:
                done = rng.choices(moves, k=_RANDOM_MOVES)
            state = puzzle.apply(puzzle.solved, done)
        else:
            state = b"".join(
                part.pack([part.home(part.pieces[j]) for j in source], turns)
                for part, (source, turns) in zip(self.built.moving, changes, strict=True)
            )
        self.reached.add(state)
        return state

    def _drawn(self, rng: Random) -> Changes | None:
        """Return the origins and rotations of all pieces for a random element of the group.

        Return None if the group is unknown.
        """
        if self.is_complete:
            for _ in range(_DRAWS):
                changes = []
                for part in self.built.moving:
                    source = list(range(len(part.places)))
                    rng.shuffle(source)
                    changes.append((source, [rng.randrange(part.orientations) for _ in source]))
                if self.built.invariants.numbers(changes) in self.built.invariants.exact:
                    return changes
        elif self.order:
            drawn = self._group.coset_unrank(rng.randrange(self.order), af=True)
            return self._changes([int(point) for point in drawn])
        return None

    @cached_property
    def _group(self) -> PermutationGroup:
        from puzzlekit_definitions.groups import exact_group

        group = exact_group(self._generators)
        assert group is not None, "it was found before"
        return group

    def levels(self) -> StabiliserLevels | None:
        """Return a chain of stabilisers of the group.

        Return None if the order of the group is unknown, or if very many of its elements exchange
        only alike pieces.
        """
        import numpy as np

        from puzzlekit_definitions.groups import stabiliser_levels

        if not self.order:
            return None
        found = stabiliser_levels(self._generators)
        if found is None:
            return None
        images = {
            family: np.argsort(generator).astype(np.uint16)
            for family, generator in zip(self.built.puzzle.turns, self._generators, strict=True)
        }
        base = tuple(point for point, _ in found)
        carriers = tuple(np.array(level, dtype=np.uint16) for _, level in found)
        solved = _keeping(base, carriers, self._colours)
        return None if solved is None else StabiliserLevels(base, carriers, images, solved)

    @property
    def _colours(self) -> list[int]:
        """A number for each pair of a place and an orientation; alike pieces have equal numbers."""
        found: list[int] = []
        for part in self.built.moving:
            assert part.orbit is not None
            m, solved, first = part.orientations, part.orbit.solved, len(found)
            if part.stickers:
                found += [first + label for label in solved]
            else:
                found += [first + home * m + turn for home in solved for turn in range(m)]
        return found

    @cached_property
    def _generators(self) -> list[list[int]]:
        return [self._permutation(move) for move in self.built.invariants.moves]

    def _permutation(self, changes: Changes) -> list[int]:
        """Return the permutation of the pairs of place and orientation."""
        points: list[int] = []
        for part, (source, turns) in zip(self.built.moving, changes, strict=True):
            start = len(points)
            points += [start + each for each in stickers_from(source, turns, part.orientations)]
        return points

    def _changes(self, points: Sequence[int]) -> Changes:
        """Invert `_permutation`."""
        found = []
        start = 0
        for part in self.built.moving:
            end, m = start + len(part.places) * part.orientations, part.orientations
            found.append(pieces_from([point - start for point in points[start:end:m]], m))
            start = end
        return found

    def explained(self) -> tuple[str, ...]:
        """Return sentences about the known facts."""
        allowed = self.built.invariants.states
        lines = [f"sums and parities allow {allowed:,} states, with all pieces distinguished"]
        appearances = self.built.invariants.appearances
        if appearances and appearances < allowed:
            lines[0] += f", and {appearances:,} that can be told apart"
        if self.is_complete:
            lines.append("all of them are reachable (proven by Schreier-Sims)")
        elif self.order:
            lines.append(f"{self.order:,} of them are reachable (proven by Schreier-Sims)")
        elif self.built.puzzle.restricted:
            blocked = (
                "are glued together" if self.built.puzzle.blocks else "must not be at some places"
            )
            lines.append(
                "the number of reachable states is unknown: moves are not always possible, because "
                f"some pieces {blocked}"
            )
        else:
            lines.append("the number of reachable states is unknown: the group is too large")
        if not self.is_known:
            lines.append("an unreachable state may pass all tests and be searched in vain")
        return tuple(lines)


def _keeping(
    base: Sequence[int], carriers: Sequence[npt.NDArray[np.uint16]], colours: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the numbers of the elements that carry each point to a point of the same colour.

    The elements are found base point by base point. Return None if there are too many of them.
    """
    import numpy as np

    colour = np.asarray(colours)
    elements = np.arange(len(colour), dtype=np.uint16)[np.newaxis]
    numbers = np.zeros(1, dtype=object)  # integers of any size
    for point, level in zip(base, carriers, strict=True):
        rows, digits = np.nonzero(colour[elements[:, level[:, point]]] == colour[point])
        if len(rows) > _MOST_ELEMENTS:
            return None
        elements = elements[rows[:, np.newaxis], level[digits]]
        numbers = numbers[rows] * len(level) + digits
    return tuple(sorted(map(int, numbers[(colour[elements] == colour).all(axis=1)])))
