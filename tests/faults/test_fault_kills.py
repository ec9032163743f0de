"""Processes that are killed while they build tables."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from conftest import Run


def kill_builds(run: Run, cache: Path, times: int) -> None:
    """Kill `tables build cube2` at random moments, and build to the end at last."""
    chance = random.Random(times)
    for _ in range(times):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "puzzlekit", "tables", "build", "cube2"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0.1, 2))
        process.kill()
        process.wait()
        assert not [problem for _, problem in TableStore(str(cache)).verify() if problem]
    done = run("solve", "--puzzle", "cube2", "R U F2")
    assert done.returncode == 0 and "error" not in done.stderr, done.stderr


def test_a_killed_build_leaves_nothing_half_written(run: Run, cache: Path) -> None:
    kill_builds(run, cache, 2)


@pytest.mark.long
def test_many_killed_builds_leave_nothing_half_written(run: Run, cache: Path) -> None:
    kill_builds(run, cache, 60)
