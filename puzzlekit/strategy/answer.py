"""Answers of a search: the moves, the phase that each came from, and how they were found."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlekit.puzzle.move import Move

Counts = tuple[tuple[int, int], ...]


def summed(every: Iterable[Sequence[tuple[int, int]]]) -> Counts:
    """Return the sum of the counts of several searches, phase by phase."""
    return tuple(
        (sum(generated for generated, _ in own), sum(expanded for _, expanded in own))
        for own in zip(*every, strict=True)
    )


class HowFound(NamedTuple):
    """How a phase was solved if it did not start from the state as held."""

    #: Whether the search saw the puzzle in another holding, along another axis.
    rotated: bool = False
    #: Whether the search solved the inverse of the state. Its moves are then inverted, so the moves
    #: of the last phase come first.
    inverted: bool = False
    #: Number of moves done before the search. They are at the other end of the answer.
    premoves: int = 0
    #: Whether the answer has a few moves and was found in the full state, without the phases.
    directly: bool = False


AS_HELD = HowFound()


class PhaseMoves(NamedTuple):
    """The moves of one phase in an answer."""

    #: Number of the phase in the method, from 0.
    number: int
    #: The phase's own moves, before merging.
    moves: tuple[Move, ...]
    #: How the moves were found.
    found: HowFound = AS_HELD
    #: The merged moves that belong to the phase (see `puzzlekit.strategy.merge`).
    merged: tuple[Move, ...] = ()


class Answer(NamedTuple):
    """An answer of a chain; at the end of a search, its totals without moves."""

    #: The moves of each phase, in the order in which they are done. None at the end of a search.
    phases: tuple[PhaseMoves, ...] | None
    #: Whether it is proven that no answer costs less.
    proven: bool
    #: Nodes (generated, expanded) of each phase of the method.
    counts: Counts
    #: CPU seconds of other threads.
    helpers_cpu: float = 0.0
    #: Numbers of the phases whose moves are proven to be the cheapest that reach their goal.
    shortest: frozenset[int] = frozenset()
    #: Lower bound on the cost of every answer; 0 if none is known.
    at_least: int = 0

    @property
    def moves(self) -> tuple[Move, ...] | None:
        """The moves of all phases, merged; None at the end of a search."""
        if self.phases is None:
            return None
        if len(self.phases) == 1:
            return self.phases[0].merged
        return tuple([move for phase in self.phases for move in phase.merged])
