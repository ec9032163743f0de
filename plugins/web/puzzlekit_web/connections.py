"""Limits on the number of connections, and on the time that a client may be idle.

A client that opens connections without finishing its requests uses up file descriptors. A
connection without a complete request is closed after a while. It is closed at once if there are too
many connections.
"""

from __future__ import annotations

import asyncio
import logging
import math
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 128  # connections at once; browsers open six
REQUEST_TIME = 20.0  # seconds that a client may take to send a request, head and body
UNREAD_TIME = 30.0  # seconds that a client may take to read sent data
ACCEPTED = 8  # connections that are accepted before the first of them is handled

_PAUSE = 60.0  # seconds before the same line is logged again

log = logging.getLogger(__name__)


class Connection(H11Protocol):
    """A connection that is closed if its client is slow, or if there are too many connections."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open the connection. If there are too many, close the oldest idle connection."""
        super().connection_made(transport)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._watch()
        most = most_connections()
        if len(self.connections) <= most:
            return
        tell(f"{most} connections are open: for each new one, the oldest idle one is closed")
        everyone = cast("set[Connection]", self.connections)
        idle = [each for each in everyone if each.idle and not each.transport.is_closing()]
        min(idle, key=lambda each: each.deadline).transport.abort()

    @property
    def idle(self) -> bool:
        """Whether no complete request waits for its answer."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may already have begun."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait until the client reads."""
        super().pause_writing()
        self._start("reading", UNREAD_TIME)

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        self._stop("reading")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timers."""
        super().connection_lost(exc)
        self._stop("request")
        self._stop("reading")

    def _watch(self) -> None:
        """Limit the time until a request is complete."""
        if self.idle:
            self._start("request", REQUEST_TIME)
        else:
            self._stop("request")

    @property
    def deadline(self) -> float:
        """The time at which the request must be complete, by the clock of the loop."""
        timer = self._timers.get("request")
        return math.inf if timer is None else timer.when()

    def _start(self, what: str, seconds: float) -> None:
        """Start a timer that aborts the connection; a running timer is kept."""
        if what not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[what] = loop.call_later(seconds, self.transport.abort)

    def _stop(self, what: str) -> None:
        if timer := self._timers.pop(what, None):
            timer.cancel()


def most_connections() -> int:
    """Return the number of connections that may be open at once.

    The number is lower if the process may open only few files.
    """
    if sys.platform == "win32":
        return MOST
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if limit == resource.RLIM_INFINITY else min(MOST, limit // 4)


def tell_of_failures(loop: asyncio.AbstractEventLoop) -> None:
    """Let an event loop log its own failures in one line instead of a traceback."""
    loop.set_exception_handler(_tell_failure)


def _tell_failure(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    cause = f": {type(error).__name__}: {error}" if error else ""
    tell(f"{context['message']}{cause}")


def tell(line: str, clock: Callable[[], float] = monotonic) -> None:
    """Log a line, unless the same line was logged within the last minute."""
    now = clock()
    for each in [each for each, at in _told.items() if now - at >= _PAUSE]:
        del _told[each]
    if line not in _told:
        _told[line] = now
        log.warning("%s", line)


_told: dict[str, float] = {}  # when each line was logged
