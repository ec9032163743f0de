"""Running a search in short stretches, so that limits and Ctrl-C take effect at once."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from puzzlekit.engine.search import EXHAUSTED, FOUND, PAUSED
from puzzlekit.phase.solution import Limits

# A stretch of the search aims at this many seconds: the delay with which a limit takes effect.
_STRETCH = 0.001
_FIRST_BUDGET = 500
_LARGEST_BUDGET = 1_000_000

OUT_OF_LIMITS = 3


def deadline_after(seconds: float | None) -> float | None:
    """The reading of `perf_counter` some seconds from now; None for no limit."""
    return None if seconds is None else perf_counter() + seconds


class Driver:
    """Keeps a search within its limits of time and nodes.

    `deadline` is a reading of `perf_counter`. `run` returns FOUND, EXHAUSTED, or OUT_OF_LIMITS; it
    may be called again after FOUND, and for one search after another, the limits being shared.
    """

    def __init__(self, limits: Limits, deadline: float | None) -> None:
        self._cancel = limits.cancel
        self._deadline = deadline
        self._nodes_left = limits.max_nodes
        self._budget = _FIRST_BUDGET

    def run(self, search: Any, prepare: Callable[[], None] | None = None) -> int:
        """Run a search until it has something to tell or a limit is met.

        `prepare` is called before each stretch.
        """
        while True:
            if prepare is not None:
                prepare()
            if self._cancel is not None and self._cancel.is_set():
                return OUT_OF_LIMITS
            budget = self._budget
            if self._nodes_left is not None:
                if self._nodes_left <= 0:
                    return OUT_OF_LIMITS
                budget = min(budget, self._nodes_left)
            before = search.work
            started = perf_counter()
            status: int = search.run(budget)
            now = perf_counter()
            done = search.work - before
            if self._nodes_left is not None:
                self._nodes_left -= done
            if status != PAUSED:
                return status
            if self._deadline is not None and now >= self._deadline:
                return OUT_OF_LIMITS
            wanted = int(done * _STRETCH / max(now - started, 1e-6))
            self._budget = max(50, min(_LARGEST_BUDGET, 2 * self._budget, wanted))


__all__ = ["EXHAUSTED", "FOUND", "OUT_OF_LIMITS", "Driver", "deadline_after"]
