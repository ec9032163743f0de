"""The states of a phase as a graph, with estimates in both directions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from puzzlekit import Heuristic, UsageError
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan

# Estimates of states, which are rows of an array.
Estimates = Callable[[Any], Any]


class Moves:
    """The moves of a phase in one direction, by the place of the guarding piece.

    Backwards, the neighbours of a state are the states from which a move leads to it.
    """

    def __init__(self, phase: CompiledPhase, modulus: bytes, backward: bool) -> None:
        # Labels have a modulus of 0: nothing is added to them.
        self._modulus = np.array([each or 256 for each in modulus], dtype=np.uint16)
        listed: dict[int, list[int]] = {}
        for number, move in enumerate(phase.moves):
            place = move.guard_after if backward else move.guard_before
            listed.setdefault(place, []).append(number)
        self._of = {place: self._made(phase, own, backward) for place, own in listed.items()}
        self.guarded = len(self._of) > 1 or any(place > 0 for place in self._of)

    def _made(self, phase: CompiledPhase, numbers: list[int], backward: bool) -> Any:
        size = len(self._modulus)
        gathers = np.empty((len(numbers), size), dtype=np.intp)
        adds = np.zeros((len(numbers), size), dtype=np.uint8)
        for row, number in enumerate(numbers):
            move = phase.moves[number]
            gather = np.array([*move.gather])
            add = np.frombuffer(move.add, dtype=np.uint8)
            if backward:  # old[gather[j]] = new[j] - add[j]
                gathers[row, gather] = np.arange(size)
                adds[row, gather] = (-add.astype(np.int16) % self._modulus).astype(np.uint8)
            else:
                gathers[row], adds[row] = gather, add
        costs = [phase.costs[number] for number in numbers]
        return numbers, costs, gathers, adds if adds.any() else None

    def neighbours(self, state: bytes, place: int) -> tuple[list[int], list[int], Any]:
        """Return the numbers of the possible moves, their costs, and the states they lead to."""
        numbers, costs, gathers, adds = self._of[place if self.guarded else next(iter(self._of))]
        rows = np.frombuffer(state, dtype=np.uint8)[gathers]
        if adds is not None:
            rows = ((rows + adds) % self._modulus).astype(np.uint8)
        return numbers, costs, rows


class Graph:
    """The states of a plan of one phase, from some starts to the solved state.

    If the heuristic reads the state and either the phase has no tables, or the heuristic says
    `uses_distances = False`, estimates are those of the heuristic alone, computed for all
    neighbours at once. Otherwise they are those of the phase, state by state, which is slow.

    - `phase`: the phase, ready to search.
    - `unit`: the greatest common divisor of the costs of all moves. `least`: the least cost.
    - `goal`: the solved state.
    - `admissible`: whether no estimate exceeds the distance. `consistent`: whether it is sure, too,
      that no move lowers an estimate by more than it costs: all tables are exact, and the heuristic
      says `consistent = True` or changes no distance.
    """

    def __init__(self, plan: Plan) -> None:
        (phase,), (heuristic,) = plan.phases, plan.heuristics
        self.puzzle = plan.puzzle
        self.heuristic: Heuristic = heuristic
        self.alone = heuristic.reads_state and not (
            phase.pruning_tables and getattr(heuristic, "uses_distances", True)
        )
        if self.alone and phase.pruning_tables:
            phase = attrs.evolve(phase, tables=())
        resolved = plan.resolved(phase)
        if resolved.remembers or resolved.steps is not None:
            raise UsageError(
                f"{plan.name} searches states, so it takes no {plan.metric.kind} in which costs "
                "depend on earlier moves"
            )
        self.phase = CompiledPhase(plan, phase, heuristic)
        self.admissible = self.phase.admissible
        tables = self.phase.resolved.tables
        unchanged = not heuristic.changes(len(phase.groups))
        self.consistent = (unchanged or getattr(heuristic, "consistent", False)) and all(
            table.kind.is_exact for table in tables
        )
        self.goal = plan.puzzle.solved
        self.unit = int(np.gcd.reduce(self.phase.costs))
        self.least = min(self.phase.costs)
        self._modulus = plan.puzzle.modulus
        self.moves = Moves(self.phase, self._modulus, backward=False)

    @property
    def backward_moves(self) -> Moves:
        """The moves backwards."""
        return Moves(self.phase, self._modulus, backward=True)

    def to_goal(self, states: Any) -> Any:
        """Return the estimates of the cost from some states to the goal."""
        if self.alone:
            return self._estimate(self.puzzle, states)
        return [self.phase.estimate(self.puzzle, row.tobytes()) for row in states]

    def _estimate(self, puzzle: Any, states: Any) -> Any:
        return self.heuristic.estimate(puzzle, states, np.zeros((len(states), 1), dtype=np.int64))

    def from_starts(self, starts: Sequence[bytes]) -> Estimates:
        """Return the function that estimates the cost from the nearest start to some states.

        A distance between two states does not change if all pieces are renamed so that one of the
        states becomes the solved one. With a guarding piece, which keeps its name, the heuristic
        instead gets the puzzle with the start as its solved state. Raises UsageError if neither is
        possible.
        """
        self._check_undoable()
        each = [self._from_start(start) for start in starts]
        if len(each) == 1:
            return each[0]
        return lambda states: np.min([found(states) for found in each], axis=0)

    def _from_start(self, start: bytes) -> Estimates:
        puzzle = self.puzzle
        if puzzle.guard is None and all(orbit.distinct for orbit in puzzle.orbits):
            rename = self._renamed(start)
            return lambda states: self.to_goal(rename(states))
        if self.alone and all(orbit.orientations == 1 for orbit in puzzle.orbits):
            orbits, at, guard = [], 0, puzzle.guard
            for orbit in puzzle.orbits:
                orbits.append(attrs.evolve(orbit, solved=tuple(start[at : at + orbit.size])))
                at += orbit.size
                if guard is not None and orbit.name == guard.orbit:
                    guard = guard._replace(piece=orbit.places[puzzle.place_of_guard(start)])
            seen = attrs.evolve(puzzle, orbits=tuple(orbits), guard=guard)
            own = np.frombuffer(start, dtype=np.uint8)[None]
            if self.admissible and self._estimate(seen, own)[0] > 0:
                raise UsageError(
                    f"the heuristic {self.heuristic} does not estimate the distance to "
                    "`puzzle.solved`, so no search from both ends can use it"
                )
            return lambda states: self._estimate(seen, states)
        raise UsageError(
            f"a search from both ends of {puzzle.name} needs estimates of the distance from any "
            f"state, which {self.heuristic} does not give with its tables: choose a heuristic that "
            "reads the state, or a puzzle whose pieces all differ and whose moves are always "
            "possible"
        )

    def _renamed(self, start: bytes) -> Estimates:
        """Return the function that renames pieces so that `start` becomes the solved state."""
        parts = []
        at = 0
        for orbit in self.puzzle.orbits:
            labels = np.zeros(256, dtype=np.uint8)
            turns = np.zeros(256, dtype=np.uint8)
            for place, label in enumerate(orbit.solved):
                labels[start[at + place]] = label
                if orbit.orientations > 1:
                    turns[start[at + place]] = start[at + orbit.size + place]
            parts.append((at, orbit, labels, turns))
            at += orbit.width

        def rename(states: Any) -> Any:
            found = np.array(states)
            for at, orbit, labels, turns in parts:
                own = states[:, at : at + orbit.size]
                found[:, at : at + orbit.size] = labels[own]
                if orbit.orientations > 1:
                    turned = states[:, at + orbit.size : at + orbit.width].astype(np.int16)
                    turned = (turned - turns[own]) % orbit.orientations
                    found[:, at + orbit.size : at + orbit.width] = turned
            return found

        return rename

    def _check_undoable(self) -> None:
        """Raise UsageError unless each move is undone by a move of the same cost."""
        if self.moves.guarded:
            return  # each move of a guard has an inverse, with the same cost in all metrics so far
        costs = {}
        for move, cost in zip(self.phase.moves, self.phase.costs, strict=True):
            costs[move.effect] = cost
        back = Moves(self.phase, self._modulus, backward=True)
        numbers, own, gathers, adds = next(iter(back._of.values()))
        for row, cost in enumerate(own):
            add = bytes(len(self._modulus)) if adds is None else adds[row].tobytes()
            if costs.get((bytes(gathers[row].tolist()), add)) != cost:
                move = self.phase.moves[numbers[row]]
                raise UsageError(
                    "a search from both ends needs moves that others of the same cost undo; none "
                    f"undoes {move.name}"
                )
