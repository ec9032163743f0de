"""The base class of the chains of all strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import DeclarationError, UsageError
from puzzlekit.puzzle.symmetry import relabelled
from puzzlekit.search.compiled_phase import Assembled, assemble
from puzzlekit.search.driver import Deadline, Driver, Solo
from puzzlekit.search.limits import Limits
from puzzlekit.search.relabelling import Relabellings
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import StepMetric
from puzzlekit.search.strategies.answer import Candidate, Counts, HowFound, PhaseMoves
from puzzlekit.search.strategies.merge import merge
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.tables.table import Table

if TYPE_CHECKING:
    from puzzlekit.puzzle.move import Move
    from puzzlekit.search.driver import Team

__all__ = ["ANY_LENGTH", "length_limit"]

ANY_LENGTH = 1 << 20


def length_limit(limits: Limits) -> int:
    """Return the length limit for the engine: `ANY_LENGTH` if there is none."""
    return min(ANY_LENGTH, limits.max_length if limits.max_length is not None else ANY_LENGTH)


class Chain(ABC):
    """A method ready to search in one metric, with one heuristic per phase.

    A subclass searches the phases as its strategy says. `other` is the chain of another method,
    whose answers are upper bounds for this method. `tables` are the tables that the chain uses.
    """

    other: Chain | None = None
    tables: tuple[Table, ...] = ()

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.puzzle = plan.puzzle
        self.metric = plan.metric
        self.phases = self._assemble(plan)
        self.admissible = all(phase.admissible for phase in self.phases)

    def _assemble(self, plan: Plan) -> list[Assembled]:
        return [
            assemble(plan, phase, heuristic)
            for phase, heuristic in zip(plan.phases, plan.heuristics, strict=True)
        ]

    @property
    def all_tables(self) -> tuple[Table, ...]:
        """The tables on which the answers and proofs depend, and the tables of the upper chain."""
        return self.tables + (self.other.all_tables if self.other is not None else ())

    @abstractmethod
    def answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers within the limits."""

    def shorter(self, state: bytes, limits: Limits, cost: int) -> Iterator[Candidate]:
        """Yield ever shorter answers that cost less than `cost`, then a record with the totals."""
        for answer in self.answers(state, limits):
            if answer.moves is None or self.metric.total(answer.moves) < cost:
                yield answer

    def every_answer(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer, the cheapest first.

        If a limit ends the search, the last item is an answer without moves. Raises UsageError if
        the chain cannot list all answers.
        """
        raise self.cannot_list()

    def shortest_answers(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield every answer of the least cost.

        If a limit ends the search, the last item is an answer without moves. Raises UsageError if
        the chain cannot list all answers.
        """
        raise self.cannot_list()

    def cannot_list(self) -> UsageError:
        """Return the error of a chain that cannot list all answers."""
        return UsageError(
            f"{self.plan.name} cannot find all solutions; only methods of one phase, with an "
            "admissible heuristic, can"
        )

    @property
    def no_counts(self) -> Counts:
        """The numbers of nodes before any search: zeros for each phase."""
        return ((0, 0),) * len(self.phases)

    def answer(
        self,
        phases: Iterable[PhaseMoves],
        proven: bool,
        counts: Counts,
        shortest: Collection[int] = (),
    ) -> Candidate:
        """Return an answer whose moves are merged across the boundaries of the phases."""
        if isinstance(self.metric, StepMetric):
            done = self._done(tuple(phases), self.metric)
        else:
            done = self._merged(tuple(phases))
        proven = proven and all(phase.order.complete for phase in self.phases)
        return Candidate(done, proven, counts, shortest=frozenset(shortest))

    def _merged(self, phases: tuple[PhaseMoves, ...]) -> tuple[PhaseMoves, ...]:
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
        puzzle, plan = self.puzzle, self.plan
        more = puzzle.named_moves(plan.moves)
        found = []
        for phase in plan.phases:
            own = plan.resolver.moves(puzzle, phase)
            same = own.puzzle is puzzle
            moves = own.allowed if same else [puzzle.move(m.family, m.amount) for m in own.allowed]
            found.append(frozenset([*moves, *more]))
        return found

    def _done(self, phases: tuple[PhaseMoves, ...], metric: StepMetric) -> tuple[PhaseMoves, ...]:
        """Return the moves of the metric's steps, from the given holding; merged if cheaper."""
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
        limits: Limits,
        driver: Driver,
        deadline: Deadline,
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
        limits
            The limits of the searches. If there is a limit on the length, only the first answer is
            yielded.
        driver
            Runs the search if there is only one. Several searches run in threads, without the
            driver.
        deadline
            The time at which all searches end.
        seconds
            Seconds for which the searches continue after the first answer, if `limits` sets neither
            a time nor a number of nodes.
        known
            Whether an answer was known before these searches.

        Returns
        -------
        tuple of bool and float
            The first item states whether the shortest known answer is proven optimal. This answer
            may have been known before these searches. The second item is the CPU time of the other
            threads in seconds.
        """
        runner: Solo | Team = Solo(searches[0], driver)
        if len(searches) > 1:
            from puzzlekit.search.driver import Team  # the import takes too long for one thread

            runner = Team(searches, limits, deadline)
        try:
            while (status := runner.run()) == FOUND and runner.found is not None:
                known = True
                answer = answer_of(*runner.found)
                runner.tighten(self.metric.total(answer.moves or ()) - 1)
                yield answer._replace(helpers_cpu=runner.cpu)
                if limits.max_length is not None:
                    break
                if limits.timeout is None and limits.max_nodes is None:
                    deadline.allow(seconds)
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
        return self.answer(
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
        return next(relabelled(self.puzzle, self.plan.fixed, state))
