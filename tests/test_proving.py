"""Methods that prove their answers: bounds from above, parities, threads, tables along all axes."""

from __future__ import annotations

import random
import threading
from functools import cache
from typing import Any

import attrs
import pytest
from bundled import COMPILED
from engines import interpreted  # noqa: F401 (a fixture)
from helping import helped

import puzzlekit
from puzzlekit import (
    Combination,
    DeclarationError,
    Limits,
    Method,
    NoSolutionError,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    Plain,
    Progress,
    SearchOptions,
    Solver,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.directions import sides
from puzzlekit.search.limits import BoundReport
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies import bounds, tree_search
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_authoring.method_checks import reached, unpruned

CUBE2 = puzzlekit.load("cube2")
CUBE3 = puzzlekit.load("cube3")
needs_compiler = pytest.mark.skipif(not COMPILED, reason="takes too long interpreted")


@cache
def proving() -> Solver:
    """The 2x2x2 with a method that proves below what another one finds."""
    cube = CUBE2.puzzle
    orientation = Orientation("orientation", cube, "corners")
    permutation = Permutation("permutation", cube, "corners")  # of all corners: its parity is known
    turn = Phase("turn", "all corners are oriented", "U R F", (orientation,), ("orientation",))
    place = Phase(
        "place",
        "the cube is solved",
        "U R2 F2",
        (permutation,),
        ("permutation",),
        bits=8,
    )
    solve = Phase(
        "solve",
        "the cube is solved",
        "U R F",
        (orientation, permutation),
        ("orientation", "permutation"),
    )
    fixed = {"corners": "DBL"}
    return Solver(
        cube,
        [
            Method("two", "two phases", (turn, place), fixed=fixed),
            Method("proved", "below two", (solve,), Optimal(upper_bound_method="two"), fixed=fixed),
            Method("alone", "below nothing", (solve,), Optimal(), fixed=fixed),
        ],
        CUBE2.store,
    )


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("method", ["proved", "alone"])
def test_what_is_proven_is_the_shortest(method: str, metric: str) -> None:
    rng = random.Random(4)
    for _ in range(20 if COMPILED else 2):
        state = proving().random_state(rng)
        found = proving().solve(state, method=method, metric=metric)
        assert found.cost == CUBE2.solve(state, metric=metric).cost
        assert found.optimal and found.at_least == found.cost and found.verified
        assert [phase.optimal for phase in found.phases] == [True]


def test_answers_get_shorter_and_the_last_one_is_proven() -> None:
    rng = random.Random(1)
    longest = 0
    for _ in range(10 if COMPILED else 2):
        state = proving().random_state(rng)
        answers = list(proving().improve(state, method="proved"))
        lengths = [answer.cost for answer in answers]
        assert lengths == sorted(set(lengths), reverse=True)
        final = proving().solve(state, method="proved")
        assert final.optimal
        assert [length for _, length in final.improvements] == lengths
        assert list(final.improvements) == sorted(final.improvements)
        longest = max(longest, len(lengths))
    assert longest > 1  # the other method's answers were reported too


def test_an_upper_answer_that_cannot_be_shortened_needs_no_last_bound() -> None:
    state = proving().state("R2")  # both methods solve it in one move
    bounds: list[BoundReport] = []
    found = proving().solve(state, method="proved", on_bound=bounds.append)
    assert str(found) == "R2" and found.optimal
    assert not bounds  # the estimate alone proves it


def test_bounds_are_reported_in_order() -> None:
    state = CUBE2.state("R U2 F R2 U' F2 R U2 F")
    bounds: list[BoundReport] = []
    found = proving().solve(state, method="alone", on_bound=bounds.append)
    levels = [report.bound for report in bounds]
    assert levels == list(range(levels[0], found.cost))
    assert all(report.best is None and report.nodes > 0 for report in bounds)
    assert all(report.seconds > 0 and report.next_seconds > 0 for report in bounds)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("method", ["proved", "alone"])
def test_progress_is_told_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, method: str, threads: int
) -> None:
    monkeypatch.setattr(bounds, "_OFTEN", 0.0)
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    state = CUBE2.state("R U2 F R2 U' F2 R U2 F R' U")
    told: list[Progress] = []
    found = proving().solve(state, method=method, threads=threads, on_progress=told.append)
    assert told and found.optimal
    for news in told:
        assert 0 <= news.share <= 1.000001 and news.nodes >= 0 and news.bound_seconds >= 0
        assert news.at_least <= found.cost and news.bound <= found.cost
    if threads == 1:
        shares = [news.share for news in told if news.bound == told[-1].bound]
        assert shares == sorted(shares)
        unwatched = proving().solve(state, method=method)
        assert (unwatched.nodes, unwatched.moves) == (found.nodes, found.moves)


def test_bounds_of_the_wrong_parity_are_left_out() -> None:
    chain = proving().prepared("alone", metric="QTM")
    assert isinstance(chain, Optimal)
    rng = random.Random(2)
    for _ in range(5 if COMPILED else 1):
        state = chain.normal(proving().random_state(rng))
        bounds: list[BoundReport] = []
        found = proving().solve(state, method="alone", metric="QTM", on_bound=bounds.append)
        assert chain.parity(state) == found.cost % 2
        assert {report.bound % 2 for report in bounds} <= {found.cost % 2}
    # Half turns are even permutations of odd cost: in HTM nothing is known.
    other = proving().prepared("alone", metric="HTM")
    assert isinstance(other, Optimal) and other.parity(CUBE2.puzzle.solved) is None


def test_no_parity_is_taken_from_a_goal_that_leaves_it_open() -> None:
    cube = CUBE2.puzzle
    top = Permutation("top", cube, "corners", "ULB UBR URF UFL")
    phase = Phase("top", "the top is in place", "U R F", (top,), ("top",))
    chain = Optimal().prepared(Plan(cube, (phase,), cube.metric("QTM"), CUBE2.store))
    assert isinstance(chain, Optimal)
    assert chain.parity(cube.solved) is None


def test_threads_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    rng = random.Random(3)
    for _ in range(8 if COMPILED else 1):
        state = proving().random_state(rng)
        one = proving().solve(state, method="alone")
        two = proving().solve(state, method="alone", threads=3)
        assert one.cost == two.cost and two.optimal and two.verified
    with pytest.raises(NoSolutionError):
        longest = CUBE2.solve(state).cost - 1
        proving().solve(state, method="alone", threads=2, max_length=longest)


@needs_compiler
@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_threads_find_nothing_beyond_the_bound(
    monkeypatch: pytest.MonkeyPatch, metric: str
) -> None:
    """Some subtrees begin where more than the bound is left to go, or behind a short answer."""
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    puzzle = CUBE2.puzzle
    moves = puzzle.family_moves("URF")
    for first in moves:
        for path in ([first], [first, moves[0], moves[4]], [first, moves[8], moves[3], moves[1]]):
            state = puzzle.apply(puzzle.solved, path)
            one, two = (
                proving().solve(state, method="alone", metric=metric, threads=n) for n in (1, 2)
            )
            assert one.cost == two.cost


def test_threads_stop_at_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    state = CUBE2.state("R U2 F R2 U' F2 R U2 F R' U")
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(NoSolutionError, match="cancelled"):
        proving().solve(state, method="alone", threads=2, cancel=cancel)
    with pytest.raises(NoSolutionError, match="nodes"):
        proving().solve(state, method="alone", threads=2, max_nodes=10)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_other_processes_find_the_same(monkeypatch: pytest.MonkeyPatch, metric: str) -> None:
    monkeypatch.setattr(tree_search, "_HELPED_FROM", 0)
    rng = random.Random(5)
    for _ in range(6):
        state = proving().random_state(rng)
        known = CUBE2.solve(state, metric=metric).cost
        for method in ("alone", "proved"):
            options = SearchOptions(method, metric=metric)
            found = helped(proving(), state, options, Limits())
            assert (found.cost, found.optimal, found.at_least) == (known, True, known)
        alone = SearchOptions("alone", metric=metric)
        with pytest.raises(NoSolutionError, match="there is no solution"):
            helped(proving(), state, alone, Limits(max_length=known - 1))
        with pytest.raises(NoSolutionError, match="nodes"):
            helped(proving(), state, alone, Limits(max_nodes=10))


def test_errors_in_threads_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    monkeypatch.setattr(tree_search.Budget, "run", fail)
    with pytest.raises(ZeroDivisionError):
        proving().solve(CUBE2.state("R U F"), method="alone", threads=2)


def test_a_limit_leaves_what_is_known() -> None:
    state = CUBE2.state("R U2 F R2 U' F2 R U2 F R' U")
    best = CUBE2.solve(state).cost
    found = [
        proving().solve(state, method="proved", max_nodes=nodes) for nodes in (3000, 3000, 10**9)
    ]
    assert found[0].moves == found[1].moves and found[0].nodes == found[1].nodes
    assert found[0].at_least == found[1].at_least <= best <= found[0].cost
    assert found[2].optimal and found[2].cost == best


def test_a_solution_may_not_cost_more_than_asked() -> None:
    state = CUBE2.state("R U2 F R2 U' F2 R U2 F")
    best = CUBE2.solve(state).cost
    assert proving().solve(state, method="proved", max_length=best).cost == best
    with pytest.raises(NoSolutionError, match=f"^there is no solution of at most {best - 1} HTM"):
        proving().solve(state, method="proved", max_length=best - 1)


def test_a_solved_puzzle_needs_nothing() -> None:
    found = proving().solve("x y", method="proved")
    assert found.moves == () and found.optimal and found.at_least == 0


def test_all_solutions_are_listed_without_naming_a_method() -> None:
    assert proving().catalogue.listing_method == "proved"
    state = CUBE2.state("R U R'")
    listed = [str(each) for each in proving().solutions(state, max_length=6)]
    assert sorted(listed) == sorted(str(each) for each in CUBE2.solutions(state, max_length=6))


def test_heuristics_that_prove_nothing_end_the_proving() -> None:
    found = proving().solve("R U F R2 U", method="proved", heuristic="sum")
    assert not found.optimal and found.verified


@pytest.mark.parametrize(
    ("method", "strategy", "problem"),
    [
        ("two", Optimal(), "exactly one phase"),
        ("alone", Optimal(upper_bound_share=0.0), "upper_bound_share above 0"),
    ],
)
def test_declarations_that_cannot_be(method: str, strategy: Optimal, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        Method("wrong", "wrong", proving().method(method).phases, strategy)


# --- turned phases -------------------------------------------------------------------------------


@cache
def turned(raised: bool = True) -> Any:
    """A phase of the 3x3x3 that looks for the middle edges and the layers along all axes."""
    cube = CUBE3.puzzle
    middle = Combination("slice", cube, "edges", "BL BR FR FL")
    classes = SymCoordinate("slices", cube, "edges", (middle,), classes=45, symmetries=16)
    twist = Orientation("twist", cube, "corners")
    phase = Phase(
        "solve",
        "solved",
        "U R F D L B",
        (classes, twist, Permutation("corners", cube, "corners")),
        (Modulo3("slices twist") if raised else Plain("slices twist", 8),),
        turned=True,
    )
    return CompiledPhase(Plan(cube, (phase,), cube.metric("HTM"), CUBE3.store), phase)


def test_a_turned_phase_sees_as_many_sides_as_there_are() -> None:
    parts = turned()
    assert len(parts.sides) == 3 and len(parts.tables) == 3
    # Two coordinates along three axes, and what no table reads only once.
    assert len(parts.coordinates) == 7
    assert parts.carried  # that one is ranked at candidates for the goal
    assert len(list(sides(CUBE3.puzzle, turned().moves))) == 24


def test_an_estimate_is_the_raised_maximum_over_all_sides() -> None:
    phase, cube = turned(), CUBE3.puzzle
    plain = Phase(
        "plain", "oriented", "U R F D L B", phase.phase.coordinates[:2], ("slices twist",)
    )
    one = CompiledPhase(Plan(cube, (plain,), cube.metric("HTM"), CUBE3.store), plain)
    rng = random.Random(6)
    equal = 0
    for _ in range(300 if COMPILED else 30):
        state = CUBE3.random_state(rng)
        seen = [side.see(cube, state) for side in phase.sides]
        distances = [one.estimate(cube, each) for each in seen]
        same = len(set(distances)) == 1
        equal += same
        assert phase.estimate(cube, state) == max(distances) + same
    assert equal > 10


def test_a_raised_estimate_is_admissible() -> None:
    phase, cube = turned(), CUBE3.puzzle
    costs = [1] * len(phase.moves)
    depth = 3 if COMPILED else 2
    near = reached(cube, phase.moves, costs, depth, unpruned(phase.moves, cube))
    estimates = {state: phase.estimate(cube, state) for state in near}
    assert all(estimates[state] <= distance for state, distance in near.items())
    assert any(estimates[state] == distance == depth for state, distance in near.items())


def test_equal_distances_are_not_raised_where_a_move_changes_all_goals() -> None:
    parts = turned()
    values = parts.ranks(CUBE3.puzzle.solved)
    space = turned().space
    assert space.keeps_goals(values)
    # Along one axis alone a turn of F keeps no goal.
    from puzzlekit.engine.space import Space

    alone = Space(
        turned().costs,
        turned().automaton,
        parts.coordinates,
        parts.tables[:1],
        carry=parts.carry,
        solved=values,
    )
    assert not alone.keeps_goals(values)
    state = CUBE3.random_state(1)
    seen = parts.ranks(state), parts.vector(state)
    assert alone.estimate(*seen) <= space.estimate(*seen)


def test_a_turned_phase_is_over_one_sym_coordinate() -> None:
    cube = CUBE3.puzzle
    twist = Orientation("twist", cube, "corners")
    phase = Phase("solve", "solved", "U R F D L B", (twist,), ("twist",), turned=True)
    with pytest.raises(DeclarationError, match="the same sym coordinate"):
        CompiledPhase(Plan(cube, (phase,), cube.metric("HTM"), CUBE3.store), phase)


@pytest.mark.slow
@needs_compiler
def test_short_scrambles_of_cube3_are_proven() -> None:
    rng = random.Random(9)
    for length in (1, 2, 5, 9, 12):
        scramble = " ".join(
            rng.choice("URF"[i % 3 :]) + rng.choice(("", "2", "'")) for i in range(length)
        )
        found = CUBE3.solve(scramble, method="optimal")
        assert found.optimal and found.cost <= length
        # The same in the inverse, seen from elsewhere.
        inverse = CUBE3.puzzle.invert(CUBE3.state(scramble))
        assert CUBE3.solve(inverse, method="optimal").cost == found.cost


@pytest.mark.slow
@needs_compiler
def test_cube3_is_proven_in_qtm_too() -> None:
    found = CUBE3.solve("R U2 F' L D2", method="optimal", metric="QTM", threads=2)
    assert found.optimal and found.cost == 7


@pytest.mark.slow
@needs_compiler
def test_all_solutions_of_cube3_up_to_a_length() -> None:
    # Of a turn: itself undone, and nothing else that is as short as four moves.
    assert [str(each) for each in CUBE3.solutions("R U", max_length=4)] == ["U' R'"]
    found = [str(each) for each in CUBE3.solutions("R U R' U'", max_length=8)]
    assert found[0] == "U R U' R'" and len(found) == len(set(found)) == 3
    for each in found:
        assert CUBE3.puzzle.is_solved(CUBE3.state(f"R U R' U' {each}"))


# --- what cannot be ------------------------------------------------------------------------------


def test_an_upper_method_has_to_be_there_and_prove_nothing() -> None:
    alone = proving().method("alone")
    for upper in ("nothing", "alone"):
        method = attrs.evolve(alone, strategy=Optimal(upper_bound_method=upper))
        with pytest.raises(DeclarationError, match=f"uses the method '{upper}', but"):
            Solver(CUBE2.puzzle, [method], CUBE2.store)


def test_an_upper_method_sees_the_state_as_it_fixes_it() -> None:
    proved = attrs.evolve(proving().method("proved"), fixed={"corners": "URF"})
    phases = tuple(attrs.evolve(phase, moves="D L B") for phase in proved.phases)
    proved = attrs.evolve(proved, phases=phases)
    solver = Solver(CUBE2.puzzle, [proved, proving().method("two")], CUBE2.store)
    for seed in range(5 if COMPILED else 1):
        state = CUBE2.random_state(seed)
        found = solver.solve(state, method="proved")
        assert found.optimal and found.cost == CUBE2.solve(state).cost


def test_where_nothing_is_left_to_search_the_search_ends() -> None:
    phase = attrs.evolve(proving().method("alone").phases[0], moves="U")
    method = attrs.evolve(proving().method("alone"), phases=(phase,))
    solver = Solver(CUBE2.puzzle, [method], CUBE2.store)
    with pytest.raises(NoSolutionError):  # without any limit
        solver.solve("R")
    assert solver.solve("U2").optimal


def test_a_proven_phase_has_no_view() -> None:
    view = puzzlekit.load("cube4").method().phases[-1]
    with pytest.raises(DeclarationError, match="cannot have a view"):
        Method("wrong", "wrong", (view,), Optimal())


def test_a_turned_phase_is_searched_with_max_only() -> None:
    with pytest.raises(puzzlekit.UsageError, match="only with the heuristic max"):
        CUBE3.prepared("optimal", heuristic="sum")


def test_threads_that_cannot_be_started_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    started: list[threading.Thread] = []

    def start(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        begin(thread)

    begin = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(puzzlekit.PuzzlekitError, match="3 threads cannot be started"):
        proving().solve("R U F R2 U F2 R U", method="alone", threads=3)
    assert not started[0].is_alive()
