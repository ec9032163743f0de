"""`puzzlekit serve` as a command."""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from click.testing import CliRunner
from served import SCRAMBLED, read_events

from puzzlekit.cli import main
from puzzlekit_web.server import Server, listen

posix = pytest.mark.skipif(os.name == "nt", reason="sends signals as a terminal does")


@contextmanager
def running(command: list[str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A process that serves on a free port, and the port."""
    path = os.pathsep.join(
        filter(None, [os.environ.get("PYTHONPATH"), str(Path(__file__).parents[1])])
    )
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("puzzlekit is at http://127.0.0.1:") and "Ctrl-C" in line
            yield process, int(line.split("/")[2].partition(":")[2])
        finally:
            process.kill()


@pytest.mark.slow
@posix
def test_ctrl_c_ends_it_quietly() -> None:
    with running([sys.executable, "-P", "-m", "puzzlekit", "serve", "--port", "0"]) as (
        process,
        port,
    ):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/api/puzzles")  # kept alive
        assert connection.getresponse().read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 0
        connection.close()
        assert process.stderr is not None and process.stderr.read() == ""


@pytest.mark.slow
@posix
@pytest.mark.parametrize("where", ["searching", "preparing"])
def test_ctrl_c_ends_it_with_a_search_under_way(where: str) -> None:
    """Tables that are built cannot be interrupted: their thread ends with the process."""
    code = f"""
from served import Waiting
from puzzlekit.cli import main
from puzzlekit_web import app
solver = Waiting()
if {where!r} == "preparing":
    solver.prepared.clear()
app.load = lambda name: solver
main(["serve", "--port", "0"])
"""
    with running([sys.executable, "-P", "-c", code]) as (process, port):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"Content-Type": "application/json"}
        body = json.dumps({"stickers": SCRAMBLED})
        connection.request("POST", "/api/puzzles/cube2/solve", body, headers)
        events = read_events(connection.getresponse())
        if where == "searching":
            assert [next(events)[0], next(events)[0]] == ["bound", "answer"]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == 0
        assert list(events)[-1][0] == "error"
        connection.close()
        assert process.stderr is not None and process.stderr.read() == ""


@posix
def test_a_port_that_is_taken_is_named() -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(main, ["serve", "--port", str(port)])
    assert done.exit_code == 4
    assert done.stderr == (
        f"error: port {port} of 127.0.0.1 cannot be used: Address already in use; "
        "--port 0 takes a free one\n"
    )


@pytest.mark.parametrize("options", [["--port", "65536"], ["--port", "http"], ["--solves", "0"]])
def test_options_that_make_no_sense(options: list[str]) -> None:
    assert CliRunner().invoke(main, ["serve", *options]).exit_code == 2


def test_only_this_machine_can_reach_it() -> None:
    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        assert listening.family == socket.AF_INET


def test_open_shows_the_page_once_it_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(webbrowser, "open", shown.put)
    monkeypatch.setattr(Server, "run_until_ended", lambda self: self._ready(self.address))
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--open"])
    assert done.exit_code == 0 and f"puzzlekit is at {shown.get(timeout=10)} " in done.stdout
    CliRunner().invoke(main, ["serve", "--port", "0"])
    assert shown.empty()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("serve --host 0.0.0.0", "'--host': only this computer reaches the page; --export writes"),
        ("serve -p 8000", "'-p': write --port N"),
        ("serve 8000", "argument (8000): write --port 8000"),
        ("gui", "no such command 'gui' (did you mean serve?)"),
        ("play", "no such command 'play' (did you mean serve?)"),
        ("export cube3", "missing option '--format'. Choose from: kpuzzle, tws, "),
    ],
)
def test_what_people_expect_of_a_server(arguments: str, told: str) -> None:
    found = CliRunner().invoke(main, arguments.split())
    assert found.exit_code == 2 and told in found.stderr
