"""Tables and searches in metrics with memory, against plain searches for the least cost."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from bundled import COMPILED
from engines import engine, plain
from hypothesis import example, given, settings
from hypothesis import strategies as st
from resolving import table_of
from walks import cheapest

import puzzlekit
from puzzlekit import Coordinate, DeclarationError, Orientation, Permutation, Phase
from puzzlekit.engine import fill
from puzzlekit.engine.automaton import Edge
from puzzlekit.engine.inputs import CoordinateInput, TableInput
from puzzlekit.engine.statuses import EXHAUSTED, FOUND
from puzzlekit.search.resolved import Plan
from puzzlekit.search.step_metric import Steps
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import build_move_table
from puzzlekit.tables.product_distances import _sweep, distances_by_state, fill_levels
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_robots import Machine
from puzzlekit_robots.drive import Drive

SOLVER = puzzlekit.load("cube2")
CUBE2 = SOLVER.puzzle
FREE = "ULB UBR URF UFL DRB DFR DLF"
THREE = Permutation("three", CUBE2, "corners", "DRB DFR DLF", FREE)
TWIST = Orientation("twist", CUBE2, "corners", FREE)
FIXED = {"corners": "DBL"}
MACHINES = [
    "robot",
    Machine(name="changing", title="", arms=(("U", "D"), ("R", "L"), ("F",)), change=2),
    Machine(name="turner", title="", arms=(("U",),), rotations=("x", "z"), grip=1, whole=2),
]
NAMES = ["robot", "changing", "turner"]
PLENTY = 1 << 40
Array = npt.NDArray[Any]


@cache
def steps_of(machine: str | Machine) -> Steps:
    metric = CUBE2.metric(machine) if isinstance(machine, str) else machine
    assert isinstance(metric, Machine)
    return Drive(CUBE2, metric, FIXED).steps(CUBE2.family_moves("URF"))


def searched(
    table: Sequence[Sequence[int]], edges: Sequence[Sequence[Edge]], goals: Iterable[int]
) -> dict[tuple[int, int], int]:
    """The least cost to a goal from each value and state of an automaton, backwards."""
    into: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = {}
    for value, row in enumerate(table):
        for state, own in enumerate(edges):
            for move, to, cost in own:
                into.setdefault((row[move], to), []).append(((value, state), cost))
    starts = [(goal, state) for goal in goals for state in range(len(edges))]
    return cheapest(starts, lambda node: into.get(node, ()), UNREACHED)


def graph_of(coordinates: Sequence[Coordinate], steps: Steps) -> DistanceGraph:
    """The graph of a table over the states of a machine."""
    return DistanceGraph(coordinates, steps.moves, steps.costs, "steps", edges=steps.edges)


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
@pytest.mark.parametrize("coordinate", [THREE, TWIST], ids=["three", "twist"])
def test_a_table_in_a_metric_with_memory(
    machine: str | Machine, coordinate: Permutation | Orientation
) -> None:
    steps = steps_of(machine)
    assert steps.remembers
    table = build_move_table(coordinate, steps.moves).reshape(coordinate.size, -1).tolist()
    expected = np.full((len(steps.edges), coordinate.size), UNREACHED)
    goal = coordinate.rank(CUBE2.solved)
    for (value, state), cost in searched(table, steps.edges, [goal]).items():
        expected[state, value] = cost
    found = distances_by_state(SOLVER.store, graph_of([coordinate], steps))
    assert (found.shape, found.dtype) == (expected.shape, np.uint8)
    assert np.array_equal(found, expected)
    assert len(np.unique(expected, axis=0)) > 1  # the states tell something apart

    phase = Phase("solve", "", "U R F", (coordinate,), (coordinate.name,))
    metric = CUBE2.metric(machine) if isinstance(machine, str) else machine
    needs = Plan(CUBE2, (phase,), metric, fixed=FIXED).resolved(phase)
    (declared,) = phase.pruning_tables
    stored = table_of(needs, declared).get(SOLVER.store)
    assert np.array_equal(np.asarray(stored.data) * needs.unit, expected.min(axis=0))


@pytest.mark.parametrize("machine", MACHINES, ids=NAMES)
def test_no_edge_leads_farther_down_than_it_costs(machine: str | Machine) -> None:
    """Over a product of coordinates: each distance is the least of cost + the next one."""
    steps = steps_of(machine)
    both = [THREE, TWIST]
    found = distances_by_state(SOLVER.store, graph_of(both, steps)).astype(np.int32)
    assert found.shape == (len(steps.edges), THREE.size * TWIST.size)
    grid = found.reshape(len(steps.edges), THREE.size, TWIST.size)
    tables = [build_move_table(each, steps.moves).reshape(each.size, -1) for each in both]
    least = np.full(grid.shape, 1 << 20)
    for state, own in enumerate(steps.edges):
        for move, to, cost in own:
            near = grid[to][np.ix_(tables[0][:, move], tables[1][:, move])]
            assert np.all(grid[state] <= cost + near)
            np.minimum(least[state], cost + near, out=least[state])
    goal = (slice(None), THREE.rank(CUBE2.solved), TWIST.rank(CUBE2.solved))
    assert not grid[goal].any()
    least[goal] = 0
    assert np.array_equal(grid, least)


# --- filling ------------------------------------------------------------------------------------


def random_edges(random: np.random.Generator, states: int, moves: int) -> list[list[Edge]]:
    return [
        [
            (int(random.integers(moves)), int(random.integers(states)), int(random.integers(1, 5)))
            for _ in range(random.integers(0, 6))
        ]
        for _ in range(states)
    ]


@given(seed=st.integers(0, 1 << 32), sizes=st.lists(st.integers(1, 7), min_size=1, max_size=3))
@settings(max_examples=60)
@example(1_879_642, [7, 3, 5])  # farther apart than a byte holds
def test_levels_are_filled_as_by_a_plain_search(seed: int, sizes: list[int]) -> None:
    random = np.random.default_rng(seed)
    states, moves = int(random.integers(1, 5)), 3
    edges = random_edges(random, states, moves)
    edges[0].append((0, 0, 1))
    forward = [np.stack([random.permutation(size) for _ in range(moves)], axis=1) for size in sizes]
    backward = [np.argsort(table, axis=0).astype(np.uint32) for table in forward]
    distance = np.full((states, int(np.prod(sizes))), UNREACHED, dtype=np.uint8)
    goal = int(random.integers(distance.shape[1]))
    distance[:, goal] = 0

    values = np.stack(np.unravel_index(np.arange(distance.shape[1]), sizes))
    table = [
        np.ravel_multi_index(
            tuple(forward[axis][values[axis], move] for axis in range(len(sizes))), sizes
        )
        for move in range(moves)
    ]
    found = searched(np.stack(table, axis=1).tolist(), edges, [goal])
    if max(found.values()) >= UNREACHED - max(cost for own in edges for _, _, cost in own):
        with pytest.raises(DeclarationError, match="do not fit into a byte"):
            fill_levels(distance, backward, edges)
        return
    fill_levels(distance, backward, edges)
    expected = np.full(distance.shape, UNREACHED)
    for (value, state), cost in found.items():
        expected[state, value] = cost
    assert np.array_equal(distance, expected)


@given(seed=st.integers(0, 1 << 32), level=st.integers(0, 4))
@settings(max_examples=60)
def test_a_sweep_compiled_and_in_numpy(seed: int, level: int) -> None:
    random = np.random.default_rng(seed)
    sizes, states, moves = random.integers(1, 8, 3).tolist(), int(random.integers(1, 5)), 4
    tables = [
        np.stack([random.permutation(size) for _ in range(moves)], axis=1).astype(np.uint32)
        for size in sizes
    ]
    first = random.choice(
        np.array([0, 1, 2, 3, 4, 5, 255], dtype=np.uint8), (states, int(np.prod(sizes)))
    )
    state = int(random.integers(states))
    edges = int(random.integers(0, 7))
    into = np.stack(
        [random.integers(moves, size=edges), random.integers(states, size=edges),
         random.integers(1, 6, size=edges)], axis=1
    ).astype(np.int32)  # fmt: skip
    second = first.copy()
    cut = int(random.integers(sizes[0] + 1))
    parts = ((0, cut), (cut, sizes[0]))
    counts = [
        sum(sweep(distance, state, *tables, into, level, *part) for part in parts)
        for sweep, distance in ((fill.sweep, first), (_sweep, second))
    ]
    assert counts[0] == counts[1] == np.count_nonzero(second[state] == level)
    assert np.array_equal(first, second)


def test_levels_end_with_the_byte() -> None:
    """Expensive moves lead to distances that do not fit: an error says so."""
    steps = steps_of("robot")
    edges = [[(move, to, 60 * cost) for move, to, cost in own] for own in steps.edges]
    with pytest.raises(DeclarationError, match="distances do not fit into a byte"):
        distances_by_state(SOLVER.store, graph_of([THREE], steps._replace(edges=edges)))


# --- searches -----------------------------------------------------------------------------------

LIMIT = 9


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[list[Edge]], list[list[int]], int]:
    """An automaton in which each move has one edge at most, what moves do, and where to start."""
    states, moves, size = draw(st.integers(1, 3)), draw(st.integers(1, 3)), 6
    edges = [
        [
            (move, draw(st.integers(0, states - 1)), draw(st.integers(1, 4)))
            for move in range(moves)
            if draw(st.booleans())
        ]
        for _ in range(states)
    ]
    columns = [draw(st.permutations(range(size))) for _ in range(moves)]
    table = [[column[value] for column in columns] for value in range(size)]
    return edges, table, draw(st.integers(0, size - 1))


def paths(
    edges: list[list[Edge]], table: list[list[int]], start: int
) -> list[tuple[int, list[int]]]:
    """Every path to the value 0 within the limit, with its cost."""
    found = []
    listed: list[tuple[int, int, int, list[int]]] = [(0, start, 0, [])]
    for spent, value, state, path in listed:  # grows while it is gone through
        if value == 0:
            found.append((spent, path))
        listed += [
            (spent + cost, table[value][move], to, [*path, move])
            for move, to, cost in edges[state]
            if spent + cost <= LIMIT
        ]
    return found


def run(
    module: Any,
    edges: list[list[Edge]],
    table: list[list[int]],
    start: int,
    exact: bool,
    tables: bool = True,
    unit: int = 1,
) -> tuple[list[tuple[int, list[int]]], int, int]:
    """What a search finds, and how many nodes it takes."""
    moves, size = len(table[0]), len(table)
    costs = [[0] * moves for _ in edges]
    for state, own in enumerate(edges):
        for move, _, cost in own:
            costs[state][move] = cost
    distance = bytearray([UNREACHED] * size)
    for (value, _), cost in searched(table, edges, [0]).items():
        distance[value] = min(distance[value], cost // unit)
    space = module.Space(
        costs,
        [[(move, to) for move, to, _ in own] for own in edges],
        [CoordinateInput(size, array("H", [value for row in table for value in row]), (0,))],
        [TableInput((0,), 8, bytes(distance))] if tables else [],
        unit=unit,
    )
    search = module.Search(space, plies=2, exact=exact)
    search.start([start], LIMIT)
    found = []
    while (status := search.run(PLENTY)) != EXHAUSTED:
        assert status == FOUND
        found.append((search.spent_here, search.path))
        if not exact:
            break
    return found, search.generated_nodes, search.expanded_nodes


@pytest.mark.slow
@given(
    case=searches().filter(lambda each: any(each[0])),
    tables=st.booleans(),
    unit=st.integers(1, 3),
)
@settings(max_examples=150)
def test_searches_where_costs_depend_on_the_state(
    case: tuple[list[list[Edge]], list[list[int]], int], tables: bool, unit: int
) -> None:
    edges, table, start = case
    expected = paths(edges, table, start)
    if len(expected) > 1000:
        return
    every = run(engine, edges, table, start, True, tables, unit)
    assert sorted(every[0]) == sorted(expected)
    assert [cost for cost, _ in every[0]] == sorted(cost for cost, _ in expected)
    first = run(engine, edges, table, start, False, tables, unit)
    assert [cost for cost, _ in first[0]] == sorted(cost for cost, _ in expected)[:1]
    if COMPILED:
        assert run(plain(), edges, table, start, True, tables, unit) == every
        assert run(plain(), edges, table, start, False, tables, unit) == first


@pytest.mark.parametrize("unit", [1, 2])
def test_a_bound_at_which_only_goals_are_left_is_not_the_last(unit: int) -> None:
    """Two places, one move between them at cost 2: every even number of moves is a solution."""
    edges: list[list[Edge]] = [[(0, 0, 2)]]
    for module in (engine, plain()):
        for tables in (True, False):
            found, _, _ = run(module, edges, [[1], [0]], 0, True, tables, unit)
            assert found == [(4 * n, [0] * 2 * n) for n in range(3)]
            found, _, _ = run(module, edges, [[1], [0]], 1, True, tables, unit)
            assert found == [(4 * n + 2, [0] * (2 * n + 1)) for n in range(2)]


@pytest.mark.parametrize(
    ("costs", "automaton", "problem"),
    [
        ([[1], [1]], [[(0, 0)]], "each state"),
        ([[1]], [[(0, 0)], [(0, 1)]], "each state"),
        ([[1], [1, 1]], [[(0, 0)], [(0, 1)]], "each state"),
        ([[1], [0]], [[(0, 0)], [(0, 1)]], "positive cost"),
    ],
)
def test_costs_by_state_are_checked(costs: Any, automaton: Any, problem: str) -> None:
    for module in (engine, plain()):
        with pytest.raises(ValueError, match=problem):
            module.Space(costs, automaton, [CoordinateInput(2, array("H", [1, 0]), (0,))], [])
