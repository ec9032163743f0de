"""For the tests: a static site that is exported, and a plain server of its files."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


def pyodide() -> str:
    """The npm package pyodide, as its directory or its .tgz file; the test is skipped without."""
    given = os.environ.get("PUZZLEKIT_PYODIDE")
    if not given:
        pytest.skip("needs the npm package pyodide, which PUZZLEKIT_PYODIDE names")
    return given


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def static_server(directory: Path) -> Iterator[str]:
    """The address of a server of the files of a directory."""
    handler = partial(_Handler, directory=str(directory))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
