"""The base class of strategies: options that check themselves, and the search of the phases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.symmetry import relabelled, relabellings
from puzzlekit.search.budget import Budget, Team
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.directions import Relabellings
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.search.limits import Limits
from puzzlekit.search.phase import Phase
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.candidate import (
    Candidate,
    Counts,
    HowFound,
    PhaseMoves,
    merge,
    stay_apart,
)
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.tables.table import Table

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Effect, Metric, Move
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.limits import SubtreeReport

__all__ = ["ANY_LENGTH", "Pool", "Strategy", "Wrapper", "length_limit"]

ANY_LENGTH = 1 << 20
_HOLDINGS_KEPT = 64  # for one method; a cube is held in 24 ways


def length_limit(limits: Limits) -> int:
    """Return the length limit for the engine: `ANY_LENGTH` if there is none."""
    return min(ANY_LENGTH, limits.max_length if limits.max_length is not None else ANY_LENGTH)


class Pool(Protocol):
    """One search from several states, under one bound on the total cost: the finish of a beam."""

    @property
    def search(self) -> Any:
        """The search, with the interface of the engine's searches."""

    def found(self) -> tuple[int, list[PhaseMoves]]:
        """After FOUND, return the index of the solved state, and its moves phase by phase."""

    def stop_in(self, seconds: float) -> None:
        """Prepare for a search that stops after this number of seconds."""


class Subtrees(Protocol):
    """The search of one state in subtrees, which several processes may share."""

    def search_subtree(self, bound: int, moves: int, number: int, limits: Limits) -> SubtreeReport:
        """Search one of the subtrees after some moves, within a bound on the cost.

        - `bound`: the cost of the answers.
        - `moves`: the number of moves before the subtree.
        - `number`: the number of the subtree among all subtrees after these moves.
        - `limits`: the limits, of which `cancel` and `max_nodes` count.
        """


class Strategy(ABC):
    """How the phases of a method are searched.

    A subclass is an attrs class whose fields are its options. It overrides the attributes below if
    their defaults do not fit. A method declares a strategy with its options. `prepared` returns a
    copy that is ready to search one plan. The copy has the attributes `plan`, `puzzle`, `metric`,
    `phases` (ready for the engine) and `tables`. If the strategy uses another method, `other` is
    the prepared strategy of this method.
    """

    #: Whether the strategy can search in any `StepMetric`. If False, it can do so only in those
    #: that are listed in the metrics of the method.
    takes_step_metrics: bool = False
    #: Whether the strategy can search a puzzle with a `Guard`, whose moves are not always possible.
    takes_guards: bool = False
    #: Whether the strategy can search a puzzle with `Forbidden` places or `Bandaged` blocks.
    takes_forbidden: bool = False
    #: Whether the phases need coordinates. If not, the goal is the solved puzzle.
    needs_coordinates: bool = True
    #: Whether the strategy needs admissible heuristics.
    needs_bounds: bool = False
    #: Whether the strategy can search with heuristics that read the state.
    takes_state_heuristics: bool = True
    #: Whether the strategy looks for shorter answers after its first answer.
    improves: bool = True
    #: Whether the strategy continues until its answer is proven shortest.
    proves: bool = False
    #: Whether processes can share the search of one state: see `subtrees`.
    splits: bool = False
    #: Seconds to continue after the first answer if no limit is given.
    seconds: float = 0.2
    #: Whether an interpreted engine takes minutes, so that exported sites leave the method out.
    needs_compiler: bool = False
    #: Whether the strategy may rename the pieces for another way to hold the puzzle.
    relabel: bool = False

    plan: Plan
    puzzle: Puzzle
    metric: Metric
    phases: list[CompiledPhase]
    other: Strategy | None = None
    tables: tuple[Table, ...] = ()

    # --- the declaration -----------------------------------------------------------------------

    @abstractmethod
    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the strategy does not fit the phases of the method `name`."""

    def other_method(self) -> str:
        """Return the name of another method that the search also uses; "" for none."""
        return ""

    def one_by_one(self) -> Strategy | None:
        """Return the strategy for comparisons of heuristics; None if the method cannot be compared.

        The returned strategy must accept every heuristic, and have a method `first`.
        """
        return None

    def finishes(self) -> int:
        """Return how many phases the strategy searches as the finish of a beam; 0 if it cannot."""
        return 0

    def interpreted(self) -> Strategy:
        """Return the strategy for an interpreted engine, which is slower than a compiled engine.

        The returned strategy searches less or has more time. By default it is the strategy itself.
        """
        return self

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield each phase whose tables the search needs.

        Each item is a tuple (plan, phase, heuristic of the phase).
        """
        for phase, heuristic in zip(plan.phases, plan.heuristics, strict=True):
            yield plan, phase, heuristic

    # --- the search of one plan ----------------------------------------------------------------

    def prepared(self, plan: Plan) -> Strategy:
        """Return a strategy that is ready to search a plan, with its tables loaded or built.

        Raises UsageError if the strategy cannot search with the plan's metric or heuristics.
        """
        if plan.reads_state and not self.takes_state_heuristics:
            raise UsageError(
                f"{plan.name} takes no heuristic that reads the state: choose one that joins "
                "distances, such as max"
            )
        ready = copy(self)
        ready.plan, ready.puzzle, ready.metric = plan, plan.puzzle, plan.metric
        ready.prepare(plan)
        return ready

    def prepare(self, plan: Plan) -> None:
        """Set `phases`, with their tables loaded or built.

        A subclass may also store whatever its search needs in attributes, since `self` is a copy.
        """
        self.phases = [
            CompiledPhase(plan, phase, heuristic)
            for phase, heuristic in zip(plan.phases, plan.heuristics, strict=True)
        ]

    @abstractmethod
    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers within the limits."""

    def beyond(self, state: bytes, limits: Limits, bound: int) -> Iterator[Candidate]:
        """Do the same for a state that has no answer of a cost below `bound`, which is positive.

        A strategy that first searches for short answers may leave that out.
        """
        return self.search(state, limits)

    def first(self, state: bytes, most: int, budget: Budget) -> Candidate:
        """Return the first answer that costs at most `most`, for comparisons of heuristics.

        Without an answer, the candidate has no moves. The budget runs all searches, so it measures
        them.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot be compared")

    def parity(self, state: bytes, number: int = 0) -> int | None:
        """Return the parity of the cost of all answers of a phase for a state; None if unknown."""
        return None

    def pool(self, states: Sequence[bytes], costs: Sequence[int], limits: Limits) -> Pool:
        """Return one search from several states; `costs` has the cost of reaching each of them.

        The total cost of an answer, which includes the cost of reaching its state, is within
        `limits`. A strategy needs it if `finishes` is not 0.
        """
        raise NotImplementedError(f"{type(self).__name__} cannot be the finish of a beam")

    def subtrees(self, state: bytes) -> Subtrees:
        """Return the search of a state in subtrees. A strategy needs it if `splits` is true.

        The search of the whole state asks `limits.helpers` for the work of other processes.
        """
        raise NotImplementedError(f"{type(self).__name__} does not split its search")

    @cached_property
    def admissible(self) -> bool:
        """Whether the estimates of all phases never exceed the distance."""
        return all(phase.admissible for phase in self.phases)

    @property
    def all_tables(self) -> tuple[Table, ...]:
        """The tables on which the answers and proofs depend, and those of the other method."""
        return self.tables + (self.other.all_tables if self.other is not None else ())

    def shorter(self, state: bytes, limits: Limits, cost: int) -> Iterator[Candidate]:
        """Yield ever shorter answers that cost less than `cost`, then a record with the totals."""
        for answer in self.search(state, limits):
            if answer.moves is None or self.metric.total(answer.moves) < cost:
                yield answer

    def every_answer(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer, the cheapest first.

        If a limit ends the search, the last item is an answer without moves. Raises UsageError if
        the strategy cannot list all answers.
        """
        raise self.cannot_list()

    def shortest_answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer of the least cost.

        If a limit ends the search, the last item is an answer without moves. Raises UsageError if
        the strategy cannot list all answers.
        """
        raise self.cannot_list()

    def cannot_list(self) -> UsageError:
        """Return the error of a strategy that cannot list all answers."""
        return UsageError(
            f"{self.plan.name} cannot find all solutions; only methods of one phase, with an "
            "admissible heuristic, can"
        )

    @property
    def no_counts(self) -> Counts:
        """The numbers of nodes before any search: zeros for each phase."""
        return ((0, 0),) * len(self.phases)

    def candidate(
        self,
        phases: Iterable[PhaseMoves],
        proven: bool,
        counts: Counts,
        shortest: Collection[int] = (),
    ) -> Candidate:
        """Return an answer whose moves are merged across the boundaries of the phases."""
        done = self._merged if self.metric.counts else self._done
        proven = proven and all(phase.order.complete for phase in self.phases)
        return Candidate(done(tuple(phases)), proven, counts, shortest=frozenset(shortest))

    def _merged(self, phases: tuple[PhaseMoves, ...]) -> tuple[PhaseMoves, ...]:
        if stay_apart(self.puzzle, [move for phase in phases for move in phase.moves]):
            return tuple(
                [PhaseMoves(number, moves, found, moves) for number, moves, found, _ in phases]
            )
        merged = self.merge(phases)
        return tuple(phase._replace(merged=own) for phase, own in zip(phases, merged, strict=True))

    def merge(self, phases: Sequence[PhaseMoves]) -> list[tuple[Move, ...]]:
        """Return the moves of each phase, merged to moves that the phases have."""
        # A phase that was searched in another way, such as turned, may have moves of all phases.
        allowed = [
            own if own.issuperset(phase.moves) else self.allowed
            for phase in phases
            for own in [self._allowed[phase.number]]
        ]
        return merge(self.puzzle, [phase.moves for phase in phases], allowed)

    @cached_property
    def allowed(self) -> frozenset[Move]:
        """The moves that an answer may have."""
        return frozenset().union(*self._allowed)

    @cached_property
    def _allowed(self) -> list[frozenset[Move]]:
        """The moves that an answer may have in each phase."""
        more = self.puzzle.named_moves(self.plan.moves)
        return [frozenset([*phase.done(self.puzzle), *more]) for phase in self.plan.phases]

    def _done(self, phases: tuple[PhaseMoves, ...]) -> tuple[PhaseMoves, ...]:
        """Return the moves of the metric's steps, from the given holding; merged if cheaper."""
        metric = self.metric
        assert isinstance(metric, StepMetric)
        own = metric.of_method(self.puzzle, tuple(self.plan.fixed.items()))
        done = []
        for phase, steps in zip(phases, own.done([phase.moves for phase in phases]), strict=True):
            moves = tuple(move for step in steps for move in step.moves)
            done.append(phase._replace(moves=moves, merged=moves))
        each = [move for phase in done for move in phase.moves]
        merged = self._merged(tuple(done))
        fewer = [move for phase in merged for move in phase.merged]
        if metric.can(fewer) and metric.total(fewer) < metric.total(each):
            return merged
        return tuple(done)

    def shortening(
        self,
        searches: Sequence[Any],
        answer_of: Callable[[int, Any], Candidate],
        budget: Budget,
        seconds: float,
        known: bool = False,
    ) -> Generator[Candidate, None, tuple[bool, float]]:
        """Run searches, one per thread, and yield ever shorter answers.

        Parameters
        ----------
        searches
            The searches of the engine.
        answer_of
            Makes an answer from the number of a search and its result.
        budget
            What is left of the limits. If they limit the length, only the first answer is yielded.
        seconds
            Seconds for which the searches continue after the first answer, if the limits set
            neither a time nor a number of nodes.
        known
            Whether an answer was known before these searches.

        Returns
        -------
        tuple of bool and float
            The first item states whether the shortest known answer is proven optimal. This answer
            may have been known before these searches. The second item is the CPU time of the other
            threads in seconds.
        """
        limits = budget.limits
        if len(searches) == 1:
            (search,) = searches
            while (status := budget.run(search)) == FOUND:
                answer = answer_of(0, search.answer)
                yield answer
                if limits.max_length is not None:
                    return False, 0.0
                known = True
                search.tighten(self.metric.total(answer.moves or ()) - 1)
                if limits.timeout is None and limits.max_nodes is None:
                    budget.allow(seconds)
            return known and status == EXHAUSTED and not search.is_capped, 0.0
        runner = Team(searches, budget)
        try:
            while (status := runner.run()) == FOUND and runner.found is not None:
                known = True
                answer = answer_of(*runner.found)
                runner.tighten(self.metric.total(answer.moves or ()) - 1)
                yield answer._replace(helpers_cpu=runner.cpu)
                if limits.max_length is not None:
                    break
                if limits.timeout is None and limits.max_nodes is None:
                    budget.allow(seconds)
        finally:
            runner.stop()
        return known and status == EXHAUSTED, runner.cpu

    def short_answer(self, short: ShortAnswers, state: bytes, limits: Limits) -> Candidate | None:
        """Return an answer of a few moves that the search of the phases might miss, or None.

        The moves reach the goal of the last phase. So the answer lists all of them in the last
        phase.
        """
        moves = short.find(state)
        if moves is None:
            return None
        cost = self.metric.total(moves)
        if cost > length_limit(limits):
            return None
        last = len(self.phases) - 1
        proven = cost <= short.proven_cost
        return self.candidate(
            [PhaseMoves(last, moves, HowFound(directly=True))],
            proven,
            self.no_counts,
            shortest=(last,) if proven else (),
        )

    def namings(self, state: bytes) -> list[bytes]:
        """Return the state with its pieces renamed in every way that the phases may solve.

        The list has one state for each way (see `Relabellings`). The fixed places of the method
        must be solved in the given state, as they are in the result of `normal`.
        """
        found = self._relabellings.of(state)
        return found if len(found) == 1 else [*filter(self._is_ranked, found)] or [state]

    @cached_property
    def _relabellings(self) -> Relabellings:
        moves = dict.fromkeys(move for phase in self.phases for move in phase.moves)
        return Relabellings(self.puzzle, self.plan.phases, self.plan.fixed, tuple(moves))

    def _is_ranked(self, state: bytes) -> bool:
        """Whether the first phase can rank a state. If not, no moves lead to its goal."""
        try:
            self.phases[0].seen(self.puzzle, state)
        except DeclarationError:
            return False
        return True

    def held(self, state: bytes) -> bytes:
        """Return the state with its pieces renamed as `normal` does; unchanged if that fails."""
        try:
            return self.normal(state)
        except DeclarationError:
            return state

    def normal(self, state: bytes) -> bytes:
        """Return the state with its pieces renamed so that the method's fixed places are solved."""
        places, held = self._holding
        shown = bytes(map(state.__getitem__, places))
        way = held.get(shown)
        if way is None:
            way = next((found for found, _ in relabellings(self.puzzle, state, places)), None)
            if way is None:  # an error that says so
                return next(relabelled(self.puzzle, self.plan.fixed, state))
            if len(held) >= _HOLDINGS_KEPT:
                held.clear()
            held[shown] = way
        return state if way is self.puzzle.whole_rotations[0] else self.puzzle.relabel(state, way)

    @cached_property
    def _holding(self) -> tuple[list[int], dict[bytes, Effect]]:
        """The bytes of the fixed places, and for values there the rotation that solves them."""
        places = self.puzzle.bytes_at(self.plan.fixed)
        none = self.puzzle.whole_rotations[0]
        return places, {bytes(map(self.puzzle.solved.__getitem__, places)): none}


class Wrapper(Strategy):
    """A strategy with the phases of another one, `strategy`, which is an option of each subclass.

    It needs what the other strategy needs. `prepare` stores that strategy, prepared, as `ready`.
    """

    strategy: Strategy

    def __attrs_post_init__(self) -> None:
        self.needs_coordinates = self.strategy.needs_coordinates
        self.needs_bounds = self.needs_bounds or self.strategy.needs_bounds
        self.takes_state_heuristics = self.strategy.takes_state_heuristics

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Raise DeclarationError if the phases do not fit the other strategy."""
        self.strategy.check(name, phases)

    def other_method(self) -> str:
        """Return the name of the method that the other strategy uses."""
        return self.strategy.other_method()

    def searched(self, plan: Plan) -> Iterator[tuple[Plan, Phase, Heuristic]]:
        """Yield the phases of the other strategy."""
        return self.strategy.searched(plan)

    def prepare(self, plan: Plan) -> None:
        """Prepare the other strategy."""
        self.ready = self.strategy.prepared(plan)
        self.phases = self.ready.phases

    @property
    def no_counts(self) -> Counts:
        """The counts of the other strategy before any search."""
        return self.ready.no_counts
