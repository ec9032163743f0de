"""The bundled kinds of states: random states, random walks, states at a distance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Choice, Limits, SearchOptions, UsageError
from puzzlekit.amounts import whole
from puzzlekit.search.parity import reachable
from puzzlekit.search.scrambling import random_moves
from puzzlekit_batch import DataColumn
from puzzlekit_lab.datasets.kind import whole_number
from puzzlekit_lab.datasets.state_kind import Drawn, StateKind

if TYPE_CHECKING:
    from puzzlekit import Move, Puzzle, Solver
    from puzzlekit.search.compiled_phase import CompiledPhase

_LENGTHS = whole(1, 10_000)
_DISTANCES = whole(1, 1_000)
_MOST_TRIES = 100_000  # to draw a state at a distance


def _length(value: Any) -> int:
    return whole_number(value, _LENGTHS)


def _distance(value: Any) -> int:
    return whole_number(value, _DISTANCES)


@attrs.frozen
class RandomState(StateKind):
    """States of which each is equally likely.

    >>> str(RandomState())
    'random'
    """

    word = "random"
    about = "each state is equally likely"

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        """Return the function that draws a state."""
        return lambda rng: Drawn(solver.random_state(rng), {})


@attrs.frozen
class Walk(StateKind):
    """States after random moves of the solved puzzle.

    Neighbouring moves belong to different families. If moves have a guard, all moves are possible,
    and no move undoes the move before it, unless it is the only possible move.

    >>> str(Walk(20))
    'walk:20'
    """

    word = "walk"
    about = "the state after LENGTH random moves of the solved puzzle"
    columns = (DataColumn("walk", "texts", "the moves from the solved state to the state"),)

    #: The number of moves.
    length: int = attrs.field(converter=_length)

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        """Return the function that draws a state."""

        def draw(rng: Random) -> Drawn:
            moves = random_moves(solver, rng, self.length)
            return Drawn(solver.state(moves), {"walk": moves})

        return draw


@attrs.frozen
class ExactDepth(StateKind):
    """States at one distance from the solved state. Each of these states is equally likely.

    The distance is the least cost of a solution. States that differ only in how the puzzle is held
    count as one state. The puzzle needs a method with one phase, which finds all shortest
    solutions.

    >>> str(ExactDepth(7))
    'exact-depth:7'
    """

    word = "exact-depth"
    about = "states whose shortest solution costs DISTANCE, each equally likely"
    columns = (DataColumn("distance", "integer", "the cost of a shortest solution"),)

    #: The distance.
    distance: int = attrs.field(converter=_distance)

    def choice(self, solver: Solver, metric: str) -> Choice:
        """Return the search that lists all shortest solutions."""
        found = solver.choose(SearchOptions(metric=metric), listing=True)
        if not found.metric.counts:
            raise UsageError(f"{metric} is a machine: {self} needs another metric")
        return found

    def drawing(self, solver: Solver, metric: str) -> Callable[[Random], Drawn]:
        """Load the tables, and return the function that draws a state."""
        choice = self.choice(solver, metric)
        chain = solver.make_ready(choice)
        sequences = _Sequences(solver.puzzle, chain.phases[0], self.distance)
        states = reachable(solver.puzzle, chain.phases[0].moves)
        # Near states are rare, but most sequences of their length are shortest. Far states are
        # ends of very many sequences.
        near = sequences.count < states

        def draw(rng: Random) -> Drawn:
            for _ in range(_MOST_TRIES):
                state = sequences.draw(rng) if near else solver.random_state(rng)
                if solver.puzzle.is_solved(state):
                    continue
                found = solver.listed(state, choice, Limits(), shortest=True)
                first = next(found)
                if first.cost != self.distance:
                    continue
                # Each sequence is drawn as often as the others. So a state with n shortest
                # solutions is drawn n times as often as a state with one.
                if not near or not rng.randrange(1 + sum(1 for _ in found)):
                    return Drawn(state, {"distance": self.distance})
            raise UsageError(
                f"no state at distance {self.distance} was found in {_MOST_TRIES:,} tries: such "
                "states are too rare, or there are none"
            )

        return draw


class _Sequences:
    """Draws canonical sequences of one cost, each equally likely, and the states they solve."""

    def __init__(self, puzzle: Puzzle, phase: CompiledPhase, cost: int) -> None:
        self._puzzle = puzzle
        self._phase = phase
        guarded = puzzle.guarded
        self._home = None if guarded is None else guarded.place(puzzle.solved)
        self._starts = range(1 if guarded is None else guarded.size)
        if any(each < 1 for each in phase.costs):
            raise UsageError("a move costs nothing in this metric: choose another metric")
        # For each cost and state of the automaton: the number of sequences with this cost.
        self._ways = [[0] * len(phase.automaton)]
        for spent in range(1, cost + 1):
            self._ways.append([sum(self._each(state, spent)) for state in self._states])
        self._cost = cost
        #: The number of sequences.
        self.count = sum(self._ways[cost][start] for start in self._starts)

    @property
    def _states(self) -> range:
        return range(len(self._phase.automaton))

    def _each(self, state: int, cost: int) -> list[int]:
        """Return the number of sequences of a cost that begin with each move of a state."""
        found = []
        for number, after in self._phase.automaton[state]:
            left = cost - self._phase.costs[number]
            ends = left == 0 and self._ends(self._phase.moves[number])
            found.append(int(ends) if left <= 0 else self._ways[left][after])
        return found

    def _ends(self, move: Move) -> bool:
        """Whether the puzzle may be solved after a move."""
        return self._home is None or move.guard_after == self._home

    def draw(self, rng: Random) -> bytes:
        """Return the state that a random sequence solves; the solved state if there is none."""
        left, moves = self._cost, []
        if not self.count:
            return self._puzzle.solved
        (state,) = rng.choices(self._starts, [self._ways[left][each] for each in self._starts])
        while left:
            weights = self._each(state, left)
            ((number, state),) = rng.choices(self._phase.automaton[state], weights)
            moves.append(self._phase.moves[number])
            left -= self._phase.costs[number]
        return self._puzzle.apply(self._puzzle.solved, self._puzzle.undo(moves))
