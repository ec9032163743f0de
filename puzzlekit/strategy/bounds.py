"""The bounds on the cost of a state's answers, searched one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter

from puzzlekit.engine.search import UNBOUNDED
from puzzlekit.run.driver import Deadline
from puzzlekit.run.limits import BoundReport, Limits, Progress
from puzzlekit.strategy.answer import Counts
from puzzlekit.strategy.bound_search import BoundSearch, BoundTask, BoundWork
from puzzlekit.strategy.chain import ANY_LENGTH, length_limit
from puzzlekit.strategy.forecast import Later, expected_nodes, likely_seconds

_FEW = 1_000  # nodes of a bound that say nothing of how many the next one takes
_OFTEN = 0.25  # seconds from one time that progress is told to the next
_AHEAD = 40  # bounds that are looked at ahead


class Bounds:
    """Searches one bound after the other for one state, within limits, and reports them.

    `growth` is how many times as many sequences of moves there are at each cost as at the one
    before, `parity` that of the cost of every answer, if it is known. `answers` gives for a cost
    how many answers of it a state has on average; None where that is not known.
    """

    def __init__(
        self,
        search: BoundSearch,
        growth: float,
        parity: int | None,
        limits: Limits,
        answers: Callable[[int], float] | None = None,
    ) -> None:
        self.limits = limits
        self.deadline = Deadline(limits.timeout)
        #: The cost of the best answer so far; None before there is one.
        self.best: int | None = None
        #: Nodes that were generated and expanded, and CPU seconds of other threads; what else works
        #: on the state adds its own.
        self.nodes = [0, 0]
        self.helpers_cpu = 0.0
        #: Whether all bounds so far were searched to their end.
        self.complete = True
        self._search = search
        self._usual_growth = growth
        self._step = 1 if parity is None else 2
        estimate = search.estimate()
        #: The bound to be searched next. No answer costs less, whatever the best one is.
        self.bound = estimate + (0 if parity is None else (estimate + parity) % 2)
        self._last, self._growth = 0, 1.0  # the nodes of the last bound; the next one takes more
        self._work = BoundWork()
        self._answers = answers
        self._rate = 0.0  # nodes a second within the last bound
        self._due = 0.0  # when progress is told next
        #: Seconds of another method before a bound, for each node that the bound will take.
        self.aside = 0.0

    @property
    def likely(self) -> int:
        """How many nodes the next bound will probably take; 0 before the first one."""
        return int(self._last * self._growth)

    @property
    def at_least(self) -> int:
        """What every answer costs at least."""
        return self.bound if self.best is None else min(self.bound, self.best)

    @property
    def counts(self) -> Counts:
        """Nodes generated and expanded so far."""
        return ((self.nodes[0] + self._work.generated, self.nodes[1] + self._work.expanded),)

    @property
    def nodes_left(self) -> int | None:
        """How many nodes the limits leave; None without a limit."""
        most = self.limits.max_nodes
        return None if most is None else most - self.nodes[0]

    @property
    def is_over(self) -> bool:
        """Whether a limit was met, or there is nothing more to search."""
        cancelled = self.limits.cancel is not None and self.limits.cancel.is_set()
        out = self.nodes_left is not None and self.nodes_left <= 0
        ended = not self.complete or self.bound >= ANY_LENGTH
        return ended or cancelled or out or self.deadline.left <= 0

    def first(self) -> Sequence[int] | None:
        """Search for an answer that costs just the bound: the numbers of its moves.

        Where there is none the next bound is due, unless a limit was met.
        """
        path = next(self._begin(everything=False), None)
        self._end()
        if path is None and self.complete:
            self._go_on(report=True)
        return path

    def every(self) -> Iterator[Sequence[int]]:
        """Yield every answer that costs just the bound. Then the next bound is due."""
        found = False
        for path in self._begin(everything=True):
            found = True
            yield path
        self._end()
        if self.complete:
            self._go_on(report=not found)

    def _begin(self, everything: bool) -> Iterator[Sequence[int]]:
        limits = self.limits._replace(max_nodes=self.nodes_left)
        task = BoundTask(self.bound, self.likely, limits, self.deadline, everything)
        self._work = BoundWork(None if self.limits.on_progress is None else self._tell)
        self._started = perf_counter()
        return self._search.search(task, self._work)

    def _end(self) -> None:
        """Add up what was done."""
        work = self._work
        self.nodes[0] += work.generated
        self.nodes[1] += work.expanded
        self.helpers_cpu += work.helpers_cpu
        self.complete = work.finished
        self._work = BoundWork()
        self._further, self._nodes = work.further, work.generated

    def _go_on(self, report: bool) -> None:
        """Go to the next bound, and report the last one where it has no answer."""
        if self._further >= UNBOUNDED:  # there is nothing more to search
            self.bound = ANY_LENGTH
            return
        seconds = max(perf_counter() - self._started, 1e-9)
        before, nodes = self._last, self._nodes
        self._rate = nodes / seconds
        usual = self._usual_growth**self._step
        self._growth = max(2.0**self._step, nodes / before) if before > _FEW else usual
        self._last = nodes
        bound = self.bound
        steps = max(1, -(-(self._further - bound) // self._step))
        self.bound += steps * self._step
        if report and self.limits.on_bound is not None:
            later = seconds * self._growth
            self.limits.on_bound(
                BoundReport(bound, self.best, self.at_least, nodes, seconds, later)
            )

    def _tell(self) -> None:
        """Tell how far the search of the bound is, a few times a second."""
        now = perf_counter()
        if now < self._due or self.limits.on_progress is None:
            return
        self._due = now + _OFTEN
        work, seconds = self._work, max(now - self._started, 1e-9)
        rate = work.generated / seconds
        if self._rate:  # as long as little is known of this bound, that of the last one
            rate = (work.generated + self._rate * _OFTEN) / (seconds + _OFTEN)
        nodes = expected_nodes(work.generated, work.share, self.likely)
        left = (nodes - work.generated) / max(rate, 1e-9)
        whole: float | None = None
        top = length_limit(self.limits) if self.best is None else self.best - 1
        last = max(top - self.bound, 0) // self._step
        if self._answers is not None or last < ANY_LENGTH // 4:
            ahead = min(last, _AHEAD)
            costs = range(self.bound, self.bound + (ahead + 1) * self._step, self._step)
            answers = [self._step * self._answers(cost) if self._answers else 0.0 for cost in costs]
            growth = nodes / self._last if self._last > _FEW else self._usual_growth**self._step
            later = Later(answers, max(growth, 2.0**self._step), self.aside * rate)
            whole = likely_seconds(left, work.share, later)
        self.limits.on_progress(
            Progress(
                self.bound,
                self.best,
                self.at_least,
                work.generated,
                work.generated / seconds,
                work.share,
                left,
                whole,
            )
        )
