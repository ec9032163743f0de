"""A search in a thread of its own, told as server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Any

from starlette.types import Receive, Scope, Send

from puzzlekit.errors import PuzzlekitError
from puzzlekit.run.limits import BoundReport, Limits
from puzzlekit.serve.records import answer_record, bound_record
from puzzlekit.serve.refusal import INTERNAL, Refusal, error_record
from puzzlekit.solve.choice import Choice, SearchOptions
from puzzlekit.solve.inventory import table_keys
from puzzlekit.solve.solution import Solution
from puzzlekit.solve.solver import Solver
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import TableKey
from puzzlekit.store.watchers import Builds, Patience

_PATIENCE = 1.0  # seconds that one search too many waits for another to end
_ALIVE = 10.0  # seconds without an event after which a comment is sent
_OFTEN = 0.1  # seconds between two events that tell of the same table

_LEFT = "left"  # in place of an event: the client has gone
_ENDED = Refusal(503, "puzzlekit serve has ended", "environment")

log = logging.getLogger(__name__)


class Searches:
    """Room for `most` searches at once; `running` are under way, unless all is `over`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.running: set[StreamedSearch] = set()
        self.over = False
        self._free = asyncio.Semaphore(most)

    async def enter(self, search: StreamedSearch) -> None:
        """Give a search one of the places; a Refusal (503) where none gets free in time."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._free.acquire()
        except TimeoutError:
            one = "a search is under way, and only one is done at once"
            more = f"{self.most} searches are under way, and no more are done at once"
            raise Refusal(
                503,
                one if self.most == 1 else more,
                "busy",
                hint="stop one, or wait until one has ended",
                headers={"Retry-After": "2"},
            ) from None
        if self.over:
            self._free.release()
            raise _ENDED
        self.running.add(search)

    def leave(self, search: StreamedSearch) -> None:
        """Take its place from a search that has ended."""
        self.running.discard(search)
        self._free.release()

    def end(self) -> None:
        """Cancel all searches, and tell their clients; no other begins."""
        self.over = True
        for search in list(self.running):
            search.cancel.set()
            search.post("error", _ENDED.record())


class StreamedSearch:
    """One search: the response that tells of it, and the thread that does it.

    It has a place among the `searches` until its thread ends. Where its client leaves it is
    cancelled; a table that is under way then is built to its end, but no other is begun.
    """

    def __init__(
        self,
        searches: Searches,
        solver: Solver,
        state: bytes,
        options: SearchOptions,
        limits: Limits,
    ) -> None:
        self.cancel = threading.Event()
        self._searches = searches
        self._solver = solver
        self._state = state
        self._options = options
        self._limits = limits._replace(cancel=self.cancel, on_bound=self._post_bound)
        self._queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, daemon=True, name="puzzlekit search")

    def post(self, event: str, data: Any) -> None:
        """Have an event sent; from any thread."""
        self._in_loop(self._queue.put_nowait, (event, data))

    def _in_loop(self, call: Callable[[Any], None], argument: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
            self._loop.call_soon_threadsafe(call, argument)

    def join(self, seconds: float) -> None:
        """Wait for its thread to end, but no longer than this many seconds."""
        self._thread.join(max(0.0, seconds))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the search, and send its events until it ends or the client leaves."""
        self._thread.start()
        watching = asyncio.create_task(self._watch(receive))
        try:
            headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            event = ""
            while event not in ("done", "error"):
                event, data = await self._next()
                if event == _LEFT:
                    return
                told = f"event: {event}\ndata: {json.dumps(data)}" if event else ": still at it"
                body = f"{told}\n\n".encode()
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self.cancel.set()
            watching.cancel()

    async def _next(self) -> tuple[str, Any]:
        """The next event; one without a name after a long time without any."""
        try:
            return await asyncio.wait_for(self._queue.get(), _ALIVE)
        except TimeoutError:
            return "", None

    async def _watch(self, receive: Receive) -> None:
        """Wait until the client has gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.cancel.set()
        self._queue.put_nowait((_LEFT, None))

    # --- in the thread of the search -------------------------------------------------------------

    def _work(self) -> None:
        def tell(answer: Solution, event: str = "answer") -> None:
            self.post(event, answer_record(self._solver, answer))

        try:
            choice = self._solver.choose(self._options)
            limits = self._prepare(choice)
            if not self.cancel.is_set():
                found = self._solver.search(self._state, choice, limits, on_answer=tell)
                tell(found, "done")
        except _Cancelled:
            pass
        except PuzzlekitError as error:
            self.post("error", error_record(error))
        except Exception as error:
            log.error("a search failed: %s: %s", type(error).__name__, error)
            self.post("error", INTERNAL.record())
        finally:
            self._in_loop(self._searches.leave, self)

    def _post_bound(self, report: BoundReport) -> None:
        self.post("bound", bound_record(report))

    def _prepare(self, choice: Choice) -> Limits:
        """Load or build the tables, telling of what is built; the limits that are left."""
        keys = partial(table_keys, self._solver, choice)
        store = self._solver.store
        patience = Patience(self._limits.timeout, self.cancel)
        with (
            store.watched(_Preparing(store, keys, self.post, self.cancel)),
            store.watched(patience),
        ):
            self._solver.make_ready(choice)
        return self._limits._replace(timeout=patience.left)


class _Cancelled(Exception):
    """The client has gone, and so no table is begun."""


class _Preparing(Builds):
    """Posts what is built, not too often; begins no table for a client that has gone."""

    def __init__(
        self,
        store: TableStore,
        keys: Callable[[], Sequence[TableKey]],
        post: Callable[[str, Any], None],
        cancel: threading.Event,
    ) -> None:
        super().__init__(store, keys)
        self._post = post
        self._cancel = cancel
        self._what: str | None = None
        self._next = 0.0

    def begun(self, key: TableKey) -> None:
        """A build begins, unless it is of the search that is cancelled."""
        if self._cancel.is_set() and self.in_own_thread:
            raise _Cancelled
        super().begun(key)

    def waiting(self, key: TableKey, owner: str, seconds: float) -> None:
        """Another process builds a table, which a client that has gone does not wait for."""
        if not self.in_own_thread:
            return
        if self._cancel.is_set():
            raise _Cancelled
        if seconds >= 1 and monotonic() >= self._next:
            self._next = monotonic() + 1
            what = f"{key.name}: waiting for {owner}, which builds it"
            self._post("preparing", {"what": what, "share": 0.0})

    def news(self, key: TableKey, nbytes: int) -> None:
        """So many bytes are built by now, and this table is under way."""
        if key.name == self._what and monotonic() < self._next:
            return
        self._what = key.name
        self._next = monotonic() + _OFTEN
        share = min(1.0, nbytes / self.total)
        self._post("preparing", {"what": key.name, "share": round(share, 4)})
