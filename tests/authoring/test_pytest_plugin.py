"""`pytest --puzzlekit-plugin NAME`: the conformance checks as tests of pytest."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from conforming import SOURCE
from documents import ROOT

MODULE = "puzzlekit_authoring.pytest_plugin"


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a directory without tests, as its own process."""
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]
    if not metadata.entry_points(group="pytest11", name="puzzlekit"):  # an older installation
        command += ["-p", MODULE]
    (directory / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    return subprocess.run(
        [*command, *arguments], cwd=directory, capture_output=True, text=True, timeout=120
    )


def test_an_entry_point_makes_it_known() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert stated["entry-points"]["pytest11"] == {"puzzlekit": MODULE}


@pytest.mark.slow
def test_it_imports_nothing_before_it_is_asked() -> None:
    program = (
        f"import sys, {MODULE}\n"
        "assert 'numpy' not in sys.modules and 'click' not in sys.modules\n"
        "assert not [name for name in sys.modules if name.startswith('puzzlekit.puzzle')]"
    )
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


@pytest.mark.slow
def test_each_check_is_a_test(tmp_path: Path) -> None:
    arguments = [
        "--puzzlekit-plugin",
        "cube2",
        "--puzzlekit-effort",
        "quick",
        "-k",
        "notation",
        "-v",
    ]
    done = run(tmp_path, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cube2: " in done.stdout and " passed" in done.stdout and "deselected" in done.stdout


@pytest.mark.slow
def test_a_failed_check_says_what_is_wrong_without_a_traceback(tmp_path: Path) -> None:
    wrong = SOURCE.format(first="import puzzlekit.engine")
    (tmp_path / "puzzlekit_wrong.py").write_text(wrong, encoding="utf-8")
    info = tmp_path / "wrong-1.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[puzzlekit]\nring = puzzlekit_wrong\n")
    done = run(tmp_path, "--puzzlekit-plugin", "ring", "--puzzlekit-effort", "quick")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "puzzlekit.engine is not public" in done.stdout
    assert "pytest_plugin.py" not in done.stdout  # no traceback


@pytest.mark.slow
def test_an_unknown_plugin_is_an_error_of_the_command_line(tmp_path: Path) -> None:
    done = run(tmp_path, "--puzzlekit-plugin", "cuve2")
    assert done.returncode == 4 and "cuve2" in done.stderr
