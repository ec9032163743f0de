"""The ways to relabel the pieces of a state before a method solves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.phase import Phase

__all__ = ["Relabellings"]


class Relabellings:
    """Relabels the pieces of a state in all ways from which a method may solve the state.

    The puzzle counts as solved in any orientation of the whole puzzle. But the goal of a method is
    one solved state, so the pieces are relabelled to match an orientation. If the fixed places of
    the method allow several orientations, any of them may have the shortest answer. `moves` are the
    moves of the phases, on the method's puzzle.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> method = cube.method("optimal")  # the corner that it fixes leaves one orientation
    >>> moves = cube.puzzle.moves("U R F")
    >>> relabellings = Relabellings(cube.puzzle, method.phases, method.fixed, moves)
    >>> relabellings.of(cube.puzzle.solved) == [cube.puzzle.solved]
    True
    """

    def __init__(
        self,
        puzzle: Puzzle,
        phases: Sequence[Phase],
        fixed: Mapping[str, str],
        moves: Sequence[Move],
    ) -> None:
        self._puzzle = puzzle
        self._phases = phases
        self._fixed = puzzle.bytes_at(fixed)
        self._moves = moves

    def of(self, state: bytes) -> list[bytes]:
        """Return the relabelled states from which the goal may be reachable.

        If there are none, return only the state itself.
        """
        if len(self.rotations) == 1:
            return [state]
        every = dict.fromkeys(self._puzzle.relabel(state, each) for each in self.rotations)
        return [seen for seen in every if self._kept(seen) in self._kept_at_goals] or [state]

    @cached_property
    def rotations(self) -> tuple[Effect, ...]:
        """The rotations of the whole puzzle that leave the fixed places unchanged.

        The identity comes first. If the method has a single phase, rotations that differ by one of
        its goal turns have the same goals. Only the first of them is included.
        """
        puzzle = self._puzzle
        turnings = self._turnings if len(self._phases) == 1 else puzzle.whole_rotations[:1]
        found: list[Effect] = []
        covered: set[Effect] = set()
        for each in puzzle.whole_rotations:
            solved = act(puzzle.solved, *each, puzzle.modulus)
            if each not in covered and all(solved[at] == puzzle.solved[at] for at in self._fixed):
                found.append(each)
                covered.update(compose(turned, each, puzzle.modulus) for turned in turnings)
        return tuple(found)

    @property
    def _turnings(self) -> tuple[Effect, ...]:
        """All products of the goal turns of the last phase."""
        last = self._phases[-1]
        identity = self._puzzle.whole_rotations[:1]
        return last.turnings(self._puzzle) if last.view is None else identity

    @cached_property
    def _parts(self) -> list[Part]:
        """The parts of the orbits: sets of places among which the moves carry pieces.

        Empty if goal moves lead from goal to goal, or if the goal belongs to another puzzle.
        """
        last = self._phases[-1]
        unknown = last.view is not None or last.goal_moves
        return [] if unknown else parts_of(self._puzzle, self._moves)

    def _kept(self, state: bytes) -> tuple[bytes, ...]:
        """Return the invariant of a state under the moves: which pieces are in which part."""
        labels = [self._puzzle.labels(state, part.orbit) for part in self._parts]
        return tuple(
            bytes(sorted(own[home] for home in part.homes))
            for own, part in zip(labels, self._parts, strict=True)
        )

    @cached_property
    def _kept_at_goals(self) -> set[tuple[bytes, ...]]:
        puzzle = self._puzzle
        goals = (act(puzzle.solved, *turned, puzzle.modulus) for turned in self._turnings)
        return set(map(self._kept, goals))
