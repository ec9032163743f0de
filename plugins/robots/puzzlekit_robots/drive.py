"""The steps of a machine, as an automaton over the moves of a method.

A method may assume that some places are solved (a corner of the 2x2x2, the centers of the 3x3x3).
All its moves leave these places unchanged, as if the puzzle were always held in the same way. A
machine also turns the whole puzzle. So the automaton keeps track of the rotation r of the puzzle
since the start. The machine's step t then does the method's move m with r t = m r', where r' is the
rotation after the step. Usually only one r' makes m leave the places unchanged. If there are
several, the step counts as one move for each of them. A state of the automaton is a pair (rotation,
group of arms that turned last).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from puzzlekit import Move, Puzzle, PuzzlekitError, UsageError
from puzzlekit.engine.automaton import NOTHING, Edge, reduced
from puzzlekit.puzzle.move import Effect, Step, compose, invert, product
from puzzlekit.search.step_metric import MethodSteps, Steps
from puzzlekit_robots.machine import FREE, Machine

if TYPE_CHECKING:
    from puzzlekit import Phase
    from puzzlekit_robots.reach import MachineReach

State = tuple[int, int]  # the number of a rotation, the group of arms that turned last

_Way = tuple[int, tuple[tuple[Step, ...], ...]]
_Sight = tuple[Effect, int, tuple[Effect, ...]]


class MachineStep(NamedTuple):
    """A step of a machine, expressed by moves of a method, and the state that it leads to.

    `parts` has the effects of the turns that the machine makes at the same time.
    """

    parts: tuple[Effect, ...]
    to: State
    step: Step


class Drive(MethodSteps):
    """Expresses the steps of a machine by the moves of a method."""

    def __init__(self, puzzle: Puzzle, machine: Machine, fixed: Mapping[str, str]) -> None:
        machine.check(puzzle)
        self.puzzle = puzzle
        self._machine = machine
        self.fixed = fixed
        self._fixed = puzzle.bytes_at(fixed)
        self._steps: dict[tuple[Move, ...], Steps] = {}
        self._rotations = puzzle.whole_rotations
        self._number = {rotation: i for i, rotation in enumerate(self._rotations)}
        # The rotations, grouped by where they bring the pieces of the fixed places.
        self._holdings: dict[tuple[int, ...], list[Effect]] = {}
        for each in self._rotations:
            self._holdings.setdefault(self._brought(each), []).append(each)
        self._sights: dict[tuple[int, tuple[Move, ...]], list[_Sight]] = {}
        self._pairs: dict[Effect, Move] | None = None
        self._reach: dict[tuple[tuple[Phase, ...], bool], MachineReach] = {}
        self._passages: dict[State, dict[Effect, list[MachineStep]]] = {}

    def _brought(self, effect: Effect) -> tuple[int, ...]:
        gather, add = invert(effect, self.puzzle.modulus)
        return tuple(value for j in self._fixed for value in (gather[j], add[j]))

    def following(self, state: State) -> dict[Effect, list[MachineStep]]:
        """Return all steps that are possible in a state, grouped by effect."""
        if state not in self._passages:
            found: dict[Effect, list[MachineStep]] = {}
            for step, group in self._machine.following(self.puzzle, state[1]):
                key = state[0], step.moves
                if key not in self._sights:
                    self._sights[key] = self._seen(*key)
                for effect, rotation, parts in self._sights[key]:
                    passage = MachineStep(parts, (rotation, group), step)
                    found.setdefault(effect, []).append(passage)
            self._passages[state] = found
        return self._passages[state]

    def _seen(self, number: int, moves: Sequence[Move]) -> list[_Sight]:
        """Return (effect of a step for the method, rotation after it, effects of its parts).

        One tuple for each rotation that the method can assume after the step.
        """
        modulus = self.puzzle.modulus
        held = self._rotations[number]
        done = product([held, *(move.effect for move in moves)], modulus)
        if self._fixed:
            ways = self._holdings.get(self._brought(done), [])
            if not ways:
                names = " + ".join(move.name for move in moves)
                raise UsageError(
                    f"the step {names} changes places that the method assumes to be solved; choose "
                    "another method"
                )
        else:
            ways = [done if moves[0].family in self.puzzle.rotations else held]
        back = invert(held, modulus)
        parts = tuple(product((held, move.effect, back), modulus) for move in moves)
        return [
            (compose(done, invert(after, modulus), modulus), self._number[after], parts)
            for after in ways
        ]

    def steps(self, allowed: tuple[Move, ...]) -> Steps:
        """Return the automaton of the steps. The number of states is reduced."""
        if allowed not in self._steps:
            self._steps[allowed] = self._find_steps(allowed)
        return self._steps[allowed]

    def _find_steps(self, allowed: Sequence[Move]) -> Steps:
        single = {move.effect: move for move in allowed}
        self._pairs = None
        moves: dict[Move, int] = {}
        start: State = (0, FREE)
        numbers = {start: 0}
        queue = [start]
        edges: list[list[Edge]] = []
        for state in queue:  # the loop appends to it
            own: list[Edge] = []
            for effect, passages in self.following(state).items():
                if effect == self._rotations[0]:
                    number = NOTHING
                elif (move := self._move(effect, passages[0], single)) is not None:
                    number = moves.setdefault(move, len(moves))
                else:
                    continue
                for _, to, step in passages:
                    if to not in numbers:
                        numbers[to] = len(numbers)
                        queue.append(to)
                    own.append((number, numbers[to], step.cost))
            edges.append(own)
        small, state_of = reduced(edges)
        # In the order of the phase, so that move tables are shared with other metrics.
        order = {move: i for i, move in enumerate(allowed)}
        ordered = sorted(moves, key=lambda move: order.get(move, len(order)))
        return Steps(tuple(moves), small, state_of[0]).only(ordered)

    def _move(
        self, effect: Effect, passage: MachineStep, single: dict[Effect, Move]
    ) -> Move | None:
        """Return the move that a step makes, or its simultaneous moves as one; None if neither."""
        if effect in single:
            return single[effect]
        if all(part in single for part in passage.parts):
            return self.puzzle.together([single[part] for part in passage.parts])
        return self._pair(single).get(effect) if self._fixed else None

    def _pair(self, single: dict[Effect, Move]) -> dict[Effect, Move]:
        """Return the moves of two families at once, by their effects.

        A step that turns only a middle layer moves the fixed places. With another holding, it does
        two moves of a method.
        """
        if self._pairs is None:
            self._pairs = {}
            for one, other in combinations(single.values(), 2):
                if one.family != other.family:
                    modulus = self.puzzle.modulus
                    effect = compose(one.effect, other.effect, modulus)
                    if effect == compose(other.effect, one.effect, modulus):
                        self._pairs[effect] = self.puzzle.together([one, other])
        return self._pairs

    def done(self, parts: Sequence[Sequence[Move]]) -> list[tuple[Step, ...]]:
        """Return the cheapest steps that do the moves of an answer, for each of its parts."""
        # The best way to each state: its cost, and its steps so far in groups.
        best: dict[State, _Way] = {(0, FREE): (0, ())}
        for part in parts:
            best = {state: (cost, (*ways, ())) for state, (cost, ways) in best.items()}
            for move in part:
                best = self._after(self._settled(best), move.effect)
        if not best:
            names = " ".join(move.name for part in parts for move in part)
            raise PuzzlekitError(f"internal error: {self._machine.name} cannot do {names}")
        return list(min(best.values(), key=lambda way: way[0])[1])

    def check_reach(self, state: bytes, phases: Sequence[Phase], relabel: bool) -> None:
        """Raise a NoSolutionError if coordinates show that the machine cannot solve a state."""
        from puzzlekit_robots.reach import MachineReach

        key = tuple(phases), relabel
        if key not in self._reach:
            self._reach[key] = MachineReach(
                self.puzzle, self._machine, self, phases, self.fixed, relabel
            )
        self._reach[key].check(state)

    def _after(self, best: dict[State, _Way], effect: Effect) -> dict[State, _Way]:
        """Return the best ways to all states after one more step with this effect."""
        after: dict[State, _Way] = {}
        for state, (spent, ways) in best.items():
            for _, to, step in self.following(state).get(effect, ()):
                cost = spent + step.cost
                if to not in after or cost < after[to][0]:
                    after[to] = cost, (*ways[:-1], (*ways[-1], step))
        return after

    def _settled(self, best: dict[State, _Way]) -> dict[State, _Way]:
        """Extend the best ways by steps that only turn the whole puzzle."""
        settled = dict(best)
        fresh = best
        while fresh:
            turned = self._after(fresh, self._rotations[0])
            fresh = {
                to: way
                for to, way in turned.items()
                if to not in settled or way[0] < settled[to][0]
            }
            settled.update(fresh)
        return settled


@lru_cache(maxsize=16)
def drive(puzzle: Puzzle, machine: Machine, fixed: tuple[tuple[str, str], ...]) -> Drive:
    """Return the `Drive` of a machine for methods that assume some places to be solved.

    `fixed` has pairs: the name of an orbit, and the names of the places.
    """
    return Drive(puzzle, machine, dict(fixed))
