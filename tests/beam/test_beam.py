"""Beams: moves carried back from turned states, views, pools, whole methods, wrong declarations."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest
from beads import (
    ALL,
    BEADS,
    CORNER,
    CUBE4,
    EXHAUSTED,
    FOUND,
    HELD,
    HOME,
    METRIC,
    MOST,
    ODD,
    PLACE,
    REACHED,
    RIGHT,
    STORE,
    TOP,
    WHOLE,
    apply,
    at_goal,
    beads,
    ends,
    phase,
    within,
)
from engines import interpreted  # noqa: F401 (a fixture)
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import DeclarationError, Method, Move, NoSolutionError, Phase, Solver, UsageError
from puzzlekit.puzzle.move import act
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.heuristic import Sum
from puzzlekit.search.limits import Limits
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.product_table import Modulo3
from puzzlekit_beam import Beam, strategy
from puzzlekit_beam.phases import BeamWay, held_otherwise
from puzzlekit_beam.strategy import Alternative, BeamSearch, Rounds
from puzzlekit_beam.view import View
from puzzlekit_cubes import finish
from puzzlekit_twophase import Anytime

# --- holdings -------------------------------------------------------------------------------------

TURNS = ("", "x", "y z", "x2 y", "z'")
cube4_moves = st.lists(st.sampled_from(CUBE4.puzzle.family_moves(CUBE4.puzzle.turns)), max_size=12)


@given(cube4_moves, st.integers(0, 2**32), st.sampled_from(range(len(TURNS))))
def test_moves_found_in_a_turned_state_are_carried_back(
    found: list[Move], seed: int, number: int
) -> None:
    """Doing them as carried back is doing them in the turned state."""
    puzzle = CUBE4.puzzle
    frame = held_otherwise(puzzle, TURNS)[number]
    state = random_state(puzzle, random.Random(seed))
    held = puzzle.apply(state, [frame.back[move] for move in found])
    assert frame.see(puzzle, held) == puzzle.apply(frame.see(puzzle, state), found)
    scrambled = puzzle.apply(puzzle.solved, found)
    back = [frame.back[puzzle.inverse(move)] for move in reversed(found)]
    # What is seen as that scramble is solved by its inverse, carried back.
    turned = act(puzzle.relabel(scrambled, frame.unrotation), *frame.rotation, puzzle.modulus)
    assert frame.see(puzzle, turned) == scrambled
    assert puzzle.is_solved(puzzle.apply(turned, back))


# --- views ----------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from(["", "x", "y z2", "2R U Rw2 F2"]))
def test_the_reader_of_a_view_sees_what_the_view_sees(seed: int, after: str) -> None:
    big, small = CUBE4.puzzle, puzzlekit.load("cube3").puzzle
    state = big.apply(random_state(big, random.Random(seed)), big.moves(after))
    view = View(small, finish.seen(big, small))
    assert _reader()(state) == view.see(big, state)


@cache
def _reader() -> Callable[[bytes], bytes]:
    big, small = CUBE4.puzzle, puzzlekit.load("cube3").puzzle
    return View(small, finish.seen(big, small)).reader(big)


# --- pools ----------------------------------------------------------------------------------------

FIXED = [move for move in BEADS.family_moves("URF")]
TURN_UP = phase("up", "U R F", (TOP,), "top", goal_moves="U R2 F2")
FINISH = phase("finish", "U R2 F2", (WHOLE,), "whole")


@cache
def exact() -> dict[bytes, int]:
    return within([BEADS.solved], FIXED, MOST)


@cache
def improving() -> Anytime:
    method = Method("improving", "", (TURN_UP, FINISH), Anytime())
    chain = method.strategy.prepared(method.plan(BEADS, METRIC, STORE))
    assert isinstance(chain, Anytime)
    return chain


@pytest.mark.parametrize("seed", range(8))
def test_a_pool_finds_the_cheapest_whole(seed: int) -> None:
    """Of several states with what has been spent on each; no other one is cheaper."""
    chain = improving()
    rng = random.Random(seed)
    states = rng.sample(sorted(exact()), 6)
    costs = [rng.randrange(6) for _ in states]
    expected = min(cost + exact()[state] for state, cost in zip(states, costs, strict=True))
    pool = chain.pool(states, costs, Limits(max_length=MOST))
    best = None
    while (status := pool.search.run(1 << 20)) != EXHAUSTED:
        if status == FOUND:
            number, parts = pool.found()
            moves = [move for part in parts for move in part.moves]
            assert BEADS.is_solved(BEADS.apply(states[number], moves))
            total = costs[number] + len(moves)
            assert pool.search.answer[-1] == total and (best is None or total < best)
            best = total
            pool.search.tighten(total - 1)
    assert best == expected
    pool = chain.pool(states, costs, Limits(max_length=expected - 1))
    while (status := pool.search.run(1 << 20)) not in (EXHAUSTED, FOUND):
        pass
    assert status == EXHAUSTED


def test_a_pooled_beam_counts_the_cost_of_its_starts() -> None:
    rng = random.Random(1)
    states = rng.sample(sorted(exact()), 6)
    costs = [rng.randrange(20, 40) for _ in states]
    method = Method("beam", "", (HOME, PLACE), Beam(shares=(0.5, 0.5)))
    chain = method.strategy.prepared(method.plan(BEADS, METRIC, STORE))
    assert isinstance(chain, Beam)
    pool = chain.pool(states, costs, Limits(max_length=MOST + 40, timeout=1))
    assert pool.search.run(1 << 24) == FOUND and pool.search.answer is not None
    number, parts = pool.found()
    moves = [move for part in parts for move in part.moves]
    assert BEADS.is_solved(BEADS.apply(states[number], moves))
    assert pool.search.answer[-1] == costs[number] + len(moves)


# --- whole methods --------------------------------------------------------------------------------


def beam(**changes: Any) -> Solver:
    """Rounds that are limited by nodes are short."""
    phases = changes.pop("phases", (HOME, PLACE))
    given: dict[str, Any] = {
        "shares": (0.5, 0.5),
        "seconds": 0.05,
        "rounds": Rounds(nodes_a_second=100_000),
        **changes,
    }
    method = Method("beam", "a corner, then all", phases, Beam(**given))
    return Solver(BEADS, [method], STORE)


WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "other starts": {"starts": "x z"},
    "reached": {"phases": (HOME, phase("place", "U R F", (REACHED,), "reached"))},
    "with endings": {"phases": (attrs.evolve(HOME, endings=2), PLACE)},
    "pooled": {
        "phases": (HOME, TURN_UP, FINISH),
        "shares": (0.5,),
        "finish": Anytime(),
    },
    "held otherwise": {
        "phases": (phase("home", ALL, (CORNER,), "corner", goal_turns="x2 y2"), PLACE),
    },
    "goal moves, held otherwise": {
        "phases": (attrs.evolve(HOME, goal_turns="x y"), PLACE),
    },
    "finished by a beam": {
        "phases": (phase("any", ALL, (ODD,), "odd", goal_moves=ALL), HOME, PLACE),
        "shares": (0.2,),
        "starts": "y",
        "finish": Beam(shares=(0.5, 0.5), starts="x", rounds=Rounds(nodes_a_second=100_000)),
    },
    "finished by a pooled beam": {
        "phases": (phase("any", ALL, (ODD,), "odd", goal_moves=ALL), HOME, TURN_UP, FINISH),
        "shares": (0.2,),
        "finish": Beam(shares=(0.5,), finish=Anytime(), rounds=Rounds(nodes_a_second=100_000)),
    },
    "alternative": {
        "phases": (phase("any", ALL, (ODD,), "odd", goal_moves=ALL), HOME, PLACE),
        "shares": (0.2, 0.4, 0.4),
        "alternatives": (
            Alternative(
                "home", attrs.evolve(HOME, name="aside", endings=1), ("z", "y x"), ("", "y")
            ),
        ),
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_beams_solve(way: str, threads: int) -> None:
    """Replayed on the state as held, whatever was turned and renamed on the way."""
    solver = beam(**WAYS[way])
    for seed in range(6):
        state = beads(seed + 10)
        solution = solver.solve(state, max_nodes=100_000 * threads, threads=threads)
        assert solution.verified
        assert BEADS.is_solved(BEADS.apply(state, BEADS.moves(str(solution))))
        lengths = [length for _, length in solution.improvements]
        assert lengths == sorted(set(lengths), reverse=True) and lengths[-1] == solution.cost
        assert sum(part.cost for part in solution.phases) >= solution.cost


@pytest.mark.parametrize(
    "way",
    [
        "plain",
        "other starts",
        "alternative",
        "pooled",
        "finished by a beam",
        "finished by a pooled beam",
    ],
)
def test_a_number_of_nodes_gives_the_same_every_time(way: str) -> None:
    solver = beam(**WAYS[way])
    for seed in range(3):
        one, other = (solver.solve(beads(seed + 20), max_nodes=40_000) for _ in range(2))
        assert (one.moves, one.nodes, one.expanded) == (other.moves, other.nodes, other.expanded)


def search_by(solver: puzzlekit.Solver, seed: int, nodes: int) -> BeamSearch:
    chain = solver.make_ready(solver.choose())
    assert isinstance(chain, Beam)
    return BeamSearch(chain, chain.start_states(beads(seed)), Limits(max_nodes=nodes), (0, 1))


@pytest.mark.parametrize(("nodes", "in_time"), [(1_000_000, True), (600, False)])
def test_a_late_phase_takes_no_time_from_the_next_unless_all_would_be_late(
    nodes: int, in_time: bool
) -> None:
    search = search_by(beam(shares=(1e-4, 0.9)), 30, nodes)
    while len(search._levels) == 1:
        search.run(1)
    begins = search._clock()
    assert begins > 1e-4 * search._round_seconds  # the first phase was late
    own = 0.9 * search._round_seconds
    if in_time:
        assert search._stage_ends == pytest.approx(begins + own)
    else:
        assert search._stage_ends < min(begins + own, search._stops)


def test_a_phase_waits_until_it_has_enough_candidates() -> None:
    search = search_by(beam(shares=(1e-4, 0.5), fewest={"home": 30}), 30, 50_000)
    while len(search._levels) == 1:
        search.run(1)
    assert search._levels[0][0].count >= 30
    assert search._clock() > 1e-4 * search._round_seconds
    # It does not wait for more than can be found in the time of the round.
    solver = beam(fewest={"home": 1 << 30})
    assert solver.solve(beads(30), max_nodes=100_000).verified


def test_twice_as_many_candidates_if_the_next_phase_cannot_start() -> None:
    search = search_by(beam(), 30, 50_000)
    while not search._levels[0][0].count:
        search.run(1)
    count, search._limit = search._levels[0][0].count, 0
    search._go_on(False)
    assert (len(search._levels), search._fewest) == (1, 2 * count)
    search._go_on(True)
    assert search._rounds == 2


def test_the_finish_has_more_time_until_there_is_an_answer() -> None:
    search = search_by(beam(**WAYS["pooled"]), 31, 50_000)
    while search._pool is None:
        search.run(1)
    search._round_ends = 0.0
    search._decide(False)
    assert search._rounds == 1
    search.answer = [], 0
    search._decide(False)
    assert search._rounds == 2


def test_a_beam_of_the_finish_knows_when_the_search_stops() -> None:
    search = search_by(beam(**WAYS["finished by a beam"]), 31, 50_000)
    while search._pool is None:
        search.run(1)
    finish = search._pool.search
    assert isinstance(finish, BeamSearch)
    assert finish._clock() < finish._stops <= search._stops - search._clock()


def test_a_finish_has_at_least_its_first_round() -> None:
    """A shorter one would end without an answer, in vain."""
    search = search_by(beam(**WAYS["finished by a beam"]), 31, 2_000)
    while search._pool is None:
        search.run(1)
    finish = search._pool.search
    assert isinstance(finish, BeamSearch)
    own = 0.8 * search._round_seconds
    assert own < Rounds().first == finish._round_seconds


@pytest.mark.parametrize(
    ("finish", "nodes", "planned"),
    [
        (None, 20_000, 0.2),
        (0.06, 20_000, 0.1),
        (0.02, 50_000, (0.5 - 3 * 0.02) / 1.15),
    ],
)
def test_the_only_round_leaves_time_for_late_phases(
    finish: float | None, nodes: int, planned: float
) -> None:
    way = WAYS["pooled"]
    if finish is not None:
        way = WAYS["finished by a beam"]
        rounds = Rounds(first=finish, nodes_a_second=100_000)
        way = {**way, "finish": attrs.evolve(way["finish"], rounds=rounds)}
    assert search_by(beam(**way), 31, nodes)._round_seconds == pytest.approx(planned)


def test_a_phase_without_ends_is_searched_from_one_start_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strategy, "_PORTION", 10)
    monkeypatch.setattr(strategy, "_LEAST_TURN", 5)
    monkeypatch.setattr(strategy, "_TURN", 5)
    search = search_by(beam(), 30, 50_000)
    while len(search._levels) == 1:
        search.run(1)
    ((stage,), done, counts) = search._levels[1], search.work, search.counts
    assert stage.count == 0
    search._decide(False)
    assert search._levels[1] == [stage]  # it is not late yet
    search._samples_at = 0.0
    portions = []
    while search.answer is None:
        before = search._levels[1:2]
        search._decide(False)
        if len(search._levels) == 2 and search._levels[1:2] != before:
            portions.append(search._portion)
            assert not search._complete
        search.run(1)
    assert portions == [10, 20, 10, 40, 10, 20, 10, 80][: len(portions)] and portions
    assert search.counts[0] >= counts[0] and search.work >= done
    moves = [move for each in search.answer[0] for move in each.moves]
    assert BEADS.is_solved(BEADS.apply(beads(30), moves))


@pytest.mark.parametrize("name", ["cube5", "cube6"])
def test_starts_are_all_rotations_and_names_that_keep_the_fixed_places(name: str) -> None:
    solver = puzzlekit.load(name)
    puzzle, method = solver.puzzle, solver.method("reduction")
    assert isinstance(method.strategy, Beam)
    chain = Beam((1.0,), starts=method.strategy.starts)
    chain.plan, chain.puzzle = method.plan(puzzle, solver.metric(), STORE), puzzle
    chain.frames, chain._directions = held_otherwise(puzzle, ("", "x", "y")), []
    chain._ways_to_start = list(chain._starts())
    places = puzzle.bytes_at(method.fixed)
    for seed in range(3):
        state = chain.normal(random_state(puzzle, random.Random(seed)))
        every = {
            frame.see(puzzle, puzzle.relabel(state, other.rotation))
            for frame in chain.frames
            for other in chain.frames
        }
        fitting = {each for each in every if all(each[j] == puzzle.solved[j] for j in places)}
        found = [each for each, _ in chain.start_states(state)]
        assert {*found} == fitting
        assert len(found) == len(fitting) == {"cube5": 3, "cube6": 9}[name]


def test_a_beam_is_searched_with_admissible_heuristics_only() -> None:
    with pytest.raises(UsageError, match="beam needs admissible heuristics"):
        beam().solve(beads(1), heuristic="sum")


@pytest.mark.slow
def test_ends_may_cost_less_than_the_bound_of_an_inadmissible_heuristic() -> None:
    several = phase("layers", ALL, (TOP, RIGHT), "top", "right")
    ready = CompiledPhase(Plan(BEADS, (several,), METRIC, STORE), several, Sum())
    cheaper = 0
    for seed in range(3):
        state, known = beads(seed), 0
        stage = BeamWay(BEADS, ready).stage(None, MOST)
        stage.add_states([state], [0])
        while stage.f_bound <= 8:
            bound = stage.f_bound
            stage.run(1)
            for number in range(known, stage.count):
                end, spent, _, _, path = stage.end(number)
                moves = [ready.moves[move] for move in path]
                assert spent == METRIC.total(moves) and BEADS.apply(state, moves) == end
                cheaper += spent < bound
            known = stage.count
        assert known
    assert cheaper


def test_a_phase_may_have_the_same_moves_as_the_next_phase() -> None:
    first = phase("first", ALL, (TOP,), "top")
    found = ends(first, [beads(3)], 6, after=phase("second", ALL, (TOP, RIGHT), "top right"))
    assert found and all(at_goal(first)(state) for state, *_ in found)


def test_a_phase_may_declare_an_inadmissible_heuristic() -> None:
    several = phase(
        "home", ALL, (CORNER, TOP), "corner", "top", goal_moves="U R F", heuristic=Sum()
    )
    solver = beam(phases=(several, PLACE))
    (method,) = solver.methods
    assert [str(each) for each in method.heuristics()] == ["sum", "max"]
    assert [str(each) for each in method.heuristics("place=max")] == ["sum", "max"]
    solution = solver.solve(beads(7), max_nodes=200_000)
    assert solution.verified and solution.heuristic == "0=sum"
    assert solver.solve(beads(7), heuristic="max", max_nodes=200_000).heuristic == "max"
    with pytest.raises(UsageError, match="beam needs admissible heuristics"):
        solver.solve(beads(7), heuristic="euclid")


# --- declarations that cannot be ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"shares": (0.5,)}, "'shares' needs one number for each"),
        ({"shares": (0.5, 0.25, 0.25)}, "'shares' needs one number for each"),
        ({"shares": ()}, "'shares' needs one number for each"),
        ({"shares": (0.7, 0.7)}, "shares must be above 0"),
        ({"shares": (0.5, 0.0)}, "shares must be above 0"),
        ({"shares": (0.5, -0.5)}, "shares must be above 0"),
        ({"finish": Anytime(), "shares": ()}, "'shares' needs one number for each"),
        (
            {"finish": Anytime(), "shares": (1.0,)},
            "'shares' needs one number for each",
        ),
        (
            {"alternatives": (Alternative("home", HOME, ("",)),)},
            "an alternative of 'home' is impossible: name",
        ),
        (
            {"alternatives": (Alternative("none", HOME, ("",)),)},
            "an alternative of 'none' is impossible: name",
        ),
        ({"fewest": {"none": 2}}, "'fewest' names 'none': name a phase of the beam"),
        ({"alternatives": (Alternative("place", HOME, ()),)}, "an alternative needs turns and"),
    ],
)
def test_methods_that_cannot_be(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(DeclarationError, match=f"method beam: .*{problem}"):
        beam(**changes)


@pytest.mark.parametrize(
    ("one", "problem"),
    [
        (
            phase("apart", ALL, (TOP, RIGHT), "top", "right", goal_turns="x2 y2"),
            "phase apart has several goal states, which are rotations of each other: declare one",
        ),
        (
            phase("strange", ALL, (TOP,), "top", goal_turns="q"),
            "phase strange: its moves: column 1",
        ),
        (
            phase("endless", "U R F", (TOP,), "top", goal_moves="D", goal_turns="x"),
            "phase endless: in a beam, goal moves must be among the moves of the phase",
        ),
    ],
)
def test_phases_that_cannot_be(one: Phase, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        beam(phases=(one, PLACE)).prepared()


def test_endings_take_coordinates_with_move_tables() -> None:
    """A DeclarationError that names the phase, not whatever the engine raises."""
    for wrong in (attrs.evolve(HELD, endings=2),):
        with pytest.raises(DeclarationError, match=f"phase {wrong.name}"):
            beam(phases=(wrong, PLACE)).prepared()


def test_beams_take_tables_that_can_be_looked_up_anywhere() -> None:
    """Distances modulo 3 are followed from move to move, so they are no use at many starts."""
    with pytest.raises(DeclarationError, match="phase home"):
        beam(phases=(attrs.evolve(HOME, tables=(Modulo3("corner"),)), PLACE)).prepared()


@pytest.mark.parametrize("most", [0, 1, 3])
@pytest.mark.parametrize("limits", [{"timeout": 0.2}, {"max_nodes": 20_000}], ids=str)
def test_an_answer_that_cannot_be_is_told_in_time(most: int, limits: dict[str, Any]) -> None:
    """Also where the estimate at the start says so, and there is nothing to search."""
    state = apply(BEADS.solved, "R U F D' L B2 U' R2 F D")
    solver = beam(phases=(attrs.evolve(PLACE, moves=ALL),), shares=(1.0,))
    told: list[str] = []

    def solve() -> None:
        try:
            solver.solve(state, max_length=most, **limits)
        except NoSolutionError as error:
            told.append(str(error))

    solver.prepared()
    thread = threading.Thread(target=solve, daemon=True)
    thread.start()
    thread.join(5)
    assert told and f"no solution of at most {most} M within" in told[0]


def test_few_nodes_are_enough_for_an_answer() -> None:
    """The only round is as long as the limit, so that each phase gets its share of that."""
    solution = beam().solve(beads(3), max_nodes=100_000)
    assert solution.verified
