"""An answer of `universal` on stderr before tables that take long."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import puzzlekit
from puzzlekit import Limits, Solution, Solver
from puzzlekit.cli import main
from puzzlekit.search.options import missing_tables
from puzzlekit.search.solver import LONG
from puzzlekit.tables.store import TableStore


@pytest.mark.slow
def test_an_early_answer_comes_before_long_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    monkeypatch.setattr("puzzlekit.search.solver.SOME", 1e9)  # no quick answers
    cube = puzzlekit.load("cube2")
    for number, text in enumerate(["R U2 F R' U F' R U' F2 R", "R U"]):
        store = TableStore(str(tmp_path / str(number)))
        solver = Solver(cube.puzzle, [cube.method("optimal")], store)
        monkeypatch.setattr("puzzlekit.cli.options.load_puzzle", lambda *_, made=solver: made)
        found = CliRunner().invoke(main, ["solve", "-p", "cube2", text, "--json"])
        answer = json.loads(found.stdout)
        first = [line for line in found.stderr.splitlines() if "a first answer, before" in line]
        assert answer["optimal"]
        assert answer["method"] == ("universal" if text == "R U" else "optimal")
        assert len(first) == (number == 0)
        assert bool(missing_tables(solver.choose())) == (number == 1)
        if first:
            moves = first[0].partition("built: ")[2].partition("  //")[0]
            solved = cube.puzzle.apply(cube.state(text), cube.puzzle.moves(moves))
            assert cube.puzzle.is_solved(solved)


@pytest.mark.slow
def test_a_random_state_has_an_early_answer_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    monkeypatch.setattr("puzzlekit.search.solver.SOME", 1e9)
    cube = puzzlekit.load("cube2")
    solver = Solver(cube.puzzle, [cube.method("optimal")], TableStore(str(tmp_path)))
    monkeypatch.setattr("puzzlekit.cli.options.load_puzzle", lambda *_: solver)
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "--random", "--seed", "4"])
    assert "a first answer, before tables are built: " in found.stderr


@pytest.mark.parametrize("name", ["cube3", "fto", "redi"])
def test_a_few_moves_are_undone_before_tables_of_seconds_are_built(
    name: str, tmp_path: Path
) -> None:
    known = puzzlekit.load(name)
    solver = Solver(known.puzzle, known.methods, TableStore(str(tmp_path)))
    found = solver.solve("R L' B")
    assert found.length == 3 and found.optimal
    assert missing_tables(solver.choose()) and not any(tmp_path.rglob("*distance*"))


@pytest.mark.parametrize("name", ["fto", "redi", "kilominx", "cuboid-3x3x4"])
def test_tables_of_several_seconds_come_after_an_early_answer(name: str, tmp_path: Path) -> None:
    known = puzzlekit.load(name)
    choice = Solver(known.puzzle, known.methods, TableStore(str(tmp_path))).choose()
    assert sum(key.seconds for key in missing_tables(choice)) > LONG


@pytest.mark.slow
def test_an_early_answer_keeps_the_limit_of_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    cube = puzzlekit.load("cube2")
    solver = Solver(cube.puzzle, [cube.method("optimal")], TableStore(str(tmp_path)))
    found = solver.early(solver.random_state(4), solver.choose(), Limits(max_nodes=100_000))
    assert found is not None and found.nodes < 200_000


def test_an_interrupt_gives_the_early_answer_if_it_is_the_better_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlekit.search.solver.LONG", 0.0)
    monkeypatch.setattr("puzzlekit.search.solver.SOME", 1e9)
    cube = puzzlekit.load("cube2")
    solver = Solver(cube.puzzle, [cube.method("optimal")], TableStore(str(tmp_path)))
    few = cube.solve("R U2 F").evolve(optimal=False)
    more = cube.solve("R U2 F R' U F' R U' F2 R")

    def search(_: object, *given: object, on_answer: Callable[[Solution], None]) -> Solution:
        on_answer(more)
        raise KeyboardInterrupt

    monkeypatch.setattr(Solver, "early", lambda *_: few)
    monkeypatch.setattr(Solver, "search", search)
    monkeypatch.setattr("puzzlekit.cli.options.load_puzzle", lambda *_: solver)
    found = CliRunner().invoke(main, ["solve", "-p", "cube2", "R U2 F", "--json"])
    assert found.exit_code == 130
    assert json.loads(found.stdout)["length"] == few.cost < more.cost
