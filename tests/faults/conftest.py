"""What the tests share that do harm: a cache of their own, and commands run in it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest


class Run(Protocol):
    """Runs `python -m puzzlekit` with these arguments, in the test's own cache."""

    def __call__(
        self, *arguments: str, seconds: float = 120, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """The finished process; it fails the test if it takes longer than so many seconds."""
        ...


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for tables that no other test uses, here and in commands that are run."""
    path = tmp_path / "cache"
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(path))
    return path


@pytest.fixture
def run(cache: Path, tmp_path: Path) -> Run:
    """Run commands of puzzlekit as processes, in an empty directory."""
    work = tmp_path / "work"
    work.mkdir()

    def run(
        *arguments: str, seconds: float = 120, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "puzzlekit", *arguments],
            cwd=work,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    return run
