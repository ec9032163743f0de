"""The strategies of the algorithms: their options, sources and guarantees."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

import attrs

from puzzlekit import DeclarationError, Limits, Phase, UsageError
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.search.budget import Budget
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy, length_limit
from puzzlekit_lab.algorithms.graph import Graph
from puzzlekit_lab.algorithms.one_sided import BeamSearch, BestFirst, Deepening, Focal
from puzzlekit_lab.algorithms.search import GaveUp, StateSearch
from puzzlekit_lab.algorithms.two_sided import Bae, Dvcbs, Mm, Nbs, TwoSided

__all__ = ["StateStrategy"]


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class StateStrategy(Strategy):
    """Base class of strategies that search the states of one phase, to the solved state.

    A subclass makes the search of some starts. Its answers are shortest if `is_exact` and if the
    heuristic is admissible.
    """

    takes_guards = True
    improves = False
    #: Whether answers are shortest if the heuristic is admissible.
    is_exact: ClassVar[bool] = True

    #: Most states that the search stores; each takes about 300 bytes.
    states: int = 2_000_000

    @abstractmethod
    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return a search that begins at all of these states."""

    @property
    def exact(self) -> bool:
        """Whether answers are shortest with these options and an admissible heuristic."""
        return self.is_exact

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError unless there is one phase whose goal is the solved puzzle."""
        if len(phases) != 1:
            raise DeclarationError(f"method {name}: {type(self).__name__} searches one phase")
        (phase,) = phases
        if phase.view is not None or phase.goal_moves or phase.goal_turns or phase.turned:
            raise DeclarationError(
                f"method {name}: the phase of {type(self).__name__} cannot have a view, goal moves "
                "or turns, or turned tables"
            )
        if self.states < 1:
            raise DeclarationError(f"method {name}: states must be 1 or more")

    def one_by_one(self) -> StateStrategy:
        """Return the strategy itself, which can be compared."""
        return self

    def prepare(self, plan: Plan) -> None:
        """Prepare the graph."""
        if plan.goal is not None:
            raise UsageError(f"{plan.name} searches states, so its goal is the solved puzzle")
        self.graph = Graph(plan)
        self.phases = [self.graph.phase]

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield the answer, or a record without moves. Raises GaveUp as the search does."""
        yield self._first(
            self.search_from(self.namings(state)), length_limit(limits), Budget(limits)
        )

    def first(self, state: bytes, most: int, budget: Budget) -> Candidate:
        """Return the answer if it costs at most `most`. Without an answer, it has no moves."""
        search = self.search_from(self.namings(state))
        try:
            return self._first(search, most, budget)
        except GaveUp:
            return Candidate(None, False, ((search.generated_nodes, search.expanded_nodes),))

    def _first(self, search: StateSearch, most: int, budget: Budget) -> Candidate:
        status = budget.run(search)
        counts = ((search.generated_nodes, search.expanded_nodes),)
        shortest = self.exact and self.graph.admissible
        if status == FOUND and search.spent_here <= most:
            moves = tuple(self.graph.phase.moves[number] for number in search.path)
            found = [PhaseMoves(0, moves)]
            return self.candidate(found, shortest, counts, shortest=(0,) if shortest else ())
        none = status == EXHAUSTED or (status == FOUND and shortest)
        return Candidate(None, none, counts)


def _weight(instance: object, attribute: object, value: float) -> None:
    if not 1 <= value <= 1000:
        raise ValueError(f"w has to be from 1 to 1000, not {value}")


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class AStar(StateStrategy):
    """A*: expands the state with the least f = g + w h, and of these one with the largest g.

    P. E. Hart, N. J. Nilsson and B. Raphael, "A formal basis for the heuristic determination of
    minimum cost paths" (1968); weighted: I. Pohl, "Heuristic search viewed as path finding in a
    graph" (1970). With an admissible heuristic, an answer costs at most w times as much as a
    shortest one. States to which a cheaper way is found later are expanded again, and count again.
    """

    #: The weight of the estimate, from 1.
    w: float = attrs.field(default=1.0, validator=_weight)

    @property
    def exact(self) -> bool:
        """Whether answers are shortest: with a weight of 1."""
        return self.w == 1

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        w = self.w
        return BestFirst(self.graph, starts, self.states, lambda g, h: (g + w * h, -g))


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class Greedy(StateStrategy):
    """Greedy best-first search: expands the state with the least estimate, whatever its cost.

    J. E. Doran and D. Michie, "Experiments with the Graph Traverser program" (1966). It finds an
    answer if there is one; the answer may have any length.
    """

    is_exact: ClassVar[bool] = False

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        return BestFirst(self.graph, starts, self.states, lambda g, h: (h, g))


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class FocalSearch(StateStrategy):
    """Focal search, or A*-epsilon: of the states with f up to w times the least f, the least h.

    J. Pearl and J. H. Kim, "Studies in semi-admissible heuristics" (1982). With an admissible
    heuristic, an answer costs at most w times as much as a shortest one.
    """

    #: The bound on the cost of answers, from 1: so many times that of a shortest one.
    w: float = attrs.field(default=1.5, validator=_weight)

    @property
    def exact(self) -> bool:
        """Whether answers are shortest: with a weight of 1."""
        return self.w == 1

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        return Focal(self.graph, starts, self.states, self.w)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class LevelBeam(StateStrategy):
    """Beam search: of the new states of each level, expands those with the least estimates.

    R. Bisiani, "Beam search", in: Encyclopedia of Artificial Intelligence (1987). It need not find
    an answer, and the answer may have any length. If `width` is at least the number of states and
    every move costs 1, it is a breadth-first search, and the answer is shortest.
    """

    is_exact: ClassVar[bool] = False

    #: Most states of a level that are expanded.
    width: int = 1000

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError as for all strategies of states, and for a width below 1."""
        super().check(name, phases)
        if self.width < 1:
            raise DeclarationError(f"method {name}: width must be 1 or more")

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        return BeamSearch(self.graph, starts, self.states, self.width)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class DeepeningAStar(StateStrategy):
    """IDA* with f = g + w h, state by state: depth-first within bounds on f, without stored states.

    R. E. Korf, "Depth-first iterative-deepening" (1985); weighted: "Linear-space best-first search"
    (1993). With an admissible heuristic, an answer costs at most w times as much as a shortest one.
    No move undoes the one before, and generated nodes count, as in the paper.
    """

    #: The weight of the estimate, from 1.
    w: float = attrs.field(default=1.0, validator=_weight)

    @property
    def exact(self) -> bool:
        """Whether answers are shortest: with a weight of 1."""
        return self.w == 1

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        return Deepening(self.graph, starts, self.w)


class _BothEnds(StateStrategy):
    needs_bounds = True
    kind: ClassVar[type[TwoSided]]

    def search_from(self, starts: Sequence[bytes]) -> StateSearch:
        """Return the search of the class."""
        return self.kind(self.graph, starts, self.states)


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class MeetInTheMiddle(_BothEnds):
    """MM: from both ends, the state with the least max(f, 2 g); no side goes beyond the middle.

    R. C. Holte, A. Felner, G. Sharon and N. R. Sturtevant, "Bidirectional search that is guaranteed
    to meet in the middle" (AAAI 2016). With an admissible heuristic, answers are shortest. The
    estimates need not be consistent.
    """

    kind: ClassVar[type[TwoSided]] = Mm


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class NearOptimalBothEnds(_BothEnds):
    """NBS: expands both states of a pair with the least bound on answers through both.

    J. Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, "Front-to-end bidirectional heuristic
    search with near-optimal node expansions" (IJCAI 2017). Below the cost of the answer, it expands
    at most twice as many states as any search must that proves its answers by the same estimates.
    With an admissible and consistent heuristic, answers are shortest.
    """

    kind: ClassVar[type[TwoSided]] = Nbs


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class VertexCover(_BothEnds):
    """DVCBS: expands a least set of states of which each pair within the bound has one.

    S. S. Shperberg, A. Felner, N. R. Sturtevant, S. E. Shimony and A. Hayoun, "Enriching
    non-parametric bidirectional search algorithms" (AAAI 2019). With an admissible and consistent
    heuristic, answers are shortest. The cover is computed anew after each cluster of equal g.
    """

    kind: ClassVar[type[TwoSided]] = Dvcbs


@attrs.define(slots=False, on_setattr=attrs.setters.frozen)
class ErrorFromBothEnds(_BothEnds):
    """BAE*: from both ends, the state with the least f + g - (estimate of the way to it).

    S. K. Sadhukhan, "Bidirectional heuristic search based on error estimate" (2013); V. Alcázar,
    P. J. Riddle and M. Barley, "A unifying view on individual bounds and heuristic inaccuracies in
    bidirectional search" (AAAI 2020), of which this has the bound and the strict alternation. With
    an admissible and consistent heuristic, answers are shortest. The bound adds the errors of both
    sides, so a single inconsistent move that neither side expands can hide a shorter answer.
    """

    kind: ClassVar[type[TwoSided]] = Bae

    @property
    def exact(self) -> bool:
        """Whether answers are shortest: if the estimates are known to be consistent."""
        return self.graph.consistent
