"""Tables whose data were altered while size and time of the file stayed as they were."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import puzzlekit
from puzzlekit.errors import NoSolutionError
from puzzlekit.search.solver import Solver
from puzzlekit.tables import table as checks
from puzzlekit.tables.store import TableStore, TableWarning
from puzzlekit.tables.table import TableSpec

if TYPE_CHECKING:
    from conftest import Run

CLAIMS = 60
DEAR = 1e-9  # seconds of CPU time that the process pretends to have taken


def fresh(puzzle: str = "cube2") -> Solver:
    """A solver that has opened no table yet."""
    known = puzzlekit.load(puzzle)
    return Solver(known.puzzle, known.methods)


def start_of_data(contents: bytes) -> int:
    return 10 + int.from_bytes(contents[8:10], "little")


def alter(path: Path, change: Callable[[bytearray, int], None]) -> None:
    """Change the data of a table; the size and the time of the file stay."""
    status = path.stat()
    contents = bytearray(path.read_bytes())
    change(contents, start_of_data(contents))
    other = path.with_suffix(".new")  # in place would reach those who have it open
    other.write_bytes(contents)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def put(path: Path, data: bytes) -> None:
    """Begin the data of a table with these, of which there may be more than there is room for."""

    def change(contents: bytearray, start: int) -> None:
        room = memoryview(contents)[start:]
        room[: len(data)] = data[: len(room)]

    alter(path, change)


def flip(path: Path, bits: int) -> None:
    chance = random.Random(bits)

    def change(contents: bytearray, start: int) -> None:
        for _ in range(bits):
            contents[chance.randrange(start, len(contents))] ^= 1 << chance.randrange(8)

    alter(path, change)


def table(cache: Path, name: str, puzzle: str = "cube2") -> Path:
    (path,) = cache.glob(f"v1/{puzzle}/{name}-*.npy")
    return path


def lengths(solver: Solver, count: int, method: str | None = None) -> list[tuple[int, int, bool]]:
    chance = random.Random(3)
    found = [solver.solve(solver.random_state(chance), method=method) for _ in range(count)]
    return [(each.cost, each.at_least, each.optimal) for each in found]


@pytest.mark.parametrize("bits", [1, 200, 20_000])
def test_no_false_claim_of_the_optimum(cache: Path, bits: int) -> None:
    expected = lengths(fresh(), CLAIMS)
    path = table(cache, "permutation-x-orientation-distance-htm")
    flip(path, bits)
    with pytest.warns(TableWarning, match=str(path)) as caught:
        assert lengths(fresh(), CLAIMS) == expected
    assert len(caught) == 1
    assert [problem for _, problem in TableStore().verify() if problem] == []


@pytest.mark.usefixtures("own_files")
def test_tables_that_fail_to_load_are_built_anew(cache: Path) -> None:
    expected = lengths(fresh(), 3)
    path = table(cache, "permutation-moves")
    alter(
        path, lambda contents, start: contents.__setitem__(slice(start, start + 40), b"\xff" * 40)
    )
    with pytest.warns(TableWarning, match=str(path)):
        assert lengths(fresh(), 3) == expected


@pytest.mark.parametrize("limits", [{"max_nodes": 10**5}, {"timeout": 20.0}])
def test_no_solution_where_there_is_one(cache: Path, limits: dict[str, float]) -> None:
    fresh().prepared()
    path = table(cache, "permutation-x-orientation-distance-htm")
    # Codes are distances modulo 3: all alike, no descent leads anywhere.
    alter(
        path,
        lambda contents, start: contents.__setitem__(
            slice(start, None), bytes(len(contents) - start)
        ),
    )
    with pytest.warns(TableWarning, match=str(path)):
        assert fresh().solve("R U F2 R", **limits).cost == 4


def test_the_command_warns_and_answers(run: Run, cache: Path) -> None:
    fresh().prepared()
    path = table(cache, "permutation-x-orientation-distance-htm")
    flip(path, 200_000)
    done = run("solve", "--puzzle", "cube2", "R U2 F' R2 U F R'")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("warning") == 1 and str(path) in done.stderr
    good = run("solve", "--puzzle", "cube2", "R U2 F' R2 U F R'")
    assert good.stderr == ""
    assert good.stdout.split("\n")[0] == done.stdout.split("\n")[0]


@pytest.mark.usefixtures("own_files")
def test_nothing_is_built_from_damaged_tables(cache: Path) -> None:
    fresh().prepared()
    path = table(cache, "permutation-x-orientation-distance-htm")
    good = path.read_bytes()
    path.unlink()
    moves = table(cache, "permutation-moves")
    put(moves, bytes([7, 0]))
    with pytest.warns(TableWarning, match=str(moves)):
        fresh().prepared()
    again = path.read_bytes()
    assert again[start_of_data(again) :] == good[start_of_data(good) :]


@pytest.mark.usefixtures("own_files")
def test_verify_marks_what_is_damaged(run: Run, cache: Path) -> None:
    fresh().prepared()
    path = table(cache, "orientation-moves")
    flip(path, 1)
    assert run("tables", "verify").returncode == 4
    with pytest.warns(TableWarning, match=str(path)):
        fresh().prepared()
    assert run("tables", "verify").returncode == 0


def test_a_check_holds_for_some_time_only(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = fresh()
    expected = lengths(solver, 20)
    path = table(cache, "permutation-x-orientation-distance-htm")
    with open(path, "r+b") as file:  # as a disk that fails does to those who have it open
        file.seek(5000)
        file.write(bytes(1_000_000))
    monkeypatch.setattr(checks, "LATELY", 0.0)
    with pytest.warns(TableWarning, match=str(path)):
        assert lengths(solver, 20) == expected


@pytest.mark.usefixtures("own_files")
def test_dear_checks_are_put_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = TableSpec("cube2", "powers", "2**n", "u1", (4,), "Tests checks.")
    TableStore().get(key, lambda: bytes([1, 2, 4, 8]))
    flip(Path(TableStore().path(key)), 1)
    store = TableStore()
    opened = store.get(key, lambda: bytes(4))
    with monkeypatch.context() as patch:
        patch.setattr(time, "process_time", lambda: DEAR)
        assert store.check([opened], sparing=True) == []
    assert store.check([opened], sparing=True) == [opened]
    with pytest.warns(TableWarning, match="wrong checksum"):
        assert store.get(key, lambda: bytes([1, 2, 4, 8])).source == "built"


def test_a_damaged_table_that_cannot_be_replaced(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = lengths(fresh(), 5)
    path = table(cache, "permutation-x-orientation-distance-htm")
    flip(path, 20_000)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    for name in ("utime", "replace"):
        monkeypatch.setattr(os, name, refuse)
    with pytest.warns(TableWarning) as caught:
        assert lengths(fresh(), 5) == expected
    assert ["wrong checksum" in str(each.message) for each in caught] == [True, False]
    assert "Read-only file system" in str(caught[1].message)


def test_that_there_is_none_is_claimed_by_sound_tables(cache: Path) -> None:
    fresh().prepared()
    flip(table(cache, "permutation-x-orientation-distance-htm"), 200_000)
    with (
        pytest.warns(TableWarning, match="wrong checksum"),
        pytest.raises(NoSolutionError, match="at most 3"),
    ):
        fresh().solve("R U F2 R", max_length=3)


def test_every_solution_is_listed_once(cache: Path) -> None:
    def listed() -> list[str]:
        return [str(each) for each in fresh().solutions("R U F", max_length=8)]

    expected = listed()
    assert len({len(each.split()) for each in expected}) > 1
    flip(table(cache, "permutation-x-orientation-distance-htm"), 20_000)
    with pytest.warns(TableWarning, match="wrong checksum"):
        assert sorted(listed()) == sorted(expected)


@pytest.mark.long
@pytest.mark.parametrize("bits", [200, 20_000, 200_000])
@pytest.mark.parametrize(("puzzle", "method"), [("cube2", "optimal"), ("cube3", "two-phase")])
def test_many_claims(cache: Path, puzzle: str, method: str, bits: int) -> None:
    solver = fresh(puzzle)
    chance = random.Random(bits)
    turns = [face + amount for face in "URF" for amount in ("", "2", "'")]
    scrambles = [" ".join(chance.choices(turns, k=chance.randint(3, 12))) for _ in range(400)]
    expected = [solver.solve(each, method=method, max_nodes=10**6).cost for each in scrambles]
    paths = sorted(cache.glob("v1/*/*distance*.npy"))
    for path in paths:
        flip(path, bits // len(paths))
    solver = fresh(puzzle)
    with pytest.warns(TableWarning, match="wrong checksum"):
        for scramble, length in zip(scrambles, expected, strict=True):
            found = solver.solve(scramble, method=method, max_nodes=10**6)
            assert found.at_least <= length and (found.cost == length or not found.optimal)
