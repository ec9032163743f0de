"""Scrambles without tables, and what `tables clear --stale` leaves alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

import puzzlekit
from puzzlekit.cli import main
from puzzlekit.plugins.manager import load


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache in which nothing is yet, and puzzles that are loaded with it."""
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "cache"))
    load.cache_clear()
    yield tmp_path / "cache"
    load.cache_clear()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize("puzzle", ["cube4", "kilominx"])
def test_the_first_scramble_waits_for_no_large_tables(puzzle: str, cache: Path) -> None:
    found = run("scramble", "-p", puzzle, "--count", "3")
    assert found.exit_code == 0
    assert not list(cache.rglob("*.*"))
    assert found.stderr.startswith("these scrambles are 100 random moves each: ")
    assert f"which 'puzzlekit tables build {puzzle}' builds" in found.stderr
    assert found.stderr.count("\n") == 1
    solver = puzzlekit.load(puzzle)
    lines = found.stdout.splitlines()
    assert len(set(lines)) == 3
    for line in lines:
        moves = solver.puzzle.moves(line)
        assert len(moves) == 100
        assert not solver.puzzle.is_solved(solver.state(line))
        families = [move.family for move in moves]
        undone = {"U": "D", "D": "U", "L": "R", "R": "L"} if puzzle == "fifteen" else {}
        assert all(undone.get(one, one) != other for one, other in pairwise(families))


@pytest.mark.slow
def test_small_tables_are_built_and_the_states_are_random(cache: Path) -> None:
    found = run("scramble", "-p", "eight", "--json", "--seed", "4", "--count", "2")
    assert list(cache.rglob("*.*"))
    schema = json.loads((files("puzzlekit.schema") / "scramble.schema.json").read_text())
    solver = puzzlekit.load("eight")
    for line in found.stdout.splitlines():
        record = json.loads(line)
        jsonschema.validate(record, schema)
        assert record["random_state"] is True
        assert record["scramble"] == " ".join(record["moves"])
        assert record["state"] == solver.positions.to_facelets(solver.state(record["scramble"]))
    assert (
        run("scramble", "-p", "eight", "--seed", "4").stdout.strip()
        == json.loads(found.stdout.splitlines()[0])["scramble"]
    )
    record = json.loads(run("scramble", "-p", "cube4", "--json").stdout)
    jsonschema.validate(record, schema)
    assert record["random_state"] is False


@pytest.mark.slow
@pytest.mark.usefixtures("own_files")
def test_stale_tables_are_those_of_another_version(cache: Path, tmp_path: Path) -> None:
    machine = tmp_path / "own.toml"
    machine.write_text('arms = [["R", "L"], ["F"]]\nturns = ["2"]')
    # A machine of one's own.
    run("solve", "-p", "cube2", "R2 F2", "--method", "small-tables", "--metric", str(machine))
    own = {path.name for path in cache.rglob("*.npy")}
    assert any("steps" in name for name in own)
    assert "removed 0 tables" in run("tables", "clear", "--stale").output
    assert {path.name for path in cache.rglob("*.npy")} == own
    run("solve", "-p", "cube2", "R2 F2", "--method", "small-tables")
    both = {path.name for path in cache.rglob("*.npy")}
    version = f"'version': '{puzzlekit.__version__}'".encode()
    for path in cache.rglob("*.npy"):
        data = path.read_bytes()
        assert version in data
        path.write_bytes(data.replace(version, version.replace(b"0.", b"9.", 1), 1))
    assert "removed 0 tables" not in run("tables", "clear", "--stale").output
    left = {path.name for path in cache.rglob("*.npy")}
    assert left and left < both  # methods use them whichever version built them
    assert not any("steps" in name for name in left)
    listed = json.loads(run("tables", "list", "--json").stdout)
    assert {Path(each["path"]).name for each in listed["tables"]} == left
