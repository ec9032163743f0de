"""Rename the pieces of a state so that the places that a method fixes are solved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, act, compose
from puzzlekit.puzzle.part import Part, parts_of
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.phase import Phase

__all__ = ["Namings"]


def renamed(
    puzzle: Puzzle, fixed: Mapping[str, str], state: bytes, recolour: bool = False
) -> Iterator[bytes]:
    """Yield the state with its pieces renamed so that the fixed places are solved.

    - `fixed`: the places that must be solved after the renaming, by orbit. There is one result for
      each way to hold the puzzle that solves them.
    - `recolour`: matters only without fixed places. If True, the state is yielded with its pieces
      renamed for each way to hold the puzzle. If False, only the unchanged state is yielded.

    Raises DeclarationError if no way to hold the puzzle solves the fixed places.
    """
    places = puzzle.bytes_at(fixed)
    as_held = not places and not recolour
    none = True
    for held in puzzle.holdings[:1] if as_held else puzzle.holdings:
        seen = puzzle.recolour(state, held)
        if all(seen[byte] == puzzle.solved[byte] for byte in places):
            none = False
            yield seen
    if none:
        raise DeclarationError(
            f"no way of holding {puzzle.name} solves the places that the method fixes"
        )


class Namings:
    """Renames the pieces of a state in all ways from which a method may solve the state.

    The puzzle counts as solved in any holding: in any way to hold it. But the goal of a method is
    one solved state. So the pieces are renamed to match one of the holdings, and the renamed state
    is called a naming. If the fixed places of the method allow several holdings, any of these
    namings may have the shortest answer. `moves` are the moves of the phases, on the method's
    puzzle.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> method = cube.method("optimal")  # the corner that it fixes leaves one way of holding
    >>> moves = cube.puzzle.moves("U R F")
    >>> namings = Namings(cube.puzzle, method.phases, method.fixed, moves)
    >>> namings.of(cube.puzzle.solved) == [cube.puzzle.solved]
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
        """Return the namings of a state from which the goal may be reachable.

        If there are none, return only the state itself.
        """
        if len(self.holdings) == 1:
            return [state]
        every = dict.fromkeys(self._puzzle.recolour(state, held) for held in self.holdings)
        return [seen for seen in every if self._kept(seen) in self._kept_at_goals] or [state]

    @cached_property
    def holdings(self) -> tuple[Effect, ...]:
        """The rotations of the whole puzzle that leave the fixed places unchanged.

        The identity comes first. If the method has a single phase, rotations that differ by one of
        its goal turns have the same goals. Only the first of them is included.
        """
        puzzle = self._puzzle
        turnings = self._turnings if len(self._phases) == 1 else puzzle.holdings[:1]
        found: list[Effect] = []
        covered: set[Effect] = set()
        for held in puzzle.holdings:
            solved = act(puzzle.solved, *held, puzzle.modulus)
            if held not in covered and all(solved[at] == puzzle.solved[at] for at in self._fixed):
                found.append(held)
                covered.update(compose(turned, held, puzzle.modulus) for turned in turnings)
        return tuple(found)

    @property
    def _turnings(self) -> tuple[Effect, ...]:
        """All products of the goal turns of the last phase."""
        last = self._phases[-1]
        return last.turnings(self._puzzle) if last.view is None else self._puzzle.holdings[:1]

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
