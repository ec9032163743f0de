"""Answer at once, by a method that needs no preparation, and derive a better one behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event, Lock

import attrs

from puzzlekit import Limits, Method, NoSolutionError, Solver, TableStore
from puzzlekit.search.limits import BoundReport
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies.candidate import Candidate, HowFound, PhaseMoves
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, Wrapper
from puzzlekit_definitions.phases import NotYet

__all__ = ["Behind", "Later"]

_PATIENCE = 0.1  # seconds until a search that waits for another one sees that it was cancelled


class Later:
    """A method that is derived when it is first needed, once for all searches.

    - `derive`: returns the method, or None if there is none. It raises `NotYet` when the event that
      it gets is set; the next search derives the method then.
    - `others`: the methods that the derived method may use, and those that they use.
    """

    def __init__(
        self,
        derive: Callable[[Event | None], Method | None],
        others: Sequence[Method],
        store: TableStore,
    ) -> None:
        self._derive = derive
        self._others = others
        self._store = store
        self._lock = Lock()
        self._found: list[Method | None] = []
        self._solver: Solver | None = None

    @property
    def is_made(self) -> bool:
        """Whether it is known which method is derived, if any."""
        return bool(self._found)

    def solver(self, plan: Plan, cancel: Event | None = None) -> Solver | None:
        """Return a solver with the derived method; None if there is none.

        Raises `NotYet` if `cancel` is set before that is known.
        """
        while not self._lock.acquire(timeout=_PATIENCE):  # another search derives the method
            if cancel is not None and cancel.is_set():
                raise NotYet
        try:
            if not self._found:
                self._found.append(self._derive(cancel))
            method = self._found[0]
            if method is not None and self._solver is None:
                self._solver = Solver(plan.puzzle, (method, *self._others), self._store)
        finally:
            self._lock.release()
        return self._solver


@attrs.define(slots=False, on_setattr=attrs.setters.frozen, eq=False)
class Behind(Wrapper):
    """Takes the answers of one strategy, then derives a method, and takes its shorter answers.

    A search with a limit does not wait until the method is derived: it has the answers of the
    strategy alone. As soon as the method is known, each search takes its answers only.
    """

    #: The method that is derived.
    later: Later
    #: The strategy of the first answers.
    strategy: Strategy

    def interpreted(self) -> Behind:
        """Return the strategy with its first answers for an interpreted engine."""
        return attrs.evolve(self, strategy=self.strategy.interpreted())

    def derive(self) -> None:
        """Derive the method now, and build its tables."""
        solver = self.later.solver(self.plan)
        if solver is not None:
            solver.prepared(metric=self.metric.name)

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield ever shorter answers, then a record with the totals."""
        self.ready.other = self.other
        given, best = Candidate(None, False, self.no_counts), ANY_LENGTH
        limited = limits.timeout is not None or limits.max_nodes is not None
        if not self.later.is_made:
            for given in self.ready.search(state, limits):
                yield given
                if given.moves is not None:
                    best = self.metric.total(given.moves)
            ended = limits.cancel is not None and limits.cancel.is_set()
            short = limits.max_length is not None and best < ANY_LENGTH
            if limited or given.proven or short or ended:
                return
        try:
            solver = self.later.solver(self.plan, limits.cancel)
        except NotYet:  # the search was cancelled
            return
        if solver is None:
            if best == ANY_LENGTH:
                yield from self.ready.search(state, limits)
            return
        try:
            yield from self._better(solver, state, limits, given, best)
        except NoSolutionError:  # such as a search that was cancelled
            if best == ANY_LENGTH:
                raise

    def _better(
        self, solver: Solver, state: bytes, limits: Limits, given: Candidate, best: int
    ) -> Iterator[Candidate]:
        """Yield the cheaper answers of the derived method, then what it proves."""
        least = given.at_least

        def on_bound(report: BoundReport) -> None:
            nonlocal least
            least = max(least, report.at_least)
            if limits.on_bound is not None:
                limits.on_bound(report)

        for found in solver.improve(
            state,
            metric=self.metric.name,
            max_length=limits.max_length,
            timeout=limits.timeout,
            max_nodes=limits.max_nodes,
            threads=limits.threads,
            cancel=limits.cancel,
            on_bound=on_bound,
            on_progress=limits.on_progress,
        ):
            if found.cost >= best:
                continue
            best = found.cost
            generated, expanded = given.counts[-1]
            moves = self.puzzle.moves(" ".join(found.moves))
            yield self.candidate(
                [PhaseMoves(0, moves, HowFound(method=found.method))],
                found.optimal,
                ((generated + found.nodes, expanded + found.expanded),),
                shortest=(0,) if found.optimal else (),
            )
        yield Candidate(None, least >= best, given.counts, at_least=least)
