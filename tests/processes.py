"""For the tests: commands that run as processes, as in a shell."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-P", "-m", "puzzlekit"]
HARD = "R U2 F' L2 D B2 R' U F2 D' L B U2 R2 F L2 D' R B' U2 F2 R D2 L' B"  # takes minutes
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def wait_for_work(process: subprocess.Popen[str], seconds: float = 1.2) -> None:
    """Wait until a process has used that much CPU time, which on a busy machine takes longer."""
    used = Path(f"/proc/{process.pid}/stat")
    if not used.exists():
        time.sleep(seconds)
        return
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    # After the name in parentheses, the 12th and 13th field are the times of user and system.
    while sum(map(int, used.read_text().rpartition(")")[2].split()[11:13])) < ticks:
        assert process.poll() is None
        time.sleep(0.02)


def interrupted(*arguments: str, text: str = "") -> tuple[int, str, str]:
    """Interrupt a command that has these lines on stdin; its exit code, output and errors."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(text)
    process.stdin.flush()
    wait_for_work(process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=10)
    return process.returncode, output, errors
