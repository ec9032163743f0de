"""`puzzlekit new`: what it writes installs, solves and passes its tests, or nothing is written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from puzzlekit import UsageError
from puzzlekit.cli import main
from puzzlekit_authoring import template
from puzzlekit_authoring.template import KINDS, write_plugin

FILES = {
    ".github/workflows/check.yml",
    ".gitignore",
    "README.md",
    "pyproject.toml",
    "puzzlekit_loops/__init__.py",
    "puzzlekit_loops/py.typed",
    "tests/test_loops.py",
}

Run = Callable[..., str]


def write(kind: str, directory: Path) -> Path:
    """A package as the command writes it."""
    made = directory / "loops"
    asked = ["new", "loops", "--directory", str(made), "--title", "Two loops (O'Beirne's)"]
    asked += ["--kind", kind]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert f"pip install -e '{made}[test]'" in done.output
    return made


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package of one kind. The lane `plugins` of the Makefile installs and tests each kind."""
    return write("twisty", tmp_path_factory.mktemp("new"))


@pytest.fixture(scope="module")
def run(written: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run Python with the package installed beside what the tests use."""
    place = tmp_path_factory.mktemp("installed")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(place), *sys.path])}

    def python(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            env=environment,
            cwd=place,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    offline = "--no-build-isolation", "--no-deps", "--no-index", "--quiet"
    python("-m", "pip", "install", *offline, "--target", str(place), str(written))
    return python


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written(kind: str, tmp_path: Path) -> None:
    written = write(kind, tmp_path)
    made = {path.relative_to(written).as_posix() for path in written.rglob("*") if path.is_file()}
    assert made == FILES
    for name in FILES:
        text = (written / name).read_text(encoding="utf-8")
        assert "$" not in text.replace("$ ", "").replace("${{", "") and "rings" not in text.replace(
            "two rings", ""
        )


@pytest.mark.slow
def test_it_installs_and_solves(run: Run) -> None:
    shown = run("-m", "puzzlekit", "solve", "--puzzle", "loops", KINDS["twisty"].scramble)
    assert "solution  B R' L U'\n" in shown and "(optimal in TURNS)" in shown
    assert "Two loops (O'Beirne's)" in run("-m", "puzzlekit", "puzzles")


@pytest.mark.slow
def test_it_passes_its_own_tests(run: Run, written: Path) -> None:
    shown = run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(written))
    assert " passed" in shown and " failed" not in shown


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cube2", "there is a puzzle cube2 already"),
        ("cubes", "there is a module puzzlekit_cubes already"),
        *((name, "is not possible: a name") for name in ("", "2x2", "Rings", "a-b", "a__b", "é")),
        ("a" * 41, "is not possible: a name"),
        ("../up", "is not possible: a name"),
        ("Dino Cube", "has at most 40 characters; write dino_cube"),
    ],
)
def test_names_that_cannot_be(name: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=words):
        write_plugin(name, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_kinds_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no kind 'magic' of puzzle; the kinds are twisty, beads"):
        write_plugin("loops", tmp_path / "new", kind="magic")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ["", " ", 'a "b"', "a\\b", "a\nb", "x" * 61])
def test_titles_that_cannot_be(title: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a title is one line"):
        write_plugin("loops", tmp_path / "new", title)
    assert list(tmp_path.iterdir()) == []


def test_directories_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "leads-nowhere").symlink_to(tmp_path / "nowhere")
    for name in ("kept", "leads-nowhere"):
        with pytest.raises(UsageError, match="exists already"):
            write_plugin("loops", tmp_path / name)
    with pytest.raises(UsageError, match="there is no directory"):
        write_plugin("loops", tmp_path / "none" / "new")
    done = CliRunner().invoke(main, ["new", "loops", "--directory", str(tmp_path / "kept")])
    assert done.exit_code == 2 and "exists already" in done.output


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(template.Path, "write_text", full)
    with pytest.raises(OSError, match="no space"):
        write_plugin("loops", tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_the_directory_is_named_after_the_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = write_plugin("two_loops")
    assert made.directory == Path("puzzlekit-two-loops") and made.directory.is_dir()
    text = (made.directory / "pyproject.toml").read_text()
    assert 'name = "puzzlekit-two-loops"' in text and 'two_loops = "puzzlekit_two_loops"' in text
    module = made.directory / "puzzlekit_two_loops" / "__init__.py"
    assert module in made.files and module.read_text().startswith('"""Two loops: a puzzle')
