"""Search in a thread of its own, reported by server-sent events."""

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

from puzzlekit import (
    Limits,
    NoSolutionError,
    PuzzlekitError,
    SearchOptions,
    Solution,
    Solver,
    TableStore,
)
from puzzlekit.search.limits import BoundReport
from puzzlekit.search.options import Choice, table_keys
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import Builds, OwnThread, Patience
from puzzlekit_steps import solve_in_steps
from puzzlekit_web.records import answer_record, bound_record, steps_record
from puzzlekit_web.refusal import INTERNAL, Refusal, error_record

_PATIENCE = 1.0  # seconds that a search waits for a place
_ALIVE = 10.0  # seconds without an event after which a comment is sent
_OFTEN = 0.1  # seconds between two events about the same table

_LEFT = "left"  # instead of an event: the client has gone
_ENDED = Refusal(503, "puzzlekit serve has ended", "environment")

log = logging.getLogger(__name__)


class Searches:
    """The running searches, at most `most` at once. `over` is set when the server ends."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.running: set[StreamedSearch] = set()
        self.over = False
        self._free = asyncio.Semaphore(most)

    async def enter(self, search: StreamedSearch) -> None:
        """Let a search run. Raises a Refusal (503) if no running search ends in time."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._free.acquire()
        except TimeoutError:
            one = "a search is running, and only one may run at once"
            more = f"{self.most} searches are running, and no more may run at once"
            raise Refusal(
                503,
                one if self.most == 1 else more,
                "busy",
                hint="stop a search, or wait until a search has ended",
                headers={"Retry-After": "2"},
            ) from None
        if self.over:
            self._free.release()
            raise _ENDED
        self.running.add(search)

    def leave(self, search: StreamedSearch) -> None:
        """Remove a search if it is still there, so that another search can run."""
        if search in self.running:
            self.running.discard(search)
            self._free.release()

    def end(self) -> None:
        """Cancel all searches and inform their clients. No further search begins."""
        self.over = True
        for search in list(self.running):
            search.cancel.set()
            search.post("error", _ENDED.record())


class StreamedSearch:
    """One search: its thread, and the response that reports it.

    The search belongs to the running `searches` until its thread ends. If the client leaves, the
    search is cancelled, and with it the build of a table. If other searches wait for the table, its
    build goes on, but no longer counts as a running search.
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
        """Send an event; callable from any thread."""
        self._in_loop(self._queue.put_nowait, (event, data))

    def _in_loop(self, call: Callable[[Any], None], argument: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server has ended
            self._loop.call_soon_threadsafe(call, argument)

    def join(self, seconds: float) -> None:
        """Wait at most `seconds` for the thread to end."""
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
        """The next event, or an event without a name after a long wait."""
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
        try:
            with self._solver.store.watched(_Abandoned(self.cancel, self._leave)):
                self._search()
        except PuzzlekitError as error:
            self.post("error", error_record(error))
        except Exception as error:
            log.error("a search failed: %s: %s", type(error).__name__, error)
            self.post("error", INTERNAL.record())
        finally:
            self._leave()

    def _leave(self) -> None:
        self._in_loop(self._searches.leave, self)

    def _search(self) -> None:
        """Search, and post the answers."""

        def tell(answer: Solution, event: str = "answer") -> None:
            self.post(event, answer_record(self._solver, answer))

        choice, limits = self._solver.choose(self._options), self._limits
        early: Solution | None = None

        def improve(answer: Solution) -> None:
            if early is None or answer.cost < early.cost:
                tell(answer)

        needed = self._solver.needs_tables(self._state, choice, limits)
        if needed and (early := self._solver.early(self._state, choice, limits)) is not None:
            tell(early, "done" if early.optimal else "answer")
            if early.optimal:
                return
        try:
            if needed:
                limits = self._prepare(choice)
            if self.cancel.is_set():
                return
            found = self._solver.search(self._state, choice, limits, on_answer=improve)
        except NoSolutionError:
            if early is None:
                raise
            found = early
        if early is not None and not found.optimal and early.cost <= found.cost:
            found = early
        tell(found, "done")

    def _post_bound(self, report: BoundReport) -> None:
        self.post("bound", bound_record(report))

    def _prepare(self, choice: Choice) -> Limits:
        """Load or build the tables and report the builds. Return the remaining limits."""
        keys = partial(table_keys, choice)
        store = self._solver.store
        patience = Patience(self._limits.timeout, self.cancel)
        with (
            store.watched(_Preparing(store, keys, self.post)),
            store.watched(patience),
        ):
            self._solver.make_ready(choice)
        return self._limits._replace(timeout=patience.left)


class StreamedSteps(StreamedSearch):
    """A search by a step method. It posts only the whole answer."""

    def __init__(
        self,
        searches: Searches,
        solver: Solver,
        state: bytes,
        method: str,
        metric: str | None,
        timeout: float | None,
    ) -> None:
        super().__init__(searches, solver, state, SearchOptions(), Limits())
        self._asked = partial(
            solve_in_steps,
            solver,
            state,
            method,
            metric=metric,
            timeout=timeout,
            cancel=self.cancel,
        )

    def _search(self) -> None:
        found = self._asked()
        self.post("done", steps_record(self._solver, found))


class _Abandoned(OwnThread):
    """Calls `leave` if the client has gone while a table is being built."""

    def __init__(self, cancel: threading.Event, leave: Callable[[], None]) -> None:
        super().__init__()
        self._cancel = cancel
        self._leave = leave

    def beat(self, key: TableSpec) -> None:
        """Leave: the build ends now, or goes on for others."""
        if self.in_own_thread and self._cancel.is_set():
            self._leave()


class _Preparing(Builds):
    """Posts the progress of builds at intervals."""

    def __init__(
        self,
        store: TableStore,
        keys: Callable[[], Sequence[TableSpec]],
        post: Callable[[str, Any], None],
    ) -> None:
        super().__init__(store, keys)
        self._post = post
        self._what: str | None = None
        self._next = 0.0

    def waiting(self, key: TableSpec, owner: str, seconds: float) -> None:
        """Report the wait for a table that another process builds."""
        if self.in_own_thread and seconds >= 1 and monotonic() >= self._next:
            self._next = monotonic() + 1
            what = f"{key.name}: waiting for {owner}, which builds it"
            self._tell(what, 0.0, None)

    def news(self, key: TableSpec) -> None:
        """Report the table that is being built, the finished share, and the seconds left."""
        if key.name == self._what and monotonic() < self._next:
            return
        self._what = key.name
        self._next = monotonic() + _OFTEN
        self._tell(key.name, round(self.share, 4), round(max(0.0, self.left), 1))

    def _tell(self, what: str, share: float, left: float | None) -> None:
        tables = max(1, self.count, len(self.missing))
        told = {"what": what, "table": min(self.count + 1, tables), "tables": tables}
        self._post("preparing", told | {"share": share, "left": left})
