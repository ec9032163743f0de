"""Shortest answers: search one phase bound by bound, with upper bounds from another method."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.search.limits import Limits
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.sequential import Sequential
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit

__all__ = ["Proof"]


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Optimal(SinglePhase):
    """Searches one phase bound by bound, until no shorter answer is left.

    Another method also searches the state, and its answers are upper bounds, unless they have moves
    that this method does not have. The last bound takes longer to search than all other bounds
    together. It need not be searched if the other method has found a shortest answer. If the
    heuristic is inadmissible, nothing can be proven, and `Sequential` searches the phase instead.

    >>> Optimal(upper_bound_method="two-phase").proves
    True
    """

    proves = True
    splits = True

    #: Name of a method of the same puzzle whose answers are upper bounds; empty for none.
    upper_bound_method: str = ""
    #: Number of nodes that the other method gets before the first bound. If a proof takes minutes,
    #: the nodes of about one second are a good choice.
    upper_bound_nodes: int = 4_000_000
    #: Number of nodes that the other method gets before each bound, divided by the probable number
    #: of nodes of the bound. More than 0. A smaller share proves long answers sooner. A larger
    #: share finds short answers sooner.
    upper_bound_share: float = 0.5

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase without a view."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: Optimal searches exactly one phase")
        if phases[0].view is not None:
            raise DeclarationError(f"method {name}: the phase of Optimal cannot have a view")
        if self.upper_bound_nodes < 0 or self.upper_bound_share <= 0:
            raise DeclarationError(
                f"method {name}: upper_bound_nodes must be 0 or more, and upper_bound_share above 0"
            )

    def other_method(self) -> str:
        """Return the name of the method whose answers are upper bounds."""
        return self.upper_bound_method

    def prepared(self, plan: Plan) -> Strategy:
        """Return the search of a plan; with an inadmissible heuristic, that of `Sequential`."""
        if not plan.admissible:
            return Sequential().prepared(plan)
        return super().prepared(plan)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record that says if the last answer is shortest."""
        nodes, share = self.upper_bound_nodes, self.upper_bound_share
        return Proof(self, state, limits, nodes, share).answers()


class Proof:
    """The search of one state, with the answers of another method as upper bounds.

    The last bound takes longer to search than all other bounds together. It need not be searched if
    the other method has already found a shortest answer. So the other method runs before each
    bound. `nodes` is what it may generate before the first bound. Later it may use a `share` of the
    nodes that the bound will probably take. It does not run before a bound that is searched from
    both ends, because bounds that are searched so are short and end soon.
    """

    def __init__(
        self, strategy: SinglePhase, state: bytes, limits: Limits, nodes: int, share: float
    ) -> None:
        self._strategy = strategy
        self._first = nodes
        self._state = state
        self._limits = limits
        self._bounds = strategy.bounds(state, limits)
        # The other method searches in this process only. With other processes a bound takes less
        # time, and so must the other method.
        helpers = limits.helpers
        self._share = share / (1 if helpers is None else helpers.count)

    def answers(self) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the proven lower bound."""
        bounds = self._bounds
        first, share = self._first, self._share
        yield from self._improve(first, ANY_LENGTH)
        while bounds.bound <= self._ceiling and not bounds.is_over:
            best = bounds.best
            if bounds.likely * share > first and not bounds.is_near:
                yield from self._improve(int(bounds.likely * share), bounds.bound)
            if bounds.best != best:
                continue
            path = bounds.first()
            if path is not None:
                yield self._strategy.at_bound(path, bounds)
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
        other, bounds = self._strategy.other, self._bounds
        if other is None or bounds.is_over:
            return
        longest = min(longest, self._ceiling)
        left = bounds.nodes_left
        limits = self._limits._replace(
            max_length=None if longest == ANY_LENGTH else longest,
            timeout=bounds.budget.timeout,
            max_nodes=nodes if left is None else min(nodes, left),
        )
        before, started = list(bounds.nodes), perf_counter()
        cpu = bounds.helpers_cpu
        for answer in other.search(other.normal(self._state), limits):
            for i in (0, 1):
                bounds.nodes[i] = before[i] + sum(count[i] for count in answer.counts)
            bounds.helpers_cpu = cpu + answer.helpers_cpu
            if answer.moves is None or not self._strategy.allowed.issuperset(answer.moves):
                continue
            cost = self._strategy.metric.total(answer.moves)
            if cost <= self._ceiling:
                bounds.best = cost
                found = self._strategy.candidate(
                    [PhaseMoves(0, answer.moves)], False, bounds.counts
                )
                yield found._replace(helpers_cpu=bounds.helpers_cpu)
        taken = bounds.nodes[0] - before[0]
        bounds.aside = self._share * (perf_counter() - started) / max(taken, 1)
