"""Progress of the tables that are built while a method is prepared."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cached_property

from puzzlekit.store.store import TableStore, Watcher
from puzzlekit.store.table import TableKey


class Builds(Watcher):
    """A watcher of a store that counts how much of the missing tables has been built.

    `keys` returns the tables that the method takes. It is called when the first build begins. What
    other threads build counts only if it is one of these. `news` is called with the table under way
    and the number of bytes done so far, `waits` with the table that this thread waits for, the
    process that builds it, and the seconds waited.

    `count` tables with `nbytes` bytes in all were built; `last` is the latest of them.
    """

    def __init__(
        self,
        store: TableStore,
        keys: Callable[[], Sequence[TableKey]],
        news: Callable[[TableKey, int], None],
        waits: Callable[[TableKey, str, float], None] | None = None,
    ) -> None:
        self.store = store
        self.news = news
        self.waits = waits
        self.count = 0
        self.nbytes = 0
        self.last: TableKey | None = None
        self._keys = keys
        self._thread = threading.get_ident()

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

    def waiting(self, key: TableKey, owner: str, seconds: float) -> None:
        """Another process builds a table."""
        if self.waits is not None and self.in_own_thread:
            self.waits(key, owner, seconds)

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

    @property
    def in_own_thread(self) -> bool:
        """Whether this is asked in the thread that makes the method ready."""
        return threading.get_ident() == self._thread

    def _concerns(self, key: TableKey) -> bool:
        return self.in_own_thread or key in self.missing
