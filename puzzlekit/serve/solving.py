"""A search in a thread of its own, told as server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Scope, Send

from puzzlekit.errors import PuzzlekitError
from puzzlekit.phase.solution import BoundReport, Solution
from puzzlekit.phase.solver import Solver
from puzzlekit.serve.records import answer_record
from puzzlekit.serve.refusal import INTERNAL, Refusal, error_record

_PATIENCE = 1.0  # seconds that one search too many waits for another to end
_ALIVE = 10.0  # seconds without an event after which a comment is sent
_GONE = ("", None)  # in the queue: the client has left

log = logging.getLogger(__name__)


class Searches:
    """Room for `most` searches at once; `running` are under way."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.running = 0
        self._ended = asyncio.Condition()

    async def enter(self) -> None:
        """Take one of the places; a Refusal (503) where none gets free in time."""
        async with self._ended:
            try:
                await asyncio.wait_for(
                    self._ended.wait_for(lambda: self.running < self.most), _PATIENCE
                )
            except TimeoutError:
                several = "" if self.most == 1 else "s"
                raise Refusal(
                    503,
                    f"{self.most} search{'es' if several else ''} at once, and no more, are under "
                    "way: stop one, or wait until one has ended",
                    "busy",
                    headers={"Retry-After": "2"},
                ) from None
            self.running += 1

    async def leave(self) -> None:
        """Give the place back."""
        async with self._ended:
            self.running -= 1
            self._ended.notify()


class Search:
    """One search: the response that tells of it, and the thread that does it.

    It has a place among the `searches`, which it gives back when its thread ends. Where its client
    leaves, it is cancelled.
    """

    def __init__(
        self, searches: Searches, solver: Solver, state: bytes, asked: dict[str, Any]
    ) -> None:
        self._searches = searches
        self._solver = solver
        self._state = state
        self._asked = asked
        self._cancel = threading.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the search, and send its events until it ends or the client leaves."""
        queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def post(event: str, data: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(queue.put_nowait, (event, data))

        def work() -> None:
            try:
                self._work(post)
            finally:
                with contextlib.suppress(RuntimeError):
                    asyncio.run_coroutine_threadsafe(self._searches.leave(), loop)

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            queue.put_nowait(_GONE)

        threading.Thread(target=work, daemon=True, name="puzzlekit search").start()
        watching = asyncio.create_task(watch())
        try:
            headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            event = ""
            while event not in ("done", "error"):
                try:
                    event, data = await asyncio.wait_for(queue.get(), _ALIVE)
                except TimeoutError:
                    chunk = b": still at it\n\n"
                else:
                    if not event:
                        return
                    chunk = f"event: {event}\ndata: {json.dumps(data)}\n\n".encode()
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._cancel.set()
            watching.cancel()

    def _work(self, post: Callable[[str, Any], None]) -> None:
        """Search, and post what there is to tell."""
        solver = self._solver

        def answer(solution: Solution) -> None:
            post("answer", answer_record(solver, solution))

        def bound(report: BoundReport) -> None:
            post("bound", _bound_record(report))

        try:
            names = ("method", "heuristic", "metric")
            solver.chain(**{name: self._asked[name] for name in names})
            if self._cancel.is_set():
                return
            found = solver.solve(
                self._state, cancel=self._cancel, on_answer=answer, on_bound=bound, **self._asked
            )
            post("done", answer_record(solver, found))
        except PuzzlekitError as error:
            post("error", error_record(error))
        except Exception as error:
            log.error("a search failed: %s: %s", type(error).__name__, error)
            post("error", INTERNAL.record())


def _bound_record(report: BoundReport) -> dict[str, Any]:
    return {
        "bound": report.bound,
        "best": report.best,
        "at_least": report.at_least,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 6),
    }
