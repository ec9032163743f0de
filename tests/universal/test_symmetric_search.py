"""States that symmetries map to themselves: fewer subtrees, the same shortest answers."""

from __future__ import annotations

from functools import cache

import attrs
import pytest
from bundled import COMPILED
from four_corners import CASES, FAMILIES, distances
from test_proving import CUBE2, CUBE3, needs_compiler

import puzzlekit
from puzzlekit import Method, Optimal, SearchOptions, Solver
from puzzlekit.search.budget import Budget
from puzzlekit.search.limits import Limits
from puzzlekit.search.strategies import tree_search
from puzzlekit.search.strategies.bounds import BoundTask, BoundWork
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.search.strategies.tree_search import TreeSearch
from puzzlekit_universal import shifted_words
from puzzlekit_universal.state_symmetries import StateSymmetries
from puzzlekit_universal.symmetric_search import SymmetricSearch, symmetric_search

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
# States that a reflection maps to themselves.
SYMMETRIC = ("", "U2 F2 R2 F2", "F U F2 U' R'")


@cache
def chain(solver: Solver, method: str, metric: str | None = None) -> SinglePhase:
    found = solver.make_ready(solver.choose(SearchOptions(method, metric=metric)))
    assert isinstance(found, SinglePhase)
    return found


def search_of(
    solver: Solver, method: str, state: bytes, metric: str | None = None
) -> SymmetricSearch | None:
    starts = chain(solver, method, metric).namings(state)
    return symmetric_search(solver.puzzle, chain(solver, method, metric).phases[0], starts)


def answer(search: TreeSearch, bound: int) -> tuple[list[int] | None, int]:
    """An answer that costs the bound, and the nodes of all."""
    work = BoundWork()
    found = next(search.search(BoundTask(bound, 0, Budget(Limits())), work), None)
    assert work.finished
    return found, work.generated


@cache
def solver_of(name: str) -> Solver:
    return CASES[name].solver()


@pytest.mark.parametrize("name", ["eight", "four"])
def test_symmetric_states_have_their_distance(name: str) -> None:
    """Also the state with every bead flipped, which commutes with every move.

    Moves of "eight" replace each other, so answers cannot be shifted there.
    """
    solver, known = solver_of(name), distances(name)
    solved, states = solver.puzzle.solved, list(known)[:: 61 if COMPILED else 997]
    flipped = solved[:12] + bytes((each + 1) % 2 for each in solved[12:])
    shifted = getattr(search_of(solver, "one", flipped), "_shifted", None)
    assert (shifted is not None) == (name == "four")
    for state in (flipped, *states):
        search = search_of(solver, "one", state)
        for bound in range(known[state] + 1) if search is not None else ():
            path, _ = answer(search, bound)
            assert (path is not None) == (bound == known[state]), (state, bound)
            moves = [solver.puzzle.family_moves("ABCDE")[n] for n in path or ()]
            assert path is None or solver.puzzle.apply(state, moves) == solved


@pytest.mark.parametrize(
    ("moves", "states", "length"),
    [(FAMILIES, 5_000, 2), ("A' B' C' D' E", 10_000, 3), ("A' B' C' D' E", 10, None)],
)
def test_a_state_that_commutes_with_every_move_is_proven(
    moves: str, states: int, length: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if some moves have no inverse, and with shorter words for many moves."""
    monkeypatch.setattr(shifted_words, "_STATES", states)
    puzzle = CASES["four"].puzzle
    phase = attrs.evolve(solver_of("four").method("one").phases[0], moves=moves)
    solver = Solver(puzzle, [Method("one", "", (phase,), Optimal())])
    level, known = {puzzle.solved}, 0
    flipped = puzzle.solved[:12] + b"\1\1\1\1"
    while flipped not in level:
        every = puzzle.named_moves(moves)
        level, known = {puzzle.apply(each, [move]) for each in level for move in every}, known + 1
    search = search_of(solver, "one", flipped)
    assert search is not None
    shifted = search._shifted
    assert length == (None if shifted is None else len(shifted[1][0].path))
    for bound in range(known + 1):
        assert (answer(search, bound)[0] is not None) == (bound == known)


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("scramble", SYMMETRIC)
def test_symmetric_states_of_the_2x2x2_are_proven(scramble: str, metric: str) -> None:
    state = CUBE2.state(scramble)
    known = CUBE2.solve(state, method="optimal", metric=metric)
    search = search_of(CUBE2, "optimal", state, metric)
    assert search is not None
    for bound in range(known.cost + 1):
        assert (answer(search, bound)[0] is not None) == (bound == known.cost)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_service_searches_when_a_bound_has_many_nodes(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_search, "_SYMMETRIC_FROM", 0)
    asked: list[int] = []
    usual = SymmetricSearch.search
    monkeypatch.setattr(SymmetricSearch, "search", lambda *given: asked.append(1) or usual(*given))
    solver, known = solver_of("eight"), distances("eight")
    state = next(each for each in known if known[each] == 4 and search_of(solver, "one", each))
    found = solver.solve(state, method="one", threads=threads)
    assert (found.cost, found.optimal) == (4, True) and asked


@pytest.mark.slow
@needs_compiler
def test_the_superflip_of_the_3x3x3_takes_a_hundredth_of_the_nodes() -> None:
    phase = chain(CUBE3, "optimal").phases[0]
    state = CUBE3.state(SUPERFLIP)
    plain = TreeSearch(CUBE3.puzzle, phase, [state])
    search = search_of(CUBE3, "optimal", state)
    assert search is not None
    (none, every), (one, few) = answer(plain, 13), answer(search, 13)
    assert none is one is None
    assert few * 100 < every


@pytest.mark.slow
@needs_compiler
def test_states_without_symmetries_are_searched_as_before() -> None:
    assert search_of(CUBE3, "optimal", CUBE3.state("R U F2 L D' B U2 R' F")) is None


def test_pieces_that_look_alike_leave_the_identity() -> None:
    fto = puzzlekit.load("fto").puzzle
    moves = fto.family_moves(fto.families)
    state = fto.apply(fto.solved, moves[:9])
    assert StateSymmetries(fto, moves).of(state) == [range(len(moves))]
