"""Waiting for tables that another process builds, no longer than a search may take."""

from __future__ import annotations

import threading

from puzzlekit.errors import NoSolutionError
from puzzlekit.store.store import Watcher
from puzzlekit.store.table import TableKey


class Patience(Watcher):
    """A watcher that ends the waiting of this thread when the limits of its search are met.

    `timeout` (seconds) and `cancel` are those of the search; `left` is what remains of the timeout.
    """

    def __init__(self, timeout: float | None, cancel: threading.Event | None = None) -> None:
        self._timeout = timeout
        self._cancel = cancel
        self._thread = threading.get_ident()
        self._waited: dict[TableKey, float] = {}

    @property
    def left(self) -> float | None:
        """How many seconds of the timeout remain, in tenths."""
        if self._timeout is None or not self._waited:
            return self._timeout
        return round(max(self._timeout - sum(self._waited.values()), 0.0), 1)

    def waiting(self, key: TableKey, owner: str, seconds: float) -> None:
        """Raise NoSolutionError when the search would be over."""
        if threading.get_ident() != self._thread:
            return
        self._waited[key] = seconds
        if self._cancel is not None and self._cancel.is_set():
            raise NoSolutionError("the search was cancelled before a solution was found")
        if self._timeout is not None and sum(self._waited.values()) >= self._timeout:
            raise NoSolutionError(
                f"no solution within {self._timeout:g} s was found: {owner} has been building the "
                f"table {key.name!r} meanwhile"
            )
