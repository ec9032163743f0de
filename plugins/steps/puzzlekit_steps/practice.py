"""Random states at a goal, for scrambles to practise with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import cast

import attrs

from puzzlekit import Limits, Move, NoSolutionError, Puzzle, SearchOptions, Solver, UsageError
from puzzlekit.puzzle.move import Effect, act, invert
from puzzlekit.search.options import Choice
from puzzlekit.search.scrambling import patient_solution
from puzzlekit.search.strategies.candidate import merge
from puzzlekit_steps.case_states import MOST_LISTED, CaseStates, case_states, held_test
from puzzlekit_steps.goal import Goal, GoalCase, TurnedCase, alternatives, generated
from puzzlekit_steps.parts import framed

__all__ = ["Practice", "PracticeStates", "practice_scrambler"]

_MOST_DRAWS = 300_000  # without a state that fits; this takes about 10 seconds
_TURNS = 4, 5, 6, 7, 8, 9  # numbers of random moves at the end, tried in this order
_KEPT = 2  # random moves that the other moves of a scramble must not undo
_NODES = 10_000  # of a search for the other moves of a scramble


class GoalStates:
    """Draws states that are at a goal and not at another goal. All of them are equally likely.

    The solved state is never drawn.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> last_layer = GoalStates(cube, cube.goal("f2l"), cube.goal("oll"))
    >>> last_layer.count, last_layer.words
    (61920, 'each of 61,920 states is equally likely: at f2l, not at oll')
    >>> f2l = cube.catalogue.goals["f2l"]
    >>> f2l.reached(cube.puzzle, last_layer.draw(Random(1))) is not None
    True
    """

    def __init__(self, solver: Solver, goal: Goal, unwanted: Goal | None = None) -> None:
        self._solver = solver
        self.puzzle = puzzle = solver.puzzle
        self.goal = goal
        self.unwanted = unwanted
        cases = goal.cases
        self._cases = [_HeldCase(solver, case) for case in cases]
        every = alternatives(puzzle, goal)
        self._seen = [[each for each in every if each.case == case] for case in cases]
        counts = [each.states.count for each in self._cases]
        #: The number of ways in which each case can be drawn.
        self._weights = [
            (count or 0) * len(own.effects) * len(seen)
            for count, own, seen in zip(counts, self._cases, self._seen, strict=True)
        ]
        #: All states of the puzzle, if the states of an alternative cannot be counted.
        self._every: CaseStates | None = None
        if None in counts and len(counts) > 1:
            self._every = case_states(solver, GoalCase((), ""))
        self._listed = self._list()
        if self.count == 0:
            raise UsageError(f"no state but the solved one is {self._named}")

    def _list(self) -> list[bytes] | None:
        """Return all states that can be drawn; None if they are too many or need no list."""
        if self._is_single and self.unwanted is None:
            return None
        if None in [each.states.count for each in self._cases] or sum(self._weights) > MOST_LISTED:
            return None
        puzzle = self.puzzle
        found: dict[bytes, None] = {}
        for own, seen in zip(self._cases, self._seen, strict=True):
            states = own.states.listed()
            if states is None:
                return None
            for state in states:
                for effect in own.effects:
                    after = framed(puzzle, act(state, *effect, puzzle.modulus))
                    found |= dict.fromkeys(_as_held(puzzle, each, after) for each in seen)
        return [state for state in found if self._is_wanted(state)]

    def draw(self, rng: Random) -> bytes:
        """Return a random state. Raises UsageError if such states are too rare."""
        if self._listed is not None:
            return self._listed[rng.randrange(len(self._listed))]
        for _ in range(_MOST_DRAWS):
            state = self._drawn(rng)
            if state is not None and self._is_wanted(state):
                return state
        raise UsageError(
            f"no state was found {self._named} in {_MOST_DRAWS:,} draws: such states are too rare, "
            "or there are none"
        )

    def _drawn(self, rng: Random) -> bytes | None:
        """Return a random state at the goal; None if another one has to be drawn."""
        puzzle = self.puzzle
        if self._every is not None:
            state = self._every.draw(rng)
            return state if state and self._ways(state) else None
        number = self._number(rng)
        own, seen = self._cases[number], self._seen[number]
        drawn = own.states.draw(rng)
        if drawn is None:
            return None
        effect = own.effects[rng.randrange(len(own.effects))]
        if effect != own.effects[0]:
            drawn = framed(puzzle, act(drawn, *effect, puzzle.modulus))
        state = _as_held(puzzle, seen[rng.randrange(len(seen))], drawn)
        # A state that several draws can give is kept less often.
        ways = 1 if self._is_single else self._ways(state)
        return state if ways == 1 or (ways and not rng.randrange(ways)) else None

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

    @cached_property
    def count(self) -> int | None:
        """The number of states that can be drawn; None if it is not known."""
        if self._listed is not None:
            return len(self._listed)
        own = self._cases[0]
        if not self._is_single or own.states.count is None:
            return None
        held = dict.fromkeys(framed(self.puzzle, each) for each in self.puzzle.solved_states)
        solved = list(filter(own.has, held))
        if self.unwanted is None:
            return own.states.count - len(solved)
        cases = self.unwanted.cases
        if len(cases) > 1 or cases[0].up_to or self.unwanted.colours:
            return None
        both = GoalCase((*self.goal.cases[0].conditions, *cases[0].conditions), "")
        lost = _HeldCase(self._solver, both)
        if lost.states.count is None:
            return None
        left = sum(not lost.has(state) for state in solved)
        return own.states.count - lost.states.count - left

    @property
    def even(self) -> bool:
        """Whether all states are equally likely."""
        sources = [each.states for each in self._cases] if self._every is None else [self._every]
        return all(each.even for each in sources)

    @property
    def _named(self) -> str:
        return f"at {self.goal.name}" + (f", not at {self.unwanted.name}" if self.unwanted else "")

    @property
    def words(self) -> str:
        """The states that can be drawn and their probability, in words."""
        if self.count is not None:
            return f"each of {self.count:,} states is equally likely: {self._named}"
        return f"{_likely(self.even)}: {self._named}"


def _likely(even: bool) -> str:
    if even:
        return "all states are equally likely"
    return "random moves lead to the states, which are not equally likely"


def practice_scramble(solver: Solver, state: bytes, rng: Random) -> list[str]:
    """Return the names of moves from the solved puzzle to a state.

    Two or more random moves end the scramble, so that equal states mostly get different scrambles.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> layer = GoalStates(cube, cube.goal("layer:D"))
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


def practice_scrambler(
    solver: Solver, states: PracticeStates, seed: int
) -> Callable[[int], tuple[bytes, list[str]]]:
    """Return a function that takes the number of a scramble, and draws a state with moves to it."""

    def make(number: int) -> tuple[bytes, list[str]]:
        rng = Random(f"{seed} {number}")
        state = states.draw(rng)
        return state, practice_scramble(solver, state, rng)

    return make


def _as_held(puzzle: Puzzle, turned: TurnedCase, state: bytes) -> bytes:
    """Return the state that an alternative sees as `state`."""
    return turned._replace(rotation=turned.unrotation, unrotation=turned.rotation).see(
        puzzle, state
    )


class _HeldCase:
    """A case as held, with the effects of the moves of "up to"."""

    def __init__(self, solver: Solver, case: GoalCase) -> None:
        self._puzzle = puzzle = solver.puzzle
        self._tests = [held_test(puzzle, each) for each in case.conditions]
        self.states = case_states(solver, case)
        self.effects = generated(puzzle, case.up_to)
        self._undone: list[Effect] = [invert(each, puzzle.modulus) for each in self.effects]

    def has(self, state: bytes) -> bool:
        """Whether a state, which moves reach, is one of the case."""
        return all(test(state) for test in self._tests)

    def ways(self, state: bytes) -> int:
        """Return how many of the effects lead to the state from a state of the case."""
        modulus = self._puzzle.modulus
        undone = (act(state, *each, modulus) for each in self._undone)
        return sum(self.has(framed(self._puzzle, before)) for before in undone)


class NearStates:
    """Draws states from which a goal needs at least one and at most some moves.

    All these states are equally likely if all states of the puzzle are. `choice` is a choice of the
    solver for the goal.

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
            f"{_likely(self._solver.positions.draws_evenly)}: {goal.name} needs 1 to {self._most} "
            f"{self._choice.metric.name}"
        )

    def draw(self, rng: Random) -> bytes:
        """Return a random state. Raises UsageError if such states are too rare."""
        for _ in range(_MOST_DRAWS):
            state = self._solver.random_state(rng)
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
            for answer in chain.search(normal, Limits(max_length=self._most))
        )


PracticeStates = GoalStates | NearStates


@attrs.frozen
class Practice:
    """States to practise with, as options name them."""

    #: The goal, as text.
    goal: str
    #: The goal that the states are not at, as text.
    unwanted: str | None = None
    #: The most moves to the goal; None for states at the goal.
    at_most: int | None = None

    def choice(self, solver: Solver) -> Choice | None:
        """Return the search for the distance to the goal; None without `at_most`."""
        if self.at_most is None:
            return None
        return solver.choose(SearchOptions(goal=self.goal))

    def choices(self, solver: Solver) -> list[Choice]:
        """Return the searches of a scramble: for the distance to the goal, and for moves."""
        found = self.choice(solver), solver.choose()
        return [each for each in found if each is not None]

    def states(self, solver: Solver) -> PracticeStates:
        """Return the states, which can be drawn."""
        choice = self.choice(solver)
        if choice is not None and self.at_most is not None:
            return NearStates(solver, choice, self.at_most)
        other = None if self.unwanted is None else cast(Goal, solver.goal(self.unwanted))
        return GoalStates(solver, cast(Goal, solver.goal(self.goal)), other)
