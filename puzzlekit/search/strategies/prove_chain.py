"""Shortest answers: search one phase bound by bound, with upper bounds from another method.

The last bound takes longer to search than all other bounds together. It need not be searched if the
other method has already found a shortest answer. So the other method runs before each bound. It may
use a share of the nodes that the bound will probably take. It does not run before a bound that is
searched from both ends, because bounds that are searched so are short and end soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from puzzlekit.search.limits import Limits
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.answer import Candidate, PhaseMoves
from puzzlekit.search.strategies.chain import ANY_LENGTH, length_limit
from puzzlekit.search.strategies.first_chain import FirstChain
from puzzlekit.search.strategies.tree_search import MakeSearch, TreeSearch

__all__ = ["ProveChain"]


class ProveChain(FirstChain):
    """A method of one phase that proves its answers to be the shortest.

    `search` makes the search of a state. `upper_bound_nodes` and `upper_bound_share` are fields of
    `Optimal`.
    """

    def __init__(
        self,
        plan: Plan,
        upper_bound_nodes: int,
        upper_bound_share: float,
        search: MakeSearch = TreeSearch,
    ) -> None:
        super().__init__(plan)
        self.make_search = search
        self.upper_bound_nodes = upper_bound_nodes
        self.upper_bound_share = upper_bound_share

    def answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record that says if the last answer is shortest."""
        yield from _Proof(self, state, limits).answers()


class _Proof:
    """The search for one state."""

    def __init__(self, chain: ProveChain, state: bytes, limits: Limits) -> None:
        self._chain = chain
        self._state = state
        self._limits = limits
        self._bounds = chain.bounds(state, limits)
        # The other method searches in this process only. With other processes a bound takes less
        # time, and so must the other method.
        helpers = limits.helpers
        self._share = chain.upper_bound_share / (1 if helpers is None else helpers.count)

    def answers(self) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the proven lower bound."""
        bounds = self._bounds
        first, share = self._chain.upper_bound_nodes, self._share
        yield from self._improve(first, ANY_LENGTH)
        while bounds.bound <= self._ceiling and not bounds.is_over:
            best = bounds.best
            if bounds.likely * share > first and not bounds.is_near:
                yield from self._improve(int(bounds.likely * share), bounds.bound)
            if bounds.best != best:
                continue
            path = bounds.first()
            if path is not None:
                yield self._chain.at_bound(path, bounds)
                return
        proven = bounds.best is not None and bounds.bound >= bounds.best
        yield Candidate(None, proven, bounds.counts, bounds.helpers_cpu, at_least=bounds.at_least)

    @property
    def _ceiling(self) -> int:
        """The highest bound that may still give a shorter answer."""
        most, best = length_limit(self._limits), self._bounds.best
        return most if best is None else min(most, best - 1)

    def _improve(self, nodes: int, longest: int) -> Iterator[Candidate]:
        """Yield shorter answers that the other method finds with `nodes` nodes."""
        upper, bounds = self._chain.other, self._bounds
        if upper is None or bounds.is_over:
            return
        longest = min(longest, self._ceiling)
        left = bounds.nodes_left
        limits = self._limits._replace(
            max_length=None if longest == ANY_LENGTH else longest,
            timeout=None if self._limits.timeout is None else max(bounds.deadline.left, 0.0),
            max_nodes=nodes if left is None else min(nodes, left),
        )
        before, started = list(bounds.nodes), perf_counter()
        cpu = bounds.helpers_cpu
        for answer in upper.answers(upper.normal(self._state), limits):
            for i in (0, 1):
                bounds.nodes[i] = before[i] + sum(count[i] for count in answer.counts)
            bounds.helpers_cpu = cpu + answer.helpers_cpu
            if answer.moves is None or not self._chain.allowed.issuperset(answer.moves):
                continue
            cost = self._chain.metric.total(answer.moves)
            if cost <= self._ceiling:
                bounds.best = cost
                found = self._chain.answer([PhaseMoves(0, answer.moves)], False, bounds.counts)
                yield found._replace(helpers_cpu=bounds.helpers_cpu)
        taken = bounds.nodes[0] - before[0]
        bounds.aside = self._share * (perf_counter() - started) / max(taken, 1)
