"""Methods whose goal is part of the puzzle are refused by name, never an internal error."""

from __future__ import annotations

from typing import Any

import pytest
from bundled import METHODS

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    DeclarationError,
    Method,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    PuzzlekitError,
    Sequential,
    Solver,
)
from puzzlekit.search.strategies.candidate import PhaseMoves
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit_authoring.method_checks import check_whole
from puzzlekit_twophase import Anytime

CUBE3 = puzzlekit.load("cube3")
CUBE2 = puzzlekit.load("cube2")
CENTERS = {"centers": "U R F D L B"}
ALL = "U R F D L B"
CROSS = "DB DR DF DL"


def solver(*coordinates: Coordinate, moves: str = ALL, **changes: Any) -> Solver:
    """The 3x3x3 with a method `cross` of one phase."""
    names = tuple(each.name for each in coordinates)
    phase = Phase("cross", "four edges are solved", moves, coordinates, names)
    method = Method("cross", "a part of it", (phase,), fixed=CENTERS, **changes)
    return Solver(CUBE3.puzzle, [method], CUBE3.store)


def of_edges(strategy: Strategy) -> Solver:
    cube = CUBE3.puzzle
    return solver(Permutation("cross", cube, "edges", CROSS), strategy=strategy)


@pytest.mark.parametrize("strategy", [Sequential(), Optimal()], ids=str)
def test_a_cross_alone_is_refused_before_anything_is_built(strategy: Strategy) -> None:
    with pytest.raises(DeclarationError) as refused:
        check_whole(of_edges(strategy).choose().plan)
    assert str(refused.value) == (
        "method cross of cube3 does not solve the puzzle: its goal holds after U from the solved "
        "state, but the corners at ULB UBR URF UFL and the edges at UB UR UF UL are not solved. "
        "Give its last phase, cross, coordinates that include these pieces, or add a phase that "
        "solves them"
    )


def test_what_several_phases_leave_open_together() -> None:
    cube = CUBE2.puzzle
    turned = Orientation("turned", cube, "corners")
    top = Combination("top", cube, "corners", "ULB UBR URF UFL")
    first = Phase("turn", "all turned", "U R F", (turned,), ("turned",), goal_moves="U R2 F2")
    second = Phase("layers", "each in its layer", "U R2 F2", (top,), ("top",))
    how: dict[str, Any] = {"fixed": {"corners": "DBL"}}
    for strategy in (Sequential(), Anytime()):
        method = Method("half", "", (first, second), strategy, **how)
        half = Solver(cube, [method], CUBE2.store)
        with pytest.raises(DeclarationError, match=r"method half of cube2 .* the goals of its"):
            check_whole(half.choose().plan)
        with pytest.raises(DeclarationError, match=r"method half of cube2 .* the goals of its"):
            half.solve("R U F2 R U' F R2 U")  # the answer is replayed


def test_what_only_an_answer_shows_is_the_fault_of_the_method() -> None:
    """Its moves twist no corner, and its coordinates tell no twist: a scramble may."""
    cube = CUBE3.puzzle
    places = Permutation("corners", cube, "corners")
    middle = Permutation("middle", cube, "edges", "BL BR FR FL", "BL BR FR FL")
    outer = "UB UR UF UL DB DR DF DL"
    edges = Permutation("edges", cube, "edges", outer, outer)
    twisted = solver(places, middle, edges, moves="U D R2 F2 L2 B2")
    assert twisted.solve("U R2 D").verified
    with pytest.raises(DeclarationError, match=r"method cross of cube3 .* the corners") as told:
        twisted.solve("R U R' U R U2 R' L' U' L U' L' U2 L")  # three corners twisted
    assert "internal error" not in str(told.value)


def test_what_is_no_fault_of_the_goal_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that leads elsewhere than to the goal: as where a table is damaged."""
    chain = CUBE2.prepared()
    found = chain.candidate([PhaseMoves(0, CUBE2.puzzle.moves("R"))], True, chain.no_counts)
    monkeypatch.setattr(type(chain), "search", lambda *_: iter([found]))
    with pytest.raises(PuzzlekitError, match="internal error: method 'optimal'") as told:
        CUBE2.solve("U F")
    assert not isinstance(told.value, DeclarationError)


@pytest.mark.parametrize(("puzzle", "method"), METHODS)
def test_no_bundled_method_is_refused(puzzle: str, method: str) -> None:
    loaded = puzzlekit.load(puzzle)
    check_whole(loaded.method(method).plan(loaded.puzzle, loaded.metric(method)))
