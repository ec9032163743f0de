"""Strategies of plugins: found by name, and in every role that a bundled strategy can have."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pytest
from beads import BEADS, HOME, STORE, TOP, WHOLE, phase

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Limits,
    Method,
    Optimal,
    SearchOptions,
    Sequential,
    Solver,
    UsageError,
    universal_method,
)
from puzzlekit.plugins.manager import manager
from puzzlekit.search.strategies.named import Named
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit_beam import Beam, WithFallback
from puzzlekit_twophase import Anytime

CUBE2 = puzzlekit.load("cube2")
SCRAMBLE = "R U2 F R' U F2 R"
PHASES = (
    HOME,
    phase("up", "U R F", (TOP,), "top", goal_moves="U R2 F2"),
    phase("finish", "U R2 F2", (WHOLE,), "whole"),
)


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The example plugin, registered as in a notebook."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "outside"))
    module = importlib.import_module("puzzlekit_echo")
    plugins = manager()
    plugins.register(module, "echo")
    yield module
    plugins.plugins[:] = [each for each in plugins.plugins if each.name != "echo"]
    plugins._pluggy.unregister(name="echo")
    del sys.modules["puzzlekit_echo"]


def solver(strategy: Strategy, *more: Method) -> Solver:
    """The 2x2x2 with the phase of `optimal`, searched by a strategy."""
    method = attrs.evolve(CUBE2.method("optimal"), name="own", strategy=strategy)
    return Solver(CUBE2.puzzle, [method, *more], CUBE2.store)


def test_it_is_found_by_its_name(echo: ModuleType) -> None:
    named = Named("echo", "echo", {"strategy": Sequential(choices=3)})
    assert named.found() == echo.Echo(Sequential(choices=3))
    solution = solver(named).solve(SCRAMBLE)
    assert solution.verified and solution.optimal
    with pytest.raises(DeclarationError, match=r"options of the strategy echo: .*'nothing'"):
        Named("echo", "echo", {"nothing": 1}).found()
    with pytest.raises(DeclarationError, match="choices must be 1 or more"):
        solver(Named("echo", "echo", {"strategy": Sequential(choices=0)})).solve(SCRAMBLE)


def test_a_method_of_a_missing_plugin_is_refused_and_the_others_work() -> None:
    lost = attrs.evolve(CUBE2.method("optimal"), name="lost", strategy=Named("lost", "gone"))
    both = solver(Sequential(), lost)
    assert both.solve(SCRAMBLE).verified
    with pytest.raises(UsageError, match=r"'lost' comes from the plugin gone, .*WITHOUT"):
        both.solve(SCRAMBLE, method="lost")


def test_it_may_have_a_fallback_and_be_one(echo: ModuleType) -> None:
    other = attrs.evolve(CUBE2.method("optimal"), name="other", strategy=echo.Echo())
    both = solver(WithFallback(echo.Echo(Optimal()), fallback="other"), other)
    assert both.solve(SCRAMBLE).length == CUBE2.solve(SCRAMBLE).length


def test_it_may_be_the_finish_of_a_beam(echo: ModuleType) -> None:
    lengths = []
    for finish in (Anytime(), echo.Echo(Anytime())):
        method = Method("beam", "", PHASES, Beam(shares=(0.5,), finish=finish))
        found = Solver(BEADS, [method], STORE).solve("U R F R2 U F", max_nodes=2_000_000)
        lengths.append((found.length, found.nodes))
    assert lengths[0] == lengths[1]
    with pytest.raises(DeclarationError, match="Echo cannot be the finish of a beam"):
        Method("beam", "", PHASES, Beam(shares=(0.5,), finish=echo.Echo(Sequential())))


def test_it_may_be_compared(echo: ModuleType) -> None:
    from puzzlekit_lab import Case
    from puzzlekit_lab.measurement import measure

    runs = []
    for strategy in (Sequential(), echo.Echo()):
        tables = ("orientation", "permutation")
        phase = attrs.evolve(CUBE2.method("optimal").phases[0], tables=tables)
        own = attrs.evolve(CUBE2.method("optimal"), phases=(phase,), name="own", strategy=strategy)
        case = Case(Solver(CUBE2.puzzle, [own], CUBE2.store), "own", stored=False)
        runs.append(measure(case, "max", "whole", 1, 0, Limits()))
    assert runs[0] is not None and runs[1] is not None
    assert (runs[0].moves, runs[0].generated) == (runs[1].moves, runs[1].generated)


def test_processes_may_share_its_search(echo: ModuleType) -> None:
    from puzzlekit_batch.stream import check_shared

    shared = solver(echo.Echo(Optimal()))
    choice = shared.choose(SearchOptions("own"))
    check_shared(choice)
    ready: Any = shared.make_ready(choice)
    state = ready.normal(shared.state("R U"))
    report = ready.subtrees(state).search_subtree(2, 0, 0, Limits())
    assert report.finished and report.path is not None and len(report.path) == 2
    with pytest.raises(UsageError, match="cannot share the search of one position by own"):
        check_shared(solver(Sequential()).choose(SearchOptions("own")))


def test_the_universal_method_names_its_strategy() -> None:
    method = universal_method(CUBE2.puzzle)
    assert isinstance(method.strategy, Named) and method.strategy.plugin == "universal"
