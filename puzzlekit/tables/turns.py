"""Turns: of the threads of this process, one builds a table and the others wait for it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

_POLL = 0.05  # seconds


class _Held(threading.local):
    def __init__(self) -> None:
        self.turns: list[Turn] = []


_held = _Held()


class Turn:
    """A lock that knows how many threads wait for it.

    It is reentrant: a build may request other tables, and fails if it requests its own.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._lock = threading.RLock()
        self._counting = threading.Lock()

    @contextlib.contextmanager
    def taken(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the lock inside the `with` block.

        While another thread holds it, `waiting` is called many times per second. It may raise an
        exception to stop waiting.
        """
        if not self._lock.acquire(blocking=False):
            self._wait(waiting)
        try:
            _held.turns.append(self)
            yield
        finally:
            _held.turns.pop()
            self._lock.release()

    def _wait(self, waiting: Callable[[], None]) -> None:
        self._count(1)
        try:
            while not self._lock.acquire(timeout=_POLL):
                waiting()
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._counting:
            self.waiting += change


def is_awaited() -> bool:
    """Whether another thread waits for a table that this thread builds."""
    return any(turn.waiting for turn in _held.turns)
