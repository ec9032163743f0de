"""The states from which a search may start: images of a state, and relabellings of its pieces.

If a state is a permutation, it can be inverted, and conjugated by a rotation of the whole puzzle.
The result is an image of the state, and a solution of the image can be converted to a solution of
the state. So a method that treats one axis of the puzzle differently gets several starts. The
usable rotations are derived from the moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from puzzlekit.puzzle.groups import Part, parts_of
from puzzlekit.puzzle.move import Effect, Move, act, compose, invert, permutation_parity
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.puzzle.symmetry import Images, families_of, image_of, then, turned_families
from puzzlekit.search.phase import Phase

__all__ = ["Direction", "Relabellings", "are_undone", "images_after", "sides"]


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

    def _kept(self, state: bytes) -> tuple[object, ...]:
        """Return the invariant of a state under the moves.

        It says which pieces are in which part, and how they are turned if no move turns them. If no
        move changes the parity of a part or the sum of its orientations, it has these, too.
        """
        puzzle, found = self._puzzle, []
        for part in self._parts:
            labels = [puzzle.labels(state, part.orbit)[at] for at in part.homes]
            turns = [puzzle.orientations(state, part.orbit)[at] for at in part.homes]
            if part.orbit.name in puzzle.frames:
                turns = [0] * len(turns)
            order, told = sorted(labels), part.even and part.orbit.distinct
            odd = told and permutation_parity([order.index(label) for label in labels])
            total = part.summed and sum(turns) % part.orbit.orientations
            each = order if part.turned else sorted(zip(labels, turns, strict=True))
            found.append((each, total, odd))
        return tuple(found)

    @cached_property
    def _kept_at_goals(self) -> list[tuple[object, ...]]:
        puzzle = self._puzzle
        goals = (act(puzzle.solved, *turned, puzzle.modulus) for turned in self._turnings)
        return [*map(self._kept, goals)]


class Direction(NamedTuple):
    """A way to derive another state from each state: conjugate by `rotation`, and maybe invert.

    The derived state is called the image of the state. `back` undoes the rotation in a solution of
    the image: it maps each move of this solution to the rotated move. If `inverted` is true, the
    sequence of rotated moves must then be inverted (see `carry_back`).
    """

    rotation: Effect
    unrotation: Effect
    back: dict[Move, Move]
    inverted: bool

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """Return the image of a state in this direction."""
        seen = puzzle.invert(state) if self.inverted else state
        return act(puzzle.relabel(seen, self.rotation), *self.unrotation, puzzle.modulus)

    def carry_back(
        self, puzzle: Puzzle, phases: Sequence[Sequence[Move]]
    ) -> list[tuple[int, tuple[Move, ...]]]:
        """Convert a solution of the image to a solution of the state: pairs (phase number, moves).

        `phases` has the moves of each phase in the solution of the image.
        """
        turned = [(i, tuple(self.back[move] for move in part)) for i, part in enumerate(phases)]
        if not self.inverted:
            return turned
        return [(i, puzzle.undo(part)) for i, part in reversed(turned)]


def sides(puzzle: Puzzle, moves: Sequence[Move]) -> Iterator[Direction]:
    """Yield every rotation of the whole puzzle that maps moves to moves, the identity first."""
    for rotation, images in images_after(puzzle, moves).items():
        if images is not None:
            back = {move: image_of(puzzle, images, move) for move in moves}
            if set(back.values()) == set(moves):
                yield Direction(rotation, invert(rotation, puzzle.modulus), back, False)


def images_after(puzzle: Puzzle, moves: Sequence[Move]) -> dict[Effect, Images | None]:
    """Return the images of the families of moves after each rotation; None if one has no name."""
    families = families_of(moves)
    steps = turned_families(puzzle, families)
    images: dict[Effect, Images | None] = {}
    for rotation, step in puzzle.rotation_steps.items():
        if step is None:
            known = {family for each in steps.values() for family in each}.union(families)
            images[rotation] = {family: (family, 1) for family in known}
        else:
            before, last = images[step[0]], steps.get(step[1])
            images[rotation] = None if before is None or last is None else then(before, last)
    return images


def are_undone(puzzle: Puzzle, moves: Sequence[Move], costs: Sequence[int]) -> bool:
    """Whether the inverse of each move is one of the moves, at the same cost.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> are_undone(cube, cube.moves("U U' R2"), (1, 1, 1)), are_undone(cube, cube.moves("U"), (1,))
    (True, False)
    """
    price = dict(zip(moves, costs, strict=True))
    return all(price.get(puzzle.inverse(move)) == cost for move, cost in price.items())
