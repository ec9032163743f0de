"""A single phase, searched bound by bound: shortest answers, and lists of all answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.services import find_service
from puzzlekit.search.limits import Limits
from puzzlekit.search.parity import Sign, cost_signs
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit

if TYPE_CHECKING:
    from puzzlekit.search.strategies.bounds import Bidirectional, Bounds, CountedSearch
    from puzzlekit.search.strategies.tree_search import TreeSearch

__all__ = ["SinglePhase"]

_SETTLED = 24  # from half of this cost on, the branching factor is nearly constant


class SinglePhase(Strategy):
    """A strategy that can search a single phase bound by bound, and list all its answers."""

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

    def subtrees(self, state: bytes) -> TreeSearch:
        """Return the search of the bounds of a state, from all its namings."""
        return self.tree_search(self.namings(state))

    def tree_search(self, starts: Sequence[bytes]) -> TreeSearch:
        """Return the search of the bounds of several states together."""
        from puzzlekit.search.strategies.tree_search import TreeSearch

        return TreeSearch(self.puzzle, self.phases[0], starts)

    def bounds(self, state: bytes, limits: Limits) -> Bounds:
        """Return the searches of a state, bound by bound.

        The method must have one phase with an admissible estimate.
        """
        from puzzlekit.search.strategies.bounds import Bounds

        parities = {self.parity(start) for start in self.namings(state)}
        parity = parities.pop() if len(parities) == 1 else None
        search = self.subtrees(state)
        search.helpers = None if limits.helpers is None else (limits.helpers, state)
        known = self.metric.counts and self.puzzle.guard is None
        answers = self._usual_answers if known else None

        def near() -> CountedSearch | None:
            made = self._near
            return None if made is None else made(self.namings(state))

        return Bounds(search, self._growth, parity, limits, answers, near)

    @cached_property
    def _near(self) -> Callable[[Sequence[bytes]], CountedSearch] | None:
        """What makes the search of a state from both ends; None without it."""
        service: Bidirectional | None = find_service("bidirectional")
        return None if service is None else service.search(self.puzzle, self.phases[0])

    def _usual_answers(self, cost: int) -> float:
        """Return the mean number of answers of a cost for a random state."""
        from puzzlekit.search.parity import reachable

        known = self._sequences
        if len(known) <= cost:
            phase = self.phases[0]
            states = reachable(self.puzzle, phase.moves)
            counts = canonical_sequences(phase.automaton, 2 * cost, phase.costs)
            known[:] = [count / states for count in counts]
        return known[cost]

    @cached_property
    def _sequences(self) -> list[float]:
        """The number of canonical sequences of each cost, divided by the number of states."""
        return []

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
        answer = self.candidate([PhaseMoves(0, moves)], proven, bounds.counts)
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
