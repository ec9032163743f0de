"""Bounds on the cost of the answers of a state, searched one after the other.

`Bounds` chooses the bounds, runs a `BoundSearch` for each, and estimates the time left. `Shares`
estimates how much of a bound is done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import exp
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from puzzlekit.engine.search import UNBOUNDED
from puzzlekit.search.budget import Budget
from puzzlekit.search.limits import BoundReport, Limits, Progress
from puzzlekit.search.strategies.candidate import Counts
from puzzlekit.search.strategies.strategy import ANY_LENGTH, Strategy, length_limit

if TYPE_CHECKING:
    from puzzlekit.puzzle.puzzle import Puzzle
    from puzzlekit.search.compiled_phase import CompiledPhase

__all__ = [
    "SHARED_FROM",
    "UNBOUNDED",
    "Bidirectional",
    "BoundSearch",
    "BoundTask",
    "BoundWork",
    "Bounds",
    "CountedSearch",
]

#: Several threads share a bound with at least this many nodes.
SHARED_FROM = 1_000_000


class BoundTask(NamedTuple):
    """A search to do: all answers that cost exactly one number, the bound."""

    #: The cost of the answers to search.
    bound: int
    #: Number of nodes that the search will probably generate; 0 if unknown.
    likely: int
    #: What is left of the limits: the time, `threads`, `cancel` and `max_nodes`. The caller checks
    #: the other limits.
    budget: Budget
    #: Whether to search all answers. If False, the first one ends the search.
    everything: bool = False

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return self.budget.limits

    @property
    def threads(self) -> int:
        """Number of threads to use: one for a bound with few nodes."""
        return 1 if self.likely < SHARED_FROM else self.limits.threads


class BoundWork:
    """The work that all threads have done so far in the search of one bound.

    The search updates this record before it yields an answer, and when it ends.
    """

    def __init__(self, tell: Callable[[], None] | None = None) -> None:
        #: A function that the search calls many times a second, after updating `generated` and
        #: `share`. If it is None, `share` need not be updated.
        self.tell = tell
        #: Estimated share of the bound's work that is done; 1 at its end.
        self.share = 0.0
        #: Number of generated nodes.
        self.generated = 0
        #: Number of expanded nodes.
        self.expanded = 0
        #: CPU seconds of other threads.
        self.helpers_cpu = 0.0
        #: Whether the search ended with an answer or at the end of the bound, not at a limit.
        self.finished = False
        #: The least larger bound with nodes to search; UNBOUNDED if there is none.
        self.further = UNBOUNDED


class BoundSearch(ABC):
    """Searches for the answers of one state, one bound on the cost at a time.

    Each subclass is a kind of search, such as IDA*.
    """

    @abstractmethod
    def estimate(self) -> int:
        """Return a lower bound on the cost of every answer, which is the first bound."""

    @abstractmethod
    def search(self, task: BoundTask, work: BoundWork) -> Iterator[Sequence[int]]:
        """Yield answers that cost exactly the bound, as indices of the moves of the phase.

        The caller iterates to the end or closes the iterator. Closing ends the search at once, with
        all its threads.
        """


class CountedSearch(BoundSearch):
    """A search whose number of nodes is known before it begins."""

    @abstractmethod
    def nodes(self, bound: int) -> int:
        """Return the number of nodes that the search of a bound takes."""


class Bidirectional(Protocol):
    """How shortest answers are searched from both ends: the service "bidirectional"."""

    def search(
        self, puzzle: Puzzle, phase: CompiledPhase
    ) -> Callable[[Sequence[bytes]], CountedSearch] | None:
        """Return what makes the search of a state, given by all its namings, in a phase.

        None if the phase cannot be searched from both ends.
        """

    def few_moves(self) -> Strategy:
        """Return a strategy that quickly finds shortest answers of a few moves, without tables."""


_EVENLY = 0.1  # share of the work assumed to be spread evenly, since small bounds are uncertain

#: The first moves of a subtree.
Key = tuple[int, ...]


class Shares:
    """Estimates how much of the search of a bound is done.

    - `keys`: the subtrees, in the order in which they are searched. A subtree is given by its first
      moves.
    - `last`: maps each subtree to its number of nodes at the previous bound.
    - `likely`: the expected number of nodes at the current bound.
    """

    def __init__(self, keys: Sequence[Key], last: Mapping[Key, float], likely: int) -> None:
        times = Counter(keys)
        even = 1 / max(len(keys), 1)
        total = sum(last.get(key, 0) for key in times)
        self._each = [
            _EVENLY * even + (1 - _EVENLY) * last.get(key, 0) / times[key] / total
            if total
            else even
            for key in keys
        ]
        self._before = list(accumulate(self._each, initial=0.0))
        self._likely = likely

    def behind(self, number: int, nodes: int = 0) -> float:
        """Return the share of the bound that is done within subtree `keys[number]`.

        `nodes` is the number of nodes of this subtree that are done. All earlier subtrees are done.

        >>> round(Shares([(0,), (1,)], {(0,): 30, (1,): 10}, 400).behind(1), 6)
        0.725
        """
        if number >= len(self._each):
            return 1.0
        within = nodes / self._likely if self._likely else 0.0
        return self._before[number] + min(within, self._each[number])


# At this share of a bound, the nodes of the bound itself weigh as much as those of the last bound.
_TRUST = 0.05
_HALF = 0.5
_MISSED = 0.3  # share of the answers of a bound that the other method misses before the bound
_SOON = 0.1  # share of its time after which the other method has mostly found an answer


class Later(NamedTuple):
    """Data on the current bound and on later bounds, from which the time left is estimated."""

    #: Mean number of answers of a state at the current bound and at each later bound.
    answers: list[float]
    #: Ratio of the times of successive bounds.
    growth: float
    #: Seconds that another method takes before a bound, for each second of the bound.
    aside: float


def expected_nodes(nodes: int, share: float, likely: int) -> float:
    """Return the expected number of nodes of the whole search of a bound.

    - `nodes`: the number of nodes generated so far.
    - `share`: the estimated share of the bound that is done, from 0 to 1.
    - `likely`: the prediction from the previous bound; 0 if there is no prediction.
    """
    if not likely:
        return nodes / max(share, 1e-6)
    return max((nodes + _TRUST * likely) / (share + _TRUST), nodes)


def likely_seconds(left: float, share: float, later: Later) -> float:
    """Return the seconds that the search of a random state will probably still take (the median).

    - `left`: the number of seconds until the end of the current bound.
    - `share`: the share of the current bound that is done, from 0 to 1.

    The function assumes that the search ends at the first bound within which half of all states
    have an answer. Another method looks for answers before each bound. The function assumes that it
    finds this answer after a short time. So if it has found no answer at the current bound, an
    answer at this bound is unlikely.

    >>> never = Later([0.0, 0.0], 10.0, 1.0)
    >>> round(likely_seconds(1.0, 0.5, never), 6)
    41.0
    >>> round(likely_seconds(1.0, 0.5, never._replace(answers=[0.0, 9.0])), 6)
    3.0
    """
    whole = left / max(1.0 - share, 1e-3)
    missed = _MISSED * later.answers[0] * (1.0 - share)
    none = exp(-missed)
    if none < _HALF:  # the answers are spread over the bound, and the first one ends it
        return left * (1.0 - none) / missed
    total = left
    for step, answers in enumerate(later.answers[1:], 1):
        seconds = whole * later.growth**step
        none *= exp(-answers)
        if none < _HALF:
            return total + _SOON * seconds * later.aside
        total += seconds * (1.0 + later.aside)
    return total


_FEW = 1_000  # a bound with fewer nodes does not predict the next one
_OFTEN = 0.25  # seconds between reports of progress
_AHEAD = 40  # number of bounds that the forecast covers
# After a bound with this many nodes, the next one may be searched from both ends. With fewer nodes,
# symmetries of the state have no effect yet, so the next bound may take far fewer than predicted.
_NEAR_FROM = 1_000_000
_NEAR = 3  # nodes that most searches generate while a search from both ends generates one


class Bounds:
    """Searches one bound after the other for answers of a state, and reports each bound.

    Parameters
    ----------
    search
        The search of one bound.
    growth
        The number of canonical sequences of cost n + 1, divided by the number of those of cost n.
    parity
        Parity (0 or 1) of the cost of every answer; None if unknown.
    limits
        The limits of all bounds together.
    answers
        Returns the mean number of answers of a state at a given cost; None if unknown.
    near
        Returns the search from both ends, or None if it is impossible. It searches a bound if it
        probably takes less time than `search`, so it is asked for after a bound with many nodes.
    """

    def __init__(
        self,
        search: BoundSearch,
        growth: float,
        parity: int | None,
        limits: Limits,
        answers: Callable[[int], float] | None = None,
        near: Callable[[], CountedSearch | None] = lambda: None,
    ) -> None:
        self.limits = limits
        self.budget = Budget(limits)
        #: The cost of the best answer so far; None before there is one.
        self.best: int | None = None
        #: Numbers of nodes generated and expanded. Another method that searches the same state adds
        #: its nodes.
        self.nodes = [0, 0]
        #: CPU seconds of other threads. Another method adds its seconds too.
        self.helpers_cpu = 0.0
        #: Whether all bounds so far were searched to their end.
        self.complete = True
        self._search = search
        self._make_near = near
        self._usual_growth = growth
        self._step = 1 if parity is None else 2
        estimate = search.estimate()
        #: The bound to search next. No answer costs less.
        self.bound = estimate + (0 if parity is None else (estimate + parity) % 2)
        self._last, self._growth = 0, 1.0  # nodes of the last bound, expected ratio of the next
        self._work = BoundWork()
        self._answers = answers
        self._likely = 0  # nodes of the bound that is searched, as predicted when it began
        self._nodes_each = 1  # nodes of most searches that take as long as one of this search
        self._rate = 0.0  # nodes per second within the last bound
        self._due = 0.0  # time of the next report of progress
        #: Seconds that another method takes before a bound, divided by the number of nodes of the
        #: bound.
        self.aside = 0.0

    @property
    def likely(self) -> int:
        """Number of nodes that the current bound will probably take; 0 for the first bound.

        If the bound will be searched from both ends, it is the number of nodes that the usual
        search generates in the same time.
        """
        return self._near_nodes if self.is_near else self._usual_nodes

    @property
    def _usual_nodes(self) -> int:
        """Number of nodes that the usual search will probably generate for the current bound."""
        return int(self._last * self._growth)

    @cached_property
    def _near(self) -> CountedSearch | None:
        """The search from both ends."""
        return self._make_near()

    @property
    def _near_nodes(self) -> int:
        """The number of nodes that take as long as a search of the bound from both ends."""
        return 0 if self._near is None else _NEAR * self._near.nodes(self.bound)

    @property
    def is_near(self) -> bool:
        """Whether a search of the bound from both ends, by one thread, probably takes less time."""
        if self._last < _NEAR_FROM or self._near is None:
            return False
        helpers = self.limits.helpers
        at_once = max(self.limits.threads, 1 if helpers is None else helpers.count)
        return self._near_nodes < self._usual_nodes // at_once

    @property
    def at_least(self) -> int:
        """A lower bound on the cost of every answer."""
        return self.bound if self.best is None else min(self.bound, self.best)

    @property
    def counts(self) -> Counts:
        """Nodes generated and expanded so far."""
        return ((self.nodes[0] + self._work.generated, self.nodes[1] + self._work.expanded),)

    @property
    def nodes_left(self) -> int | None:
        """Number of nodes that the limits leave; None without a limit."""
        most = self.limits.max_nodes
        return None if most is None else most - self.nodes[0]

    @property
    def is_over(self) -> bool:
        """Whether a limit was met, or nothing is left to search."""
        cancelled = self.budget.is_cancelled
        out = self.nodes_left is not None and self.nodes_left <= 0
        ended = not self.complete or self.bound >= ANY_LENGTH
        return ended or cancelled or out or self.budget.left <= 0

    def first(self) -> Sequence[int] | None:
        """Return an answer that costs exactly the bound, as indices of moves; None if not found.

        If there is no such answer and no limit ended the search, the next bound becomes the current
        bound.
        """
        path = next(self._begin(everything=False), None)
        self._end()
        if path is None and self.complete:
            self._go_on(report=True)
        return path

    def every(self) -> Iterator[Sequence[int]]:
        """Yield every answer that costs exactly the bound, then move to the next bound."""
        found = False
        for path in self._begin(everything=True):
            found = True
            yield path
        self._end()
        if self.complete:
            self._go_on(report=not found)

    def _begin(self, everything: bool) -> Iterator[Sequence[int]]:
        budget = Budget(self.limits._replace(max_nodes=self.nodes_left), self.budget)
        self._likely = self.likely
        search, self._nodes_each = self._search, 1
        if self.is_near and self._near is not None:
            search, self._nodes_each = self._near, _NEAR
        task = BoundTask(self.bound, self._likely, budget, everything)
        self._work = BoundWork(None if self.limits.on_progress is None else self._tell)
        self._started = perf_counter()
        return search.search(task, self._work)

    def _end(self) -> None:
        """Add up the work of the bound."""
        work = self._work
        self.nodes[0] += work.generated
        self.nodes[1] += work.expanded
        self.helpers_cpu += work.helpers_cpu
        self.complete = work.finished
        self._work = BoundWork()
        self._further, self._nodes = work.further, work.generated

    def _go_on(self, report: bool) -> None:
        """Go to the next bound, and `report` the last one."""
        if self._further >= UNBOUNDED:  # nothing is left to search
            self.bound = ANY_LENGTH
            return
        seconds = max(perf_counter() - self._started, 1e-9)
        before, nodes = self._last, self._nodes
        self._rate = nodes / seconds
        if self._nodes_each > 1:  # it tells nothing about the nodes of the usual search
            self._last = self._usual_nodes
        else:
            usual = self._usual_growth**self._step
            self._growth = max(2.0**self._step, nodes / before) if before > _FEW else usual
            self._last = nodes
        bound = self.bound
        steps = max(1, -(-(self._further - bound) // self._step))
        self.bound += steps * self._step
        if report and self.limits.on_bound is not None:
            later = seconds * self.likely / max(nodes * self._nodes_each, 1)
            self.limits.on_bound(
                BoundReport(bound, self.best, self.at_least, nodes, seconds, later)
            )

    def _tell(self) -> None:
        """Report the progress of the bound, a few times a second."""
        now = perf_counter()
        if now < self._due or self.limits.on_progress is None:
            return
        self._due = now + _OFTEN
        work, seconds = self._work, max(now - self._started, 1e-9)
        rate = work.generated / seconds
        if self._rate:  # at first mostly the rate of the last bound
            rate = (work.generated + self._rate * _OFTEN) / (seconds + _OFTEN)
        nodes = expected_nodes(work.generated, work.share, self._likely // self._nodes_each)
        left = (nodes - work.generated) / max(rate, 1e-9)
        whole: float | None = None
        top = length_limit(self.limits) if self.best is None else self.best - 1
        last = max(top - self.bound, 0) // self._step
        if self._answers is not None or last < ANY_LENGTH // 4:
            ahead = min(last, _AHEAD)
            costs = range(self.bound, self.bound + (ahead + 1) * self._step, self._step)
            answers = [self._step * self._answers(cost) if self._answers else 0.0 for cost in costs]
            known = self._last > _FEW and self._nodes_each == 1
            growth = nodes / self._last if known else self._usual_growth**self._step
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
