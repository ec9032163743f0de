"""Two watchers: one measures the progress of builds, one ends what a cancelled search waits for."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from time import perf_counter, process_time

from puzzlekit.errors import NoSolutionError
from puzzlekit.tables.store import TableStore, Watcher, is_awaited
from puzzlekit.tables.table import TableSpec

__all__ = ["Builds", "OwnThread", "Patience"]


class OwnThread(Watcher):
    """A watcher that knows the thread that created it."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    @property
    def in_own_thread(self) -> bool:
        """Whether the current thread created the watcher."""
        return threading.get_ident() == self._thread


class Builds(OwnThread):
    """Measures the progress of building the missing tables of a method.

    `keys` returns the keys of the tables of the method. It is called when the first build begins.
    A build of another thread counts only if it builds one of these tables.

    The attribute `count` is the number of tables built so far. `nbytes` is their total size in
    bytes. `last` is the key of the latest table. `share` is the finished share of all builds, a
    number from 0 to 1 (see `TableSpec.seconds`).
    """

    _TRUST = 1.0  # seconds of builds from which on their own speed counts more than the usual one
    _SHORT = 0.05  # the same for the share of the processor that they get
    _LONG = 0.2  # seconds without a report
    _SILENT = 0.9  # of a build that reports no progress: more of it is not assumed to be done

    def __init__(self, store: TableStore, keys: Callable[[], Sequence[TableSpec]]) -> None:
        self.store = store
        self.count = 0
        self.nbytes = 0
        self.last: TableSpec | None = None
        self.share = 0.0
        self._keys = keys
        self._began = self._cpu_began = 0.0
        self._built = 0.0  # seconds that the finished builds usually take
        self._reports: dict[TableSpec, float] = {}  # seconds of each build that is under way
        self._reported_at = 0.0
        self._slowness = 1.0  # how many times longer than usual the builds take in CPU time
        self._busy = 1.0  # how many times faster than CPU time the wall time goes
        super().__init__()

    @cached_property
    def missing(self) -> list[TableSpec]:
        """The tables that were not on disk when the first build began."""
        return [key for key in self._keys() if not self.store.has(key)]

    @property
    def in_memory(self) -> bool:
        """Whether the latest table could not be stored on disk.

        Before the first table is built, the store has tried to make its directory.
        """
        if self.last is None:
            return not os.path.exists(self.store.root)
        return not self.store.has(self.last)

    @cached_property
    def total(self) -> int:
        """The size of the missing tables in bytes."""
        return sum(key.nbytes for key in self.missing)

    @property
    def left(self) -> float:
        """About how many seconds the rest of the builds takes, at their speed so far."""
        return (1 - self.share) * self._usual * self._slowness * self._busy

    def news(self, key: TableSpec) -> None:
        """Handle progress (see `share` and `left`). `key` identifies the current table."""

    @cached_property
    def _usual(self) -> float:
        """About how many seconds all builds usually take."""
        return sum(key.seconds for key in self.missing)

    def begun(self, key: TableSpec) -> None:
        self.progressed(key, 0.0)

    def progressed(self, key: TableSpec, share: float) -> None:
        """Handle the progress of a build: `share` is a number from 0 to 1."""
        if self._concerns(key):
            self._report(key, share * key.seconds)

    def beat(self, key: TableSpec) -> None:
        """Assume progress of a build that reports none."""
        silent = perf_counter() - self._reported_at
        if self._began and silent >= self._LONG and self._concerns(key):
            self._took()
            left = self._SILENT * key.seconds - self._reports.get(key, 0.0)
            self._measure(key, max(0.0, min(silent / self._slowness / self._busy, left)))

    def built(self, key: TableSpec) -> None:
        if self._concerns(key):
            self.count += 1
            self.nbytes += key.nbytes
            self.last = key
            self._report(key, key.seconds)
            self._built += self._reports.pop(key)

    def _report(self, key: TableSpec, seconds: float) -> None:
        self._reports[key] = seconds
        self._reported_at = perf_counter()
        if not self._began:
            self._began, self._cpu_began = self._reported_at, process_time()
        done = self._built + sum(self._reports.values())
        self._slowness = (self._took() / self._busy + self._TRUST) / (done + self._TRUST)
        self._measure(key)

    def _took(self) -> float:
        """Return the wall time so far, and measure how busy the machine is."""
        took, cpu = perf_counter() - self._began, process_time() - self._cpu_began
        self._busy = max(1.0, (took + self._SHORT) / (cpu + self._SHORT))
        return took

    def _measure(self, key: TableSpec, assumed: float = 0.0) -> None:
        """Note progress. Builds may be nested, and some are known only when they begin."""
        reported = self._reports.get(key, 0.0)
        done = self._built + sum(self._reports.values())
        self._usual = max(self._usual, done - reported + key.seconds)
        self.share = max(self.share, (done + assumed) / (self._usual or 1.0))
        self.news(key)

    def _concerns(self, key: TableSpec) -> bool:
        return self.in_own_thread or key in self.missing


class Patience(OwnThread):
    """Ends the builds of a search that is cancelled, and its wait for another process.

    `timeout` (seconds) and `cancel` are the limits of the search. A build goes on while other
    threads wait for its table. The wait for another process ends at the timeout, too.
    """

    def __init__(self, timeout: float | None, cancel: threading.Event | None = None) -> None:
        self._timeout = timeout
        self._cancel = cancel
        super().__init__()
        self._waited: dict[TableSpec, float] = {}

    @property
    def left(self) -> float | None:
        """The number of seconds until the timeout, rounded to tenths; None if there is none."""
        if self._timeout is None or not self._waited:
            return self._timeout
        return round(max(self._timeout - sum(self._waited.values()), 0.0), 1)

    def beat(self, key: TableSpec) -> None:
        """Raise NoSolutionError if the search is cancelled and nobody waits for its tables."""
        if self.in_own_thread and not is_awaited():
            self._check_cancelled()

    def waiting(self, key: TableSpec, owner: str, seconds: float) -> None:
        """Raise NoSolutionError if a limit of the search is reached."""
        if not self.in_own_thread:
            return
        self._waited[key] = seconds
        self._check_cancelled()
        if self._timeout is not None and sum(self._waited.values()) >= self._timeout:
            raise NoSolutionError(
                f"no solution within {self._timeout:g} s was found, because {owner} has been "
                f"building the table {key.name!r}"
            )

    def _check_cancelled(self) -> None:
        if self._cancel is not None and self._cancel.is_set():
            raise NoSolutionError("the search was cancelled before a solution was found")
