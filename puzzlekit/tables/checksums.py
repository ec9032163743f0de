"""Compare the data of open tables with their checksums."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from puzzlekit.tables.table import Table

LATELY = 600.0  # number of seconds before a table is compared again
_SHARE = 0.05  # comparisons that are `sparing` take at most this share of the CPU time
_FIRST_RATE = 2e9  # assumed bytes per second, until the rate is measured


class Checks:
    """Compares the data of each open table with its checksum, at most once per `LATELY` seconds."""

    def __init__(self) -> None:
        self._compared: WeakKeyDictionary[Table, float] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._nbytes = 0
        self._seconds = 0.0

    def note(self, table: Table) -> None:
        """Record that the table has just been compared."""
        self._compared[table] = time.monotonic()

    def damaged(self, tables: Iterable[Table], sparing: bool) -> list[Table]:
        """Compare tables that were not compared recently with their checksums; return damaged ones.

        If `sparing`, the method compares nothing when all comparisons so far and these would take
        more than a twentieth of the CPU time of the process.
        """
        due = [each for each in tables if each.crc32 is not None and self._is_due(each)]
        if not due or (sparing and not self._affords(sum(each.data.nbytes for each in due))):
            return []
        found = []
        with self._lock:
            for table in due:
                if not self._is_due(table):  # another thread compared it meanwhile
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
