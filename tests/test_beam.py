"""Beams and what they rest on: stages, goals in other holdings, renaming, pools."""

from __future__ import annotations

import random
import threading
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest
from engines import engine, interpreted, plain  # noqa: F401 (a fixture)
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    Alternative,
    Beam,
    Combination,
    Coordinate,
    DeclarationError,
    Improve,
    Method,
    Metric,
    Modulo3,
    Move,
    NoSolutionError,
    Orbit,
    Orientation,
    PairSplit,
    Parity,
    Permutation,
    Phase,
    Product,
    Puzzle,
    Reached,
    Rounds,
    Solver,
    Sum,
    UsageError,
    View,
)
from puzzlekit.engine import fill
from puzzlekit.method.heuristics import parse_heuristics
from puzzlekit.position.random_states import random_state
from puzzlekit.prepare.assembled import Assembled, assemble
from puzzlekit.prepare.directions import held_otherwise
from puzzlekit.prepare.plan import Plan
from puzzlekit.prepare.resolved import read_moves
from puzzlekit.puzzle.move import Effect, act
from puzzlekit.run.limits import Limits
from puzzlekit.strategy.beam_chain import BeamChain, BeamSearch
from puzzlekit.strategy.beam_way import BeamWay
from puzzlekit.strategy.improve_chain import ImproveChain
from puzzlekit_cube4.coordinates import CubeCoordinates
from puzzlekit_cubes import finish

CUBE2, CUBE4 = puzzlekit.load("cube2"), puzzlekit.load("cube4")
STORE = CUBE2.store
MOST = 1 << 20  # no limit
EXHAUSTED, FOUND = 2, 1


# --- a small puzzle: the corners of a 2x2x2 that cannot be twisted --------------------------------


def _beads() -> Puzzle:
    corners = CUBE2.puzzle.orbits[0]
    turns: dict[str, Effect] = {
        family: (bytes(gather[:8]), bytes(8))
        for family, (gather, _) in CUBE2.puzzle.turns.items()
        if family in tuple("URFDLBxyz")
    }
    orbit = Orbit("beads", "bead", " ".join(corners.places))
    metric = Metric("M", "moves", {**dict.fromkeys("URFDLB", 1), **dict.fromkeys("xyz", 0)})
    return Puzzle("beads", "Beads", (orbit,), turns, (metric,), ("x", "y", "z"))


BEADS = _beads()
PLACES = BEADS.orbits[0].places
ALL, HALVES = "U R F D L B", "U2 R2 F2 D2 L2 B2"
TOP = Combination("top", BEADS, "beads", " ".join(p for p in PLACES if "U" in p))
RIGHT = Combination("right", BEADS, "beads", " ".join(p for p in PLACES if "R" in p))
FRONT = Combination("front", BEADS, "beads", " ".join(p for p in PLACES if "F" in p))
WHOLE = Permutation("whole", BEADS, "beads")
REACHED = Reached("reached", BEADS, "beads", (WHOLE,), "U R F", 5040)
CORNER = Permutation("corner", BEADS, "beads", "DBL")
ODD = Parity("odd", BEADS, "beads")
# First places are those above; pairs are opposite.
SPLIT = PairSplit("split", BEADS, "beads", "ULB DRB UBR DFR URF DLF UFL DBL")

METRIC = BEADS.metric()


def phase(
    name: str, moves: str, coordinates: Iterable[Coordinate], *tables: Any, **more: Any
) -> Phase:
    return Phase(name, "the goal", moves, tuple(coordinates), tables, **more)


LAYER = phase("layer", ALL, (TOP,), "top", goal_moves=HALVES)
AFTER = phase("after", HALVES, (WHOLE,), "whole")
SPLITTING = phase("splitting", ALL, (TOP, RIGHT, SPLIT, ODD), "top right", goal_moves="U2 D2")
AT_HOME = phase("at home", ALL, (TOP, SPLIT), "top")
HOME = phase("home", ALL, (CORNER,), "corner", goal_moves="U R F")
PLACE = phase("place", "U R F", (WHOLE,), "whole")
HELD = phase("held", ALL, (TOP, RIGHT, FRONT), "top right front", goal_turns="x2 y2")
TURNED = phase("turned", ALL, (TOP, ODD), "top odd", goal_moves="U2 D2", goal_turns="x2 y2")
MIXED = phase("mixed", ALL, (TOP, RIGHT), "top right", goal_moves="U2", goal_turns="z2")


def made(one: Phase, after: Phase | None = None) -> Assembled:
    return assemble(Plan(BEADS, (one,), METRIC, STORE), one, after=after)


def apply(state: bytes, names: str) -> bytes:
    return BEADS.apply(state, BEADS.moves(names))


def beads(seed: int) -> bytes:
    state = bytearray(BEADS.solved)
    random.Random(seed).shuffle(state)
    return bytes(state)


@cache
def at_goal(one: Phase) -> Callable[[bytes], bool]:
    """Whether a state is at the goal of a phase, by the words of its declaration alone."""
    solved = [BEADS.solved]
    for state in solved:  # in all holdings that are asked for
        solved += [
            s for t in BEADS.moves(one.goal_turns) if (s := apply(state, t.name)) not in solved
        ]
    if one.goal_moves:
        allowed: list[set[int]] = []
        for coordinate in one.coordinates:
            ranks = [coordinate.rank(state) for state in solved]
            states = list(solved)
            for state in states:
                for move in one.kept(BEADS):
                    near = BEADS.apply(state, [move])
                    if coordinate.rank(near) not in ranks:
                        ranks.append(coordinate.rank(near))
                        states.append(near)
            allowed.append(set(ranks))
        return lambda s: all(
            c.rank(s) in ranks for c, ranks in zip(one.coordinates, allowed, strict=True)
        )
    joint = {tuple(c.rank(s) for c in one.coordinates) for s in solved}
    return lambda s: tuple(c.rank(s) for c in one.coordinates) in joint


def within(states: Iterable[bytes], moves: Sequence[Move], most: int) -> dict[bytes, int]:
    """All states that so many moves may lead to, and how many it takes."""
    found = dict.fromkeys(states, 0)
    for state in (queue := list(found)):
        if found[state] < most:
            for move in moves:
                near = BEADS.apply(state, [move])
                if near not in found:
                    found[near] = found[state] + 1
                    queue.append(near)
    return found


@cache
def around(state: bytes, moves: tuple[Move, ...], most: int) -> dict[bytes, int]:
    """The same of one state, worked out once for all phases with the same moves."""
    return within([state], moves, most)


def ends(
    one: Phase,
    states: Sequence[bytes],
    bound: int,
    after: Phase | None = None,
    budget: int = 50,
) -> list[tuple[bytes, int, int, list[str]]]:
    """All ends of a phase within a bound: state, cost, number of the start, path."""
    ready = made(one, after)
    later = None if after is None else BeamWay(BEADS, made(after))
    stage = BeamWay(BEADS, ready).stage(later, MOST)
    stage.add_states(list(states), [0] * len(states))
    while stage.f_bound <= bound:
        stage.run(budget)
    listed = []
    for number in range(stage.count):
        state, spent, origin, _, path = stage.end(number)
        if spent <= bound:
            listed.append((state, spent, origin, [ready.moves[m].name for m in path]))
    return listed


@cache
def renamed(state: bytes) -> set[bytes]:
    """A state with its pieces renamed in all ways."""
    return {BEADS.recolour(state, held) for held in BEADS.holdings}


STARTS = [apply(BEADS.solved, text) for text in ("R U F", "x2 B' U2 R", "", "y F2 D")] + [
    beads(1),
    beads(2),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
@pytest.mark.parametrize("one", [LAYER, HELD, TURNED, AT_HOME, SPLITTING], ids=lambda p: p.name)
def test_a_stage_lists_what_brute_force_finds(
    one: Phase, way: str, request: pytest.FixtureRequest
) -> None:
    """Every state at the goal, at its least cost, once; none else; up to renaming the pieces."""
    if way == "interpreted":
        request.getfixturevalue("interpreted")
    most = 4 if way == "compiled" and fill.COMPILED else 2
    is_goal = at_goal(one)
    known: dict[bytes, int] = {}
    for start in STARTS:
        for state, cost in around(start, one.allowed(BEADS), most).items():
            if is_goal(state):
                name = min(renamed(state)) if one.goal_turns else state
                known[name] = min(cost, known.get(name, cost))
    for bound in range(most + 1):
        least = {name: cost for name, cost in known.items() if cost <= bound}
        listed = ends(one, STARTS, bound)
        named = [(min(renamed(s)) if one.goal_turns else s, cost) for s, cost, *_ in listed]
        assert len({s for s, *_ in listed}) == len(listed), "an end is listed twice"
        assert [cost for _, cost in named] == sorted(cost for _, cost in named)
        found: dict[bytes, int] = {}
        for state, cost in named:
            found[state] = min(cost, found.get(state, cost))
        assert found == least
        for state, cost, origin, path in listed:
            reached_state = apply(STARTS[origin], " ".join(path))
            assert len(path) == cost and is_goal(reached_state)
            assert state in renamed(reached_state) if one.goal_turns else state == reached_state


@pytest.mark.parametrize("one", [HELD, TURNED], ids=lambda p: p.name)
def test_an_end_in_another_holding_is_renamed_so_that_it_is_at_the_plain_goal(one: Phase) -> None:
    """The next phase looks for its goal in the puzzle as held."""
    is_goal = at_goal(attrs.evolve(one, goal_turns=""))
    turned = 0
    for start in STARTS:
        for state, _, _, path in ends(one, [start], 3):
            assert is_goal(state)
            turned += state != apply(start, " ".join(path))
    assert turned


def test_goals_of_several_holdings_are_not_mixed() -> None:
    """Each coordinate at a goal of another holding is no goal, also with goal moves.

    Such a phase is refused, or ends only where the pieces can be renamed to be at the plain goal.
    """
    try:
        listed = ends(MIXED, STARTS, 3)
    except DeclarationError:
        return
    is_goal = at_goal(attrs.evolve(MIXED, goal_turns=""))
    assert all(is_goal(state) for state, *_ in listed)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
@pytest.mark.parametrize("endings", [1, 2, 3])
@pytest.mark.parametrize("one", [LAYER, AT_HOME, SPLITTING, TURNED], ids=lambda p: p.name)
def test_with_endings_listed_beforehand_there_are_the_same_ends(
    one: Phase, endings: int, way: str, request: pytest.FixtureRequest
) -> None:
    if way == "interpreted":
        request.getfixturevalue("interpreted")
        if endings == 3:
            pytest.skip("takes too long interpreted")
    most = 4 if way == "compiled" and fill.COMPILED else 2
    for after in (None, AFTER):
        plainly = ends(one, STARTS, most, after)
        listed = ends(attrs.evolve(one, endings=endings), STARTS, most, after)
        assert {(s, cost) for s, cost, *_ in plainly} == {(s, cost) for s, cost, *_ in listed}
        assert len(plainly) == len(listed) > (3 if most > 2 else 0)
        for state, cost, origin, path in listed:
            reached = apply(STARTS[origin], " ".join(path))
            assert len(path) == cost
            assert state in renamed(reached) if one.goal_turns else state == reached


@pytest.mark.slow
@pytest.mark.parametrize("endings", [0, 2])
@pytest.mark.parametrize(
    "after", [AFTER, phase("two", "U2 D2", (WHOLE,), "whole")], ids=lambda p: p.name
)
def test_no_end_is_another_with_a_move_of_the_next_phase_and_none_is_lost(
    after: Phase, endings: int
) -> None:
    """What the next phase does itself need not end this one, nor move before what commutes."""
    one = attrs.evolve(LAYER, endings=endings)
    most = 3
    listed = ends(one, STARTS, most, after)
    later = after.allowed(BEADS)
    for *_, path in listed:
        moves = [BEADS.move(m.family, m.amount) for name in path for m in BEADS.moves(name)]
        for i, move in enumerate(moves):
            free = all(
                apply(BEADS.solved, f"{move.name} {other.name}")
                == apply(BEADS.solved, f"{other.name} {move.name}")
                for other in moves[i + 1 :]
            )
            assert not (free and move in later), path
    # Whatever is at the goal is an end and then moves of the next phase, at no higher cost.
    reach: dict[bytes, int] = {}
    for state, cost, *_ in listed:
        for near, more in around(state, later, most - cost).items():
            reach[near] = min(cost + more, reach.get(near, MOST))
    is_goal = at_goal(one)
    every = within(STARTS, one.allowed(BEADS), most)
    assert {s: cost for s, cost in every.items() if is_goal(s)} == {
        s: cost for s, cost in reach.items() if s in every
    }
    assert len(listed) < sum(map(is_goal, every))


@pytest.mark.parametrize("one", [HELD, TURNED], ids=lambda p: p.name)
def test_goals_in_other_holdings_are_as_far_as_brute_force_finds(one: Phase) -> None:
    is_goal = at_goal(one)
    ready = made(one)
    moves = one.allowed(BEADS)
    for seed in range(12):
        state = BEADS.apply(BEADS.solved, random.Random(seed).choices(moves, k=seed % 5))
        distance = next(
            bound for bound in range(9) if any(map(is_goal, within([state], moves, bound)))
        )
        assert ready.estimate(BEADS, state) <= distance
        search = engine.Search(ready.space)
        ready.start(search, BEADS, state, 20)
        assert search.run(1 << 40) == FOUND
        assert search.spent_here == distance
        assert is_goal(BEADS.apply(state, [ready.moves[m] for m in search.path]))


@pytest.mark.slow
def test_a_table_of_joint_goals_holds_exact_distances() -> None:
    """Zero only where the coordinates are together at the goal of one holding."""
    ready = made(HELD)
    states = read_moves(BEADS, HELD).goal_states
    assert len(states) == 4
    ranks = {tuple(c.rank(s) for c in HELD.coordinates) for s in states}
    distance = dict.fromkeys(ranks, 0)
    seen = {tuple(c.rank(s) for c in HELD.coordinates): s for s in states}
    for key in (queue := list(seen)):
        if distance[key] < 3:
            for move in HELD.allowed(BEADS):
                near = BEADS.apply(seen[key], [move])
                new = tuple(c.rank(near) for c in HELD.coordinates)
                if new not in distance:
                    distance[new] = distance[key] + 1
                    seen[new] = near
                    queue.append(new)
    for key, far in distance.items():
        assert ready.estimate(BEADS, seen[key]) == far


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
    turned = act(puzzle.recolour(scrambled, frame.unrotation), *frame.rotation, puzzle.modulus)
    assert frame.see(puzzle, turned) == scrambled
    assert puzzle.is_solved(puzzle.apply(turned, back))


# --- several coordinates as one -------------------------------------------------------------------

PIECES = CubeCoordinates(CUBE4.puzzle)
PRODUCTS = [
    Product("one", BEADS, "beads", (TOP,)),
    Product("rl-parity", CUBE4.puzzle, "centers", (PIECES.right_left, PIECES.parity)),
    Product("three", CUBE4.puzzle, "centers", (PIECES.up_down, PIECES.parity, PIECES.front_back)),
    Product(
        "turned and placed",
        CUBE2.puzzle,
        "corners",
        (
            puzzlekit.Orientation("turned", CUBE2.puzzle, "corners"),
            puzzlekit.Halves("layers", CUBE2.puzzle, "corners", "ULB UBR URF UFL"),
        ),
    ),
]


@pytest.mark.parametrize("both", PRODUCTS, ids=lambda each: each.name)
def test_products_round_trip(both: Product) -> None:
    """Over the whole range, scalar, vectorised and by the engine."""
    every = np.arange(both.size)
    vectors = both.unrank(every)
    assert set(vectors) <= set(both.reads)
    assert np.array_equal(both.rank(vectors), every)
    sizes = [part.size for part in both.parts]
    for part, digit in zip(both.parts, np.unravel_index(every, sizes), strict=True):
        assert np.array_equal(np.broadcast_to(part.rank(vectors), every.shape), digit)
    rng = random.Random(1)
    for index in rng.sample(range(both.size), min(40, both.size)):
        state = bytearray(both.puzzle.solved)
        for j, value in both.unrank(index).items():
            state[j] = value
        assert both.rank(state) == index
        for module in (engine, plain()) if both.engine_program else ():
            assert module.rank(array("i", both.engine_program or ()), bytes(state)) == index
    assert both.rank(both.puzzle.solved) in both.goals
    assert len(both.goals) == np.prod([len(part.goals) for part in both.parts])


def test_a_product_is_not_defined_where_a_part_is_not() -> None:
    both = PRODUCTS[1]
    moved = CUBE4.scrambled("Uw")
    assert PIECES.right_left.rank(moved) < 0
    assert both.rank(moved) == -1
    rows = [np.array([a, b]) for a, b in zip(moved, CUBE4.puzzle.solved, strict=True)]
    assert both.rank(rows).tolist() == [-1, both.rank(CUBE4.puzzle.solved)]
    assert engine.rank(array("i", both.engine_program or ()), moved) == -1


@pytest.mark.parametrize("parts", [(), (PRODUCTS[0],)])
def test_a_product_is_of_plain_coordinates(parts: tuple[Coordinate, ...]) -> None:
    with pytest.raises(DeclarationError, match="coordinate wrong: name at least one part"):
        Product("wrong", BEADS, "beads", parts)


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
def improving() -> ImproveChain:
    method = Method("improving", "", (TURN_UP, FINISH), Improve())
    chain = method.strategy.chain(method.plan(BEADS, METRIC, STORE))
    assert isinstance(chain, ImproveChain)
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
    chain = method.strategy.chain(method.plan(BEADS, METRIC, STORE))
    assert isinstance(chain, BeamChain)
    pool = chain.pool(states, costs, Limits(max_length=MOST + 40, timeout=1))
    assert pool.search.run(1 << 24) == FOUND and pool.search.answer is not None
    number, parts = pool.found()
    moves = [move for part in parts for move in part.moves]
    assert BEADS.is_solved(BEADS.apply(states[number], moves))
    assert pool.search.answer[-1] == costs[number] + len(moves)


# --- stages that keep the best ends, and phases with a view -------------------------------------


@pytest.mark.parametrize("way", ["compiled", "interpreted"])
@pytest.mark.parametrize("room", [10, 30])
def test_a_choosy_stage_keeps_all_ends_up_to_some_rating(
    room: int, way: str, request: pytest.FixtureRequest
) -> None:
    if way == "interpreted":
        request.getfixturevalue("interpreted")
    bound = 3 if way == "compiled" and fill.COMPILED else 2
    later = BeamWay(BEADS, made(PLACE))
    found = []
    for most, choosy in ((1 << 16, False), (room, True)):
        stage = BeamWay(BEADS, made(HOME, PLACE)).stage(later, MOST, most, choosy)
        stage.add_states(STARTS, [0] * len(STARTS))
        while stage.f_bound <= bound and stage.run(50) != EXHAUSTED:
            pass
        assert stage.is_full == choosy
        found.append({stage.end(n)[0]: stage.rating(n) for n in range(stage.count)})
        for number in range(stage.count):
            state, spent, origin, _, path = stage.end(number)
            names = " ".join(made(HOME).moves[m].name for m in path)
            assert apply(STARTS[origin], names) == state and len(path) == spent
    every, best = found
    assert 0 < len(best) <= room < len(every)
    worst = max(best.values())
    assert best == {state: rating for state, rating in every.items() if rating <= worst}


def test_a_choosy_stage_with_equal_ends_is_full() -> None:
    stage = BeamWay(BEADS, made(HOME)).stage(None, MOST, 4, choosy=True)
    stage.add_states([BEADS.solved], [0])
    while stage.run(50) != EXHAUSTED:
        pass
    assert stage.is_full and 0 < stage.count <= 4


CUBE3 = puzzlekit.load("cube3").puzzle
CORNERS = View(CUBE2.puzzle, finish.seen_by_name(CUBE3, CUBE2.puzzle))


def _of_corners(puzzle: Puzzle, view: View | None, **more: Any) -> Assembled:
    turns = Orientation("turns", puzzle, "corners")
    where = Combination("where", puzzle, "corners", "ULB UBR URF UFL")
    one = phase("corners", "U R F D L B", (turns, where), "turns where", view=view, **more)
    metric = CUBE3.metric("HTM")
    return assemble(Plan(CUBE3, (one,), metric, STORE), one)


@pytest.mark.parametrize("seed", range(5))
def test_a_stage_of_a_view_lists_the_same_ends(seed: int) -> None:
    """The corners of a 3x3x3 are seen as a 2x2x2. The states are those of the 3x3x3."""
    state = CUBE3.apply(CUBE3.solved, CUBE3.moves("R U F2")[:seed])
    found = []
    for puzzle, view in ((CUBE3, None), (CUBE2.puzzle, CORNERS)):
        stage = BeamWay(CUBE3, _of_corners(puzzle, view)).stage(None, MOST)
        stage.add_states([state], [0])
        while stage.f_bound <= 3:
            stage.run(1000)
        found.append([stage.end(n) for n in range(stage.count) if stage.end(n)[1] <= 3])
    assert sorted(found[0]) == sorted(found[1]) and len(found[0]) > 0


def test_views_that_no_early_phase_of_a_beam_can_have() -> None:
    with pytest.raises(DeclarationError, match="phase corners: its view must show pieces with"):
        BeamWay(CUBE3, _of_corners(CUBE2.puzzle, CORNERS, goal_turns="x2"))


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
        "finish": Improve(),
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
        "finish": Beam(shares=(0.5,), finish=Improve(), rounds=Rounds(nodes_a_second=100_000)),
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
        assert lengths == sorted(set(lengths), reverse=True) and lengths[-1] == solution.length
        assert sum(part.length for part in solution.phases) >= solution.length


@pytest.mark.parametrize("way", ["plain", "other starts", "alternative", "pooled"])
def test_a_number_of_nodes_gives_the_same_every_time(way: str) -> None:
    solver = beam(**WAYS[way])
    for seed in range(3):
        one, other = (solver.solve(beads(seed + 20), max_nodes=40_000) for _ in range(2))
        assert (one.moves, one.nodes, one.expanded) == (other.moves, other.nodes, other.expanded)


def test_a_late_phase_takes_no_time_from_the_next() -> None:
    solver = beam(shares=(1e-4, 0.5))
    chain = solver.make_ready(solver.choose())
    assert isinstance(chain, BeamChain)
    search = BeamSearch(chain, chain.starts(beads(30)), Limits(max_nodes=6_000), (0, 1))
    while len(search._levels) == 1:
        search.run(1)
    assert search._stage_ends() >= search._clock() + 0.49 * search._round_seconds


def test_a_phase_waits_until_it_has_enough_candidates() -> None:
    solver = beam(shares=(1e-4, 0.5), fewest={"home": 30})
    chain = solver.make_ready(solver.choose())
    assert isinstance(chain, BeamChain)
    search = BeamSearch(chain, chain.starts(beads(30)), Limits(max_nodes=50_000), (0, 1))
    while len(search._levels) == 1:
        search.run(1)
    assert search._levels[0][0].count >= 30
    assert search._clock() > 1e-4 * search._round_seconds
    # It does not wait for more than can be found in the time of the round.
    solver = beam(fewest={"home": 1 << 30})
    assert solver.solve(beads(30), max_nodes=100_000).verified


def test_twice_as_many_candidates_if_the_next_phase_cannot_start() -> None:
    solver = beam()
    chain = solver.make_ready(solver.choose())
    assert isinstance(chain, BeamChain)
    search = BeamSearch(chain, chain.starts(beads(30)), Limits(max_nodes=50_000), (0, 1))
    while not search._levels[0][0].count:
        search.run(1)
    count, search._limit = search._levels[0][0].count, 0
    search._go_on(False)
    assert (len(search._levels), search._fewest) == (1, 2 * count)
    search._go_on(True)
    assert search._rounds == 2


def test_the_finish_has_more_time_until_there_is_an_answer() -> None:
    solver = beam(**WAYS["pooled"])
    chain = solver.make_ready(solver.choose())
    assert isinstance(chain, BeamChain)
    search = BeamSearch(chain, chain.starts(beads(31)), Limits(max_nodes=50_000), (0, 1))
    while search._pool is None:
        search.run(1)
    search._round_ends = 0.0
    search._decide(False)
    assert search._rounds == 1
    search.answer = [], 0
    search._decide(False)
    assert search._rounds == 2


def test_a_beam_is_searched_with_admissible_heuristics_only() -> None:
    with pytest.raises(UsageError, match="beam needs admissible heuristics"):
        beam().solve(beads(1), heuristic="sum")


def test_ends_may_cost_less_than_the_bound_of_an_inadmissible_heuristic() -> None:
    several = phase("layers", ALL, (TOP, RIGHT), "top", "right")
    ready = assemble(Plan(BEADS, (several,), METRIC, STORE), several, Sum())
    cheaper = 0
    for seed in range(10):
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
    assert [str(each) for each in parse_heuristics(method, None)] == ["sum", "max"]
    assert [str(each) for each in parse_heuristics(method, "place=max")] == ["sum", "max"]
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
        ({"finish": Improve(), "shares": ()}, "'shares' needs one number for each"),
        (
            {"finish": Improve(), "shares": (1.0,)},
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
        beam(phases=(one, PLACE)).chain()


def test_endings_take_coordinates_with_move_tables() -> None:
    """A DeclarationError that names the phase, not whatever the engine raises."""
    for wrong in (attrs.evolve(HELD, endings=2),):
        with pytest.raises(DeclarationError, match=f"phase {wrong.name}"):
            beam(phases=(wrong, PLACE)).chain()


def test_beams_take_tables_that_can_be_looked_up_anywhere() -> None:
    """Distances modulo 3 are followed from move to move, so they are no use at many starts."""
    with pytest.raises(DeclarationError, match="phase home"):
        beam(phases=(attrs.evolve(HOME, tables=(Modulo3("corner"),)), PLACE)).chain()


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

    solver.chain()
    thread = threading.Thread(target=solve, daemon=True)
    thread.start()
    thread.join(5)
    assert told and f"of at most {most} move" in told[0]


def test_few_nodes_are_enough_for_an_answer() -> None:
    """The only round is as long as the limit, so that each phase gets its share of that."""
    solution = beam().solve(beads(3), max_nodes=100_000)
    assert solution.verified
