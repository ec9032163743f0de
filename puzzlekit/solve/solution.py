"""What a search gives back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from puzzlekit.puzzle.move import Move
from puzzlekit.strategy.answer import HowFound


def _names(moves: Sequence[Move]) -> tuple[str, ...]:
    return tuple(move.name for move in moves)


@attrs.frozen(repr=False)
class PhaseReport:
    """One phase of a solution: its moves, and what finding them took."""

    #: Number, from 0, name and goal as the method declares the phase.
    number: int
    name: str
    goal: str
    found: HowFound
    #: Whether the puzzle, as held, is at the goal after the phase's moves.
    direct: bool
    #: The phase's own moves, before merging.
    sequence: tuple[Move, ...] = attrs.field(eq=_names)
    #: The moves of the solution that belong to the phase. A move that was merged over a seam
    #: belongs to the later phase, and so do all moves after it.
    merged: tuple[Move, ...] = attrs.field(eq=_names)
    #: The cost of its own moves.
    length: int
    #: How many nodes were generated, and of how many the children were listed.
    nodes: int
    expanded: int
    #: The wall time of the phase; its share by nodes where phases are interleaved.
    seconds: float
    #: Whether it is known that no shorter sequence of the phase's moves reaches its goal.
    optimal: bool

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of its own moves, before merging."""
        return _names(self.sequence)

    def __repr__(self) -> str:
        """The phase and its moves."""
        return f"<PhaseReport {self.name}: {' '.join(self.moves)} ({self.length})>"


@attrs.frozen(repr=False)
class Solution:
    """An answer, replayed on the full state before anyone sees it."""

    puzzle: str
    method: str
    #: The text by which the same heuristics can be asked for again.
    heuristic: str
    metric: str
    #: Which tables were used, where the method has several; else empty.
    profile: str
    #: The state as held.
    state: bytes
    #: In the metric of a machine the names of the moves that are done at once, and the cost of each
    #: step; else empty.
    steps: tuple[tuple[tuple[str, ...], int], ...]
    #: The cost of the moves in `metric`.
    length: int
    #: Their cost in every metric that counts moves, and in `metric`.
    lengths: dict[str, int] = attrs.field(hash=False)
    #: A report on each phase, in the order in which they are done.
    phases: tuple[PhaseReport, ...]
    #: What the search alone has taken, with the tables loaded: nodes generated and expanded, wall
    #: and CPU seconds.
    nodes: int
    expanded: int
    seconds: float
    cpu_seconds: float
    #: Whether no shorter answer exists in `metric`.
    optimal: bool
    #: No answer is shorter than this; 0 where nothing is known.
    at_least: int
    #: (seconds, length) of each answer that was shorter than those before it.
    improvements: tuple[tuple[float, int], ...]
    #: Whether the moves were replayed on the full state.
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

    def __repr__(self) -> str:
        """The puzzle, the moves and their length."""
        proven = ", optimal" if self.optimal else ""
        return f"<Solution of {self.puzzle}: {self} ({self.length} {self.metric}{proven})>"

    def __len__(self) -> int:
        """How many moves there are."""
        return len(self.sequence)

    def __iter__(self) -> Iterator[str]:
        """The names of the moves, one after the other."""
        return iter(self.moves)

    def evolve(self, **changes: Any) -> Solution:
        """A copy with some fields changed."""
        return attrs.evolve(self, **changes)
