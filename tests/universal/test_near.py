"""The search from both ends: what it finds, what it proves, and when it takes the place of IDA*."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from bundled import COMPILED
from engines import plain
from test_proving import CUBE2, CUBE3, needs_compiler, proving

import puzzlekit
from puzzlekit import Limits, Method, Optimal, Orientation, Permutation, Phase, Solver
from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.puzzle.move import compose
from puzzlekit.search.resolved import Plan
from puzzlekit.search.strategies import short_answers
from puzzlekit.search.strategies.bounds import _NEAR, Bounds
from puzzlekit.search.strategies.candidate import Candidate, PhaseMoves
from puzzlekit.search.strategies.short_answers import ShortAnswers
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit.search.universal import universal_method
from puzzlekit_authoring.engines import installed
from puzzlekit_universal import NearFirst, NearWalk, near_first, near_search
from puzzlekit_universal.near_search import NearBound, NearStates

engine = installed()


@pytest.fixture
def near_chosen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the bounds that are searched from both ends."""
    searched: list[int] = []
    usual = NearBound.search

    def search(self: NearBound, task: Any, work: Any) -> Any:
        searched.append(task.bound)
        return usual(self, task, work)

    monkeypatch.setattr(NearBound, "search", search)
    return searched


@pytest.fixture
def near_only(monkeypatch: pytest.MonkeyPatch, near_chosen: list[int]) -> list[int]:
    """Search every bound from both ends, and return a list that gets these bounds."""
    monkeypatch.setattr(Bounds, "is_near", property(lambda self: self._near is not None))
    return near_chosen


def near_states(solver: Solver, method: str, metric: str | None = None) -> NearStates:
    chain = solver.make_ready(solver.choose(puzzlekit.SearchOptions(method, metric=metric)))
    found = near_search.near_states(solver.puzzle, chain.phases[0])
    assert found is not None
    return found


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_both_ends_prove_what_one_end_proves(near_only: list[int], metric: str) -> None:
    rng = random.Random(4)
    for _ in range(10 if COMPILED else 1):
        state = proving().puzzle.apply(
            CUBE2.puzzle.solved, rng.choices(CUBE2.puzzle.family_moves("URF"), k=8)
        )
        found = proving().solve(state, method="alone", metric=metric)
        assert found.cost == CUBE2.solve(state, metric=metric).cost
        assert found.optimal and found.verified
    assert near_only


def every(solver: Solver, state: bytes, method: str, metric: str, most: int) -> list[str]:
    choice = {"method": method, "metric": metric}
    return [str(each) for each in solver.solutions(state, max_length=most, **choice)]


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("scramble", ["", "U", "R U", "R U R' F2", "U R2 F U'"])
def test_both_ends_list_what_one_end_lists(
    monkeypatch: pytest.MonkeyPatch, scramble: str, metric: str
) -> None:
    state, most = CUBE2.state(scramble), 6 if COMPILED else 4
    alone = every(proving(), state, "alone", metric, most)
    monkeypatch.setattr(Bounds, "is_near", property(lambda self: self._near is not None))
    assert sorted(every(proving(), state, "alone", metric, most)) == sorted(alone)


def two_moves() -> Solver:
    """The 2x2x2 with a phase that has only the moves R and U."""
    cube = CUBE2.puzzle
    orientation = Orientation("orientation", cube, "corners")
    permutation = Permutation("permutation", cube, "corners")
    tables = ("orientation", "permutation")
    solve = Phase("solve", "the cube is solved", "R U", (orientation, permutation), tables)
    return Solver(cube, [Method("two", "R and U", (solve,), Optimal())], CUBE2.store)


def test_only_the_moves_of_the_phase_are_in_answers(near_only: list[int]) -> None:
    found = [str(each) for each in two_moves().solutions("R U", max_length=5)]
    assert found == ["U' R'"] and near_only == [2, 3, 4, 5]


def test_a_piece_that_no_move_brings_home_leaves_no_answer(near_only: list[int]) -> None:
    """The corners DBL and DLF keep their places. The other corners are solved."""
    cube = CUBE2.puzzle
    state = bytearray(cube.solved)
    dbl, dlf = (cube.bytes_at({"corners": name})[0] for name in ("DBL", "DLF"))
    state[dbl], state[dlf] = state[dlf], state[dbl]
    near = near_states(two_moves(), "two")
    assert near.bounds([bytes(state)])._starts == []
    assert near.codes(bytes(state)) == near.goal


def test_one_end_is_kept_where_its_nodes_are_few_unknown_or_shared() -> None:
    chain = proving().make_ready(proving().choose(puzzlekit.SearchOptions("alone")))
    assert isinstance(chain, SinglePhase)
    for threads, last, growth, is_near in [
        (1, 999_999, 10.0, False),  # after a small bound the prediction is worth little
        (1, 4_000_000, 1.0, True),
        (8, 4_000_000, 1.0, False),  # one thread searches from both ends
        (8, 40_000_000, 1.0, True),
    ]:
        bounds = chain.bounds(CUBE2.state("R U2 F"), puzzlekit.Limits(threads=threads))
        bounds.bound, bounds._last, bounds._growth = 14, last, growth
        assert bounds._near is not None and 1_000_000 < _NEAR * bounds._near.nodes(14) < 4_000_000
        assert bounds.is_near == is_near
        assert (bounds.likely < last * growth) == is_near


@pytest.mark.parametrize(("free", "most"), [(None, 68), (10**9, 125), (0, 0)])
def test_a_table_takes_a_share_of_the_free_memory(
    monkeypatch: pytest.MonkeyPatch, free: int | None, most: int
) -> None:
    monkeypatch.setattr(near_search, "available_memory", lambda: free)
    usual = near_states(proving(), "alone")
    near = NearStates(usual.puzzle, usual.moves, usual.costs)
    room = list(map(near_search._nbytes, near._behind))
    assert room[0] == 64 and all(nbytes <= most * 10**6 for nbytes in room[1:])
    assert near.best(9, -1)[0] < 10**9


# --- the engine ----------------------------------------------------------------------------------


def paths(
    made: Any, near: NearStates, codes: bytes, bound: int, radius: int, room: int = 10_000
) -> list[Any]:
    """Return the paths, and the numbers of nodes of both searches."""
    forward, back = (
        made.NearMoves(*near.inputs(moves, automaton)) for moves, automaton in near.directions
    )
    table = made.NearTable(radius, room)
    filling = made.NearSearch(back, table, near.goal)
    filling.fill()
    while (status := filling.run(300)) != EXHAUSTED:
        assert status != FOUND
    search = made.NearSearch(forward, table, near.goal)
    search.start(codes, 0, bound)
    found = []
    while (status := search.run(300)) != EXHAUSTED:
        if status == FOUND:
            found.append(search.path)
    counts = filling.generated_nodes, search.generated_nodes, search.expanded_nodes
    return [found, counts]


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
@pytest.mark.parametrize("radius", [0, 1, 3])
def test_the_engine_is_the_same_compiled_and_interpreted(metric: str, radius: int) -> None:
    near = near_states(proving(), "alone", metric)
    for scramble in ("", "R", "U R2 F", "R U R' U'"):
        codes = near.codes(CUBE2.state(scramble))
        for bound in range(5):
            given = near, codes, bound, radius
            assert paths(engine, *given) == paths(plain(), *given)


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_the_radius_changes_the_work_and_not_the_paths(metric: str) -> None:
    near = near_states(proving(), "alone", metric)
    codes, cost = near.codes(CUBE2.state("U R2 F R")), {"HTM": 4, "QTM": 5}[metric]
    found = [paths(engine, near, codes, cost, radius) for radius in range(5)]
    assert found[0][0] and all(each[0] == found[0][0] for each in found)
    assert found[4][1][1] < found[2][1][1] < found[0][1][1]


def test_states_that_share_an_entry_hide_no_answer() -> None:
    """An entry has the least cost of the states with its hash, so it is a bound from below."""
    near = near_states(proving(), "alone", "HTM")
    codes = near.codes(CUBE2.state("U R2 F R"))
    whole, tight = (paths(engine, near, codes, 4, 3, room) for room in (10_000, 200))
    assert whole[0] and whole[0] == tight[0] and whole[1][0] == tight[1][0]


@pytest.mark.parametrize("made", [engine, plain()])
def test_damaged_inputs_are_refused(made: Any) -> None:
    near = near_states(proving(), "alone", "HTM")
    places, changes, turned, costs, automaton = near.inputs(*near.directions[0])
    table = made.NearTable(2, 100)
    moves = made.NearMoves(places, changes, turned, costs, automaton)
    search = made.NearSearch(moves, table, near.goal)
    with pytest.raises(ValueError, match="place that does not exist"):
        made.NearMoves(places - 1, changes, turned, costs, automaton)
    with pytest.raises(ValueError, match="turn without a table"):
        made.NearMoves(places, changes, turned[:256], costs, automaton)
    with pytest.raises(ValueError, match="positive cost"):
        made.NearMoves(places, changes, turned, [0] * len(costs), automaton)
    with pytest.raises(ValueError, match="automaton"):
        made.NearMoves(places, changes, turned, costs, [[(0, 1)]])
    with pytest.raises(ValueError, match="radius"):
        made.NearTable(15, 100)
    with pytest.raises(ValueError, match="a code for each place"):
        made.NearSearch(moves, table, near.goal[1:])
    with pytest.raises(ValueError, match="a code for each place"):
        search.start(near.goal[1:], 0, 3)
    with pytest.raises(ValueError, match="no such start"):
        search.start(near.goal, len(automaton), 3)


# --- cube3 ---------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_compiler
def test_most_states_are_searched_from_one_end(near_chosen: list[int]) -> None:
    # Without tables, a few moves would be searched from both ends first.
    CUBE3.make_ready(CUBE3.choose(puzzlekit.SearchOptions("optimal", profile="small")))
    CUBE3.solve("R U2 F' L2 D B2 R' U F2 D' L B U R", method="optimal", profile="small")
    assert not near_chosen  # the tables prune more
    CUBE3.solve("R2 L2 D R2 L2 U2 R2 L2 D R2 L2", method="optimal", profile="small")
    assert near_chosen == [8, 9]


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    ("scramble", "length"),
    [
        ("R2 L2 D R2 L2 U2 R2 L2 D R2 L2", 10),  # the H permutation
        ("R D' R2 D R U2 R' D' R U2 R D R'", 12),
        ("R L U D R L U D R L U D", 12),
    ],
)
def test_short_answers_of_states_near_a_subgroup_are_proven(scramble: str, length: int) -> None:
    # From one end, 3,000 million nodes do not prove the answers of 12 moves.
    found = CUBE3.solve(scramble, method="optimal", profile="small", max_nodes=60_000_000)
    assert found.optimal and found.cost == length


@needs_compiler
@pytest.mark.slow
def test_few_moves_need_no_tables(tmp_path: Path, near_chosen: list[int]) -> None:
    loaded = puzzlekit.load("cube4")
    solver = Solver(loaded.puzzle, loaded.methods, puzzlekit.TableStore(str(tmp_path)))
    for scramble, length in (("R U2 Fw'", 3), ("", 0)):
        found = solver.solve(scramble, timeout=5)
        assert (found.length, found.optimal) == (length, True)
    near, far, choice = solver.state("R U2 Fw'"), solver.random_state(1), solver.choose()
    near_chosen.clear()
    assert not solver.needs_tables(near, choice, puzzlekit.Limits(max_length=3))
    assert near_chosen == [0, 1, 2, 3]
    found = solver.search(near, choice, puzzlekit.Limits(max_length=3))
    assert found.cost == len(found.sequence) == 3
    assert near_chosen == [0, 1, 2, 3]  # not searched again
    assert solver.needs_tables(near, choice, puzzlekit.Limits(max_length=2))
    assert solver.needs_tables(far, choice, puzzlekit.Limits())
    assert not any(tmp_path.rglob("*.*"))


@pytest.mark.slow
def test_few_moves_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the search from both ends, `Universal` does not compare pairs of moves."""

    products: list[object] = []

    def unneeded(*_: object) -> None:
        raise AssertionError

    def composed(*given: Any) -> Any:
        products.append(given)
        return compose(*given)

    monkeypatch.setattr(ShortAnswers, "find", unneeded)
    monkeypatch.setattr(short_answers, "compose", composed)
    solver = Solver(CUBE2.puzzle, [universal_method(CUBE2.puzzle)], CUBE2.store)
    assert solver.solve("R U F' R2", timeout=2).length == 4
    assert solver.solve(solver.random_state(1), timeout=2).verified
    moves = solver.puzzle.family_moves(solver.puzzle.turns)
    assert 0 < len(products) < len(moves) * len(solver.puzzle.whole_rotations) + len(moves)


@pytest.mark.parametrize("scramble", ["R", "R U", "R U F", "R U F R2"])
def test_few_moves_are_found_within_one_node(scramble: str) -> None:
    """`Universal` looks for them if the search from both ends may not."""
    solver = Solver(CUBE2.puzzle, [universal_method(CUBE2.puzzle)], CUBE2.store)
    solution = solver.solve(scramble, max_nodes=1)
    assert solution.length == len(scramble.split()) and solution.optimal


@pytest.mark.parametrize(
    ("limits", "bound"),
    [
        (Limits(), 4),
        (Limits(timeout=60.0), 5),
        (Limits(max_nodes=10**9), 5),
        (Limits(max_length=11), 5),
    ],
)
def test_long_answers_get_all_nodes_only_within_a_limit(
    monkeypatch: pytest.MonkeyPatch, limits: Limits, bound: int
) -> None:
    monkeypatch.setattr(near_first, "_SHORT", 3)
    monkeypatch.setattr(near_first, "_UNLIMITED", 0)
    near = near_states(proving(), "alone", "HTM")
    walk = NearWalk(near, [CUBE2.random_state(1)], limits)
    assert walk.go_on(near.best(4, -1)[0], 11, 60.0) is None
    assert walk.bound == bound  # the next one


class Given(Strategy):
    """Answers with the moves that undo a scramble."""

    needs_coordinates = False
    no_counts = ((0, 0),)

    def check(self, name: str, phases: Sequence[Phase]) -> None:
        """Accept any phases."""

    def prepare(self, plan: Plan) -> None:
        """Prepare nothing."""
        self.phases = []

    def search(self, state: bytes, limits: Limits) -> Iterator[Candidate]:
        """Yield a longer answer, the answer, then a record; return only without a limit."""
        for text in ("F' U2 R' F U' (R2 U2)6", "F' U2 R' F U'"):
            moves = PhaseMoves(0, self.puzzle.moves(text))
            yield self.candidate([moves], False, self.no_counts)
        yield Candidate(None, False, self.no_counts)
        assert limits.timeout is None  # the answer is proven before


@pytest.mark.parametrize("waits", [False, True])
def test_a_search_goes_on_behind_the_first_answer_or_waits_for_a_record(
    monkeypatch: pytest.MonkeyPatch, near_chosen: list[int], waits: bool
) -> None:
    monkeypatch.setattr(near_first, "_BEFORE", 0)
    method = universal_method(CUBE2.puzzle, NearFirst(Given(), waits=waits))
    solver = Solver(CUBE2.puzzle, [method], CUBE2.store)
    found = [(each.cost, bool(near_chosen)) for each in solver.improve("U F' R U2 F", timeout=60)]
    assert found[:2] == [(17, False), (5, not waits)] and near_chosen


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_what_is_searched_behind_an_answer_proves_it(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None
) -> None:
    monkeypatch.setattr(near_first, "_BEFORE", 0)
    method = universal_method(CUBE2.puzzle, NearFirst(Given()))
    found = Solver(CUBE2.puzzle, [method], CUBE2.store).solve("U F' R U2 F", timeout=seconds)
    assert (found.length, found.at_least, found.optimal) == (5, 5, True)


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_moves_undone_have_sequences_in_the_opposite_order(metric: str) -> None:
    """As many of them are canonical as of the moves themselves."""
    puzzle = CUBE3.puzzle
    turns = [family for family in puzzle.turns if family not in puzzle.rotations]
    listed = puzzle.family_moves(turns)
    costs = [
        next(each.cost(move) for each in puzzle.metrics if each.name == metric) for move in listed
    ]
    near = NearStates(puzzle, listed, costs)
    (moves, ahead), (back, behind) = near.directions
    assert [near.puzzle.inverse(move).effect for move in moves] == [move.effect for move in back]
    counts = [list(canonical_sequences(way, 4, near.costs)) for way in (ahead, behind)]
    assert counts[0] == counts[1]
