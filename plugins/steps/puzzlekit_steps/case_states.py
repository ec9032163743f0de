"""The states of one alternative of a goal: their number, and random ones.

Four kinds of sources draw states. A list of all states is best. A group has many states, and its
order is their number. Sums and parities describe puzzles with alike pieces. Otherwise, random
states are drawn until the conditions hold in one of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import factorial, prod
from random import Random

from puzzlekit import EvenParity, Orbit, OrientationSum, Puzzle, Solver
from puzzlekit.puzzle.groups import parts_of
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.puzzle.orbit import Blocks, GuardParity, Law
from puzzlekit.puzzle.random_states import satisfies_parities
from puzzlekit.search.parity import reduced
from puzzlekit_steps.conditions import Oriented, Placed, Solved
from puzzlekit_steps.goal import Condition, GoalCase, Test
from puzzlekit_steps.move_group import MoveGroup, NeedsGroup, whole_group
from puzzlekit_steps.parts import Need, carries_frame, framed
from puzzlekit_steps.solvable_by import EachSolvableBy, SolvableBy

MOST_LISTED = 100_000  # states; listing them takes about a second
_BY_NEEDS = Solved, Placed, Oriented  # these conditions hold exactly if their needs are met

Needs = Mapping[tuple[Orbit, int], Need]


class CaseStates(ABC):
    """The states of an alternative of a goal as held, before the moves of "up to"."""

    #: Whether all states are equally likely.
    even = True

    @abstractmethod
    def draw(self, rng: Random) -> bytes | None:
        """Return a random state; None if the drawn state is not one of the case."""

    @property
    @abstractmethod
    def count(self) -> int | None:
        """The number of states; None if it is not known."""

    def listed(self) -> list[bytes] | None:
        """Return all states; None if they are not known or too many."""
        return None


def case_states(solver: Solver, case: GoalCase) -> CaseStates:
    """Return the states of a case."""
    puzzle, conditions = solver.puzzle, case.conditions
    tests = {each: held_test(puzzle, each) for each in conditions}
    groups = {each: each.group(puzzle) for each in conditions if isinstance(each, SolvableBy)}
    if groups:
        chosen = min(groups, key=lambda each: groups[each].order)
        return _solvable(puzzle, groups[chosen], {k: v for k, v in tests.items() if k != chosen})
    needs, every = _needs(puzzle, conditions), [*tests.values()]
    by_needs = all(type(each) in _BY_NEEDS for each in conditions)
    group = whole_group(puzzle)
    if group is not None:
        own = NeedsGroup(group, needs.values())
        if by_needs and own.is_exact:
            return _GroupStates(puzzle, own, ())
        spread = any(isinstance(each, EachSolvableBy) for each in conditions)
        if own.order <= MOST_LISTED or not spread:
            return _GroupStates(puzzle, own, every)
        return _SumStates(puzzle, conditions, needs, (*every, group.reaches))
    states = _every_state(solver)
    if states is not None:
        return _Listed([state for state in states if all(test(state) for test in every)])
    if solver.positions.decides_reach and not any(
        isinstance(part, Blocks) for part in puzzle.constraints
    ):
        reaches = partial(satisfies_parities, puzzle)
        return _SumStates(puzzle, conditions, needs, (reaches, *every), by_needs)
    return _DrawnStates(solver, every)


def _solvable(puzzle: Puzzle, group: MoveGroup, tests: Mapping[Condition, Test]) -> CaseStates:
    """Return the states that moves of a group can solve, if tests of other conditions hold."""
    if not carries_frame(puzzle, [move.effect for move in group.moves]):
        own = NeedsGroup(group, _needs(puzzle, [*tests]).values())
        by_needs = own.is_exact and all(type(each) in _BY_NEEDS for each in tests)
        return _GroupStates(puzzle, own, () if by_needs else [*tests.values()])
    # The moves carry the frame, and other conditions name the pieces by the frame. The states that
    # differ by a rotation are one.
    held = sum(group.contains(each) for each in puzzle.whole_rotations)
    return _GroupStates(puzzle, NeedsGroup(group, ()), [*tests.values()], held)


def held_test(puzzle: Puzzle, condition: Condition) -> Test:
    """Return a test of states as held.

    Without a frame, all ways to hold the puzzle are different states, and `solvable-by` accepts all
    of them. Only one is drawn.
    """
    if isinstance(condition, SolvableBy) and not puzzle.frames:
        return condition.group(puzzle).reaches
    return condition.test(puzzle)


def _carries(puzzle: Puzzle, condition: Condition) -> bool:
    """Whether moves of a condition carry the frame, so that its needs are met in some holding."""
    return carries_frame(puzzle, [move.effect for move in condition.solving_moves(puzzle)])


def _needs(puzzle: Puzzle, conditions: Sequence[Condition]) -> Needs:
    """Return the needs of all conditions together, piece by piece. Frames are at home.

    If an oriented piece has pieces that are alike, they are oriented, too.
    """
    known = [each for each in conditions if not _carries(puzzle, each)]
    listed = [need for condition in known for need in condition.needs(puzzle)]
    for orbit in map(puzzle.orbit, puzzle.frames):
        listed += [Need(orbit, home, True, False) for home in range(orbit.size)]
    found: dict[tuple[Orbit, int], Need] = {}
    for need in listed:
        own = need.orbit.solved
        alike = [home for home, label in enumerate(own) if label == own[need.home]]
        for home in [need.home] if need.placed else alike:
            other = found.get((need.orbit, home), need)
            placed, turned = need.placed or other.placed, need.turned or other.turned
            found[need.orbit, home] = Need(need.orbit, home, placed, turned)
    return found


class _Listed(CaseStates):
    """States that are known one by one."""

    def __init__(self, states: list[bytes]) -> None:
        self._states = states

    def draw(self, rng: Random) -> bytes | None:
        return self._states[rng.randrange(len(self._states))] if self._states else None

    @property
    def count(self) -> int | None:
        return len(self._states)

    def listed(self) -> list[bytes] | None:
        return self._states


def _every_state(solver: Solver) -> list[bytes] | None:
    """Return all states that moves reach, held in the standard way; None if they are too many."""
    puzzle = solver.puzzle
    arranged = prod(
        factorial(orbit.size)
        // prod(map(factorial, Counter(orbit.solved).values()))
        * orbit.orientations**orbit.size
        for orbit in puzzle.orbits
    )
    if solver.positions.decides_reach and arranged > 4 * MOST_LISTED:
        return None
    found = {puzzle.solved: None}
    fresh = [puzzle.solved]
    for state in fresh:  # grows during the loop
        for effect in _possible(puzzle, state):
            after = act(state, *effect, puzzle.modulus)
            if after not in found:
                found[after] = None
                fresh.append(after)
        if len(fresh) > MOST_LISTED:
            return None
    return [state for state in fresh if framed(puzzle, state) == state]


def _possible(puzzle: Puzzle, state: bytes) -> Iterator[Effect]:
    """Yield effects of moves that together lead to every reachable state."""
    if puzzle.guarded is not None:
        place = puzzle.place_of_guard(state)
        cases = (move.cases[place] for move in puzzle.guarded.moves.values())
        yield from (case.effect for case in cases if case is not None)
    elif puzzle.restricted:
        moves = puzzle.family_moves(puzzle.turns)
        yield from (move.effect for move in moves if not puzzle.obstacle(state, move))
    else:
        yield from puzzle.turns.values()


class _GroupStates(CaseStates):
    """The states to which the elements of a group lead from the solved state.

    `held` is the number of elements that lead to the same state, held in different ways.
    """

    def __init__(
        self, puzzle: Puzzle, group: NeedsGroup, tests: Sequence[Test], held: int = 0
    ) -> None:
        self._puzzle = puzzle
        self._group = group
        self._tests = tests
        self._held = held
        self._states: list[bytes] | None = None
        if tests and group.order <= MOST_LISTED:
            self._states = self.listed()

    def _after(self, effect: Effect) -> bytes:
        state = act(self._puzzle.solved, *effect, self._puzzle.modulus)
        return framed(self._puzzle, state) if self._held else state

    def draw(self, rng: Random) -> bytes | None:
        if self._states is not None:
            return _Listed(self._states).draw(rng)
        state = self._after(self._group.random(rng))
        return state if all(test(state) for test in self._tests) else None

    @property
    def count(self) -> int | None:
        if self._states is not None:
            return len(self._states)
        return None if self._tests else self._group.order // (self._held or 1)

    def listed(self) -> list[bytes] | None:
        if self._states is not None or self._group.order > MOST_LISTED:
            return self._states
        states = dict.fromkeys(map(self._after, self._group.elements()))
        return [state for state in states if all(test(state) for test in self._tests)]


class _SumStates(CaseStates):
    """States with pieces that are free, or free within the places that moves connect.

    One of the tests has to say whether moves reach a state. With `by_needs`, the other tests hold
    exactly if the needs are met, and the constraints of the puzzle decide which states moves reach.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        conditions: Sequence[Condition],
        needs: Needs,
        tests: Sequence[Test],
        by_needs: bool = False,
    ) -> None:
        self._puzzle = puzzle
        self._needs = needs
        self._tests = tests
        self._by_needs = by_needs
        parts = puzzle.constraints
        self._sums = {part.orbit for part in parts if isinstance(part, OrientationSum)}
        self._regions = {orbit: self._split(orbit, conditions) for orbit in puzzle.orbits}

    def _split(self, orbit: Orbit, conditions: Sequence[Condition]) -> list[list[int]]:
        """Return the groups of free homes whose pieces trade places only with each other."""
        group_of: list[tuple[int, ...]] = [()] * orbit.size
        for condition in conditions if orbit.distinct else ():
            if isinstance(condition, EachSolvableBy) and not _carries(self._puzzle, condition):
                moves = condition.solving_moves(self._puzzle)
                for number, part in enumerate(parts_of(self._puzzle, moves)):
                    for home in part.homes if part.orbit is orbit else ():
                        group_of[home] += (number,)
        found: dict[tuple[int, ...], list[int]] = {}
        for home, group in enumerate(group_of):
            need = self._needs.get((orbit, home))
            if need is None or not need.placed:
                found.setdefault(group, []).append(home)
        return [*found.values()]

    def _free(self, orbit: Orbit) -> list[int]:
        """Return the home places of the pieces that may be elsewhere."""
        return [home for region in self._regions[orbit] for home in region]

    def _loose(self, orbit: Orbit) -> list[int]:
        """Return the home places of the pieces that may have any orientation."""
        if orbit.orientations == 1:
            return []
        needs = (self._needs.get((orbit, home)) for home in range(orbit.size))
        return [home for home, need in enumerate(needs) if need is None or not need.turned]

    def draw(self, rng: Random) -> bytes | None:
        state = b"".join(self._of_orbit(orbit, rng) for orbit in self._puzzle.orbits)
        return state if all(test(state) for test in self._tests) else None

    def _of_orbit(self, orbit: Orbit, rng: Random) -> bytes:
        loose = self._loose(orbit)
        homes = list(range(orbit.size))  # the home of the piece at each place
        for region in self._regions[orbit]:
            shuffled = list(region)
            rng.shuffle(shuffled)
            for place, home in zip(region, shuffled, strict=True):
                homes[place] = home
        labels = bytes(orbit.solved[home] for home in homes)
        if orbit.orientations == 1:
            return labels
        turns = dict.fromkeys(homes, 0)
        turns |= {home: rng.randrange(orbit.orientations) for home in loose}
        if orbit.name in self._sums and loose:
            turns[loose[-1]] -= sum(turns.values())
        return labels + bytes(turns[home] % orbit.orientations for home in homes)

    @property
    def count(self) -> int | None:
        puzzle = self._puzzle
        if not self._by_needs or any(isinstance(p, Law) for p in puzzle.constraints):
            return None
        found, exchanged = 1, []
        for orbit in puzzle.orbits:
            free, loose = self._free(orbit), self._loose(orbit)
            alike = Counter(orbit.solved[home] for home in free)
            found *= factorial(len(free)) // prod(map(factorial, alike.values()))
            found *= orbit.orientations ** max(len(loose) - (orbit.name in self._sums), 0)
            exchanged += [orbit.name] if len(free) > 1 else []
        basis: list[int] = []
        for part in puzzle.constraints:
            if isinstance(part, EvenParity):
                bits = sum(1 << exchanged.index(name) for name in part.orbits if name in exchanged)
                rest = reduced(bits, basis)
                basis += [rest] if rest else []
            elif isinstance(part, GuardParity):
                # Two pieces that can be exchanged make half of the states impossible, wherever the
                # guarding piece is.
                orbit = puzzle.orbit(part.orbit)
                guard = orbit.place(puzzle.guard.piece) if puzzle.guard is not None else -1
                if len({*self._free(orbit)} - {guard}) < 2:
                    return None
                found //= 2
        return int(found >> len(basis))


class _DrawnStates(CaseStates):
    """Random states of the puzzle in which conditions hold."""

    def __init__(self, solver: Solver, tests: Sequence[Test]) -> None:
        self._solver = solver
        self._tests = tests
        self.even = solver.positions.draws_evenly

    def draw(self, rng: Random) -> bytes | None:
        state = self._solver.random_state(rng)
        return state if all(test(state) for test in self._tests) else None

    @property
    def count(self) -> int | None:
        return None
