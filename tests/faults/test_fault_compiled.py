"""Compiled modules of which some are missing or damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from documents import ROOT

import puzzlekit
from puzzlekit.engine.compiled import MODULES, missing

PACKAGE = Path(puzzlekit.__file__).parent
INSTALLED = not missing(str(PACKAGE / "engine"))
compiled_only = pytest.mark.skipif(not INSTALLED, reason="the engine is not compiled")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package, which python finds before the installed one."""
    shutil.copytree(PACKAGE, tmp_path / "copy" / "puzzlekit")
    return tmp_path / "copy"


def compiled_file(copy: Path, name: str) -> Path:
    directory = copy / "puzzlekit" / "engine"
    (file,) = (f for suffix in EXTENSION_SUFFIXES if (f := directory / (name + suffix)).exists())
    return file


def solve_and_doctor(copy: Path) -> tuple[subprocess.CompletedProcess[str], ...]:
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return tuple(
        subprocess.run(
            [sys.executable, "-m", "puzzlekit", *arguments],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
        )
        for arguments in (["solve", "--puzzle", "cube2", "R U F2", "--json"], ["doctor"])
    )


@compiled_only
@pytest.mark.parametrize("name", ["ranks", "fill"])
def test_one_module_that_is_not_compiled_makes_all_run_as_plain_python(
    copy: Path, name: str
) -> None:
    compiled_file(copy, name).unlink()
    solved, doctor = solve_and_doctor(copy)
    assert solved.returncode == 0 and '"length": 3' in solved.stdout, solved.stderr
    assert doctor.returncode == 0, doctor.stderr
    assert f"interpreted, much slower: not compiled: {name};" in doctor.stdout
    loaded = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlib import import_module\n"
            "from puzzlekit.engine.compiled import MODULES\n"
            "for name in MODULES:\n"
            "    print(import_module(f'puzzlekit.engine.{name}').__file__)",
        ],
        cwd=copy,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [Path(line) for line in loaded.stdout.split()]
    assert files == [copy / "puzzlekit" / "engine" / f"{name}.py" for name in MODULES]


@compiled_only
def test_doctor_says_that_the_engine_was_asked_to_run_interpreted() -> None:
    environment = os.environ | {"PUZZLEKIT_INTERPRETED": "1"}
    command = [sys.executable, "-P", "-m", "puzzlekit", "doctor"]
    doctor = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "interpreted, much slower: PUZZLEKIT_INTERPRETED is 1" in doctor.stdout


@compiled_only
def test_a_damaged_module_is_named_with_what_to_do(copy: Path) -> None:
    file = compiled_file(copy, "space")
    file.unlink()
    file.write_bytes(b"")
    for ended in solve_and_doctor(copy):
        assert ended.returncode == 4
        assert file.name in ended.stdout + ended.stderr
        assert "install puzzlekit again" in ended.stdout + ended.stderr
        assert "internal error" not in ended.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", ["ranks", "space", "fill"])
def test_a_compiler_that_fails_for_one_module_leaves_none(tmp_path: Path, name: str) -> None:
    for file in "setup.py", "pyproject.toml", "README.md":
        shutil.copy(ROOT / file, tmp_path)
    left_out = shutil.ignore_patterns("*.so", "*.pyd")
    shutil.copytree(ROOT / "puzzlekit", tmp_path / "puzzlekit", ignore=left_out)
    engine = tmp_path / "puzzlekit" / "engine"
    for module in MODULES:  # of an earlier build
        (engine / f"{module}{EXTENSION_SUFFIXES[0]}").touch()
    # It makes empty files of all other modules at once: what is in them does not matter here.
    compiler = tmp_path / "compiler"
    compiler.write_text(
        f'#!/bin/sh\ncase "$*" in *engine/{name}.c*) exit 1;; esac\n'
        'while [ "$1" != -o ]; do shift; done\n: >"$2"\n'
    )
    compiler.chmod(0o755)
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path,
        env=os.environ | {"CC": str(compiler)},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    assert f"puzzlekit.engine.{name} cannot be compiled" in built.stdout + built.stderr
    assert missing(str(engine)) == list(MODULES)
    assert not list((tmp_path / "build").rglob(f"*{EXTENSION_SUFFIXES[0]}"))
