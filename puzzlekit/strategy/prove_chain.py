"""Shortest answers: one phase searched whole, below answers that another method finds.

A short answer found in time saves the search of the last bound, which takes longer than all others
together: then only that no shorter one exists is left to be proven. So before each bound the other
method is given a share of the nodes that the bound will probably take.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from time import perf_counter

from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.engine.search import UNBOUNDED
from puzzlekit.prepare.plan import Plan
from puzzlekit.run.driver import Deadline
from puzzlekit.run.limits import BoundReport, Limits
from puzzlekit.strategy.answer import Answer, Counts, PhaseMoves
from puzzlekit.strategy.bound_search import BoundTask, BoundWork, MakeSearch
from puzzlekit.strategy.chain import ANY_LENGTH
from puzzlekit.strategy.first_chain import FirstChain
from puzzlekit.strategy.tree_search import TreeSearch

_SETTLED = 24  # costs after which the branching factor is what it stays
_FEW = 1_000  # nodes of a bound that say nothing of how many the next one takes


class ProveChain(FirstChain):
    """A method of one phase that proves its answers to be the shortest.

    `search` makes what searches one bound after the other.
    """

    def __init__(
        self,
        plan: Plan,
        upper_nodes: int,
        upper_share: float,
        search: MakeSearch = TreeSearch,
    ) -> None:
        super().__init__(plan)
        self.make_search = search
        self.upper_nodes = upper_nodes
        self.upper_share = upper_share

    @cached_property
    def growth(self) -> float:
        """How many times as many sequences of moves there are at each cost as at the one before."""
        phase = self.phases[0]
        counts = canonical_sequences(phase.automaton, _SETTLED, phase.costs)
        half = _SETTLED // 2
        return float((sum(counts) / sum(counts[: half + 1])) ** (1 / (_SETTLED - half)))

    def answers(self, state: bytes, limits: Limits) -> Iterator[Answer]:
        """Yield ever shorter answers, then whether the last is proven to be the shortest."""
        yield from _Proof(self, state, limits).answers()


class _Proof:
    """The search for one state."""

    def __init__(self, chain: ProveChain, state: bytes, limits: Limits) -> None:
        self._chain = chain
        self._state = state
        self._starts = chain.namings(state)
        self._limits = limits
        self._phase = chain.phases[0]
        self._deadline = Deadline(limits.timeout)
        self._best: int | None = None
        self._nodes = [0, 0]  # generated and expanded, all methods and threads together
        self._helpers_cpu = 0.0
        self._search = chain.make_search(chain.puzzle, self._phase, self._starts)

    def answers(self) -> Iterator[Answer]:
        """Yield ever shorter answers, at last how far the best one is proven."""
        parities = {self._chain.parity(start) for start in self._starts}
        parity = parities.pop() if len(parities) == 1 else None
        step = 1 if parity is None else 2
        bound = self._search.estimate()
        bound += 0 if parity is None else (bound + parity) % 2
        nodes, growth = 0, 1.0
        first, share = self._chain.upper_nodes, self._chain.upper_share
        yield from self._improve(first, ANY_LENGTH)
        while bound <= self._ceiling and not self._is_over:
            likely = int(nodes * growth**step)
            best = self._best
            if likely * share > first:
                yield from self._improve(int(likely * share), bound)
            if self._best != best:
                continue
            started = perf_counter()
            limits = self._limits._replace(max_nodes=self._nodes_left)
            work = BoundWork()
            task = BoundTask(bound, likely, limits, self._deadline)
            path = next(self._search.search(task, work), None)
            self._nodes[0] += work.generated
            self._nodes[1] += work.expanded
            self._helpers_cpu += work.helpers_cpu
            if path is not None:
                moves = tuple(self._phase.moves[number] for number in path)
                found = self._chain.answer([PhaseMoves(0, moves)], True, self._counts)
                yield self._answer(found, bound)
                return
            if not work.finished:
                break
            if work.further >= UNBOUNDED:  # there is nothing more to search
                bound = ANY_LENGTH
                break
            seconds = max(perf_counter() - started, 1e-9)
            growth = self._growth(work.generated, nodes, step)
            nodes = work.generated
            bound += step
            if self._limits.on_bound is not None:
                later = seconds * growth**step
                least = bound if self._best is None else min(bound, self._best)
                report = BoundReport(bound - step, self._best, least, nodes, seconds, later)
                self._limits.on_bound(report)
        proven = self._best is not None and bound >= self._best
        yield self._answer(Answer(None, proven, self._counts), bound)

    def _growth(self, nodes: int, before: int, step: int) -> float:
        """By which factor the nodes of a bound grow, with each unit of cost."""
        if before <= _FEW:
            return self._chain.growth
        return max(2.0, float((nodes / before) ** (1 / step)))

    @property
    def _ceiling(self) -> int:
        """The highest bound that is still worth searching."""
        most = ANY_LENGTH if self._limits.max_length is None else self._limits.max_length
        return most if self._best is None else min(most, self._best - 1)

    @property
    def _nodes_left(self) -> int | None:
        return None if self._limits.max_nodes is None else self._limits.max_nodes - self._nodes[0]

    @property
    def _is_over(self) -> bool:
        """Whether a limit was met."""
        cancelled = self._limits.cancel is not None and self._limits.cancel.is_set()
        out = self._nodes_left is not None and self._nodes_left <= 0
        return cancelled or out or self._deadline.left <= 0

    @property
    def _counts(self) -> Counts:
        return ((self._nodes[0], self._nodes[1]),)

    def _answer(self, answer: Answer, bound: int) -> Answer:
        """An answer with what is known beyond its moves."""
        least = bound if self._best is None else min(bound, self._best)
        return answer._replace(helpers_cpu=self._helpers_cpu, at_least=least, counts=self._counts)

    def _improve(self, nodes: int, longest: int) -> Iterator[Answer]:
        """Yield shorter answers of the other method that it finds with this many nodes."""
        upper = self._chain.upper
        if upper is None or self._is_over:
            return
        longest = min(longest, self._ceiling)
        left = self._nodes_left
        limits = self._limits._replace(
            max_length=None if longest == ANY_LENGTH else longest,
            timeout=None if self._limits.timeout is None else max(self._deadline.left, 0.0),
            max_nodes=nodes if left is None else min(nodes, left),
        )
        before = list(self._nodes)
        cpu = self._helpers_cpu
        for answer in upper.answers(upper.normal(self._state), limits):
            for i in (0, 1):
                self._nodes[i] = before[i] + sum(count[i] for count in answer.counts)
            self._helpers_cpu = cpu + answer.helpers_cpu
            if answer.moves is None:
                continue
            cost = self._chain.metric.total(answer.moves)
            if cost <= self._ceiling:
                self._best = cost
                found = self._chain.answer([PhaseMoves(0, answer.moves)], False, self._counts)
                yield self._answer(found, 0)
