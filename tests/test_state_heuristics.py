"""Heuristics that read the state: their estimates, the searches that use them, and their errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import attrs
import numpy as np
import pytest
from bundled import COMPILED
from pancakes import example

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Heuristic,
    Max,
    Method,
    Optimal,
    Puzzle,
    SearchOptions,
    Sequential,
    Solver,
    UsageError,
)
from puzzlekit.search.estimates import heuristic_fault
from puzzlekit.search.options import table_keys
from puzzlekit_authoring.run import run_checks
from puzzlekit_beam import WithFallback

EIGHT = puzzlekit.load("eight")
FAR = "8 6 7 2 5 4 3 0 1"  # 31 moves


@pytest.fixture(scope="module")
def page() -> Iterator[ModuleType]:
    with example() as module:
        yield module


@pytest.fixture(scope="module")
def pancakes(page: ModuleType) -> Solver:
    puzzle = page.puzzle()
    (optimal,) = page.methods(puzzle)
    ordered = attrs.evolve(optimal, name="in-order", strategy=Sequential())
    safe = attrs.evolve(optimal, name="safe", strategy=WithFallback(Optimal(), "in-order"))
    return Solver(puzzle, [optimal, ordered, safe])


def distances(puzzle: Puzzle) -> dict[bytes, int]:
    """The distance of every state, breadth first."""
    found, fresh = {puzzle.solved: 0}, [puzzle.solved]
    moves = [puzzle.move(family) for family in puzzle.turns]
    for state in fresh:
        for move in moves:
            after = puzzle.apply(state, [move])
            if after not in found:
                found[after] = found[state] + 1
                fresh.append(after)
    return found


def test_the_plugin_on_the_page_finds_shortest_answers(page: ModuleType, pancakes: Solver) -> None:
    true = distances(pancakes.puzzle)
    states = np.frombuffer(b"".join(true), dtype=np.uint8).reshape(len(true), -1)
    estimates = page.Gap().estimate(pancakes.puzzle, states, np.zeros((len(true), 1), int))
    lengths = np.array(list(true.values()))
    assert len(true) == 5040 and lengths.max() == 8  # the largest number for seven pancakes
    assert (estimates <= lengths).all() and (estimates == lengths).mean() > 0.5
    nodes = {"gaps": 0, "max": 0}
    for state in random.Random(1).sample(sorted(true), 20):
        for method in ("optimal", "in-order", "safe"):
            for heuristic in (page.Gap(), Max()):
                found = pancakes.solve(state, method=method, heuristic=heuristic)
                assert (found.cost, found.optimal, found.verified) == (true[state], True, True)
                nodes[heuristic.name] += found.nodes if method == "in-order" else 0
    assert nodes == {"gaps": 1060, "max": 32160}  # as the page says


@pytest.mark.slow
def test_the_plugin_on_the_page_is_checked(
    page: ModuleType, pancakes: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert heuristic_fault(page.Gap) is None
    (entry,) = page.puzzlekit_puzzles()
    results = [each for each in run_checks(entry) if each.outcome == "failed"]
    assert results == []


@attrs.frozen
class Manhattan(Heuristic):
    """The sum of the distances of all tiles from their places, times a weight."""

    name = "manhattan"
    weight: int = 1

    @property
    def admissible(self) -> bool:  # type: ignore[override]
        return self.weight == 1

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        columns = puzzle.grid.columns if puzzle.grid is not None else 1
        home = np.argsort(np.frombuffer(puzzle.solved, dtype=np.uint8))
        places, homes = np.arange(states.shape[1]), home[states]
        away = abs(places // columns - homes // columns) + abs(places % columns - homes % columns)
        blank = puzzle.solved[-1]
        return self.weight * (away * (states != blank)).sum(axis=1)


def one_tile() -> Solver:
    """Eight with the additive tables of the method `manhattan`, but the first one only."""
    method = EIGHT.method("manhattan")
    (phase,) = method.phases
    weak = attrs.evolve(phase, tables=phase.pruning_tables[:1])
    return Solver(EIGHT.puzzle, [Method("weak", "", (weak,), method.strategy)], EIGHT.store)


def test_a_guarded_puzzle_has_the_nodes_of_its_tables() -> None:
    weak = one_tile()
    for board in ("1 8 2 0 4 3 7 6 5", "0 1 3 4 2 5 7 8 6", "4 1 3 7 2 6 5 8 0"):
        tables = EIGHT.solve(board, method="manhattan")
        read = weak.solve(board, heuristic=Manhattan())
        assert (read.cost, read.optimal, read.nodes) == (tables.cost, True, tables.nodes)
    assert weak.prepared(heuristic=Manhattan()).phases[0].estimate(
        EIGHT.puzzle, EIGHT.state(FAR)
    ) == EIGHT.prepared("manhattan").phases[0].estimate(EIGHT.puzzle, EIGHT.state(FAR))


def test_an_estimate_that_is_too_large_proves_nothing() -> None:
    weak = one_tile()
    found = weak.solve(FAR, heuristic=Manhattan(3))
    assert found.cost >= 31 and found.verified
    assert not (found.optimal or found.phases[0].optimal)
    board = "1 8 2 0 4 3 7 6 5"  # 9 moves: the estimate exceeds the limit, the answer does not
    limited = weak.solve(board, heuristic=Manhattan(3), max_length=9)
    assert (limited.cost, limited.optimal) == (9, False)


@attrs.frozen
class Distances(Heuristic):
    """The largest distance, from `estimate`."""

    name = "largest"
    admissible = True

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        assert states.dtype == np.uint8 and states.shape[1] == len(puzzle.solved)
        return distances.max(axis=1)


@pytest.mark.parametrize(("name", "method"), [("cube2", "small-tables"), ("eight", "manhattan")])
def test_distances_are_those_of_the_tables(name: str, method: str) -> None:
    solver = puzzlekit.load(name)
    scramble = "R U F2" if name == "cube2" else "1 8 2 0 4 3 7 6 5"
    usual = solver.solve(scramble, method=method, heuristic="max")
    read = solver.solve(scramble, method=method, heuristic=Distances())
    assert (str(read), read.nodes, read.optimal) == (str(usual), usual.nodes, usual.optimal)


def test_strategies_that_take_no_such_heuristic() -> None:
    cube3 = puzzlekit.load("cube3")
    if COMPILED:
        assert isinstance(cube3.prepared("two-phase", heuristic=Distances()), Sequential)
    choice = EIGHT.choose(SearchOptions("optimal", Distances()))
    assert table_keys(choice) == table_keys(EIGHT.choose(SearchOptions("optimal", Max())))


@attrs.frozen
class Wrong(Heuristic):
    """Estimates that are wrong in one way."""

    name = "wrong"
    how: str = "shape"

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        if self.how == "puzzle":
            raise UsageError(f"wrong is not for {puzzle.name}")
        if self.how == "later" and (states[0] != list(puzzle.solved)).any():
            raise KeyError("lost")
        return {"shape": states, "below": np.full(len(states), -1)}.get(self.how, distances[:, 0])


@pytest.mark.parametrize(
    ("how", "kind", "told"),
    [
        ("shape", DeclarationError, r"wrong gives an array of shape \(1, 9\) for 1 states"),
        ("below", DeclarationError, "how=below gives an estimate below 0 or above 65,535"),
        ("later", DeclarationError, "how=later fails: KeyError: 'lost'"),
        ("puzzle", UsageError, "^wrong is not for eight"),
    ],
)
def test_errors_of_a_heuristic(how: str, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        EIGHT.solve(FAR, method="manhattan", heuristic=Wrong(how))


class Nothing(Heuristic):
    name = "nothing"


def test_a_heuristic_needs_a_formula() -> None:
    assert heuristic_fault(Nothing) == "the heuristic nothing needs a method 'join' or 'estimate'"
    assert Wrong().changes(1) and Wrong().reads_state and not Max().reads_state
