"""A strategy that puzzlekit does not have: solve the state and its inverse, take the shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from puzzlekit import Limits, Sequential
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, Wrapper


@attrs.define
class BothEnds(Wrapper):
    """Searches the state and its inverse by another strategy, and takes the shorter answer."""

    #: The strategy that searches either.
    strategy: Strategy = attrs.field(factory=Sequential)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        best: int | None = None
        done = counts = self.no_counts
        for inverted in (False, True):
            start = self.puzzle.invert(state) if inverted else state
            for found in self.ready.search(start, limits):
                both = zip(done, found.counts, strict=True)
                counts = tuple((a + c, b + d) for (a, b), (c, d) in both)
                if found.phases is None:
                    continue
                phases = self._undone(found.phases) if inverted else found.phases
                answer = self.candidate(phases, False, counts)
                cost = self.metric.total(answer.moves or ())
                if best is None or cost < best:
                    best = cost
                    yield answer
            done = counts
        yield Candidate(None, False, done)

    def _undone(self, phases: Sequence[PhaseMoves]) -> list[PhaseMoves]:
        """What solves the state, given what solves its inverse."""
        found = HowFound(inverted=True)
        return [
            PhaseMoves(phase.number, self.puzzle.undo(phase.moves), found)
            for phase in reversed(phases)
        ]
