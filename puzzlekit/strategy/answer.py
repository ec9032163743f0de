"""Answers of a search: the moves, the phase that each came from, and how they were found."""

from __future__ import annotations

from typing import NamedTuple

from puzzlekit.puzzle.move import Move

Counts = tuple[tuple[int, int], ...]


class HowFound(NamedTuple):
    """How a phase was solved, where it did not start from the state as held.

    Attributes
    ----------
    rotated
        The search saw the puzzle in another holding: along another axis.
    inverted
        The search solved the inverse of the state. The moves are undone here, so the moves of the
        last phase come first.
    premoves
        How many moves were done before the search. They come at the other end of the answer.
    directly
        The answer has a few moves and was found in the full state, without the phases.

    """

    rotated: bool = False
    inverted: bool = False
    premoves: int = 0
    directly: bool = False


AS_HELD = HowFound()


class PhaseMoves(NamedTuple):
    """The moves of one phase in an answer.

    Attributes
    ----------
    number
        Which phase of the method it is, from 0.
    moves
        The phase's own moves, before merging.
    found
        How the phase was solved.
    merged
        The moves of the answer that belong to the phase: see `puzzlekit.strategy.merge`.

    """

    number: int
    moves: tuple[Move, ...]
    found: HowFound = AS_HELD
    merged: tuple[Move, ...] = ()


class Answer(NamedTuple):
    """What a chain has found, or at the end of a search what it has taken and proven.

    Attributes
    ----------
    phases
        The moves of each phase, in the order in which they are done. None at the end of a search.
    proven
        No answer costs less.
    counts
        Nodes (generated, expanded) of each phase of the method.
    helpers_cpu
        CPU seconds of other threads.
    shortest
        The numbers of the phases whose moves are known to be the cheapest that reach their goal.
    at_least
        What every answer is known to cost; 0 where nothing is known.

    """

    phases: tuple[PhaseMoves, ...] | None
    proven: bool
    counts: Counts
    helpers_cpu: float = 0.0
    shortest: frozenset[int] = frozenset()
    at_least: int = 0

    @property
    def moves(self) -> tuple[Move, ...] | None:
        """The moves of all phases, merged; None at the end of a search."""
        if self.phases is None:
            return None
        if len(self.phases) == 1:
            return self.phases[0].merged
        return tuple([move for phase in self.phases for move in phase.merged])
