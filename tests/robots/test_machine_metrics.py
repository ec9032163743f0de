"""Answers in the metrics of machines: replayed, priced by other rules, proven against searches."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from itertools import product
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest
from bundled import COMPILED, counted, stickers
from hypothesis import given, settings
from hypothesis import strategies as st
from machine_walks import robot_cost, robot_distances
from walks import cheapest

import puzzlekit
import puzzlekit_lab
from puzzlekit import Move, NoSolutionError, Solution, UsageError
from puzzlekit_lab.state_space import StateSpace
from puzzlekit_robots import Machine, parse_machine
from puzzlekit_robots.machine import FREE

CUBE2, CUBE3 = puzzlekit.load("cube2"), puzzlekit.load("cube3")
DISTRIBUTIONS = json.loads(
    (Path(__file__).parents[1] / "data" / "depth_distributions.json").read_text()
)
TURNER = parse_machine(
    """
    name = "turner"
    arms = [["R", "L"], ["F", "B"]]
    whole = ["x", "y", "z"]
    [cost]
    quarter = 2
    half = 3
    grip = 1
    change = 1
    whole = 2
    """
)
SIDES = parse_machine('name = "sides"\narms = [["R", "L"], ["F", "B"]]')
CHANGING = parse_machine(
    'name = "changing"\narms = [["U", "D"], ["R", "L"], ["F", "B"]]\n[cost]\nchange = 1'
)


def check(solver: puzzlekit.Solver, state: bytes, solution: Solution, metric: Machine) -> None:
    """Replayed by stickers, and the steps are the moves, at the cost that they are said to have."""
    cube = stickers(solution.puzzle)
    assert cube.is_solved(cube.replay(solver.positions.to_facelets(state), str(solution)))
    assert [name for names, _ in solution.steps for name in names] == list(solution.moves)
    assert sum(cost for _, cost in solution.steps) == solution.cost
    assert solution.lengths[metric.name] == solution.cost
    assert solution.metric == metric.name
    moves = solver.puzzle.moves(str(solution))
    assert metric.total(moves) == solution.cost
    turned = [name for name in solution.moves if name[0] not in "xyz"]
    assert solution.lengths["HTM"] == len(turned)
    assert solution.lengths["QTM"] == counted(turned, "QTM")


def machine(solver: puzzlekit.Solver, name: str) -> Machine:
    found = solver.puzzle.metric(name)
    assert isinstance(found, Machine)
    return found


# --- cube2 --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["AXHT", "AXQT"])
def test_one_face_of_an_axis_is_as_good_as_both_on_cube2(metric: str) -> None:
    """Turning two opposite faces is turning one, and the whole cube."""
    found = puzzlekit_lab.distribution(CUBE2, metric=metric)
    assert list(found.states) == DISTRIBUTIONS["cube2_htm_3gen"]["positions_at_depth"]


@cache
def robot_space() -> StateSpace:
    method = CUBE2.method("optimal")
    robot = machine(CUBE2, "robot")
    plan = method.plan(CUBE2.puzzle, robot)
    needs = plan.resolved(method.phases[0])
    return StateSpace(CUBE2.store, needs, range(len(needs.moves)), 10**9, 1)


def robot_distance(state: bytes) -> int:
    """The least cost by the table of all states, the first pair being free."""
    space = robot_space()
    seen = CUBE2.prepared("optimal").normal(state)
    ranks = [np.array([each.rank(seen)]) for each in space.coordinates]
    return int(space.distance[space.entries_of(ranks)[0]])


@pytest.mark.slow
def test_the_distribution_of_the_robot() -> None:
    counts = robot_space().counts()
    assert len(counts) - 1 == 27
    assert sum(counts) == 3_674_160
    assert 24 * sum(counts) == 88_179_840
    limit = 9
    held = Counter(robot_distances(limit).values())
    assert [held[cost] for cost in range(limit + 1)] == [
        24 * count for count in counts[: limit + 1]
    ]
    assert counts[-3:] == [44_040, 1_368, 40]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_robot_solves_random_states_at_the_least_cost(seed: int) -> None:
    robot = machine(CUBE2, "robot")
    source = random.Random(seed)
    for _ in range(50 if COMPILED else 3):
        state = CUBE2.random_state(source)
        solution = CUBE2.solve(state, metric="robot")
        check(CUBE2, state, solution, robot)
        assert solution.optimal
        assert solution.cost == robot_distance(state)
        assert robot_cost([names for names, _ in solution.steps]) == solution.cost
        for names, cost in solution.steps:
            assert robot_cost([names]) == cost


@pytest.mark.slow
def test_the_robot_solves_every_kind_of_near_state() -> None:
    """Against the search by stickers, which shares nothing with the tables: some of each cost."""
    known = robot_distances(9)
    source = random.Random(5)
    of_cost: dict[int, list[str]] = {}
    for shown, cost in sorted(known.items()):
        of_cost.setdefault(cost, []).append(shown)
    assert sorted(of_cost) == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    for cost, listed in of_cost.items():
        for shown in source.sample(listed, 8):
            for method in ("optimal", "small-tables"):
                solution = CUBE2.solve(shown, metric="robot", method=method)
                assert (solution.cost, solution.optimal) == (cost, True)
                assert robot_cost([names for names, _ in solution.steps]) == cost
    assert {CUBE2.solve(shown, metric="robot").steps for shown in of_cost[0]} == {()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scramble", "cost"),
    [("R", 2), ("L", 2), ("R L", 2), ("B2 F", 3), ("L2 R", 3), ("R2 x", 2), ("R L'", 0)],
)
def test_one_step_of_the_robot_is_undone_by_one(scramble: str, cost: int | None) -> None:
    solution = CUBE2.solve(scramble, metric="robot")
    assert solution.optimal
    assert robot_cost([names for names, _ in solution.steps]) == solution.cost
    if cost is not None:
        assert (solution.cost, len(solution.steps)) == (cost, cost > 0)


# --- cube3 --------------------------------------------------------------------------------------


@cache
def near(name: str, limit: int) -> dict[bytes, int]:
    """The least cost of all states from which a machine comes to the solved one within a limit.

    Backwards over whole states as held: (state, arms that turn next).
    """
    puzzle = CUBE3.puzzle
    metric = {each.name: each for each in (TURNER, SIDES, CHANGING)}.get(name)
    metric = metric or machine(CUBE3, name)
    undone = [
        ([puzzle.inverse(move) for move in step.moves], step.cost, group)
        for step, group in metric.following(puzzle, FREE)
    ]

    def before(node: tuple[bytes, int]) -> list[tuple[tuple[bytes, int], int]]:
        found = []
        for back, price, group in undone:
            changed = metric.change if FREE not in (group, node[1]) and group != node[1] else 0
            if metric.again or group != node[1] or group == FREE:
                found.append(((puzzle.apply(node[0], back), group), price + changed))
        return found

    found: dict[bytes, int] = {}
    starts = [(state, FREE) for state in puzzle.solved_states]
    if not metric.rotations:  # how the cube is held is the same from the start to the end
        starts = [(puzzle.solved, FREE)]
    for (state, _), cost in cheapest(starts, before, limit).items():
        found[state] = min(cost, found.get(state, cost))
    return found


@pytest.mark.parametrize(("metric", "half"), [("AXHT", 1), ("AXQT", 2)])
def test_a_step_on_an_axis_costs_its_larger_turn(metric: str, half: int) -> None:
    for solver in (CUBE2, CUBE3):
        cost = machine(solver, metric).total
        for moves, expected in (("U2", half), ("U D'", 1), ("U2 D", half), ("U R2", 1 + half)):
            assert cost(solver.puzzle.moves(moves)) == expected


def test_states_near_in_axqt_by_its_rule_alone() -> None:
    """Over stickers: a step turns one face of an axis or both, and costs 2 with a half turn."""
    cube, steps = stickers("cube3"), []
    numbers = "".join(map(chr, range(54)))
    for faces in ("UD", "RL", "FB"):
        turns = [[("", 0), (face, 1), (f"{face}'", 1), (f"{face}2", 2)] for face in faces]
        for (one, price), (other, second) in [*product(*turns)][1:]:
            after = cube.replay(numbers, f"{one} {other}")
            steps.append((itemgetter(*map(ord, after)), max(price, second)))
    assert len(steps) == 45
    known = cheapest(
        [tuple(cube.solved)], lambda shown: [(turn(shown), cost) for turn, cost in steps], 2
    )
    assert Counter(known.values()) == {0: 1, 1: 24, 2: 405}
    read = CUBE3.positions.to_facelets
    assert {tuple(read(state)): cost for state, cost in near("AXQT", 2).items()} == known


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["AXHT", pytest.param("AXQT", marks=pytest.mark.long)])
def test_random_states_of_cube3(metric: str) -> None:
    source = random.Random(3)
    most = 20 if metric == "AXHT" else 30
    for _ in range(3):
        state = CUBE3.random_state(source)
        solution = CUBE3.solve(state, metric=metric, max_length=most, timeout=60)
        check(CUBE3, state, solution, machine(CUBE3, metric))
        assert solution.cost <= solution.lengths["QTM" if metric == "AXQT" else "HTM"]
        assert solution.cost <= most
        for names, cost in solution.steps:
            assert len({"UDRLFB".index(name[0]) // 2 for name in names}) == 1
            assert len({name[0] for name in names}) == len(names)
            twice = metric == "AXQT" and any(name.endswith("2") for name in names)
            assert cost == 1 + twice


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "limit"),
    [
        ("AXHT", 2),
        pytest.param("AXQT", 2, marks=pytest.mark.long),
        ("changing", 3),
        ("sides", 2),
        ("turner", 7),
    ],
)
def test_near_states_of_cube3_cost_what_a_search_finds(metric: str, limit: int) -> None:
    known = near(metric, limit)
    given = {each.name: each for each in (TURNER, SIDES, CHANGING)}.get(metric)
    measure = given or machine(CUBE3, metric)
    states = random.Random(1).sample(sorted(known), 40)
    for state in states:
        solution = CUBE3.solve(state, metric=measure, timeout=20)
        assert solution.cost == known[state], CUBE3.positions.to_facelets(state)
        assert solution.optimal
        if solution.cost:
            check(CUBE3, state, solution, measure)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["AXHT", pytest.param("AXQT", marks=pytest.mark.long)])
def test_two_and_three_steps_are_undone_by_no_more(metric: str) -> None:
    measure = machine(CUBE3, metric)
    steps = [step for step, _ in measure.following(CUBE3.puzzle, FREE)]
    source = random.Random(2)
    for count in (1, 2, 3):
        for _ in range(4):
            chosen = source.sample(steps, count)
            state = CUBE3.puzzle.apply(
                CUBE3.puzzle.solved, [move for step in chosen for move in step.moves]
            )
            solution = CUBE3.solve(state, metric=metric, timeout=20)
            assert solution.cost <= sum(step.cost for step in chosen)


@pytest.mark.slow
@pytest.mark.parametrize("change", ["", "grip = 1\nchange = 1", "whole = 5\ngrip = 3"])
def test_a_machine_that_has_to_turn_the_whole_cube(change: str) -> None:
    text = 'name = "own"\narms = [["R", "L"], ["F", "B"]]\nwhole = ["x", "y", "z"]\n[cost]\n'
    own = parse_machine(text + change)
    state = CUBE3.random_state(11)
    solution = CUBE3.solve(state, metric=own, max_length=300, timeout=60)
    check(CUBE3, state, solution, own)
    assert {name[0] for name in solution.moves} <= set("RLFBxyz")
    turned = sum(len(names) == 1 and names[0][0] in "xyz" for names, _ in solution.steps)
    assert turned > 0


@pytest.mark.slow
@pytest.mark.parametrize("costs", ["quarter = 40\nhalf = 60", "grip = 30", "whole = 99\ngrip = 50"])
def test_costs_may_be_in_any_unit(costs: str) -> None:
    """No answer is given up because it costs much."""
    own = parse_machine(f'arms = [["U", "D"], ["R", "L"], ["F", "B"]]\n[cost]\n{costs}')
    for scramble in ("R U F", "R U F D", "R U F D L B", "R U2 F D' L B2 U F'"):
        state = CUBE3.state(scramble)
        solution = CUBE3.solve(state, metric=own, timeout=1)
        check(CUBE3, state, solution, own)
        assert solution.cost <= own.total(CUBE3.puzzle.moves(scramble))
    state = CUBE3.random_state(2)
    check(CUBE3, state, CUBE3.solve(state, metric=own, max_length=9999), own)


@pytest.mark.slow
def test_what_four_arms_cannot_reach_is_told() -> None:
    with pytest.raises(NoSolutionError, match="sides cannot solve this: these arms cannot flip"):
        CUBE3.solve("U", metric=SIDES)
    for scramble in ("R L' F2", "R F B2 L' F", "R' L F2 B R2", "x R L x'"):
        state = CUBE3.state(scramble)
        solution = CUBE3.solve(state, metric=SIDES)
        check(CUBE3, state, solution, SIDES)
        assert solution.cost <= len(scramble.split())
    assert CUBE3.solve("R L' F2", metric=SIDES).steps == ((("F2",), 1), (("R'", "L"), 1))
    # The same arms with the cube held otherwise: each turns what it is at, or nothing can be done.
    assert CUBE3.solve("x y x'", metric=SIDES).steps == ()


words: st.SearchStrategy[list[Move]] = st.lists(
    st.sampled_from(CUBE3.puzzle.family_moves(["R", "L", "F", "B"])), min_size=1, max_size=4
)


@pytest.mark.slow
@given(word=words)
@settings(max_examples=15)
def test_whatever_four_arms_did_they_undo(word: list[Move]) -> None:
    state = CUBE3.puzzle.apply(CUBE3.puzzle.solved, word)
    solution = CUBE3.solve(state, metric=SIDES, timeout=20)
    assert solution.cost <= SIDES.total(word)
    assert CUBE3.puzzle.is_solved(CUBE3.puzzle.apply(state, CUBE3.puzzle.moves(str(solution))))


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ["sum", "blended"])
def test_heuristics_that_may_miss_the_cheapest(heuristic: str) -> None:
    robot = machine(CUBE2, "robot")
    for seed in range(10):
        state = CUBE2.random_state(seed)
        solution = CUBE2.solve(state, metric=robot, method="small-tables", heuristic=heuristic)
        check(CUBE2, state, solution, robot)
        assert robot_cost([names for names, _ in solution.steps]) == solution.cost
        assert solution.cost >= robot_distance(state)
        assert not solution.optimal
    for metric in (TURNER, machine(CUBE3, "AXHT")) if heuristic == "sum" else ():
        state = CUBE3.random_state(7)
        check(CUBE3, state, CUBE3.solve(state, metric=metric, heuristic=heuristic), metric)


@pytest.mark.slow
def test_phases_one_by_one_need_arms_that_may_turn_again() -> None:
    """After R at the end of a phase R2 might be the first of the next, which cannot be done."""
    text = 'name = "never"\narms = [["U", "D"], ["R", "L"], ["F", "B"]]\nagain = false'
    never = parse_machine(text)
    with pytest.raises(UsageError, match="may not start a phase with the arms"):
        CUBE3.solve("R U F", metric=never, heuristic="sum")
    for seed in range(4):
        state = CUBE3.random_state(seed)
        check(CUBE3, state, CUBE3.solve(state, metric=never, max_length=30), never)
    state = CUBE2.random_state(1)
    check(CUBE2, state, CUBE2.solve(state, metric=never, heuristic="sum"), never)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes minutes without a compiler")
def test_two_threads() -> None:
    state = CUBE3.random_state(9)
    check(CUBE3, state, CUBE3.solve(state, metric=TURNER, max_length=90, threads=2), TURNER)


@pytest.mark.thorough
@pytest.mark.skipif(not COMPILED, reason="its tables take minutes without a compiler")
def test_a_method_that_proves() -> None:
    known = near("AXHT", 2)
    for state in random.Random(8).sample(sorted(known), 10):
        solution = CUBE3.solve(state, metric="AXHT", method="optimal")
        assert (solution.cost, solution.optimal) == (known[state], True)
        if solution.cost:
            check(CUBE3, state, solution, machine(CUBE3, "AXHT"))


def test_methods_that_take_no_machines() -> None:
    with pytest.raises(UsageError, match="optimal of cube3 does not support the machine changing"):
        CUBE3.solve("R", method="optimal", metric=CHANGING)
    same = Machine(name="htm", title="", arms=(("R", "L"),))
    for solver in (CUBE2, CUBE3):
        with pytest.raises(UsageError, match=r"already has a metric htm: .* another name"):
            solver.solve("R", metric=same)


def test_a_phase_may_start_however_the_cube_is_held() -> None:
    """U, a move of the second phase, is a quarter turn of R for the machine after one of Fw."""
    wide = parse_machine('arms = [["R"], ["L"], ["Fw"]]\n[cost]\nhalf = 5')
    plan = CUBE3.method("two-phase").plan(CUBE3.puzzle, wide)
    first, second = (plan.resolved(phase) for phase in plan.phases)
    assert (first.unit, second.unit) == (1, 1)
    priced = dict(zip((move.name for move in second.moves), second.costs, strict=True))
    assert (priced["U"], priced["R2"]) == (1, 5)


@pytest.mark.slow
def test_answers_of_few_steps_come_first_whatever_they_cost() -> None:
    for seed in range(3):
        state = CUBE3.random_state(seed)
        solution = CUBE3.solve(state, metric=TURNER, max_nodes=2_000_000)
        check(CUBE3, state, solution, TURNER)
        assert len(solution.steps) < 60
