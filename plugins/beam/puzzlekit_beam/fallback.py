"""Answers of another method first, then a search for shorter ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from puzzlekit import Limits, Phase
from puzzlekit.errors import DeclarationError
from puzzlekit.search.budget import Budget
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, Wrapper, length_limit


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class WithFallback(Wrapper):
    """Takes an answer of another method. Then another strategy searches for shorter answers.

    A beam may find no answer at all, because it keeps only a part of the candidates. Two phases may
    need many seconds for their first answer. With this strategy every state is solved that the
    other method solves. Answers of the other method may have moves that only that method has.

    >>> from puzzlekit import Sequential
    >>> WithFallback(Sequential(), fallback="universal").fallback
    'universal'
    """

    needs_bounds = True

    #: The strategy that searches the phases, such as `Sequential`.
    strategy: Strategy
    #: Name of a method of the same puzzle that solves every state.
    fallback: str
    #: Number of nodes that the other method may generate. If it has no answer by then, it starts
    #: again and ends with its first answer. 0: it ends with its first answer.
    fallback_nodes: int = 0
    #: Number of nodes of a second try, if the strategy finds no shorter answer in its seconds and
    #: the search has no limit. 0: no second try. For a beam that often finds none at first.
    more_nodes: int = 0
    #: Seconds of the usual first answer of the strategy. A search with less time has the answers of
    #: the other method alone.
    first_seconds: float = 0.0

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the phases do not fit, or if no other method is named."""
        if not self.fallback:
            raise DeclarationError(f"method {name}: WithFallback needs the name of another method")
        if min(self.fallback_nodes, self.more_nodes, self.first_seconds) < 0:
            raise DeclarationError(
                f"method {name}: fallback_nodes, more_nodes and first_seconds must be 0 or more"
            )
        super().check(name, phases)

    def other_method(self) -> str:
        """Return the name of the method that gives the first answers."""
        return self.fallback

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield answers of the other method, then the shorter answers of the strategy."""
        return self.beyond(state, limits, 0)

    def beyond(self, state: bytes, limits: Limits, bound: int) -> Iterator[Candidate]:
        """Do the same for a state that has no answer of a cost below `bound`."""
        budget, longest, best = Budget(limits), length_limit(limits), ANY_LENGTH
        if budget.left < self.first_seconds:
            yield from self._other_answers(state, limits, bound)
            return
        given = Candidate(None, False, self.no_counts)
        foreign = False  # whether the best answer has moves that the strategy does not have
        for given in self._given(state, limits, budget, bound):
            if given.moves is not None:
                best = self.metric.total(given.moves)
                foreign = not self.allowed.issuperset(given.moves)
            if best > longest:
                given = given._replace(phases=None, at_least=best * given.proven)
            yield given
            if given.proven or (limits.max_length is not None and best <= longest):
                return
        left = _left(limits, budget, given)
        tries = [left]
        if best < ANY_LENGTH and left[:3] == (None, None, None):
            # The strategy might never find a shorter answer.
            tries = [left._replace(timeout=self.strategy.seconds)]
            tries += [left._replace(max_nodes=self.more_nodes)] if self.more_nodes else []
        for within in tries:
            last, found = given, False
            for answer in self.ready.shorter(state, within, best):
                found = found or answer.moves is not None
                foreign = foreign and answer.moves is None
                last = _after(given, answer._replace(proven=answer.proven and not foreign))
                yield last
            given = last
            if found or last.proven:
                return

    def _given(
        self, state: bytes, limits: Limits, budget: Budget, bound: int
    ) -> Iterator[Candidate]:
        """Yield ever shorter answers of the other method. The last item has the totals."""
        given = Candidate(None, False, self.no_counts)
        found = False
        if self.fallback_nodes:
            nodes = self.fallback_nodes
            if limits.max_nodes is not None:
                nodes = min(nodes, limits.max_nodes)
            within = limits._replace(max_length=None, max_nodes=nodes)
            for given in self._other_answers(state, within, bound):
                found = found or given.moves is not None
                yield given
        if not found:
            # With a limit on the length, a search ends with its first answer.
            within = _left(limits, budget, given)._replace(max_length=ANY_LENGTH)
            for answer in self._other_answers(state, within, bound):
                yield _after(given, answer)
                if answer.moves is not None:
                    return

    def _other_answers(self, state: bytes, limits: Limits, bound: int) -> Iterator[Candidate]:
        """Yield the answers of the other method under its name.

        The nodes of the other method count as nodes of the last phase.
        """
        assert self.other is not None
        proves = self.other.allowed >= self.allowed
        last = len(self.phases) - 1
        start = self.other.normal(state)
        answers = self.other.search(start, limits)
        if bound and self.allowed >= self.other.allowed:
            answers = self.other.beyond(start, limits, bound)
        for found in answers:
            generated = sum(count[0] for count in found.counts)
            expanded = sum(count[1] for count in found.counts)
            counts = (*self.no_counts[:last], (generated, expanded))
            proven = found.proven and proves
            if found.moves is None:
                yield Candidate(None, proven, counts, found.helpers_cpu)
            else:
                phases = [PhaseMoves(last, found.moves, HowFound(method=self.fallback))]
                shortest = (last,) if proven else ()
                own = self.candidate(phases, proven, counts, shortest)
                yield own._replace(helpers_cpu=found.helpers_cpu)


def _left(limits: Limits, budget: Budget, given: Candidate) -> Limits:
    """Return what is left of the limits after an earlier search, whose totals are in `given`."""
    nodes = limits.max_nodes
    if nodes is not None:
        nodes = max(nodes - given.counts[-1][0], 0)
    return limits._replace(timeout=budget.timeout, max_nodes=nodes)


def _after(given: Candidate, answer: Candidate) -> Candidate:
    """Return an answer with the nodes and the CPU time of an earlier search, `given`."""
    (generated, expanded), (more, wider) = answer.counts[-1], given.counts[-1]
    counts = (*answer.counts[:-1], (generated + more, expanded + wider))
    return answer._replace(counts=counts, helpers_cpu=answer.helpers_cpu + given.helpers_cpu)
