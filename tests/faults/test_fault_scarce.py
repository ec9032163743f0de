"""Too little memory, and Ctrl-C while the command line is still imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOLVE = ("solve", "--puzzle", "cube2", "R U F2")
COMPARE = (
    *("compare", "--puzzle", "cube2", "--method", "small-tables", "--heuristic", "max,sum"),
    *("--count", "2", "--no-quality"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
@pytest.mark.parametrize("megabytes", [20, 60, 100, 150])
@pytest.mark.parametrize("arguments", [SOLVE, COMPARE], ids=lambda arguments: arguments[0])
def test_too_little_memory_is_told_in_one_line(
    cache: Path, tmp_path: Path, arguments: tuple[str, ...], megabytes: int
) -> None:
    code = (
        "import resource, runpy, sys\n"
        f"limit = {megabytes} << 20\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "runpy.run_module('puzzlekit', run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 4, ended.stderr
    (line,) = ended.stderr.splitlines()
    assert line.startswith("error: ") and "memory" in line and "internal" not in line


@pytest.mark.parametrize("module", ["puzzlekit.cli", "click", "puzzlekit.cli.solve", "numpy"])
def test_ctrl_c_during_an_import_ends_quietly(cache: Path, tmp_path: Path, module: str) -> None:
    code = (
        "import runpy, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupt)\n"
        "runpy.run_module('puzzlekit', run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code, *SOLVE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 130 and line.startswith("interrupted")


@pytest.mark.skipif(os.name == "nt", reason="ignores a signal as nohup does")
def test_an_ignored_ctrl_c_stays_ignored(cache: Path, tmp_path: Path) -> None:
    code = (
        "import os, runpy, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "sys.argv[1:] = ['--version']\n"
        "try:\n"
        "    runpy.run_module('puzzlekit', run_name='__main__')\n"
        "finally:\n"
        "    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
    )
    ended = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True)
    assert ended.returncode == 0, ended.stderr
