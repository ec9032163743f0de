"""The socket, and the server on it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from time import monotonic

from puzzlekit.errors import PuzzlekitError, UsageError

HOST = "127.0.0.1"
PORT = 8137

_PATIENCE = 0.5  # seconds that cancelled searches have to end


def serve(port: int, most: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, with `most` searches at once.

    `ready` is called with the address once requests are answered. Port 0 takes a free one. Raises a
    UsageError where the extra `web` is not installed, a PuzzlekitError where the port cannot be
    used.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        raise UsageError(
            "the page is served by Starlette and Uvicorn, which are not installed: "
            "pip install 'puzzlekit[web]'"
        ) from None
    from puzzlekit.serve.app import make_app
    from puzzlekit.serve.protection import Protection
    from puzzlekit.serve.solving import Searches

    with listen(port) as listening:
        own = listening.getsockname()[1]
        searches = Searches(most)

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                ready(f"http://{HOST}:{own}/")

            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                searches.end()
                await super().shutdown(sockets)

        config = uvicorn.Config(
            Protection(make_app(searches), own),
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        with contextlib.suppress(KeyboardInterrupt):
            Server(config).run([listening])
        until = monotonic() + _PATIENCE
        for search in list(searches.running):
            search.join(until - monotonic())


def listen(port: int) -> socket.socket:
    """A socket that listens on a port of this machine, for this machine only."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PuzzlekitError(
            f"port {port} of {HOST} cannot be used: {error.strerror}; --port 0 takes a free one"
        ) from None
    return listening
