"""Improve answers in a metric with memory, after a search for answers of few steps."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from puzzlekit.errors import PuzzlekitError
from puzzlekit.search.compiled_phase import Assembled
from puzzlekit.search.driver import Deadline
from puzzlekit.search.limits import Limits
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.answer import Candidate, summed
from puzzlekit.search.strategies.chain import ANY_LENGTH, length_limit
from puzzlekit.search.strategies.improve_chain import ImproveChain


class FewStepsChain(ImproveChain):
    """A chain for `Anytime` that first looks for answers of few steps.

    If the steps of the metric have different costs, the estimates of the tables are weak, and a
    first answer takes long. So the chain first searches for answers of few steps and ignores the
    costs. The costs of the answers that it finds are upper bounds for the main search.
    """

    def __init__(
        self,
        plan: Plan,
        premoves: int,
        premoves_after: tuple[int, ...],
        seconds: float,
        finish_nodes: int,
        steps_nodes: int,
    ) -> None:
        self._options = premoves, premoves_after, seconds, finish_nodes
        self._nodes = steps_nodes
        super().__init__(plan, *self._options)

    def _assemble(self, plan: Plan) -> list[Assembled]:
        phases = super()._assemble(plan)
        self._few: ImproveChain | None = None
        if isinstance(plan.metric, StepMetric) and phases[0].order.sources:
            even = attrs.evolve(plan, metric=plan.metric.even(plan.puzzle))
            self._few = ImproveChain(even, *self._options)
        return phases

    def answers(self, state: bytes, limits: Limits, below: int = ANY_LENGTH) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        if self._few is None or below < ANY_LENGTH:
            yield from super().answers(state, limits, below)
            return
        deadline = Deadline(limits.timeout)
        known = ANY_LENGTH
        counts = self.no_counts
        nodes = self._nodes
        if limits.max_nodes is not None:
            nodes = min(nodes, limits.max_nodes // 2)
        quick = limits._replace(max_length=None, max_nodes=nodes)
        for even in self._few.answers(state, quick):
            counts = even.counts
            answer = self._priced(state, even, self._few)
            cost = ANY_LENGTH if answer is None else self._cost(answer)
            if answer is not None and cost < known and cost <= length_limit(limits):
                known = cost
                yield answer
                if limits.max_length is not None:
                    return
        left = None if limits.timeout is None else max(deadline.left, 0.0)
        if limits.max_nodes is not None:
            spent = sum(generated for generated, _ in counts)
            limits = limits._replace(max_nodes=max(limits.max_nodes - spent, 0))
        elif left is None and known < ANY_LENGTH:
            left = self._seconds
        for answer in super().answers(state, limits._replace(timeout=left), known):
            yield answer._replace(counts=summed([counts, answer.counts]))

    def _priced(self, state: bytes, even: Candidate, few: ImproveChain) -> Candidate | None:
        """Return an answer of few steps with the steps of the metric; None if it cannot do them."""
        if even.phases is None:
            return None
        together = self.puzzle.together
        phases = [
            phase._replace(
                moves=tuple(together(step.moves) for step in few.metric.steps(phase.moves))
            )
            for phase in even.phases
        ]
        try:
            answer = self.answer(phases, False, even.counts)
        except PuzzlekitError:
            return None
        solved = self.puzzle.is_solved(self.puzzle.apply(state, answer.moves or ()))
        return answer if solved else None
