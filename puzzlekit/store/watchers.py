"""Watchers of builds: how far they are, and how long a search waits for those of others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cached_property

from puzzlekit.errors import NoSolutionError
from puzzlekit.store.store import TableStore, Watcher
from puzzlekit.store.table import TableKey


class _OwnThread(Watcher):
    """A watcher that knows the thread in which it was made."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    @property
    def in_own_thread(self) -> bool:
        """Whether this is asked in the thread that makes the method ready."""
        return threading.get_ident() == self._thread


class Builds(_OwnThread):
    """A watcher of a store that counts how much of the missing tables has been built.

    `keys` returns the tables that the method takes. It is called when the first build begins. What
    other threads build counts only if it is one of these.

    `count` tables with `nbytes` bytes in all were built; `last` is the latest of them.
    """

    def __init__(self, store: TableStore, keys: Callable[[], Sequence[TableKey]]) -> None:
        self.store = store
        self.count = 0
        self.nbytes = 0
        self.last: TableKey | None = None
        self._keys = keys
        super().__init__()

    @cached_property
    def missing(self) -> list[TableKey]:
        """The tables that were not on disk when the first of them was begun."""
        return [key for key in self._keys() if not os.path.exists(self.store.path(key))]

    @property
    def in_memory(self) -> bool:
        """Whether the latest table could not be kept on disk."""
        return self.last is not None and not os.path.exists(self.store.path(self.last))

    @cached_property
    def total(self) -> int:
        """How many bytes the missing tables take; at least one."""
        return sum(key.nbytes for key in self.missing) or 1

    def news(self, key: TableKey, nbytes: int) -> None:
        """So many bytes are built by now, and this table is under way."""

    def begun(self, key: TableKey) -> None:
        """A build begins."""
        self.progressed(key, 0.0)

    def progressed(self, key: TableKey, share: float) -> None:
        """A share of a build is done."""
        if self._concerns(key):
            self.news(key, self.nbytes + int(share * key.nbytes))

    def built(self, key: TableKey) -> None:
        """A table is built."""
        if self._concerns(key):
            self.count += 1
            self.nbytes += key.nbytes
            self.last = key
            self.news(key, self.nbytes)

    def _concerns(self, key: TableKey) -> bool:
        return self.in_own_thread or key in self.missing


class Patience(_OwnThread):
    """A watcher that ends the waiting of this thread when the limits of its search are met.

    `timeout` (seconds) and `cancel` are those of the search; `left` is what remains of the timeout.
    """

    def __init__(self, timeout: float | None, cancel: threading.Event | None = None) -> None:
        self._timeout = timeout
        self._cancel = cancel
        super().__init__()
        self._waited: dict[TableKey, float] = {}

    @property
    def left(self) -> float | None:
        """How many seconds of the timeout remain, in tenths."""
        if self._timeout is None or not self._waited:
            return self._timeout
        return round(max(self._timeout - sum(self._waited.values()), 0.0), 1)

    def waiting(self, key: TableKey, owner: str, seconds: float) -> None:
        """Raise NoSolutionError when the search would be over."""
        if not self.in_own_thread:
            return
        self._waited[key] = seconds
        if self._cancel is not None and self._cancel.is_set():
            raise NoSolutionError("the search was cancelled before a solution was found")
        if self._timeout is not None and sum(self._waited.values()) >= self._timeout:
            raise NoSolutionError(
                f"no solution within {self._timeout:g} s was found: {owner} has been building the "
                f"table {key.name!r} meanwhile"
            )
