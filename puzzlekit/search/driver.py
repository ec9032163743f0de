"""Run a search in short time slices, so that a limit or Ctrl-C ends the search at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any

from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit.search.limits import Limits

__all__ = ["OUT_OF_LIMITS", "Deadline", "Driver", "thread_time"]

# WebAssembly has no `thread_time`. A process has only one thread there.
thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)

# Seconds of a time slice. A limit takes effect after at most this delay.
_STRETCH = 0.001
_FIRST_BUDGET = 500
_LARGEST_BUDGET = 1_000_000

OUT_OF_LIMITS = 3


class Deadline:
    """The time when a search must end. One thread may change it while others read it.

    `cancel` is an event that ends the search earlier.
    """

    def __init__(self, seconds: float | None, cancel: threading.Event | None = None) -> None:
        self._cancel = cancel
        self._start = perf_counter()
        self._end = inf if seconds is None else self._start + seconds

    def allow(self, seconds: float) -> None:
        """Set the end of the search to this number of seconds after its start."""
        self._end = self._start + seconds

    @property
    def left(self) -> float:
        """Seconds until the search must end; 0 or less after that time."""
        return self._end - perf_counter()

    @property
    def limits(self) -> Limits:
        """The limits of a search that may take all the time that is left."""
        timeout = None if self._end == inf else max(self.left, 0.0)
        return Limits(timeout=timeout, cancel=self._cancel)

    @property
    def is_cancelled(self) -> bool:
        """Whether the search was cancelled."""
        return self._cancel is not None and self._cancel.is_set()


class Driver:
    """Runs searches within limits of time and nodes.

    `run` may be called again after it has returned FOUND. It may also be called for several
    searches, which then share the limits. When a limit is reached, `over` becomes True. From then
    on `run` returns at once.
    """

    def __init__(self, limits: Limits, deadline: Deadline) -> None:
        self._cancel = limits.cancel
        self._deadline = deadline
        self._nodes_left = limits.max_nodes
        self._budget = _FIRST_BUDGET
        self.over = False

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
            self.over |= self._cancel is not None and self._cancel.is_set()
            self.over |= self.out_of_nodes
            if self.over:
                return OUT_OF_LIMITS
            budget = self._budget
            if self._nodes_left is not None:
                budget = min(budget, self._nodes_left)
            before = search.work
            started = perf_counter()
            status: int = search.run(budget if nodes is None else min(budget, nodes))
            seconds = perf_counter() - started
            left = self._deadline.left
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
            self._budget = max(50, min(_LARGEST_BUDGET, 2 * self._budget, wanted))
        return PAUSED


class Solo:
    """One search in the caller's thread, with the interface of `puzzlekit.search.threads.Team`."""

    cpu = 0.0  # seconds of other threads

    def __init__(self, search: Any, driver: Driver) -> None:
        self.found: tuple[int, Any] | None = None
        self._search = search
        self._driver = driver

    def run(self) -> int:
        """Run the search until it finds an answer, ends, or reaches a limit.

        Returns FOUND if the search finds an answer, which is then in `found`. Returns EXHAUSTED if
        no shorter answer exists, and OUT_OF_LIMITS if the search reaches a limit.
        """
        status = self._driver.run(self._search)
        if status == FOUND:
            self.found = 0, self._search.answer
        elif status == EXHAUSTED and self._search.is_capped:
            return OUT_OF_LIMITS
        return status

    def tighten(self, limit: int) -> None:
        """From now on, accept only answers that cost at most `limit`."""
        self._search.tighten(limit)

    def stop(self) -> None:
        """Do nothing, because the search runs in the caller's thread."""
