"""The socket, and the server on it."""

from __future__ import annotations

import socket
from collections.abc import Callable

from puzzlekit.errors import PuzzlekitError, UsageError

HOST = "127.0.0.1"
PORT = 8137


def serve(port: int, most: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `ready` is called with the address when requests are answered.

    A UsageError where the extra is not installed, a PuzzlekitError where the port is taken.
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

    listening = _listen(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready(address)

    config = uvicorn.Config(
        make_app(most),
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    with listening:
        Server(config).run([listening])


def _listen(port: int) -> socket.socket:
    """A socket that listens on a port of this machine only."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PuzzlekitError(
            f"port {port} of {HOST} cannot be used: {error.strerror}; --port 0 takes a free one"
        ) from None
    return listening
