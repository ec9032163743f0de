"""The running limits of a search: it runs in short time slices, from several starts, in threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import Any

from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit.errors import PuzzlekitError
from puzzlekit.search.limits import Limits

__all__ = ["OUT_OF_LIMITS", "Budget", "thread_time"]


# WebAssembly has no `thread_time`. A process has only one thread there.
thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)

# Seconds of a time slice. A limit takes effect after at most this delay.
_STRETCH = 0.001
_AROUND = 0.0001  # seconds of a timeout that a call spends before and after the search, at most
_FIRST_SLICE = 500
_LARGEST_SLICE = 1_000_000

OUT_OF_LIMITS = 3


class Budget:
    """What is left of the limits of a search. It runs searches within them.

    `run` may be called again after it has returned FOUND. It may also be called for several
    searches, which then share the limits. When a limit is reached, `over` becomes True. From then
    on `run` returns at once.

    - `limits`: the limits at the start.
    - `clock`: another budget, whose time this one shares. By default the time begins now.
    """

    def __init__(self, limits: Limits, clock: Budget | None = None) -> None:
        self.limits = limits
        self.over = False
        self._clock: Budget = self if clock is None else clock._clock
        if clock is None:
            self._start = perf_counter()
            self._end = inf
            if limits.timeout is not None:
                self._end = self._start + limits.timeout - min(limits.timeout / 8, _AROUND)
        self._cancel = limits.cancel
        self._nodes_left = limits.max_nodes
        self._slice = _FIRST_SLICE

    def allow(self, seconds: float) -> None:
        """Set the end to this number of seconds after the start. Other threads may be searching."""
        self._clock._end = self._clock._start + seconds

    @property
    def left(self) -> float:
        """Seconds until the search must end; 0 or less after that time."""
        return self._clock._end - perf_counter()

    @property
    def timeout(self) -> float | None:
        """Seconds for a search that may take all the time that is left; None without a limit."""
        return None if self._clock._end == inf else max(self.left, 0.0)

    @property
    def is_cancelled(self) -> bool:
        """Whether the search was cancelled."""
        return self._cancel is not None and self._cancel.is_set()

    @property
    def out_of_nodes(self) -> bool:
        """Whether no nodes are left."""
        return self._nodes_left is not None and self._nodes_left <= 0

    def run(
        self, search: Any, prepare: Callable[[], None] | None = None, nodes: int | None = None
    ) -> int:
        """Run a search until it finds an answer, ends, pauses, or reaches a limit.

        - `search`: the search.
        - `prepare`: a function that is called before each time slice.
        - `nodes`: the search pauses after about this number of nodes. None: it does not pause.

        Returns FOUND, EXHAUSTED, PAUSED or OUT_OF_LIMITS.
        """
        while nodes is None or nodes > 0:
            if prepare is not None:
                prepare()
            portion = self._slice
            if self._nodes_left is not None:
                portion = min(portion, self._nodes_left)
            self.over |= portion <= 0 or (self._cancel is not None and self._cancel.is_set())
            if self.over:
                return OUT_OF_LIMITS
            before = search.work
            started = perf_counter()
            status: int = search.run(portion if nodes is None else min(portion, nodes))
            ended = perf_counter()
            seconds, left = ended - started, self._clock._end - ended
            done = search.work - before
            if nodes is not None:
                nodes -= done
            if self._nodes_left is not None:
                self._nodes_left -= done
            self.over |= left <= 0  # a series of short searches must end in time too
            if status != PAUSED:
                return status
            if self.over:
                return OUT_OF_LIMITS
            wanted = int(done * min(_STRETCH, left / 2) / max(seconds, 1e-6))
            self._slice = max(50, min(_LARGEST_SLICE, 8 * self._slice, wanted))
        return PAUSED


class Starts:
    """Combines the searches from several starts into one search for the cheapest answer.

    There is one search for each start. The search with the lowest bound runs next, until it has
    searched this bound completely. The class has the members of `Search` that a `Budget` uses.
    """

    def __init__(self, searches: Sequence[Search]) -> None:
        self._searches = searches
        self._last = searches[0]  # the search that ran last; it has the answer
        self._staying = False
        for search in searches:
            search.stay(True)

    def stay(self, staying: bool) -> None:
        """Set whether `run` returns EXHAUSTED at the end of each bound.

        A later call of `run` then continues with the next bound.
        """
        self._staying = staying

    def run(self, budget: int) -> int:
        """Generate about `budget` more nodes, and return a status as `Search.run` does."""
        stop, bound = self.work + budget, self.f_bound
        while (left := stop - self.work) > 0:
            self._last = min(self._searches, key=lambda search: search.f_bound)
            before = self._last.f_bound
            status = self._last.run(left)
            if status != EXHAUSTED:
                return status
            at_limit = self._last.f_bound == before  # the least bound is at its limit, so all are
            if at_limit or (self._staying and self.f_bound > bound):
                return EXHAUSTED
        return PAUSED

    @property
    def path(self) -> list[int]:
        """Numbers of the moves of the answer."""
        return list(self._last.path)

    @property
    def spent_here(self) -> int:
        """The cost of the moves of the answer."""
        return int(self._last.spent_here)

    @property
    def f_bound(self) -> int:
        """The least bound of all searches."""
        return min(int(search.f_bound) for search in self._searches)

    @property
    def work(self) -> int:
        """Number of nodes that all searches have listed so far."""
        return sum(search.work for search in self._searches)

    @property
    def generated_nodes(self) -> int:
        """Number of nodes that all searches have generated."""
        return sum(search.generated_nodes for search in self._searches)

    @property
    def expanded_nodes(self) -> int:
        """Number of nodes that all searches have expanded."""
        return sum(search.expanded_nodes for search in self._searches)


Found = tuple[int, Any]  # number of the search, and its answer, whose last item is the cost


class Team:
    """Runs several searches, each in a thread of its own.

    The threads run in parallel outside the GIL.
    """

    def __init__(self, searches: Sequence[Any], budget: Budget) -> None:
        from queue import SimpleQueue  # the import takes too long for a search in one thread

        self.found: Found | None = None
        self._searches = searches
        self._cpu = [0.0] * len(searches)
        limits = budget.limits
        self._stop = threading.Event()
        self._cancel = limits.cancel
        self._news: SimpleQueue[tuple[int, int, Found | BaseException | None]] = SimpleQueue()
        self._limit = 1 << 30
        self._proven = False
        share = None if limits.max_nodes is None else -(-limits.max_nodes // len(searches))
        mine = limits._replace(cancel=self._stop, max_nodes=share)
        self._threads = [
            threading.Thread(target=self._work, args=(i, Budget(mine, budget)), daemon=True)
            for i in range(len(searches))
        ]
        self._working = len(self._threads)
        for number, thread in enumerate(self._threads):
            try:
                thread.start()
            except RuntimeError as error:
                self._threads = self._threads[:number]
                self.stop()
                raise PuzzlekitError(f"cannot start {self._working} threads: {error}") from error

    def run(self) -> int:
        """Run the searches until one of them finds an answer, or until they end.

        Returns FOUND if a search finds an answer. `found` then has the index of the search and its
        answer, and `run` may be called again. Returns EXHAUSTED as soon as one search has proven
        that no shorter answer exists. Returns OUT_OF_LIMITS if all searches have stopped without
        such a proof.
        """
        from queue import Empty

        while self._working:
            try:
                number, status, found = self._news.get(timeout=0.05)
            except Empty:
                if self._cancel is not None and self._cancel.is_set():
                    self._stop.set()
                continue
            if isinstance(found, BaseException):
                raise found
            if status == FOUND and found is not None:
                cost = found[1][-1]
                if cost <= self._limit:
                    self._limit = cost - 1
                    self.found = found
                    return FOUND
                continue
            self._working -= 1
            if status == EXHAUSTED and not self._searches[number].is_capped:
                self._proven = True
                self._stop.set()
        return EXHAUSTED if self._proven else OUT_OF_LIMITS

    @property
    def cpu(self) -> float:
        """CPU seconds that the threads have used."""
        return sum(self._cpu)

    def tighten(self, limit: int) -> None:
        """From now on, accept only answers that cost at most `limit`."""
        self._limit = min(self._limit, limit)

    def stop(self) -> None:
        """End all searches and wait for their threads."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _work(self, number: int, budget: Budget) -> None:
        search = self._searches[number]
        try:
            while True:
                status = budget.run(search, lambda: search.tighten(self._limit))
                self._cpu[number] = thread_time()
                if status != FOUND:
                    self._news.put((number, status, None))
                    return
                self._news.put((number, FOUND, (number, search.answer)))
        except BaseException as error:  # raised again in the thread of the caller
            self._news.put((number, OUT_OF_LIMITS, error))
