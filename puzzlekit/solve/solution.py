"""What a search gives back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from puzzlekit.puzzle.move import Move
from puzzlekit.strategy.answer import HowFound


def _names(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(move.name for move in moves)


@attrs.frozen
class PhaseReport:
    """One phase of a solution: its moves, and what finding them took.

    Attributes
    ----------
    number, name, goal
        As the method declares the phase; its phases are numbered from 0.
    found
        How the phase was solved, where it did not start from the state as held.
    direct
        Whether the puzzle, as held, is at the goal after the phase's moves.
    sequence
        The phase's own moves, before merging.
    merged
        The moves of the solution that belong to the phase. A move that was merged over a seam
        belongs to the later phase, and so do all moves after it.
    length
        The cost of its own moves.
    nodes, expanded
        How many nodes were generated, and of how many the children were listed.
    seconds
        The wall time of the phase; its share by nodes where phases are interleaved.
    optimal
        Whether it is known that no shorter sequence of the phase's moves reaches its goal.

    """

    number: int
    name: str
    goal: str
    found: HowFound
    direct: bool
    sequence: tuple[Move, ...] = attrs.field(eq=_names)
    merged: tuple[Move, ...] = attrs.field(eq=_names)
    length: int
    nodes: int
    expanded: int
    seconds: float
    optimal: bool

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of its own moves, before merging."""
        return _names(self.sequence)


@attrs.frozen
class Solution:
    """An answer, replayed on the full state before anyone sees it.

    Attributes
    ----------
    puzzle, method, metric
        The names of what was used.
    heuristic
        The text by which the same heuristics can be asked for again.
    profile
        Which tables were used, where the method has several; else empty.
    state
        The state as held.
    steps
        In the metric of a machine the names of the moves that are done at once, and the cost of
        each step; else empty.
    length
        The cost of the moves in `metric`.
    lengths
        Their cost in every metric that counts moves, and in `metric`.
    phases
        A report on each phase, in the order in which they are done.
    nodes, expanded, seconds, cpu_seconds
        What the search alone has taken, with the tables loaded: nodes generated and expanded, wall
        and CPU seconds.
    optimal
        Whether no shorter answer exists in `metric`.
    at_least
        No answer is shorter than this; 0 where nothing is known.
    improvements
        (seconds, length) of each answer that was shorter than those before it.
    verified
        Whether the moves were replayed on the full state.

    """

    puzzle: str
    method: str
    heuristic: str
    metric: str
    profile: str
    state: bytes
    steps: tuple[tuple[tuple[str, ...], int], ...]
    length: int
    lengths: dict[str, int] = attrs.field(hash=False)
    phases: tuple[PhaseReport, ...]
    nodes: int
    expanded: int
    seconds: float
    cpu_seconds: float
    optimal: bool
    at_least: int
    improvements: tuple[tuple[float, int], ...]
    verified: bool

    @property
    def sequence(self) -> tuple[Move, ...]:
        """The moves, merged over the seams of the phases."""
        return tuple(move for phase in self.phases for move in phase.merged)

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of the moves."""
        return _names(self.sequence)

    def __str__(self) -> str:
        """The moves, as one string."""
        return " ".join(self.moves)

    def __len__(self) -> int:
        """How many moves there are."""
        return len(self.sequence)

    def __iter__(self) -> Iterator[str]:
        """The names of the moves, one after the other."""
        return iter(self.moves)

    def evolve(self, **changes: Any) -> Solution:
        """A copy with some fields changed."""
        return attrs.evolve(self, **changes)
