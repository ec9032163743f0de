"""Run several searches in threads. Each search has some of the starts, and all share one limit."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import Any

from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.errors import PuzzlekitError
from puzzlekit.search.driver import OUT_OF_LIMITS, Deadline, Driver, thread_time
from puzzlekit.search.limits import Limits

Found = tuple[int, Any]  # number of the search, and its answer, whose last item is the cost


class Team:
    """Runs each search in its own thread. The threads run in parallel outside the GIL."""

    def __init__(self, searches: Sequence[Any], limits: Limits, deadline: Deadline) -> None:
        self.found: Found | None = None
        self._searches = searches
        self._stop = threading.Event()
        self._cancel = limits.cancel
        self._news: SimpleQueue[tuple[int, int, Found | BaseException | None]] = SimpleQueue()
        self._limit = 1 << 30
        self._proven = False
        self._cpu = [0.0] * len(searches)
        share = None if limits.max_nodes is None else -(-limits.max_nodes // len(searches))
        mine = limits._replace(cancel=self._stop, max_nodes=share)
        self._threads = [
            threading.Thread(target=self._work, args=(i, Driver(mine, deadline)), daemon=True)
            for i in range(len(searches))
        ]
        self._working = len(self._threads)
        for number, thread in enumerate(self._threads):
            try:
                thread.start()
            except RuntimeError as error:
                self._threads = self._threads[:number]
                self.stop()
                raise PuzzlekitError(f"cannot start {self._working} threads: {error}") from error

    def run(self) -> int:
        """Run the searches until one of them finds an answer, or until they end.

        Returns FOUND if a search finds an answer. `found` then has the index of the search and its
        answer, and `run` may be called again. Returns EXHAUSTED as soon as one search has proven
        that no shorter answer exists. Returns OUT_OF_LIMITS if all searches have stopped without
        such a proof.
        """
        while self._working:
            try:
                number, status, found = self._news.get(timeout=0.05)
            except Empty:
                if self._cancel is not None and self._cancel.is_set():
                    self._stop.set()
                continue
            if isinstance(found, BaseException):
                raise found
            if status == FOUND and found is not None:
                cost = found[1][-1]
                if cost <= self._limit:
                    self._limit = cost - 1
                    self.found = found
                    return FOUND
                continue
            self._working -= 1
            if status == EXHAUSTED and not self._searches[number].is_capped:
                self._proven = True
                self._stop.set()
        return EXHAUSTED if self._proven else OUT_OF_LIMITS

    @property
    def cpu(self) -> float:
        """CPU seconds that the threads have used."""
        return sum(self._cpu)

    def tighten(self, limit: int) -> None:
        """From now on, accept only answers that cost at most `limit`."""
        self._limit = min(self._limit, limit)

    def stop(self) -> None:
        """End all searches and wait for their threads."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _work(self, number: int, driver: Driver) -> None:
        search = self._searches[number]
        try:
            while True:
                status = driver.run(search, lambda: search.tighten(self._limit))
                self._cpu[number] = thread_time()
                if status != FOUND:
                    self._news.put((number, status, None))
                    return
                self._news.put((number, FOUND, (number, search.answer)))
        except BaseException as error:  # raised again in the thread of the caller
            self._news.put((number, OUT_OF_LIMITS, error))
