"""Bind the socket and run the server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from time import monotonic

import uvicorn
from anyio.to_thread import current_default_thread_limiter

from puzzlekit import PuzzlekitError
from puzzlekit_web.app import make_app
from puzzlekit_web.connections import ACCEPTED, Connection, tell_of_failures
from puzzlekit_web.protection import Protection
from puzzlekit_web.solving import Searches

HOST = "127.0.0.1"

_PATIENCE = 0.5  # seconds for cancelled searches to end
_WAITING = 128  # connections that the system queues until they are accepted
_AT_ONCE = 2  # requests handled in threads; more would delay others, and the shutdown


class Server(uvicorn.Server):
    """A server on a listening socket, with its `searches`.

    `ready` is called with the address of the server once requests are answered.
    """

    def __init__(
        self, listening: socket.socket, searches: Searches, ready: Callable[[str], None]
    ) -> None:
        self.searches = searches
        self._listening = listening
        self._ready = ready
        port = listening.getsockname()[1]
        self.address = f"http://{HOST}:{port}/"
        super().__init__(
            uvicorn.Config(
                Protection(make_app(searches), port),
                http=Connection,
                backlog=ACCEPTED,
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_config=None,
                log_level="critical",  # the application logs failures
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=1,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer requests, and call `ready`."""
        current_default_thread_limiter().total_tokens = _AT_ONCE
        tell_of_failures(asyncio.get_running_loop())
        await super().startup(sockets)
        self._listening.listen(_WAITING)  # asyncio has reduced it to `ACCEPTED`
        self._ready(self.address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all searches, then the server."""
        self.searches.end()
        await super().shutdown(sockets)

    def run_until_ended(self) -> None:
        """Serve until Ctrl-C, or until `should_exit` is set."""
        with contextlib.suppress(KeyboardInterrupt):
            self.run([self._listening])
        until = monotonic() + _PATIENCE
        for search in list(self.searches.running):
            search.join(until - monotonic())


def serve(port: int, most: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, with up to `most` searches at once.

    Port 0 means any free port. `ready` is called with the address of the server once requests are
    answered. Raises a PuzzlekitError if the port cannot be used.
    """
    with listen(port) as listening:
        Server(listening, Searches(most), ready).run_until_ended()


def listen(port: int) -> socket.socket:
    """Return a socket that listens on a port, for connections from this machine only."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would share a port that is in use
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(_WAITING)
    except OSError as error:
        listening.close()
        raise PuzzlekitError(
            f"port {port} of {HOST} cannot be used: {error.strerror}; --port 0 takes a free one"
        ) from None
    return listening
