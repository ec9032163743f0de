"""Chain phases by the first answer of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import FOUND
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.symmetry import relabelled
from puzzlekit.search.driver import Deadline, Driver, Starts
from puzzlekit.search.limits import Limits
from puzzlekit.search.parity import Sign, cost_signs
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.answer import Candidate, PhaseMoves
from puzzlekit.search.strategies.chain import ANY_LENGTH, Chain, length_limit
from puzzlekit.search.strategies.short_answers import ShortAnswers

if TYPE_CHECKING:
    from puzzlekit.search.strategies.bounds import Bounds
    from puzzlekit.search.strategies.near_search import NearStates
    from puzzlekit.search.strategies.tree_search import MakeSearch, TreeSearch

__all__ = ["FirstChain"]

# The search for more answers of a phase may take this many nodes. If the first answer took more
# nodes, it may take as many as the first answer.
# The engine generates 20,000 nodes of any puzzle in 1 to 2 ms.
_LEAST_NODES = 20_000

_SETTLED = 24  # from half of this cost on, the branching factor is nearly constant

Reached = tuple[int, tuple[Move, ...], bytes]  # an answer of a phase: cost, moves, state after them


class FirstChain(Chain):
    """Takes the first answer of each phase. An admissible estimate makes it a shortest answer."""

    #: Makes the search of a state, of a subclass of `TreeSearch`; None for `TreeSearch` itself.
    make_search: MakeSearch | None = None

    def __init__(self, plan: Plan, choices: int = 1, relabel: bool = False) -> None:
        self._choices = choices
        self._sequences: list[float] = []
        self._relabel = relabel
        super().__init__(plan)

    def normal(self, state: bytes) -> bytes:
        """Return the state with its pieces renamed so that the method's fixed places are solved.

        If `relabel` is true, the pieces are renamed for each way to hold the puzzle. The result is
        the renamed state with the least estimate of the first phase.
        """
        if not self._relabel:
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

    def parity(self, state: bytes, number: int = 0) -> int | None:
        """Return the parity of the cost of all answers of a phase for a state; None if unknown."""
        signs = self._signs[number]
        if signs is None:
            return None
        try:
            return sum(sign.of_state(self.puzzle, state) for sign in signs) % 2
        except ValueError:  # no state of these pieces
            return None

    @cached_property
    def _signs(self) -> list[tuple[Sign, ...] | None]:
        """For each phase, the signs that determine the parity of the cost of its answers."""
        found = []
        for phase in self.phases:
            declared = phase.phase
            open_goal = declared.goal_moves or declared.goal_turns or declared.view is not None
            known = self.metric.counts and phase.admissible and not open_goal
            wanted = self.puzzle, phase.moves, phase.costs, declared.coordinates
            found.append(cost_signs(*wanted) if known else None)
        return found

    def answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answer, if there is one within the limits."""
        answer = self._short(state, limits)
        if answer is None:
            driver = Driver(limits, Deadline(limits.timeout))
            answer = self.first_answer(state, length_limit(limits), driver)
        if answer.moves is not None:
            yield answer

    def first_answer(self, state: bytes, left: int, driver: Driver) -> Candidate:
        """Return an answer of all phases that costs at most `left`.

        The answer has no moves if none is found. In both cases it has the numbers of nodes of the
        searches.
        """
        counts = [(0, 0)] * len(self.phases)
        shortest: set[int] = set()
        found = self._from(0, state, left, driver, counts, shortest)
        if found is None:
            return Candidate(None, False, tuple(counts))
        proven = self.admissible and len(self.phases) == 1
        return self.answer(found, proven, tuple(counts), shortest=shortest)

    def _from(
        self,
        number: int,
        state: bytes,
        left: int,
        driver: Driver,
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
        search = self._started(number, state, left)
        found = None
        for (spent, moves, reached), cheapest in self._choose(number, search, state, driver, left):
            rest = self._from(number + 1, reached, left - spent, driver, counts, shortest)
            if rest is not None:
                found = [PhaseMoves(number, moves), *rest]
                if phase.admissible and cheapest and self._is_least(number, state, spent):
                    shortest.add(number)
                break
        generated, expanded = counts[number]
        counts[number] = (
            generated + search.generated_nodes,
            expanded + search.expanded_nodes,
        )
        return found

    def _started(self, number: int, state: bytes, limit: int) -> Search | Starts:
        """Return a search of a phase. A single phase starts from all namings of the state."""
        phase = self.phases[number]
        searches = []
        for start in self.namings(state) if len(self.phases) == 1 else (state,):
            searches.append(search := Search(phase.space))
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
        self, number: int, search: Search | Starts, state: bytes, driver: Driver, left: int
    ) -> Iterator[tuple[Reached, bool]]:
        """Yield answers of a phase, each with whether it costs no more than the first answer found.

        The method collects several answers of the same cost. It yields them in the order of the
        estimates of the next phase, the least first. Collecting takes no longer than finding the
        first answer. The method skips an answer if the estimate of the next phase exceeds the cost
        that is left.
        """
        several = self._choices if number + 1 < len(self.phases) else 1
        least: int | None = None
        while self._run(number, search, driver) == FOUND:
            nodes = max(_LEAST_NODES, search.work)
            found = [self._reached(number, search, state)]
            least = found[0][0] if least is None else least
            search.stay(True)
            while len(found) < several and nodes > 0:
                before = search.work
                if self._run(number, search, driver, nodes) != FOUND:
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
                if driver.over:  # a limit was met, so the later phases cannot be searched
                    return
                yield each, each[0] <= least

    def _run(
        self, number: int, search: Search | Starts, driver: Driver, nodes: int | None = None
    ) -> int:
        try:
            return driver.run(search, nodes=nodes)
        except ValueError as error:
            raise DeclarationError(f"phase {self.phases[number].phase.name}: {error}") from None

    def _reached(self, number: int, search: Search | Starts, state: bytes) -> Reached:
        moves = tuple(self.phases[number].moves[move] for move in search.path)
        return search.spent_here, moves, self.puzzle.apply(state, moves)

    def tree_search(self, state: bytes) -> TreeSearch:
        """Return the search of the bounds of a state."""
        from puzzlekit.search.strategies.tree_search import TreeSearch

        make = self.make_search or TreeSearch
        return make(self.puzzle, self.phases[0], self.namings(state))

    def bounds(self, state: bytes, limits: Limits) -> Bounds:
        """Return the searches of a state, bound by bound.

        The method must have one phase with an admissible estimate.
        """
        from puzzlekit.search.strategies.bounds import Bounds

        parities = {self.parity(start) for start in self.namings(state)}
        parity = parities.pop() if len(parities) == 1 else None
        search = self.tree_search(state)
        search.helpers = limits.helpers
        known = self.metric.counts and self.puzzle.guard is None
        answers = self._usual_answers if known else None
        near = self._near
        from_both = near.bounds(self.namings(state)) if near.possible else None
        return Bounds(search, self._growth, parity, limits, answers, from_both)

    @cached_property
    def _near(self) -> NearStates:
        from puzzlekit.search.strategies.near_search import NearStates

        return NearStates(self.puzzle, self.phases[0])

    def _usual_answers(self, cost: int) -> float:
        """Return the mean number of answers of a cost for a random state."""
        from puzzlekit.search.parity import reachable

        if len(self._sequences) <= cost:
            phase = self.phases[0]
            states = reachable(self.puzzle, phase.moves)
            counts = canonical_sequences(phase.automaton, 2 * cost, phase.costs)
            self._sequences = [count / states for count in counts]
        return self._sequences[cost]

    @cached_property
    def _growth(self) -> float:
        """The ratio of the numbers of canonical sequences at successive costs."""
        phase = self.phases[0]
        counts = canonical_sequences(phase.automaton, _SETTLED, phase.costs)
        half = _SETTLED // 2
        return float((sum(counts) / sum(counts[: half + 1])) ** (1 / (_SETTLED - half)))

    def at_bound(self, path: Sequence[int], bounds: Bounds, proven: bool = True) -> Candidate:
        """Return an answer that costs exactly the bound at which it was found."""
        moves = tuple(self.phases[0].moves[number] for number in path)
        answer = self.answer([PhaseMoves(0, moves)], proven, bounds.counts)
        at_least = bounds.at_least if proven else 0
        return answer._replace(helpers_cpu=bounds.helpers_cpu, at_least=at_least)

    def _is_cheaper(self, answer: Candidate, path: Sequence[int]) -> bool:
        """Whether an answer costs less than the moves of its path, from which it was merged."""
        if not self.metric.counts or len(answer.moves or ()) == len(path):
            return False
        moves = self.phases[0].moves
        return self.metric.total(answer.moves or ()) < self.metric.total(moves[i] for i in path)

    def every_answer(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer, the cheapest first.

        If a limit ends the search, the last item is an answer without moves.
        """
        return self._listed(state, limits, further=True)

    def shortest_answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer of the least cost.

        If a limit ends the search, the last item is an answer without moves.
        """
        return self._listed(state, limits, further=False)

    def _listed(self, state: bytes, limits: Limits, further: bool) -> Iterator[Candidate]:
        """Yield the cheapest answers; with `further`, also all others up to the limit."""
        if len(self.phases) > 1 or not self.admissible:
            raise self.cannot_list()
        bounds = self.bounds(state, limits)
        longest = length_limit(limits)
        least: int | None = None
        while bounds.bound <= longest and not bounds.is_over:
            told: set[tuple[Move, ...] | None] = set()
            for path in bounds.every():
                least = bounds.bound if least is None else least
                answer = self.at_bound(path, bounds, proven=bounds.bound == least)
                # Another naming, or other steps of a metric, may give the same answer. An answer
                # that became cheaper when its moves were merged was listed at a lower bound.
                if answer.moves not in told and not self._is_cheaper(answer, path):
                    told.add(answer.moves)
                    yield answer
            if least is not None and not further:
                break
        # A bound that was not searched to its end remains the current bound.
        over = bounds.bound > min(longest, ANY_LENGTH - 1)
        if not over if further else least is None or not bounds.complete:
            yield Candidate(
                None, False, bounds.counts, bounds.helpers_cpu, at_least=bounds.at_least
            )
