"""States that a machine cannot reach, found by coordinates.

A machine that cannot turn every face may generate a subgroup. Some coordinates then have values
that the moves of the machine cannot reach. For example, no moves of R, L, F and B flip an edge of a
3x3x3, if flips are defined along the axis from U to D.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import gcd
from typing import NamedTuple

import attrs

from puzzlekit import (
    Coordinate,
    DeclarationError,
    Move,
    NoSolutionError,
    Orientation,
    Phase,
    Puzzle,
)
from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.puzzle.symmetry import relabelled, turned_families
from puzzlekit.search.directions import Direction, Relabellings, sides
from puzzlekit.search.step_metric import MethodSteps
from puzzlekit_robots.machine import Machine

_LARGEST = 12_000  # values; larger coordinates are not considered


class Invariant(NamedTuple):
    """A coordinate, seen along one axis, and the values that the machine can reach."""

    coordinate: Coordinate
    side: Direction
    reached: frozenset[int]


@attrs.frozen(slots=False, eq=False)
class MachineReach:
    """A test that finds states that a machine cannot solve, by coordinates of a method."""

    _puzzle: Puzzle
    _machine: Machine
    _steps: MethodSteps
    _phases: Sequence[Phase]
    _fixed: Mapping[str, str]
    _relabel: bool

    def check(self, state: bytes) -> None:
        """Raise a NoSolutionError with the reason if the machine cannot solve a state.

        A method may rename the pieces for other ways of holding the puzzle. The error is raised
        only if the machine can solve none of the renamed states.
        """
        if not self._invariants:
            return
        found: list[Invariant] = []
        for naming in self._relabellings(state):
            try:
                broken = [each for each in self._invariants if not self._holds(each, naming)]
            except DeclarationError:  # not in the domain of a coordinate: no moves reach its goal
                continue
            if not broken:
                return
            found = found or broken
        if not found:
            return
        worst = max(found, key=lambda each: each.coordinate.size / len(each.reached))
        size, few = worst.coordinate.size, len(worst.reached)
        name, seen = worst.coordinate.name, self._axis(worst.side)
        why = self._plainly(worst) or (
            f"its moves reach {few:,} of the {size:,} values of the coordinate {name}{seen}, but "
            "this state has another value; its moves generate a subgroup of index at least "
            f"{size // few:,}"
        )
        raise NoSolutionError(f"the machine {self._machine.name} cannot solve this: {why}")

    def _plainly(self, broken: Invariant) -> str:
        """Say in words what the machine cannot do, and what would help; empty if not known."""
        puzzle, coordinate = self._puzzle, broken.coordinate
        if not isinstance(coordinate, Orientation) or len(broken.reached) > 1:
            return ""
        orbit = coordinate.orbit
        turned = "flip" if orbit.orientations == 2 else "twist"
        words = f"these arms cannot {turned} {orbit.name}"
        machine = self._machine
        has = {family for group in machine.arms for family in group}
        others = [
            family
            for family in puzzle.metrics[0].weights
            if family not in {*has, *puzzle.rotations}
        ]
        ways = [
            family for family in others if self._helps(broken, machine.turns_of(puzzle, family))
        ]
        ways = [f"add {' or '.join(ways)}"] if ways else []
        images = turned_families(puzzle, sorted(has))
        for name in images:
            if name in machine.rotations:
                continue
            seen: list[Move] = []
            for family in has:
                image, way = images[name][family]
                amounts = {way * move.amount for move in machine.turns_of(puzzle, family)}
                seen += [
                    move
                    for move in puzzle.family_moves([image])
                    if {move.amount, move.amount - move.order} & amounts
                ]
            if self._helps(broken, seen):
                whole = ", ".join(f'"{each}"' for each in (*machine.rotations, name))
                ways.append(f"`whole = [{whole}]`")
                break
        return f"{words}; {', or '.join(ways)}" if ways else ""

    def _helps(self, broken: Invariant, moves: Iterable[Move]) -> bool:
        """Whether one of these moves, too, reaches another value of a coordinate."""
        puzzle, coordinate = self._puzzle, broken.coordinate
        image = {held: seen for seen, held in broken.side.back.items()}
        return any(
            coordinate.rank(puzzle.apply(puzzle.solved, [image[move]])) not in broken.reached
            for move in moves
            if move in image
        )

    def _relabellings(self, state: bytes) -> Iterator[bytes]:
        """The namings of a state from which the method may search; some others may be included.

        If turns of the whole puzzle lead from goal to goal, invariants need all namings.
        """
        every = self._relabel or bool(self._phases[-1].goal_turns)
        for normal in relabelled(self._puzzle, self._fixed, state, every):
            yield from self._kept.of(normal)

    @cached_property
    def _kept(self) -> Relabellings:
        listed = [phase.allowed(self._puzzle) for phase in self._phases if not phase.view]
        every = dict.fromkeys(move for moves in listed for move in moves)
        return Relabellings(self._puzzle, self._phases, self._fixed, tuple(every))

    def _axis(self, side: Direction) -> str:
        """The rotation of the whole puzzle before the coordinate is computed, in words."""
        puzzle = self._puzzle
        for move in puzzle.family_moves(puzzle.rotations):
            if move.effect == side.rotation:
                return f", seen with {puzzle.name} turned by {move.name}"
        return (
            ""
            if side.rotation == puzzle.whole_rotations[0]
            else f", seen with {puzzle.name} turned"
        )

    def _holds(self, invariant: Invariant, state: bytes) -> bool:
        seen = invariant.side.see(self._puzzle, state)
        return int(invariant.coordinate.rank(seen)) in invariant.reached

    @cached_property
    def _invariants(self) -> list[Invariant]:
        found: list[Invariant] = []
        puzzle = self._puzzle
        phase = self._phases[0]
        allowed = phase.allowed(puzzle)
        moves = self._steps.steps(allowed).moves
        if not moves or _turns_all(allowed, moves):
            return found
        known = set()
        listed = [each for phase in self._phases for each in phase.coordinates]
        for side in sides(puzzle, allowed):
            image = {held: seen for seen, held in side.back.items()}
            turned = [
                puzzle.together([image[part] for part in move.parts or (move,)]) for move in moves
            ]
            for coordinate in plain_coordinates(listed):
                key = coordinate, frozenset(turned)
                if coordinate.size > _LARGEST or key in known:
                    continue
                known.add(key)
                if coordinate.closed_under(turned):
                    reached = _reached(coordinate, turned)
                    if len(reached) < coordinate.size:
                        found.append(Invariant(coordinate, side, reached))
        return found


def _turns_all(allowed: Sequence[Move], moves: Sequence[Move]) -> bool:
    """Whether the single moves and their powers include all allowed moves."""
    amounts: dict[str, int] = {}
    for move in moves:
        if not move.parts:
            amounts[move.family] = gcd(amounts.get(move.family, move.order), move.amount)
    return all(move.amount % amounts.get(move.family, move.order) == 0 for move in allowed)


def _reached(coordinate: Coordinate, moves: Sequence[Move]) -> frozenset[int]:
    """The values that moves reach from the value of the solved state."""
    import numpy as np

    from puzzlekit.tables.move_table import build_move_table

    table = build_move_table(coordinate, moves)
    seen = np.zeros(coordinate.size, dtype=bool)
    fresh = np.array([coordinate.rank(coordinate.puzzle.solved)])
    seen[fresh] = True
    while len(fresh):
        found = [fresh[:0]]
        for near in table[fresh].T:
            near = near[~seen[near]]  # without duplicates, since a move permutes the values
            seen[near] = True
            found.append(near)
        fresh = np.concatenate(found)
    return frozenset(np.flatnonzero(seen).tolist())
