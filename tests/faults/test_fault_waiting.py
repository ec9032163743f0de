"""Another process that builds a table and is slow, stopped or gone; file systems without locks."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import puzzlekit
from puzzlekit.errors import NoSolutionError
from puzzlekit.search.solver import Solver
from puzzlekit.tables import files
from puzzlekit.tables.store import TableStore, TableWarning, Watcher
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    from conftest import Run

KEY = TableSpec("cube3", "some table", "source", "u1", (100,), "Tests waiting.")
BUILDER = """
import sys, time
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec
key = TableSpec("cube3", "some table", "source", "u1", (100,), "Tests waiting.")

def build():
    print("building", flush=True)
    sys.stdin.read(1)
    return bytes(100)

TableStore().get(key, build)
"""
# The one table of cube2 that takes some time is asked for by its own puzzle.
CUBE2 = """
import sys, time
import puzzlekit
from puzzlekit.tables.store import Watcher

class Slow(Watcher):
    def begun(self, key):
        print("building", flush=True)
        sys.stdin.read(1)

cube = puzzlekit.load("cube2")
cube.store.watchers.append(Slow())
cube.prepared()
"""


@contextmanager
def builder(code: str) -> Iterator[subprocess.Popen[str]]:
    """A process that has begun a table, and goes on when it reads something."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin and process.stdout
    try:
        assert process.stdout.readline() == "building\n"
        yield process
    finally:
        process.kill()
        process.communicate()


class Told(Watcher):
    """Notes who is waited for."""

    def __init__(self) -> None:
        self.owners: list[str] = []

    def waiting(self, key: TableSpec, owner: str, seconds: float) -> None:
        self.owners.append(owner)


def test_waiting_is_told_and_ends_with_the_build(cache: Path) -> None:
    store, told = TableStore(), Told()
    with builder(BUILDER) as process, store.watched(told):
        timer = threading.Timer(0.5, lambda: process.communicate("x"))
        timer.start()
        table = store.get(KEY, lambda: pytest.fail("built twice"))
        timer.join()
    assert table.source == "disk"
    assert f"process {process.pid}" in told.owners
    assert not list(cache.glob("**/*.owner"))


def test_a_killed_builder_is_not_waited_for(cache: Path) -> None:
    with builder(BUILDER):
        pass
    assert TableStore().get(KEY, lambda: bytes(100)).source == "built"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="tells who is stopped")
def test_a_stopped_builder_is_not_waited_for_long(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_MOST_FOR_STOPPED", 0.3)
    with builder(BUILDER) as process:
        process.send_signal(signal.SIGSTOP)
        with pytest.warns(TableWarning, match=f"process {process.pid}, which is stopped.*memory"):
            assert TableStore().get(KEY, lambda: bytes(100)).source == "memory"


def test_waiting_counts_against_the_timeout(cache: Path) -> None:
    known = puzzlekit.load("cube2")  # whose tables others may have opened
    cube = Solver(known.puzzle, known.methods)
    with builder(CUBE2) as process:
        with pytest.raises(NoSolutionError, match=f"process {process.pid} has been building"):
            cube.solve("R U F", timeout=0.3)
        cancel = threading.Event()
        cancel.set()
        with pytest.raises(NoSolutionError, match="cancelled"):
            cube.solve("R U F", cancel=cancel)
    assert cube.solve("R U F").cost == 3


def test_the_command_says_whom_it_waits_for(run: Run) -> None:
    with builder(CUBE2) as process:
        done = run("solve", "--puzzle", "cube2", "R U F", "--timeout", "1.5")
        told = f"waiting for process {process.pid} to build the table 'orientation moves'"
        assert told in done.stderr, done.stderr
        assert done.returncode == 1
        assert "no solution within 1.5 s was found" in done.stderr


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EIO])
def test_no_locks_are_no_wait(cache: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    started = time.monotonic()
    with pytest.warns(TableWarning, match=f"{os.strerror(code)}.*kept in memory"):
        assert TableStore().get(KEY, lambda: bytes(100)).source == "memory"
    assert TableStore().clear() == []
    assert time.monotonic() - started < 60


def interrupts(seconds: float) -> Callable[[], None]:
    return threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start


def test_an_interrupt_ends_the_wait(cache: Path) -> None:
    with builder(BUILDER), pytest.raises(KeyboardInterrupt):
        interrupts(0.3)()
        TableStore().get(KEY, lambda: bytes(100))
