"""Processes that share a comparison, killed at any moment: nothing is lost, and it ends."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from puzzlekit.cli import main
from puzzlekit_lab.comparison import Journal
from puzzlekit_lab.record import Run

pytestmark = pytest.mark.skipif(
    not os.path.isdir("/proc/self/task"), reason="Linux lists the children of a process"
)

COMMAND = (
    *("compare", "--puzzle", "pyraminx", "--heuristic", "max,sum", "--count", "30"),
    *("--max-nodes", "20000", "--no-quality", "--jobs", "2", "--output", "results"),
)
RUNS = 60


def workers_of(parent: int) -> list[int]:
    """The processes that a comparison has started to work for it."""
    found = []
    for each in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        line = Path(f"/proc/{each}/cmdline").read_bytes()
        if b"spawn_main" in line:  # and none that keeps track of semaphores
            found.append(int(each))
    return found


def kill_a_worker(directory: Path, chance: random.Random, most: int) -> int:
    """Start a comparison and kill one of its processes; the exit code of what is left.

    That is after up to `most` further runs.
    """
    enough = len(runs_of(directory)) + chance.randrange(most)
    with open(directory / "said", "w+") as said:
        parent = subprocess.Popen(
            [sys.executable, "-P", "-m", "puzzlekit", *COMMAND],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        workers: list[int] = []
        while parent.poll() is None and not workers:
            time.sleep(0.01)
            workers = workers_of(parent.pid) if parent.poll() is None else []
        while parent.poll() is None and len(runs_of(directory)) < enough:
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):  # it may be done already
            for victim in chance.sample(workers, min(1, len(workers))):  # none if all was done
                os.kill(victim, signal.SIGKILL)
        code = parent.wait(60)
        said.seek(0)
        text = said.read()
    assert "Traceback" not in text and "internal error" not in text
    assert code in (0, 4)
    assert ("worker processes cannot be started" in text) == (code == 4)
    return code


def runs_of(directory: Path) -> list[str]:
    """The lines of a journal that are runs, each of which can be read; not one being written."""
    journal = directory / "results" / "runs.jsonl"
    whole = journal.read_text().rpartition("\n")[0] if journal.exists() else ""
    return [line for line in whole.splitlines() if json.loads(line)["kind"] == "run"]


def kill_workers(directory: Path, times: int) -> None:
    directory.mkdir()
    chance = random.Random(times)
    done: list[str] = []
    for _ in range(times):
        kill_a_worker(directory, chance, RUNS // times)
        before, done = done, runs_of(directory)
        assert done[: len(before)] == before, "what was finished is kept"
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(directory):
        patch.setitem(sys.modules, "matplotlib", None)  # no plots, which take seconds
        finished = CliRunner().invoke(main, [*COMMAND, "--jobs", "1"])
    assert finished.exit_code == 0, finished.output
    assert runs_of(directory)[: len(done)] == done, "what was finished is kept"
    with Journal(str(directory / "results")) as journal:
        keys = [each.key for each in journal.records if isinstance(each, Run)]
    assert len(keys) == len(set(keys)) == RUNS, "each is there once"


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_a_killed_worker(tmp_path: Path) -> None:
    kill_workers(tmp_path / "work", 1)


@pytest.mark.long
@pytest.mark.usefixtures("cache")
def test_many_killed_workers(tmp_path: Path) -> None:
    kill_workers(tmp_path / "work", 25)
