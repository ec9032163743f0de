"""The first answers do not wait for the method of phases, which is derived behind them."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import puzzlekit_definitions
import puzzlekit_universal
from puzzlekit import DeclarationError, Method, Puzzle, TableStore, universal_method
from puzzlekit.cli import main
from puzzlekit.tables.store import Watcher
from puzzlekit.tables.table import TableSpec
from puzzlekit_definitions import DefinedSolver, derive_phases, load, phases
from puzzlekit_universal import Universal

FILE = Path(__file__).parents[2] / "examples" / "definitions" / "pyraminx.tws"


def refused(*_: object, **__: object) -> None:
    raise DeclarationError("no method of one phase")


@pytest.fixture
def derived(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that each search for a method may take; a short search does not find it."""
    asked: list[float] = []

    def tried(
        puzzle: Puzzle, store: Any, memory: int, drawn: Any, seconds: float, *_: object
    ) -> tuple[Method, float]:
        asked.append(seconds)
        if seconds < 100:
            raise phases.NotYet
        return derive_phases(puzzle, ("U L R B", "U L"), 1_000_000), 0.0

    quick = Universal(seconds=0.1, effort=10_000, starts=1)  # which proves nothing
    monkeypatch.setattr(load, "universal_method", lambda puzzle: universal_method(puzzle, quick))
    monkeypatch.setattr(load, "derive", refused)
    monkeypatch.setattr(load, "tried_phases", tried)
    return asked


def loaded(tmp_path: Path) -> DefinedSolver:
    return puzzlekit_definitions.load_definition(FILE, store=TableStore(str(tmp_path)))


@pytest.mark.slow
def test_the_first_answer_does_not_wait(derived: list[float], tmp_path: Path) -> None:
    solver = loaded(tmp_path)
    assert [method.name for method in solver.methods] == ["phases", "universal"]
    answers = solver.improve(solver.random_state(1))
    assert next(answers).verified and len(derived) == 1
    for answer in answers:
        assert answer.verified
    assert len(derived) == 2


@pytest.mark.slow
def test_a_search_with_a_limit_does_not_wait(derived: list[float], tmp_path: Path) -> None:
    solver = loaded(tmp_path)
    assert solver.solve(solver.random_state(2), max_nodes=100_000).verified
    assert len(derived) == 1


@pytest.mark.slow
@pytest.mark.parametrize("prepared", [False, True])
def test_a_search_that_is_cancelled_keeps_its_answers(
    derived: list[float], tmp_path: Path, prepared: bool
) -> None:
    solver, cancel = loaded(tmp_path), threading.Event()
    if prepared:
        solver.prepared()
    answers = solver.improve(solver.random_state(1), cancel=cancel)
    found = [next(answers)]
    cancel.set()
    found += answers
    assert found[-1].verified and len(derived) == 1 + prepared


@pytest.mark.slow
@pytest.mark.skipif(not phases.COMPILED, reason="without the compiled engine, no phases are tried")
def test_a_derivation_ends_when_it_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = Universal(seconds=0.1, effort=10_000, starts=1)
    monkeypatch.setattr(load, "universal_method", lambda puzzle: universal_method(puzzle, quick))
    monkeypatch.setattr(load, "derive", refused)
    monkeypatch.setattr(load, "_AT_ONCE", 0.0)
    search, cancel, told = phases.SubgroupChain.search, threading.Event(), []

    def cancelled(chain: Any, rng: Any, changes: int, tell: Any) -> Any:
        def heard(share: float) -> None:
            cancel.set()
            told.append(share)
            tell(share)

        return search(chain, rng, changes, heard if load._AT_ONCE else tell)

    monkeypatch.setattr(phases.SubgroupChain, "search", cancelled)
    solver = loaded(tmp_path)
    answers = solver.improve(solver.random_state(1), cancel=cancel)
    assert next(answers).verified
    monkeypatch.setattr(load, "_AT_ONCE", 1.0)  # from now on, the search is cancelled
    assert all(answer.verified for answer in answers) and len(told) == 1
    assert solver.methods[0].strategy.later.is_made is False
    monkeypatch.setattr(phases.SubgroupChain, "search", search)
    assert [*solver.improve(solver.random_state(1))][-1].verified
    assert solver.methods[0].strategy.later.is_made


def test_a_search_that_waits_for_the_method_ends_when_it_is_cancelled(
    derived: list[float], tmp_path: Path
) -> None:
    later, cancel = loaded(tmp_path).methods[0].strategy.later, threading.Event()
    cancel.set()
    with later._lock, pytest.raises(phases.NotYet):
        later.solver(None, cancel)
    assert not later.is_made


@pytest.mark.slow
def test_a_prepared_method_is_derived_once(derived: list[float], tmp_path: Path) -> None:
    solver = loaded(tmp_path)
    solver.prepared()
    assert len(derived) == 2
    for seed in range(3):
        state = solver.random_state(seed)
        assert solver.solve(state, max_nodes=1_000_000).verified
    assert solver.solve("U R", max_nodes=1_000_000).cost == 2
    assert len(derived) == 2


@pytest.mark.slow
def test_building_the_tables_of_a_file_derives_its_method(derived: list[float]) -> None:
    assert CliRunner().invoke(main, ["tables", "build", str(FILE)]).exit_code == 0
    assert len(derived) == 2


def test_a_short_search_in_vain_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, store = loaded(tmp_path), TableStore(str(tmp_path))
    given = solver.puzzle, store, 1_000_000, solver.reach.random_state
    if not phases.COMPILED:
        pytest.skip("without the compiled engine, no phases are tried")
    with pytest.raises(phases.NotYet):
        phases.tried_phases(*given, 0.0)

    def fail(*_: object) -> None:
        raise AssertionError("the search is remembered")

    monkeypatch.setattr(phases.SubgroupChain, "search", fail)
    with pytest.raises(phases.NotYet):
        phases.tried_phases(*given, 5.0)


def test_a_short_search_ends_builds_that_take_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, store = loaded(tmp_path), TableStore(str(tmp_path / "own"))
    given = solver.puzzle, store, 1_000_000, solver.reach.random_state
    if not phases.COMPILED:
        pytest.skip("without the compiled engine, no phases are tried")
    now = [0.0]
    monkeypatch.setattr(phases, "process_time", lambda: now[0])
    chain = [" ".join(solver.puzzle.turns), "U R"]
    monkeypatch.setattr(phases.SubgroupChain, "search", lambda *_: chain)

    built = []

    class Slow(Watcher):
        def begun(self, key: TableSpec) -> None:
            now[0] += 100.0 * (key.name != phases.CHAIN)

        def built(self, key: TableSpec) -> None:
            built.append(key.name)

    with store.watched(Slow()), pytest.raises(phases.NotYet):
        phases.tried_phases(*given, 50.0)
    assert all("takes long" in name for name in built)


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [False, True])
def test_tables_for_proofs_are_built_after_the_first_answer(
    at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once they are in the store, nothing else comes before the proving method.

    The first answers come from phases if these are derived at once.
    """
    quick = Universal(seconds=0.01, effort=10_000, starts=1)  # which proves nothing
    monkeypatch.setattr(load, "universal_method", lambda puzzle: universal_method(puzzle, quick))
    monkeypatch.setattr(load, "_AT_ONCE", 0.0)
    if at_once:
        monkeypatch.setattr(
            load,
            "tried_phases",
            lambda puzzle, *_: (derive_phases(puzzle, ("U L R B", "U L"), 1_000_000), 0.0),
        )
        alone = partial(puzzlekit_universal.NearFirst, nodes=0)  # which proves nothing
        monkeypatch.setattr(puzzlekit_universal, "NearFirst", alone)
    solver, memory = loaded(tmp_path), 30_000
    state = solver.random_state(1)
    least = solver.solve(state).cost
    for name in ("soon", "optimal"):
        less = puzzlekit_definitions.load_definition(FILE, memory=memory, store=solver.store)
        assert less.methods[0].name == name
        found = less.solve(state)
        assert (found.cost, found.optimal) == (least, True)
