"""Homes that are not there, and things in the cache that are no files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from puzzlekit.cli import main
from puzzlekit.errors import TableError
from puzzlekit.tables.files import default_cache_directory
from puzzlekit.tables.store import TableStore, TableWarning
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    from conftest import Run

KEY = TableSpec("cube3", "some table", "source", "u1", (100,), "Tests places.")


@pytest.mark.skipif(sys.platform == "win32", reason="homes are known otherwise there")
def test_without_a_home_nothing_is_made_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pwd

    def nobody(_: object) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    monkeypatch.setattr(pwd, "getpwnam", nobody)
    for name in ("HOME", "PUZZLEKIT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    assert default_cache_directory() in ("/.cache/puzzlekit", "/Library/Caches/puzzlekit")
    for chosen in ("~", "~/tables", "~nobody-of-this-name/tables"):
        monkeypatch.setenv("PUZZLEKIT_CACHE", chosen)
        with pytest.raises(TableError, match=r"PUZZLEKIT_CACHE is '~.*has no home directory"):
            TableStore()
    monkeypatch.setenv("PUZZLEKIT_CACHE", "./~")
    assert default_cache_directory() == str(tmp_path / "~")


def test_a_home_that_is_not_known_is_told(run: Run) -> None:
    done = run("solve", "--puzzle", "cube2", "R", PUZZLEKIT_CACHE="~nobody-of-this-name/x")
    assert done.returncode == 4
    assert done.stderr.startswith("error: PUZZLEKIT_CACHE is '~nobody-of-this-name/x'")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("suffix", ["", ".lock", ".owner", ".0123abcd.tmp"])
def test_a_pipe_in_the_cache_is_not_read(cache: Path, run: Run, suffix: str) -> None:
    path = Path(TableStore().path(KEY) + suffix)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    listed = CliRunner().invoke(main, ["tables", "list"])
    assert (listed.exit_code, "it is not a file" in listed.stdout) == (0, not suffix)
    assert run("tables", "verify").returncode == (0 if suffix else 4)
    if suffix:
        assert TableStore().get(KEY, lambda: bytes(100)).source == "built"
    else:
        with pytest.warns(TableWarning, match="it is not a file"):
            assert TableStore().get(KEY, lambda: bytes(100)).source == "built"
    assert CliRunner().invoke(main, ["tables", "clear"]).exit_code == 0
    assert not list(cache.glob("**/*.*"))
