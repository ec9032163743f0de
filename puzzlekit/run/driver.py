"""Run a search in short time slices, so that limits and Ctrl-C take effect at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any

from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit.run.limits import Limits

# WebAssembly has no `thread_time`; a process there has one thread.
thread_time: Callable[[], float] = getattr(time, "thread_time", time.process_time)

# Seconds of a time slice, and so the delay until a limit takes effect.
_STRETCH = 0.001
_FIRST_BUDGET = 500
_LARGEST_BUDGET = 1_000_000

OUT_OF_LIMITS = 3


class Deadline:
    """The time at which a search must end. It may change while other threads read it."""

    def __init__(self, seconds: float | None) -> None:
        self._start = perf_counter()
        self._end = inf if seconds is None else self._start + seconds

    def allow(self, seconds: float) -> None:
        """Move the end of the search to this many seconds after its start."""
        self._end = self._start + seconds

    @property
    def left(self) -> float:
        """How many seconds are left; 0 or less when time is up."""
        return self._end - perf_counter()


class Driver:
    """Keeps searches within their limits of time and nodes.

    `run` may be called again after FOUND, and for several searches, which share the limits. `over`
    becomes true when a limit is reached. From then on `run` returns at once.
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
        """Run a search until it finds an answer, ends, or reaches a limit.

        `prepare` is called before each time slice. After about `nodes` nodes the search pauses.
        Return FOUND, EXHAUSTED, PAUSED or OUT_OF_LIMITS.
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
    """One search in the caller's thread, with the interface of `puzzlekit.run.threads.Team`."""

    cpu = 0.0  # seconds of other threads

    def __init__(self, search: Any, driver: Driver) -> None:
        self.found: tuple[int, Any] | None = None
        self._search = search
        self._driver = driver

    def run(self) -> int:
        """Return FOUND and set `found`, EXHAUSTED if no shorter answer exists, or OUT_OF_LIMITS."""
        status = self._driver.run(self._search)
        if status == FOUND:
            self.found = 0, self._search.answer
        elif status == EXHAUSTED and self._search.is_capped:
            return OUT_OF_LIMITS
        return status

    def tighten(self, limit: int) -> None:
        """Accept only answers of at most this cost from now on."""
        self._search.tighten(limit)

    def stop(self) -> None:
        """Do nothing, because the search runs in the caller's thread."""
