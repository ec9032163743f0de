"""Every reader is given every file of the corpus: an error that names what is wrong, or an answer.

The files are damaged in all ways that were ever found to matter, or could. A new one is put into
`corpus`, and all readers meet it.
"""

from __future__ import annotations

import shutil
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from puzzlekit.cli import main
from puzzlekit.tables.store import TableStore

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
EXAMPLES = Path(__file__).parents[2] / "examples" / "definitions"
CODES = {0, 1, 2, 3, 4}  # as docs/cli.md has them


def command(*arguments: str | Path, text: str | None = None) -> None:
    """Run a command in this process; it ends with one of its exit codes, and says why."""
    done = CliRunner().invoke(main, [*map(str, arguments)], input=text)
    trace = "".join(traceback.format_exception(done.exception)) if done.exception else ""
    assert done.exit_code in CODES, trace
    assert "internal error" not in done.output and "Traceback" not in done.output, done.output
    assert done.exit_code == 0 or "error: " in done.stderr or done.exit_code == 1


def definition(kind: str) -> Callable[[Path, Path], None]:
    def read(file: Path, directory: Path) -> None:
        copy = shutil.copy(file, directory / f"given.{kind}")
        command("solve", "--puzzle", copy, "-o", "max-nodes=1000", "R")

    return read


def defined_state(name: str) -> Callable[[Path, Path], None]:
    return lambda file, _: command("check", "--puzzle", EXAMPLES / name, "--state", file)


def machine(file: Path, directory: Path) -> None:
    copy = shutil.copy(file, directory / "given.toml")
    command("solve", "--puzzle", "pyraminx", "--metric", copy, "-o", "max-nodes=1000", "R")


def lines(file: Path, _: Path) -> None:
    command("batch", "--puzzle", "pyraminx", "-o", "max-nodes=1000", "--input", file)


def stdin(file: Path, _: Path) -> None:
    text = file.read_bytes().decode("utf-8", "replace")
    command("batch", "--puzzle", "pyraminx", "-o", "max-nodes=1000", "--input", "-", text=text)


def argument(*before: str) -> Callable[[Path, Path], None]:
    def read(file: Path, _: Path) -> None:
        command(*before, file.read_bytes().decode("utf-8", "replace"))

    return read


def journal(file: Path, directory: Path) -> None:
    shutil.copy(file, directory / "runs.jsonl")
    compared = ("compare", "--puzzle", "pyraminx", "--heuristic", "max", "--count", "1")
    asked = (*compared, "--max-nodes", "100", "--no-quality", "--jobs", "1", "--output", directory)
    with pytest.MonkeyPatch.context() as patch:  # no plots, which take a second a file
        patch.setitem(sys.modules, "matplotlib", None)
        command(*asked)


def table(file: Path, directory: Path) -> None:
    """Every table of a puzzle is replaced by the file, which is never believed."""
    store = TableStore(str(directory))
    place = directory / "v1" / "pyraminx"
    place.mkdir(parents=True)
    for name in ("given-0123456789abcdef0123456789abcdef.npy", "small.tables"):
        shutil.copy(file, place / name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert [problem for _, problem in store.verify() if problem is None] == []
            assert len(store.clear()) == (file.stat().st_size > 0 or name != "small.tables")


READERS: dict[str, Callable[[Path, Path], None]] = {
    "tws": definition("tws"),
    "def": definition("def"),
    "json": definition("json"),
    "gap": definition("gap"),
    "csv": definition("csv"),
    "tws state": defined_state("pyraminx.tws"),
    "def state": defined_state("skewb.def"),
    "json state": defined_state("cube3.json"),
    "machine": machine,
    "lines": lines,
    "stdin": stdin,
    "scramble": argument("check", "--puzzle", "cube3", "--"),
    "facelets": argument("check", "--puzzle", "cube3", "--state"),
    "vectors": argument("check", "--puzzle", "cube3", "--state"),
    "coordinates": argument("check", "--puzzle", "cube2", "--state"),
    "heuristic": argument("solve", "--puzzle", "pyraminx", "R", "--option"),
    "journal": journal,
    "table": table,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.filterwarnings("ignore")
def test_every_file(reader: str, tmp_path: Path) -> None:
    for number, file in enumerate(CORPUS):
        directory = tmp_path / str(number)
        directory.mkdir()
        try:
            READERS[reader](file, directory)
        except BaseException as error:
            error.add_note(f"the file is {file.name}")
            raise
