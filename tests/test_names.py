"""Names of puzzles: aliases and titles in any form, and where a command takes them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

import puzzlekit
from puzzlekit import PuzzleEntry, UsageError, hookimpl
from puzzlekit.cli import main
from puzzlekit.errors import PluginError
from puzzlekit.plugins.manager import PluginManager
from puzzlekit.plugins.names import fold


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def plugin(*entries: Any) -> ModuleType:
    module = ModuleType("named_puzzles")
    module.puzzlekit_api = 2  # type: ignore[attr-defined]

    @hookimpl
    def puzzlekit_puzzles() -> Iterator[Any]:
        yield from entries

    module.puzzlekit_puzzles = puzzlekit_puzzles  # type: ignore[attr-defined]
    return module


def entry(name: str, title: str, *aliases: str) -> PuzzleEntry:
    return PuzzleEntry(name, title, lambda: pytest.fail("made"), lambda puzzle: (), aliases)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("3x3x3", "cube3"),
        ("3X3", "cube3"),
        ("333", "cube3"),
        ("3\u00d73\u00d73", "cube3"),
        ("Cube3", "cube3"),
        ("CUBE 3", "cube3"),
        ("cube-3", "cube3"),
        ("rubik", "cube3"),
        ("Rubik's Cube", "cube3"),
        ("3x3x3 cube", "cube3"),
        ("2x2", "cube2"),
        ("Pocket Cube", "cube2"),
        ("4x4", "cube4"),
        ("4x4x4 Cube", "cube4"),
        ("555", "cube5"),
        ("6x6", "cube6"),
        ("7x7x7 cube", "cube7"),
        ("Pyraminx", "pyraminx"),
        ("SKEWB", "skewb"),
        ("FTO", "fto"),
        ("Eight", "eight"),
        ("15-puzzle", "fifteen"),
        ("15 Puzzle", "fifteen"),
        ("8 puzzle", "eight"),
        ("fifteen-blank-last", "fifteen"),
        ("Fifteen, blank first", "fifteen-blank-first"),
        ("Tiles 2x3", "tiles-2x3"),
        ("TILES-2X3", "tiles-2x3"),
    ],
)
def test_usual_names_are_understood(given: str, name: str) -> None:
    assert puzzlekit.load(given) is not None
    assert puzzlekit.load(given).puzzle.name == name
    assert puzzlekit.load(given) is puzzlekit.load(name)


@pytest.mark.parametrize("given", ["", " ", "-", "x", "cube", "8x8x8", "cuve3"])
def test_other_names_are_refused(given: str) -> None:
    with pytest.raises(UsageError, match="there is no puzzle"):
        puzzlekit.load(given)


def test_a_near_miss_is_still_suggested() -> None:
    assert "did you mean cube3?" in run("show", "-p", "cuve3", "").stderr


def test_an_exact_name_comes_before_aliases_and_titles() -> None:
    manager = PluginManager()
    manager.register(plugin(entry("one", "Two", "three"), entry("two", "x", "Cube 3")), "named")
    assert manager.entry("two").name == "two"
    assert manager.entry("Three").name == "one"
    assert manager.entry("cube3").title == "3x3x3 cube"
    for several in ("TWO", "cube-3"):
        with pytest.raises(UsageError, match=r"may mean \w+ or two: use one of these names"):
            manager.entry(several)


@pytest.mark.parametrize("aliases", ["3x3", (3,), ["a", None]])
def test_aliases_that_are_no_texts_are_told(aliases: Any) -> None:
    wrong = entry("one", "One")._replace(aliases=aliases)
    with pytest.raises(PluginError, match=r"the aliases of one have to be a tuple of strings"):
        PluginManager().register(plugin(wrong), "named")


def test_folding_keeps_names_apart() -> None:
    names = ["pyraminx", "pyramin", "3x3", "33x", "x33", "tiles-3x4", "tilesx34", "cube3", "cube33"]
    assert fold("tiles-3x4") == fold("Tiles 34")
    assert len({fold(name) for name in names}) == len(names)


def test_the_first_argument_may_be_the_puzzle() -> None:
    expected = run("show", "--puzzle", "cube2", "R", "U'").output
    for line in (
        ["cube2", "R", "U'"],
        ["2x2x2", "R", "U'"],
        ["Pocket Cube", "R U'"],
        ["--", "cube2", "R", "U'"],
    ):
        assert run("show", *line).output == expected
    assert (
        run("show", "--json", "cube2", "R").output
        == run("show", "--json", "-p", "cube2", "R").output
    )
    assert run("verify", "--scramble", "R", "cube2", "R'").exit_code == 0
    wanted = run("scramble", "-p", "cube2", "--seed", "7").stdout
    assert run("scramble", "cube2", "--seed", "7").stdout == wanted
    assert run("scramble", "--seed", "333", "333").exit_code == 0


def test_without_a_puzzle_the_line_is_shown() -> None:
    found = run("solve", "R U")
    assert found.exit_code == 2
    assert "write 'puzzlekit solve --puzzle NAME ...'" in found.stderr
    # With --puzzle the first argument is never taken for another one.
    assert run("show", "--puzzle", "cube3", "cube2").exit_code == 2


@pytest.mark.slow
def test_other_commands_take_other_names(tmp_path: Path) -> None:
    known = os.environ | {"PUZZLEKIT_CACHE": str(tmp_path)}  # no other test adds tables to it

    def told(*arguments: str) -> str:
        command = [sys.executable, "-m", "puzzlekit", "tables", *arguments]
        done = subprocess.run(command, env=known, capture_output=True, text=True, check=True)
        return done.stdout

    told("build", "2x2x2", "--method", "small-tables")
    listed = told("list", "2x2x2")
    assert listed == told("list", "cube2")
    assert "cube2" in listed


def test_an_exact_name_imports_one_plugin_alone() -> None:
    """What starting up costs: others are imported for other names only."""
    code = (
        "import sys; from puzzlekit.plugins.manager import manager\n"
        "manager().entry('cube2')\n"
        "assert 'puzzlekit.plugins.names' not in sys.modules\n"
        "print(*(name for name in sys.modules if name in ('puzzlekit_cube3', 'puzzlekit_skewb')))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2x2x4", "there is no puzzle '2x2x4' (did you mean cuboid-2x2x4?)\n"),
        ("24-puzzle", "there is no puzzle '24-puzzle' (did you mean tiles-5x5?)\n"),
        ("pancake-99", "there is no puzzle 'pancake-99': stacks have 2 to 60 pancakes\n"),
        ("3x3x5", "argument (3x3x5): 'puzzlekit puzzles' lists the puzzles\n"),
    ],
)
def test_a_family_tells_what_is_wrong_with_the_first_argument(name: str, told: str) -> None:
    found = run("scramble", name)
    assert found.exit_code == 2 and told in found.stderr
