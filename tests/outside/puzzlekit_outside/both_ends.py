"""A strategy that puzzlekit does not have: solve the state and its inverse, take the shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from puzzlekit import (
    Candidate,
    Chain,
    HowFound,
    Limits,
    Phase,
    PhaseMoves,
    Plan,
    Sequential,
    Strategy,
)


@attrs.frozen
class BothEnds(Strategy):
    """Searches the state and its inverse by another strategy."""

    #: The strategy that searches either.
    each: Strategy = attrs.field(factory=Sequential)

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise what the other strategy raises."""
        self.each.check(name, phases)

    def prepared(self, plan: Plan) -> Chain:
        """The search of a plan."""
        return _BothEndsChain(plan, self.each.prepared(plan))


class _BothEndsChain(Chain):
    """Yields the answer of the other chain, then that to the inverse if it is shorter."""

    def __init__(self, plan: Plan, other: Chain) -> None:
        super().__init__(plan)
        self._other = other

    def answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        best: int | None = None
        done = counts = self.no_counts
        for inverted in (False, True):
            start = self.puzzle.invert(state) if inverted else state
            for found in self._other.answers(start, limits):
                both = zip(done, found.counts, strict=True)
                counts = tuple((a + c, b + d) for (a, b), (c, d) in both)
                if found.phases is None:
                    continue
                phases = self._undone(found.phases) if inverted else found.phases
                answer = self.answer(phases, False, counts)
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
