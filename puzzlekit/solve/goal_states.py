"""Random states at a goal, for scrambles to practise with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import factorial, prod
from random import Random

import attrs

from puzzlekit.errors import NoSolutionError, UsageError
from puzzlekit.goal.condition import Condition, Need
from puzzlekit.goal.goal import Goal, GoalCase, TurnedCase, alternatives, generated
from puzzlekit.position.random_states import random_state, satisfies_parities
from puzzlekit.prepare.parity import reduced
from puzzlekit.puzzle.constraint import Blocks, EvenParity, Law, OrientationSum
from puzzlekit.puzzle.move import Effect, Move, act, invert
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.run.limits import Limits
from puzzlekit.solve.choice import Choice, SearchOptions
from puzzlekit.solve.scrambling import patient_solution
from puzzlekit.solve.solver import Solver
from puzzlekit.strategy.merge import merge

_MOST_DRAWS = 300_000  # without a state that fits; this takes about 10 seconds
_TURNS = 4, 5, 6, 7, 8, 9  # numbers of random moves at the end, tried in this order
_KEPT = 2  # random moves that the other moves of a scramble must not undo
_NODES = 10_000  # of a search for the other moves of a scramble

Needs = Mapping[tuple[Orbit, int], Need]


class GoalStates:
    """Draws states that are at a goal and not at another goal. All of them are equally likely.

    The solved state is never drawn.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> last_layer = GoalStates(cube.puzzle, cube.goal("f2l"), cube.goal("oll"))
    >>> last_layer.count, last_layer.words
    (61920, 'each of 61,920 states is equally likely: at f2l, not at oll')
    >>> f2l = cube.goals["f2l"]
    >>> f2l.reached(cube.puzzle, last_layer.draw(Random(1))) is not None
    True
    """

    def __init__(self, puzzle: Puzzle, goal: Goal, unwanted: Goal | None = None) -> None:
        self.puzzle = puzzle
        self.goal = goal
        self.unwanted = unwanted
        self._cases = [_CaseStates(puzzle, case) for case in goal.cases]
        every = alternatives(puzzle, goal)
        self._seen = [[each for each in every if each.case == case] for case in goal.cases]
        self._weights = [1] * len(self._cases)
        if len(self._cases) > 1:
            counts = [each.count for each in self._cases]
            if None in counts:
                raise UsageError(
                    f"the alternatives of {goal.name} need conditions of the kinds solved, placed "
                    "and oriented, so that all states can be equally likely"
                )
            self._weights = [
                (each.count or 0) * len(each.effects) * len(seen)
                for each, seen in zip(self._cases, self._seen, strict=True)
            ]

    def draw(self, rng: Random) -> bytes:
        """Return a random state. Raises UsageError if such states are too rare."""
        puzzle = self.puzzle
        for _ in range(_MOST_DRAWS):
            number = self._number(rng)
            own, seen = self._cases[number], self._seen[number]
            state = own.draw(rng)
            if state is None:
                continue
            effect = own.effects[rng.randrange(len(own.effects))]
            if effect != own.effects[0]:
                state = act(state, *effect, puzzle.modulus)
            turned = seen[rng.randrange(len(seen))]
            state = _as_held(puzzle, turned, state)
            # A state that several draws can give is kept less often.
            ways = 1 if self._is_single else self._ways(state)
            if (ways == 1 or not rng.randrange(ways)) and self._is_wanted(state):
                return state
        raise UsageError(
            f"no state was found at {self.goal.name}"
            + (f" and not at {self.unwanted.name}" if self.unwanted else "")
            + f" in {_MOST_DRAWS:,} draws: such states are too rare, or there are none"
        )

    def _number(self, rng: Random) -> int:
        """Return the number of a case, drawn by its number of states."""
        left = rng.randrange(sum(self._weights)) if len(self._cases) > 1 else 0
        for number, weight in enumerate(self._weights):
            left -= weight
            if left < 0:
                return number
        return 0

    @property
    def _is_single(self) -> bool:
        """Whether each state can be drawn in only one way."""
        return len(self._cases) == len(self._seen[0]) == len(self._cases[0].effects) == 1

    def _ways(self, state: bytes) -> int:
        """Return the number of ways in which a state can be drawn."""
        return sum(
            own.ways(each.see(self.puzzle, state))
            for own, seen in zip(self._cases, self._seen, strict=True)
            for each in seen
        )

    def has(self, state: bytes) -> bool:
        """Whether a state is one of those that can be drawn."""
        return self.goal.reached(self.puzzle, state) is not None and self._is_wanted(state)

    def _is_wanted(self, state: bytes) -> bool:
        if self.puzzle.is_solved(state):
            return False
        return self.unwanted is None or self.unwanted.reached(self.puzzle, state) is None

    @property
    def count(self) -> int | None:
        """The number of states that can be drawn; None if it is not known."""
        if not self._is_single or self._cases[0].count is None:
            return None
        found = self._cases[0].count
        if self.unwanted is None:
            return found - 1  # the solved state
        cases = self.unwanted.cases
        if len(cases) > 1 or cases[0].up_to or self.unwanted.colours:
            return None
        both = GoalCase((*self.goal.cases[0].conditions, *cases[0].conditions), "")
        lost = _CaseStates(self.puzzle, both).count
        return None if lost is None else found - lost

    @property
    def words(self) -> str:
        """The states that can be drawn and their probability, in words."""
        without = f", not at {self.unwanted.name}" if self.unwanted else ""
        named = f"at {self.goal.name}{without}"
        if self.count is None:
            return f"all states are equally likely: {named}"
        return f"each of {self.count:,} states is equally likely: {named}"


def practice_scramble(solver: Solver, state: bytes, rng: Random) -> list[str]:
    """Return the names of moves from the solved puzzle to a state.

    Two or more random moves end the scramble, so that equal states mostly get different scrambles.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> layer = GoalStates(cube.puzzle, cube.goal("layer:D"))
    >>> rng = Random(1)
    >>> len(practice_scramble(cube, layer.draw(rng), rng)) <= 15
    True
    """
    puzzle = solver.puzzle
    allowed = solver.method().phases[0].allowed(puzzle)
    for count in _TURNS:
        turns: list[Move] = []
        for _ in range(count):
            free = [each for each in allowed if not turns or not puzzle.commute(turns[-1], each)]
            turns += [free[rng.randrange(len(free))]] if free else []
        try:
            found = solver.solve(puzzle.apply(state, turns), max_nodes=_NODES)
        except NoSolutionError:  # the answers of some near states take long to find
            continue
        moves = [each for own in merge(puzzle, [turns, found.sequence]) for each in own]
        if moves[:_KEPT] == turns[:_KEPT]:
            return [move.name for move in puzzle.undo(moves)]
    return [move.name for move in puzzle.undo(patient_solution(solver, state).sequence)]


def _as_held(puzzle: Puzzle, turned: TurnedCase, state: bytes) -> bytes:
    """Return the state that an alternative sees as `state`."""
    return turned._replace(rotation=turned.unrotation, unrotation=turned.rotation).see(
        puzzle, state
    )


class _CaseStates:
    """Draws states of a case as held, before the moves of "up to"."""

    def __init__(self, puzzle: Puzzle, case: GoalCase) -> None:
        self._puzzle = puzzle
        self._tests = [each.test(puzzle) for each in case.conditions]
        self._needs = _needs(puzzle, case.conditions)
        self._others = any(not each.needs(puzzle) for each in case.conditions)
        self._blocks = any(isinstance(part, Blocks) for part in puzzle.constraints)
        parts = puzzle.constraints
        self._sums = {part.orbit for part in parts if isinstance(part, OrientationSum)}
        self.effects = generated(puzzle, case.up_to)
        self._undone: list[Effect] = [invert(each, puzzle.modulus) for each in self.effects]

    def ways(self, state: bytes) -> int:
        """Return how many of the effects lead to the state from a state of the case."""
        modulus = self._puzzle.modulus
        return sum(
            all(test(before) for test in self._tests)
            for before in (act(state, *each, modulus) for each in self._undone)
        )

    def draw(self, rng: Random) -> bytes | None:
        """Return a random state; None if the drawn state is not one of the case."""
        puzzle = self._puzzle
        if self._blocks:
            state = random_state(puzzle, rng)
        else:
            state = b"".join(self._of_orbit(orbit, rng) for orbit in puzzle.orbits)
            if not satisfies_parities(puzzle, state):
                return None
        return state if all(test(state) for test in self._tests) else None

    def _free(self, orbit: Orbit) -> list[int]:
        """Return the home places of the pieces that may be anywhere."""
        if orbit.name in self._puzzle.frames:
            return []
        needs = (self._needs.get((orbit, home)) for home in range(orbit.size))
        return [home for home, need in enumerate(needs) if need is None or not need.placed]

    def _loose(self, orbit: Orbit) -> list[int]:
        """Return the home places of the pieces that may have any orientation."""
        if orbit.orientations == 1:
            return []
        needs = (self._needs.get((orbit, home)) for home in range(orbit.size))
        return [home for home, need in enumerate(needs) if need is None or not need.turned]

    def _of_orbit(self, orbit: Orbit, rng: Random) -> bytes:
        free, loose = self._free(orbit), self._loose(orbit)
        homes = list(range(orbit.size))  # the home of the piece at each place
        shuffled = list(free)
        rng.shuffle(shuffled)
        for place, home in zip(free, shuffled, strict=True):
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
        """The number of states of the case as held; None if it is not known."""
        puzzle = self._puzzle
        if self._others or self._blocks or any(isinstance(p, Law) for p in puzzle.constraints):
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
        return int(found >> len(basis))


def _needs(puzzle: Puzzle, conditions: Sequence[Condition]) -> Needs:
    """Return the needs of all conditions together, piece by piece."""
    found: dict[tuple[Orbit, int], Need] = {}
    for condition in conditions:
        for need in condition.needs(puzzle):
            known = found.get((need.orbit, need.home), need)
            placed, turned = need.placed or known.placed, need.turned or known.turned
            found[need.orbit, need.home] = need._replace(placed=placed, turned=turned)
    return found


class NearStates:
    """Draws states from which a goal needs at least one and at most some moves.

    All these states are equally likely. `choice` is a choice of the solver for the goal.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> easy = NearStates(cube, cube.choose(puzzlekit.SearchOptions(goal="cross")), 4)
    >>> 1 <= cube.solve(easy.draw(Random(1)), goal="cross").length <= 4
    True
    """

    def __init__(self, solver: Solver, choice: Choice, most: int) -> None:
        self._solver = solver
        self._choice = choice
        self._most = most
        self.count: int | None = None

    @property
    def words(self) -> str:
        """The states that can be drawn, in words."""
        goal = self._choice.method.goal
        assert goal is not None
        return (
            f"all states are equally likely: {goal.name} needs 1 to {self._most} "
            f"{self._choice.metric.name}"
        )

    def draw(self, rng: Random) -> bytes:
        """Return a random state. Raises UsageError if such states are too rare."""
        for _ in range(_MOST_DRAWS):
            state = random_state(self._solver.puzzle, rng)
            if self.has(state):
                return state
        raise UsageError(f"no such state was found in {_MOST_DRAWS:,} draws: they are too rare")

    def has(self, state: bytes) -> bool:
        """Whether a state is one of those that can be drawn."""
        goal = self._choice.method.goal
        assert goal is not None
        chain = self._solver.make_ready(self._choice)
        normal = chain.normal(state)
        return goal.reached(self._solver.puzzle, normal) is None and any(
            answer.moves is not None
            for answer in chain.answers(normal, Limits(max_length=self._most))
        )


@attrs.frozen
class Practice:
    """States to practise with, as options name them."""

    #: The goal, as text.
    goal: str
    #: The goal that the states are not at, as text.
    unwanted: str | None = None
    #: The most moves to the goal; None for states at the goal.
    at_most: int | None = None
    #: The colours of the goal (see `Solver.goal`).
    colours: str | None = None

    def choice(self, solver: Solver) -> Choice | None:
        """Return the search for the distance to the goal; None without `at_most`."""
        if self.at_most is None:
            return None
        return solver.choose(SearchOptions(goal=self.goal, colours=self.colours))

    def states(self, solver: Solver) -> GoalStates | NearStates:
        """Return the states, which can be drawn."""
        choice = self.choice(solver)
        if choice is not None and self.at_most is not None:
            return NearStates(solver, choice, self.at_most)
        other = None if self.unwanted is None else solver.goal(self.unwanted)
        return GoalStates(solver.puzzle, solver.goal(self.goal, self.colours), other)
