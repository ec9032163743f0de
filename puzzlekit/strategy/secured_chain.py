"""A beam that starts after the first answer of another method."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.prepare.assembled import Assembled
from puzzlekit.prepare.plan import Plan
from puzzlekit.run.driver import Deadline
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.answer import Answer, HowFound, PhaseMoves
from puzzlekit.strategy.beam_strategy import Beam
from puzzlekit.strategy.chain import ANY_LENGTH, Chain, length_limit


class SecuredChain(Chain):
    """The search of `Secured`; `beam` is the field of the strategy."""

    def __init__(self, plan: Plan, beam: Beam) -> None:
        self._seconds = beam.seconds
        self._beam = beam.chain(plan)
        super().__init__(plan)

    def _assemble(self, plan: Plan) -> list[Assembled]:
        return self._beam.phases

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield the first answer of the other method, then the shorter answers of the beam."""
        deadline, longest = Deadline(limits.timeout), length_limit(limits)
        first = self._first(state, limits)
        yield first
        best = ANY_LENGTH if first.moves is None else self.metric.total(first.moves)
        if first.proven or (limits.max_length is not None and best <= longest):
            return
        (used, _), nodes = first.counts[-1], limits.max_nodes
        timeout = deadline.limits.timeout
        if timeout is None and nodes is None and first.moves is not None:
            timeout = self._seconds  # the beam might never find an answer
        left = limits._replace(
            timeout=timeout, max_nodes=None if nodes is None else max(nodes - used, 0)
        )
        for answer in self._beam.answers(state, left):
            both = _with_first(answer, first)
            if answer.moves is None:
                yield both
            elif self.metric.total(answer.moves) < best:
                best = self.metric.total(answer.moves)
                yield both

    def _first(self, state: bytes, limits: Limits) -> Answer:
        """Return the first answer of the other method, of any length.

        The nodes of the other method count as nodes of the last phase.
        """
        assert self.upper is not None
        last = len(self.phases) - 1
        found = None
        generated = expanded = 0
        any_length = limits._replace(max_length=ANY_LENGTH)
        for answer in self.upper.answers(self.upper.normal(state), any_length):
            generated = sum(count[0] for count in answer.counts)
            expanded = sum(count[1] for count in answer.counts)
            found = answer
            if answer.moves is not None:
                break
        counts = (*self.no_counts[:last], (generated, expanded))
        if found is None or found.moves is None:
            return Answer(None, False, counts, 0.0 if found is None else found.helpers_cpu)
        phases = [PhaseMoves(last, found.moves, HowFound(directly=True))]
        shortest = (last,) if found.proven else ()
        own = self.answer(phases, found.proven, counts, shortest)
        return own._replace(helpers_cpu=found.helpers_cpu)


def _with_first(answer: Answer, first: Answer) -> Answer:
    """Return an answer of the beam with the nodes and the CPU time of the first answer."""
    (generated, expanded), (more, wider) = answer.counts[-1], first.counts[-1]
    counts = (*answer.counts[:-1], (generated + more, expanded + wider))
    return answer._replace(counts=counts, helpers_cpu=answer.helpers_cpu + first.helpers_cpu)
