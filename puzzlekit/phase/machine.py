"""Improving answers in the metric of a machine."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.heuristic.base import Heuristic
from puzzlekit.phase.chain import ANY_LENGTH, Answer, Counts, length_limit
from puzzlekit.phase.declaration import Method
from puzzlekit.phase.driver import Deadline
from puzzlekit.phase.improve import ImproveChain
from puzzlekit.phase.solution import Limits
from puzzlekit.puzzle.machine import Machine
from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.tables.store import TableStore

_NODES = 1_000_000  # for answers of few steps


class MachineChain(ImproveChain):
    """An improving chain that first looks for answers of few steps, whatever these cost.

    Where the steps of a machine cost differently, tables say little of their costs, and a first
    answer would take long to be found. What those of few steps cost then bounds the search.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        method: Method,
        metric: Metric,
        joiners: tuple[Heuristic, ...],
        store: TableStore,
    ) -> None:
        super().__init__(puzzle, method, metric, joiners, store)
        self._even: ImproveChain | None = None
        if isinstance(metric, Machine) and self.phases[0].order.sources:
            self._even = ImproveChain(puzzle, method, metric.even(), joiners, store)
            self._even.machine = metric

    def answers(self, state: bytes, limits: Limits, below: int = ANY_LENGTH) -> Iterator[Answer]:
        """Yield ever shorter answers, then the totals."""
        if self._even is None:
            yield from super().answers(state, limits, below)
            return
        deadline = Deadline(limits.timeout)
        below = min(below, length_limit(limits) + 1)
        counts = self.no_counts
        found = False
        nodes = _NODES if limits.max_nodes is None else min(_NODES, limits.max_nodes // 2)
        quick = limits._replace(max_length=None, max_nodes=nodes)
        for answer in self._even.answers(state, quick):
            counts = answer.counts
            if answer.moves is not None and (cost := self._cost(answer)) < below:
                below, found = cost, True
                yield answer._replace(proven=False, shortest=frozenset())
                if limits.max_length is not None:
                    return
        left = None if limits.timeout is None else max(deadline.left, 0.0)
        if limits.max_nodes is not None:
            spent = sum(generated for generated, _ in counts)
            limits = limits._replace(max_nodes=max(limits.max_nodes - spent, 0))
        elif left is None and found:
            left = self.method.seconds
        for answer in super().answers(state, limits._replace(timeout=left), below):
            yield answer._replace(counts=_added(counts, answer.counts))


def _added(one: Counts, other: Counts) -> Counts:
    return tuple((a + c, b + d) for (a, b), (c, d) in zip(one, other, strict=True))
