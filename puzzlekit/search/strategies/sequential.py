"""The phases in sequence: take the first answer of each, or choose among several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter

import attrs

from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import FOUND
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.symmetry import relabelled
from puzzlekit.search.budget import Budget, Starts
from puzzlekit.search.limits import Limits
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.search.strategies.strategy import length_limit

# The search for more answers of a phase may take this many nodes. If the first answer took more
# nodes, it may take as many as the first answer.
# The engine generates 20,000 nodes of any puzzle in 1 to 2 ms.
_LEAST_NODES = 20_000

Reached = tuple[int, tuple[Move, ...], bytes]  # an answer of a phase: cost, moves, state after them


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Sequential(SinglePhase):
    """Searches the phases in sequence and takes the first answer of each.

    With an admissible heuristic, the first answer of a phase is a shortest answer of this phase. If
    the method has only one phase, it is a shortest answer of the puzzle.

    >>> Sequential(choices=50)
    Sequential(choices=50, relabel=False)
    """

    takes_step_metrics = True
    takes_guards = True
    improves = False

    #: Number of cheapest answers of a phase to choose from, 1 or more. The search continues from
    #: the answer with the least estimate of the next phase. More choices give shorter totals and
    #: slower searches. The last phase has only one choice.
    choices: int = 1
    #: Whether to choose the way to hold the puzzle that has the least estimate of the first phase.
    #: The pieces of the state are renamed accordingly. This needs a puzzle with rotations.
    relabel: bool = False

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError for a wrong number of choices."""
        if self.choices < 1:
            raise DeclarationError(f"method {name}: choices must be 1 or more, not {self.choices}")

    def check_metric(self, plan: Plan) -> None:
        """Raise UsageError if a phase may not begin with some step after the phase before."""
        metric = plan.metric
        if len(plan.phases) > 1 and isinstance(metric, StepMetric) and metric.barrier:
            raise UsageError(
                f"{plan.name} solves its phases one by one here, but {metric.barrier}; choose "
                "another method or metric"
            )

    def interpreted(self) -> Sequential:
        """Return the strategy for an engine that is not compiled: one choice per phase."""
        return attrs.evolve(self, choices=1)

    def one_by_one(self) -> Sequential:
        """Return the strategy itself."""
        return self

    def prepare(self, plan: Plan) -> None:
        """Prepare the phases. Raises UsageError as `check_metric` does."""
        self.check_metric(plan)
        super().prepare(plan)

    def normal(self, state: bytes) -> bytes:
        """Return the state with its pieces renamed so that the method's fixed places are solved.

        If `relabel` is true, the pieces are renamed for each way to hold the puzzle. The result is
        the renamed state with the least estimate of the first phase.
        """
        if not self.relabel:
            return super().normal(state)
        ways = relabelled(self.puzzle, self.plan.fixed, state, relabel=True)
        return min(ways, key=lambda seen: self.phases[0].estimate(self.puzzle, seen))

    def _short(self, state: bytes, limits: Limits) -> Candidate | None:
        """Return an answer of a few moves if the search of the phases might miss it."""
        if self.admissible and len(self.phases) == 1:
            return None
        if not self.metric.counts:  # only the search itself knows the cost of a sequence
            return None
        return self.short_answer(self._short_answers, state, limits)

    @cached_property
    def _short_answers(self) -> ShortAnswers:
        phase = self.phases[0]
        return ShortAnswers(self.puzzle, phase.moves, self.metric)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answer, or a record without moves if there is none within the limits."""
        answer = self._short(state, limits)
        if answer is None:
            budget = Budget(limits)
            answer = self.first(state, length_limit(limits), budget)
        yield answer

    def first(self, state: bytes, most: int, budget: Budget) -> Candidate:
        """Return an answer of all phases that costs at most `most`.

        The answer has no moves if none is found. In both cases it has the numbers of nodes of the
        searches.
        """
        counts = [(0, 0)] * len(self.phases)
        shortest: set[int] = set()
        found = self._from(0, state, most, budget, counts, shortest)
        if found is None:
            return Candidate(None, False, tuple(counts))
        proven = self.admissible and len(self.phases) == 1
        return self.candidate(found, proven, tuple(counts), shortest=shortest)

    def _from(
        self,
        number: int,
        state: bytes,
        left: int,
        budget: Budget,
        counts: list[tuple[int, int]],
        shortest: set[int],
    ) -> list[PhaseMoves] | None:
        """Return the moves from phase `number` on; None if no answer costs at most `left`.

        If the later phases find no answer within the limit, the method tries the next answer of
        this phase. If the moves of a phase are proven cheapest, it adds the number of this phase to
        `shortest`.
        """
        if number == len(self.phases):
            return []
        phase = self.phases[number]
        search = self.started(number, state, left)
        found = None
        for (spent, moves, reached), cheapest in self._choose(number, search, state, budget, left):
            rest = self._from(number + 1, reached, left - spent, budget, counts, shortest)
            if rest is not None:
                found = [PhaseMoves(number, moves), *rest]
                if phase.admissible and cheapest and self._is_least(number, state, spent):
                    shortest.add(number)
                break
        generated, expanded = counts[number]
        counts[number] = (generated + search.generated_nodes, expanded + search.expanded_nodes)
        if isinstance(search, Search):
            self._idle[number].append(search)
        return found

    @cached_property
    def _idle(self) -> list[list[Search]]:
        """For each phase, searches to be used again."""
        return [[] for _ in self.phases]

    def started(self, number: int, state: bytes, limit: int) -> Search | Starts:
        """Return a search of a phase, for answers that cost at most `limit`.

        A single phase starts from all namings of the state. A subclass may return a search of its
        own, which has the members of `Starts`.
        """
        phase = self.phases[number]
        searches = []
        for start in self.namings(state) if len(self.phases) == 1 else (state,):
            try:
                search = self._idle[number].pop()
            except IndexError:
                search = Search(phase.space)
            search.forget()
            searches.append(search)
            phase.start(search, self.puzzle, start, limit, self.parity(start, number))
        return searches[0] if len(searches) == 1 else Starts(searches)

    def _is_least(self, number: int, state: bytes, cost: int) -> bool:
        """Whether no other naming of the state has an answer of the phase below `cost`.

        Only the first of several phases is checked, because it is searched from only one naming.
        """
        if number or len(self.phases) == 1:
            return True
        others = (seen for seen in self.namings(state) if seen != state)
        return all(self.phases[0].estimate(self.puzzle, seen) >= cost for seen in others)

    def _choose(
        self, number: int, search: Search | Starts, state: bytes, budget: Budget, left: int
    ) -> Iterator[tuple[Reached, bool]]:
        """Yield answers of a phase, each with whether it costs no more than the first answer found.

        The method collects several answers of the same cost. It yields them in the order of the
        estimates of the next phase, the least first. Collecting takes no longer than finding the
        first answer. The method skips an answer if the estimate of the next phase exceeds the cost
        that is left.
        """
        several = self.choices if number + 1 < len(self.phases) else 1
        least: int | None = None
        while self._run(number, search, budget) == FOUND:
            nodes = max(_LEAST_NODES, search.work)
            found = [self._reached(number, search, state)]
            least = found[0][0] if least is None else least
            search.stay(True)
            while len(found) < several and nodes > 0:
                before = search.work
                if self._run(number, search, budget, nodes) != FOUND:
                    break
                nodes -= search.work - before
                found.append(self._reached(number, search, state))
            search.stay(False)
            if several > 1:
                later = self.phases[number + 1]
                rated = [(each[0] + later.estimate(self.puzzle, each[2]), each) for each in found]
                rated.sort(key=itemgetter(0))
                found = [each for cost, each in rated if cost <= left or not later.admissible]
            for each in found:
                if budget.over:  # a limit was met, so the later phases cannot be searched
                    return
                yield each, each[0] <= least

    def _run(
        self, number: int, search: Search | Starts, budget: Budget, nodes: int | None = None
    ) -> int:
        try:
            return budget.run(search, nodes=nodes)
        except ValueError as error:
            raise DeclarationError(f"phase {self.phases[number].phase.name}: {error}") from None

    def _reached(self, number: int, search: Search | Starts, state: bytes) -> Reached:
        moves = tuple(map(self.phases[number].moves.__getitem__, search.path))
        return search.spent_here, moves, self.puzzle.apply(state, moves)
