"""Checks of open tables against their checksums, within a share of the CPU time."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from puzzlekit.store.table import Table

LATELY = 600.0  # seconds for which a comparison holds
_SHARE = 0.05  # of the CPU time of the process that sparing comparisons may take
_FIRST_RATE = 2e9  # bytes a second, until it is measured


class Checks:
    """Compares the data of open tables with their checksums, each not too often."""

    def __init__(self) -> None:
        self._compared: WeakKeyDictionary[Table, float] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._nbytes = 0
        self._seconds = 0.0

    def note(self, table: Table) -> None:
        """Take the table as compared now."""
        self._compared[table] = time.monotonic()

    def damaged(self, tables: Iterable[Table], sparing: bool) -> list[Table]:
        """Compare those tables that were not compared lately; return the damaged ones.

        If `sparing`, all or none are compared: none where that would raise the share of such
        comparisons in the CPU time of the process beyond a twentieth.
        """
        due = [each for each in tables if each.crc32 is not None and self._is_due(each)]
        if not due or (sparing and not self._affords(sum(each.data.nbytes for each in due))):
            return []
        found = []
        with self._lock:
            for table in due:
                if not self._is_due(table):  # another thread was faster
                    continue
                started = time.perf_counter()
                sound = zlib.crc32(table.data) == table.crc32
                self._seconds += time.perf_counter() - started
                self._nbytes += table.data.nbytes
                if sound:
                    self.note(table)
                else:
                    found.append(table)
        return found

    def _is_due(self, table: Table) -> bool:
        compared = self._compared.get(table)
        return compared is None or time.monotonic() - compared > LATELY

    def _affords(self, nbytes: int) -> bool:
        rate = self._nbytes / self._seconds if self._nbytes > 1 << 20 else _FIRST_RATE
        return self._seconds + nbytes / rate <= _SHARE * time.process_time()
