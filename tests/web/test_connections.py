"""`puzzlekit serve` with clients that keep it waiting: half-sent requests, and answers unread."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from time import monotonic, sleep

import pytest
from served import SCRAMBLED, Client, Waiting, read_events, serving

from puzzlekit_web import app, connections
from puzzlekit_web.connections import tell, tell_of_failures

posix = pytest.mark.skipif(os.name == "nt", reason="limits the files of a process")

# A server that may open so many files at once.
LIMITED = """
import resource
from puzzlekit.cli import main
resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
main(["serve", "--port", "0"])
"""


@contextlib.contextmanager
def limited(files: int) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process that may open so many files, and its port."""
    command = [sys.executable, "-P", "-c", LIMITED.format(files=files)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, encoding="utf-8") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield process, int(line.split("/")[2].partition(":")[2])
        finally:
            process.terminate()


def status(port: int) -> int:
    """What a usual request is answered with."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", "/api/puzzles")
        return connection.getresponse().status


@pytest.mark.slow
@posix
@pytest.mark.parametrize("files", [64, 256])
def test_half_sent_requests_block_nobody(files: int) -> None:
    with limited(files) as (process, port), contextlib.ExitStack() as stack:
        for _ in range(2 * files):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            with contextlib.suppress(ConnectionError):  # closed already
                half.sendall(b"GET /")
        assert [status(port) for _ in range(5)] == [200] * 5
        process.terminate()
        assert process.stderr is not None
        (line,) = process.stderr.read().splitlines()
        assert line.startswith(f"{min(files // 4, 128)} connections are open")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


def head(client: Client, *lines: str) -> bytes:
    """The head of a request, without the empty line at its end."""
    return "\r\n".join(
        [
            "POST /api/puzzles/cube2/random HTTP/1.1",
            f"Host: 127.0.0.1:{client.port}",
            "Content-Type: application/json",
            *lines,
        ]
    ).encode()


BEGUN: dict[str, Callable[[Client], bytes]] = {
    "nothing": lambda client: b"",
    "half a head": lambda client: b"GET /",
    "half a body": lambda client: head(client, "Content-Length: 9", "", "{"),
    "half a second request": lambda client: (
        head(client, "Content-Length: 2", "", "{}") + head(client)
    ),
    "half a second body": lambda client: (
        head(client, "Content-Length: 2", "", "{}") + head(client, "Content-Length: 9", "", "{")
    ),
}


@pytest.mark.parametrize("begun", BEGUN)
def test_a_request_that_does_not_end_is_given_up(
    client: Client, monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIME", 0.3)
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as half:
        half.sendall(BEGUN[begun](client))
        with contextlib.suppress(ConnectionResetError):
            while half.recv(65536):
                pass
    assert not client.server.server_state.connections


def test_a_long_answer_is_not_cut_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIME", 0.5)
    solver = Waiting()
    monkeypatch.setattr(app, "load", lambda name: solver)
    events = read_events(client.open("POST", "/api/puzzles/cube2/solve", {"stickers": SCRAMBLED}))
    assert [next(events)[0], next(events)[0]] == ["bound", "answer"]
    sleep(0.8)
    solver.released.set()
    assert [event for event, _ in events] == ["done"]
    client.leave()


def test_a_client_that_does_not_read_is_given_up(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNREAD_TIME", 0.3)
    request = f"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n\r\n".encode()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", client.port))
        deaf.settimeout(20)
        with pytest.raises(ConnectionError):
            for _ in range(1_000_000):
                deaf.sendall(request)


def test_what_fails_in_the_loop_is_one_line(caplog: pytest.LogCaptureFixture) -> None:
    loop = asyncio.new_event_loop()
    tell_of_failures(loop)
    context = {"message": "no more files", "exception": OSError(24, "Too many open files")}
    for _ in range(5):
        loop.call_exception_handler(context)
    loop.close()
    (record,) = caplog.records
    assert record.exc_info is None
    assert record.getMessage() == "no more files: OSError: [Errno 24] Too many open files"


def test_a_line_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = monotonic()
    for at in (0, 1, 59, 61, 62):
        tell("the same line", lambda at=at: now + at)  # type: ignore[misc]
    assert len(caplog.records) == 2
