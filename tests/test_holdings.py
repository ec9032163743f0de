"""Where what a method fixes leaves several ways of holding the puzzle, it is solved in each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache

import pytest
from bundled import COMPILED
from domino import EVERY, FIXED, methods, small, solver
from turned_ring import turned_ring
from walks import cheapest

from puzzlekit import (
    Method,
    Metric,
    NoSolutionError,
    Optimal,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Puzzle,
    Sequential,
    Solution,
    Solver,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.search.strategies import bounds
from puzzlekit.search.strategies.strategy import Strategy

DOMINO = solver()
NAMES = [method.name for method in DOMINO.methods]
SINGLE = ["first", "prove", "alone"]  # one phase each
HTM, QTM = DOMINO.puzzle.metrics
# Those of the first line cost 1 or 2 turns, though as the centers are held they take one more.
SCRAMBLES = ["U y", "F2 U y", "R2 U y2", "U D' y", "U D R2", "x2 U D R2 y", "z2 y' F2 D"]


@cache
def distances(puzzle: Puzzle, metric: Metric, limit: int) -> Mapping[bytes, int]:
    """The least cost of each state up to a limit, from all solved ones, by a plain search."""
    moves = puzzle.family_moves(set(puzzle.families) - set(puzzle.rotations))

    def after(state: bytes) -> list[tuple[bytes, int]]:
        return [(puzzle.apply(state, [move]), metric.cost(move)) for move in moves]

    return cheapest(puzzle.solved_states, after, limit)


def scrambles(puzzle: Puzzle, count: int, length: int) -> list[str]:
    """Random moves, rotations among them."""
    rng = random.Random(5)
    names = [move.name for move in puzzle.family_moves(puzzle.families)]
    return [" ".join(rng.choices(names, k=rng.randint(1, length))) for _ in range(count)]


def check(found: Solution, least: int) -> None:
    """Whether no claim of an answer is false, the least cost being known."""
    assert found.cost >= least >= found.at_least
    assert found.cost == least or not found.optimal
    if len(found.phases) == 1 and found.phases[0].optimal:
        assert found.cost == least


@pytest.mark.slow
@pytest.mark.parametrize("metric", [HTM, QTM], ids=["HTM", "QTM"])
@pytest.mark.parametrize(
    "fixed", [FIXED, {"centers": "D"}, {}], ids=["centers", "one center", "nothing"]
)
def test_shortest_answers_are_shortest_in_all_ways_of_holding(
    fixed: Mapping[str, str], metric: Metric
) -> None:
    puzzle = DOMINO.puzzle
    near = distances(puzzle, metric, 3)
    others = Solver(puzzle, methods(puzzle, fixed=fixed), DOMINO.store)
    seen = Counter[str]()
    for scramble in [*SCRAMBLES, *scrambles(puzzle, 20 if COMPILED else 3, 5)]:
        state = others.state(scramble)
        if state not in near:
            continue
        for name in NAMES:
            found = others.solve(state, method=name, metric=metric, max_nodes=100_000)
            check(found, near[state])
            seen[name] += found.optimal
    assert all(seen[name] for name in NAMES)


def test_what_strangers_found() -> None:
    """`U'` solves it, though it takes D and U2 to solve it as the centers are held."""
    for name in NAMES:
        found = DOMINO.solve("U y", method=name)
        assert found.cost == found.at_least == 1 and found.optimal, name


@pytest.mark.parametrize("name", SINGLE)
def test_all_solutions_are_listed_each_once(name: str) -> None:
    """In whichever way the puzzle is held at the end; the cheapest first."""
    found = list(DOMINO.solutions("U y", method=name, max_length=2))
    assert [str(each) for each in found[:2]] in (["U'", "D'"], ["D'", "U'"])
    assert [each.cost for each in found] == sorted(each.cost for each in found)
    assert len({each.moves for each in found}) == len(found)
    puzzle, state = DOMINO.puzzle, DOMINO.state("U y")
    moves = puzzle.moves("U U2 U' D D2 D' R2 L2 F2 B2")
    solving = {
        frozenset((one.name, other.name))
        for one in moves
        for other in moves
        if one.family != other.family
        and puzzle.is_solved(puzzle.apply(state, [one, other]))
        and not puzzle.is_solved(puzzle.apply(state, [one]))
    }
    assert {frozenset(each.moves) for each in found if each.cost == 2} == solving


@pytest.mark.slow
@pytest.mark.parametrize("fewer", [False, True])
def test_every_state_without_edges(fewer: bool) -> None:
    """Random states of the small domino, whose distances are all known."""
    puzzle = small()
    corners = Permutation("corners", puzzle, "corners")
    # Any turn of D is one of U and a rotation that leaves the centers where they are.
    moves = "U R2 F2 L2 B2" if fewer else EVERY
    phase = Phase("solve", "solved", moves, (corners,), ("corners",))
    placed = Solver(
        puzzle,
        [
            Method("first", "", (phase,), fixed=FIXED),
            Method("prove", "", (phase,), Optimal(), fixed=FIXED),
            Method("any", "", (phase,), Sequential(relabel=True)),
        ],
    )
    for metric in puzzle.metrics:
        near = distances(puzzle, metric, 20)
        assert len(near) == 2 * 40_320
        for number in range(30 if COMPILED else 3):
            state = placed.random_state(number)
            for method in placed.methods:
                found = placed.solve(state, method=method.name, metric=metric)
                assert found.optimal and found.cost == near[state]


def test_no_shorter_answer_is_denied_only_where_there_is_none() -> None:
    for name in SINGLE:
        assert DOMINO.solve("F2 U y", method=name, max_length=2).cost == 2
        with pytest.raises(NoSolutionError):
            DOMINO.solve("F2 U y", method=name, max_length=1)


def test_threads_search_from_all_namings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SHARED_FROM", 0)
    near = distances(DOMINO.puzzle, HTM, 3)
    for scramble in SCRAMBLES:
        for name in ("alone", "improve"):
            found = DOMINO.solve(scramble, method=name, threads=2, max_nodes=200_000)
            check(found, near[DOMINO.state(scramble)])
            assert found.optimal


def test_a_naming_from_which_no_moves_lead_home_is_not_searched() -> None:
    """Rotations exchange the centers, and moves do not."""
    puzzle = DOMINO.puzzle
    namings = Solver(puzzle, methods(puzzle, fixed={}), DOMINO.store).prepared("steps").namings
    assert len(namings(puzzle.solved)) == 4 and len(puzzle.whole_rotations) == 8
    assert namings(puzzle.solved)[0] == puzzle.solved


@pytest.mark.parametrize("strategy", [Sequential(), Optimal()])
def test_ways_of_holding_in_which_no_moves_reach_the_goal_are_left_out(strategy: Strategy) -> None:
    """Where coordinates rely on a parity and a sum that no move changes, but a rotation does."""
    ring = turned_ring()
    places = Permutation("places", ring, "pieces", "a b")
    turned = Orientation("turned", ring, "pieces")
    phase = Phase("solve", "solved", "A B C D", (places, turned), ("places turned",))
    ways = Solver(ring, [Method("ways", "in each way", (phase,), strategy)])
    known = distances(ring, ring.metrics[0], 20)
    assert len(known) == 24 * 3**4
    for state in random.Random(1).sample(sorted(known), 60):
        found = ways.solve(state)
        check(found, known[state])
        assert found.optimal


def test_no_class_stands_for_values_that_no_moves_reach() -> None:
    """Held in another way, these beads have a value that no move leads home."""
    beads = Orbit("beads", "bead", "a b c d")
    orders = {"A": (1, 0, 3, 2), "B": (2, 3, 0, 1), "C": (3, 2, 1, 0), "r": (0, 2, 3, 1)}
    turns = {family: (bytes(order), bytes(4)) for family, order in orders.items()}
    metric = Metric("TURNS", "turns", {"A": 1, "B": 1, "C": 1, "r": 0})
    ring = Puzzle("pairs", "Pairs", (beads,), turns, (metric,), rotations=("r",))
    order = SymCoordinate("order", ring, "beads", (Permutation("all", ring, "beads"),))
    phase = Phase("solve", "solved", "A B C", (order,), ("order",))
    pairs = Solver(ring, [Method("classes", "by classes", (phase,))])
    known = distances(ring, metric, 20)
    assert len(known) == 12
    for state, least in known.items():
        check(pairs.solve(state), least)
