"""Solutions, solvers and errors survive pickling."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from functools import cache
from pathlib import Path

import pytest
from answers import METHODS

import puzzlekit
from puzzlekit import (
    DeclarationError,
    NoSolutionError,
    NotationError,
    PuzzlekitError,
    Solver,
    StateError,
    UsageError,
)
from puzzlekit.errors import PluginError, TableError
from puzzlekit.plugins import manager


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "method"), METHODS)
def test_solutions_survive_pickling(puzzle: str, method: str) -> None:
    solution = puzzlekit.load(puzzle).solve("R U F2", method=method)
    copy = pickle.loads(pickle.dumps(solution))
    assert copy == solution and copy is not solution
    assert (str(copy), copy.phases) == (str(solution), solution.phases)
    assert copy != solution.evolve(lengths={}) and hash(copy) == hash(solution)
    assert copy.to_json() == solution.to_json()


def test_a_pickled_solver_is_what_it_was_loaded_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cube2 = puzzlekit.load("cube2")
    assert pickle.loads(pickle.dumps(cube2)) is cube2
    make, (name, root) = cube2.__reduce__()
    assert (name, root) == ("cube2", cube2.store.root)
    elsewhere = make(name, str(tmp_path))
    assert elsewhere.store.root == str(tmp_path)
    assert pickle.loads(pickle.dumps(elsewhere)) is elsewhere
    monkeypatch.setattr(manager, "load", cache(manager.load.__wrapped__))  # loaded again
    assert pickle.loads(pickle.dumps(cube2)) is manager.load("cube2")
    made = Solver(cube2.puzzle, cube2.methods)
    with pytest.raises(pickle.PicklingError, match="this solver of cube2 was made from its parts"):
        pickle.dumps(made)


@pytest.mark.slow
def test_a_spawned_pool_solves_with_a_pickled_solver() -> None:
    solver = puzzlekit.load("cube2")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (found,) = pool.starmap(Solver.solve, [(solver, "R U")])
    record = json.loads(found.to_json())
    assert found.cost == 2 and record["verified"]
    assert record["state"] == solver.positions.to_facelets(found.state)


@pytest.mark.parametrize(
    "error",
    [
        PuzzlekitError("something"),
        NoSolutionError("no solution of at most 2 moves"),
        UsageError("there is no method"),
        NotationError("not a move", text="R Q", token="Q", column=3, hint="faces"),
        StateError(["edge UF is flipped", "corner URF is missing"]),
        DeclarationError("contradiction"),
        PluginError("broken"),
        TableError("no memory"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: PuzzlekitError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
