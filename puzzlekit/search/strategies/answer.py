"""Answers of a search: the moves of each phase, and how they were found."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puzzlekit.puzzle.move import Move

Counts = tuple[tuple[int, int], ...]


def summed(every: Iterable[Sequence[tuple[int, int]]]) -> Counts:
    """Return the sum of the node counts of several searches, phase by phase.

    A count is a pair (generated, expanded) of node numbers.
    """
    return tuple(
        (sum(generated for generated, _ in own), sum(expanded for _, expanded in own))
        for own in zip(*every, strict=True)
    )


class HowFound(NamedTuple):
    """How the moves of a phase were found, if the search did not start from the given state."""

    #: Whether the search started from the state as seen after a rotation of the whole puzzle.
    rotated: bool = False
    #: Whether the search solved the inverse of the state. The answer is then inverted, so the moves
    #: of the last phase come first.
    inverted: bool = False
    #: Number of premoves. They are applied before the scramble and appended to the answer.
    premoves: int = 0
    #: Whether the answer has only a few moves, and a search of the full state found it (see
    #: `ShortAnswers`).
    directly: bool = False
    #: Whether the phase has further moves, which lead to or from a state at which alike pieces are
    #: together (see `puzzlekit.search.route`).
    joined: bool = False


AS_HELD = HowFound()


class PhaseMoves(NamedTuple):
    """The moves of one phase in an answer."""

    #: Number of the phase in the method, from 0.
    number: int
    #: The moves of the phase before merging.
    moves: tuple[Move, ...]
    #: How the moves were found.
    found: HowFound = AS_HELD
    #: The moves of the phase after merging (see `puzzlekit.search.strategies.merge`).
    merged: tuple[Move, ...] = ()


class Candidate(NamedTuple):
    """An answer of a chain.

    At the end of a search, a chain yields one more record, without moves. It has the totals of the
    whole search.
    """

    #: The moves of each phase, in the order in which they are done. None in the record at the end.
    phases: tuple[PhaseMoves, ...] | None
    #: Whether it is proven that no answer costs less.
    proven: bool
    #: Nodes (generated, expanded) of each phase of the method.
    counts: Counts
    #: CPU seconds of other threads.
    helpers_cpu: float = 0.0
    #: Numbers of the phases whose moves are proven to be the cheapest to the goal of the phase.
    shortest: frozenset[int] = frozenset()
    #: Lower bound on the cost of every answer; 0 if none is known.
    at_least: int = 0

    @property
    def moves(self) -> tuple[Move, ...] | None:
        """The moves of all phases, merged; None in the record at the end of a search."""
        if self.phases is None:
            return None
        if len(self.phases) == 1:
            return self.phases[0].merged
        return tuple([move for phase in self.phases for move in phase.merged])
