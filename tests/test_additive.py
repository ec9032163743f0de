"""Additive pruning tables: brute force, sums against true distances, and what cannot be added."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest
from bundled import COMPILED
from engines import plain
from resolving import resolve, table_of
from tiles import Tiles, korf

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Method,
    Metric,
    Orbit,
    Permutation,
    Phase,
    PruningTable,
    Puzzle,
    Solver,
)
from puzzlekit.search.options import SearchOptions, table_keys
from puzzlekit.tables.move_table import build_move_table
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_fifteen.additive import Additive, additive_distances
from puzzlekit_fifteen.engine.additive_fill import additive_level, sliding_level
from puzzlekit_fifteen.pattern import sliding_distances
from puzzlekit_fifteen.phases import _added
from puzzlekit_robots import Machine

EIGHT = puzzlekit.load("eight-blank-first")
WAYS = (True, False) if COMPILED else (False,)  # compiled, and in NumPy
PARTITIONS = (
    ((1, 2, 3, 4), (5, 6, 7, 8)),
    ((1, 4, 5), (2, 3, 6), (7, 8)),
    ((1, 2, 3, 4, 5, 6), (7,), (8,)),
    tuple((tile,) for tile in range(1, 9)),
)


def added(solver: Solver, partition: Sequence[Sequence[int]], bits: int = 8) -> Phase:
    """A phase of one group, with a coordinate for each three tiles of a pattern."""
    coordinates, tables = [], []
    for pattern in partition:
        names = []
        for begin in range(0, len(pattern), 3):
            tiles = " ".join(map(str, pattern[begin : begin + 3]))
            names.append(tiles.replace(" ", "-"))
            coordinates.append(Permutation(names[-1], solver.puzzle, "tiles", tiles))
        tables.append(Additive(" ".join(names), "all", bits))
    return Phase("solve", "every tile in its place", "U L R D", tuple(coordinates), tuple(tables))


def entries(solver: Solver, phase: Phase, table: PruningTable) -> Any:
    needs = resolve(solver.puzzle, phase, solver.puzzle.metric())
    return np.asarray(table_of(needs, table).get(solver.store).data)


def estimates(solver: Solver, phase: Phase, vector: Any) -> Any:
    """The sum of the distances of all tables for each of many states."""
    named = {each.name: each for each in phase.coordinates}
    total: Any = 0
    for table in phase.pruning_tables:
        index: Any = 0
        for name in table.coordinates.split():
            index = index * named[name].size + named[name].rank(vector)
        total = total + entries(solver, phase, table)[index].astype(int)
    return total


def brute_force(
    board: Tiles, pattern: tuple[int, ...], blanks: Sequence[int]
) -> dict[tuple[int, ...], int]:
    """For the places of some tiles the least number of their own moves, wherever the blank is.

    To where they are at home and the blank is at one of some places.
    """
    cost = {(blank, *pattern): 0 for blank in blanks}
    waiting = deque(cost)
    while waiting:
        state = waiting.popleft()
        for before, after in board.moves:
            if before != state[0]:
                continue
            price = int(after in state)
            other = tuple(after if at == before else before if at == after else at for at in state)
            if cost[state] + price < cost.get(other, 1 << 20):
                cost[other] = cost[state] + price
                waiting.append(other) if price else waiting.appendleft(other)
    found: dict[tuple[int, ...], int] = {}
    for (_, *places), least in cost.items():
        found[tuple(places)] = min(least, found.get(tuple(places), least))
    return found


@pytest.mark.parametrize(
    ("puzzle", "board", "partition"),
    [
        ("tiles-2x3-blank-first", Tiles(2, 3), [(1, 2), (3, 4, 5)]),
        ("tiles-2x3-blank-first", Tiles(2, 3), [(1, 3, 4, 5)]),
        ("tiles-2x3-blank-first", Tiles(2, 3), [(5,), (1, 3, 4)]),
        ("eight-blank-first", Tiles(3, 3), [(1, 2, 3, 4), (5, 7, 8), (6,)]),
        ("eight-blank-first", Tiles(3, 3), [(8, 1)]),
        ("tiles-2x5-blank-first", Tiles(2, 5), [(4, 1, 9)]),
    ],
)
def test_entries_are_the_least_numbers_of_own_moves(
    puzzle: str, board: Tiles, partition: list[tuple[int, ...]]
) -> None:
    """At the goal the blank is where no tile has to be."""
    solver = puzzlekit.load(puzzle)
    phase = added(solver, partition)
    named = {each.name: each for each in phase.coordinates}
    blanks = [n for n in range(board.places) if not any(n in own for own in partition)]
    for pattern, table in zip(partition, phase.pruning_tables, strict=True):
        found = entries(solver, phase, table)
        expected = brute_force(board, pattern, blanks)
        assert (found < UNREACHED).sum() == len(expected)
        for places, least in expected.items():
            labels = dict(zip(places, pattern, strict=True))
            state = {place: labels.get(place, 127) for place in range(board.places)}
            index = 0
            for name in table.coordinates.split():
                index = index * named[name].size + int(named[name].rank(state))
            assert found[index] == least


@cache
def every_state() -> tuple[Any, Any]:
    """All 181,440 states of the 8-puzzle, as arrays by place, and how far each is from solved."""
    phase = EIGHT.method("optimal").phases[0]
    order = phase.coordinates[0]
    distance = entries(EIGHT, phase, phase.pruning_tables[0]).astype(int)
    reached = np.flatnonzero(distance < 255)
    return order.unrank(reached), distance[reached]


@pytest.mark.slow
@pytest.mark.parametrize("partition", PARTITIONS)
def test_sums_are_admissible_on_every_state(partition: tuple[tuple[int, ...], ...]) -> None:
    vector, distance = every_state()
    assert len(distance) == 181_440 and distance.max() == 31
    own = estimates(EIGHT, added(EIGHT, partition), vector)
    manhattan = estimates(EIGHT, added(EIGHT, PARTITIONS[-1]), vector)
    assert (own <= distance).all() and (own >= manhattan).all()
    assert ((distance - own) % 2 == 0).all()  # every move changes the parity of both
    assert (own == 0).sum() == 1 == (distance == 0).sum()
    assert manhattan.mean() == 14


@pytest.mark.slow
def test_a_sum_may_change_by_more_than_a_move() -> None:
    """The least over the places of the blank is not consistent, as IDA* does not ask for."""
    vector, _ = every_state()
    phase = added(EIGHT, PARTITIONS[0])
    here = estimates(EIGHT, phase, vector)
    most = 0
    for before, after in Tiles(3, 3).moves:
        moved = {**vector, before: vector[after], after: vector[before]}
        there = estimates(EIGHT, phase, moved)
        most = max(most, int(abs(there - here)[vector[before] == 0].max()))
    assert most > 1


def test_nibbles_hold_the_same_distances() -> None:
    whole, half = (added(EIGHT, [(1, 2, 3)], bits) for bits in (8, 4))
    packed = entries(EIGHT, half, half.pruning_tables[0])
    unpacked = np.stack([packed & 15, packed >> 4], 1).reshape(-1)
    assert (unpacked == np.minimum(entries(EIGHT, whole, whole.pruning_tables[0]), 15)).all()


# --- the ways of filling -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puzzle", "pattern"),
    [("tiles-2x3", (1, 3, 4, 5)), ("tiles-2x5", (1, 2)), ("eight", (1, 2, 3)), ("locks", ())],
)
def test_all_ways_of_filling_agree(
    puzzle: str, pattern: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled, the same source as plain Python, and in NumPy; of patterns of tiles, too."""
    solver = LOCKS if puzzle == "locks" else puzzlekit.load(puzzle)
    phase = LOCKS.methods[0].phases[0] if puzzle == "locks" else added(solver, [pattern])
    needs = resolve(solver.puzzle, phase, solver.puzzle.metric())
    parts = phase.coordinates
    undone = [_inverse(build_move_table(each, needs.moves)) for each in parts]
    goals = [each.goals for each in parts]

    def readable(*given: Any) -> int:
        *arrays, level = given
        found: int = plain().additive_level(*map(memoryview, arrays), level)
        return found

    def readable_pattern(*given: Any) -> int:
        *arrays, level = given
        found: int = plain().sliding_level(*map(memoryview, arrays), level)
        return found

    for places in (
        (needs.goal_places, tuple(range(solver.puzzle.guarded.size)))
        if (solver.puzzle.guarded)
        else ((),)
    ):
        arguments = parts, goals, undone, needs.moves, places
        with monkeypatch.context() as patched:
            patched.setattr("puzzlekit_fifteen.engine.additive_fill.additive_level", readable)
            source = additive_distances(*arguments, compiled=True)
            patched.setattr(
                "puzzlekit_fifteen.engine.additive_fill.sliding_level", readable_pattern
            )
            tiles = parts, needs.moves, places, lambda share: None
            pattern = sliding_distances(*tiles)
        filled = [
            source,
            *(additive_distances(*arguments, each) for each in WAYS),
            *((pattern, sliding_distances(*tiles)) if solver.puzzle.guarded else ()),
        ]
        assert all((each == source).all() for each in filled)
        assert source[source < UNREACHED].max() > 3


def _inverse(table: Any) -> Any:
    return np.argsort(table, axis=0).astype(np.uint32)


@pytest.mark.parametrize("name", ["eight", "eight-blank-first"])
def test_patterns_that_are_turned_or_reflected_share_a_table(name: str) -> None:
    solver = puzzlekit.load(name)
    partitions = [[(1, 2, 4), (5, 7, 8), (3, 6)], [(3, 6, 4), (7, 5, 8), (1, 2)], [(2, 1, 5)]]
    phase = _added(solver.puzzle, 3, partitions)
    shared = resolve(solver.puzzle, phase, solver.puzzle.metric()).tables
    assert len({each.key for each in shared}) < len(shared) == 7
    boards = np.random.default_rng(5).permuted(np.tile(np.arange(9), (500, 1)), axis=1)
    vector = dict(enumerate(boards.T))
    patterns = [pattern for partition in partitions for pattern in partition]
    for pattern, table in zip(patterns, phase.pruning_tables, strict=True):
        own = attrs.evolve(phase, tables=(table,))
        expected = estimates(solver, added(solver, [pattern]), vector)
        assert (estimates(solver, own, vector) == expected).all() and 20 > expected.max() > 4
    other = added(solver, [(1, 2)]).coordinates
    wrong = attrs.evolve(phase.pruning_tables[0], like=other)
    with pytest.raises(DeclarationError, match="'like' must have as many values"):
        check(attrs.evolve(phase, tables=(wrong,)), solver)


# --- moves that are always possible --------------------------------------------------------------


def locks() -> Solver:
    """Two rings of five beads, turned or two beads swapped, each by itself."""
    beads = "1 2 3 4 5"
    turns = {}
    for family, gather in (("A", "12340"), ("B", "10234")):
        own = [int(digit) for digit in gather]
        turns[f"{family}l"] = bytes([*own, *range(5, 10)]), bytes(10)
        turns[f"{family}r"] = bytes([*range(5), *(5 + n for n in own)]), bytes(10)
    metric = Metric("HTM", "turns", dict.fromkeys(turns, 1))
    orbits = Orbit("left", "bead", beads), Orbit("right", "bead", beads)
    puzzle = Puzzle("locks", "Two rings", orbits, turns, (metric,))
    parts = Permutation("left", puzzle, "left"), Permutation("right", puzzle, "right")
    both = tuple(Additive(each.name, "both", 8) for each in parts)
    phase = Phase("solve", "both rings", "Al Bl Ar Br", parts, both)
    exact = Phase("solve", "both rings", "Al Bl Ar Br", parts, ("left right",), bits=8)
    return Solver(puzzle, [Method("sum", "", (phase,)), Method("exact", "", (exact,))])


LOCKS = locks()


def test_distances_of_what_no_move_changes_together_add_up_to_the_true_one() -> None:
    (left, right), (both,) = (
        [entries(LOCKS, phase, table) for table in phase.pruning_tables]
        for phase in (method.phases[0] for method in LOCKS.methods)
    )
    assert (left[:, None].astype(int) + right == both.reshape(120, 120)).all()
    state = LOCKS.state("Al2 Bl Ar Br Al Bl Al2 Br Ar2")
    lengths = {LOCKS.solve(state, method=name).cost for name in ("sum", "exact")}
    assert len(lengths) == 1
    assert LOCKS.solve(state, method="sum", heuristic="sum").optimal  # one group is one distance


# --- what cannot be ------------------------------------------------------------------------------


def check(phase: Phase, solver: Solver = EIGHT) -> None:
    resolve(solver.puzzle, phase, solver.puzzle.metric()).table_keys()


def test_what_a_move_may_change_together_cannot_be_added() -> None:
    with pytest.raises(DeclarationError, match="1-2 and 2-3 cannot be added: the move U"):
        check(added(EIGHT, [(1, 2), (2, 3)]))
    with pytest.raises(DeclarationError, match="cannot be added"):
        check(added(EIGHT, [(1, 2), (0, 3)]))  # the blank moves with every tile
    puzzle = LOCKS.puzzle
    parts = [Permutation(name, puzzle, "left", name) for name in ("1", "2")]
    tables = [Additive(each.name, "both") for each in parts]
    with pytest.raises(DeclarationError, match="1 and 2 cannot be added: the move Al"):
        check(Phase("solve", "", "Al Bl", tuple(parts), tuple(tables)), LOCKS)


def test_what_a_machine_does_at_once_cannot_be_added() -> None:
    machine = Machine(name="both", title="", arms=(("Al", "Ar"), ("Bl",), ("Br",)))
    with pytest.raises(DeclarationError, match=r"left and right cannot be added.* Al \+ Ar"):
        resolve(LOCKS.puzzle, LOCKS.methods[0].phases[0], machine)


def test_additive_tables_that_cannot_be() -> None:
    with pytest.raises(DeclarationError, match="table 1-2: entries must have 4 or 8 bits, not 2"):
        Additive("1-2", "all", bits=2)
    with pytest.raises(DeclarationError, match="table 1-2: an additive table must name its group"):
        Additive("1-2", "")
    one, other, third = (Additive(str(n), "ab"[n % 2]) for n in (1, 2, 3))
    parts = tuple(Permutation(str(n), EIGHT.puzzle, "tiles", str(n)) for n in (1, 2, 3))
    with pytest.raises(DeclarationError, match="list the additive tables of a group"):
        Phase("solve", "", "U L R D", parts, (one, other, third))
    dear = Puzzle(
        "dear",
        "",
        LOCKS.puzzle.orbits,
        LOCKS.puzzle.turns,
        (Metric("HTM", "", {"Al": 1, "Ar": 2, "Bl": 1, "Br": 1}),),
    )
    left = Permutation("left", dear, "left")
    phase = Phase("solve", "", "Al Bl Ar Br", (left,), (Additive("left", "all"),))
    with pytest.raises(DeclarationError, match="moves that cost 1"):
        check(phase, Solver(dear, [Method("sum", "", (phase,))]))


# --- the 15-puzzle -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("number", "nodes"), [(9, 1_650_695), (2, 15_300_441)])
def test_the_method_manhattan_takes_the_nodes_it_always_took(number: int, nodes: int) -> None:
    """IDA* with the Manhattan distance on two of the instances of Korf (1985)."""
    if not COMPILED:
        pytest.skip("takes minutes where the engine is not compiled")
    tiles, length = korf()[number]
    solution = puzzlekit.load("fifteen-blank-first").solve(bytes(tiles), method="manhattan")
    assert (solution.cost, solution.nodes, solution.optimal) == (length, nodes, True)


@pytest.mark.slow
def test_instances_of_korf_are_solved_optimally() -> None:
    """The first twenty, whose lengths are known one by one."""
    if not COMPILED:
        pytest.skip("takes minutes where the engine is not compiled")
    solver = puzzlekit.load("fifteen-blank-first")
    choice = solver.choose(SearchOptions("optimal"))
    assert len(table_keys(choice)) == 13  # three tables, and moves of ten coordinates
    for tiles, length in list(korf().values())[:20]:
        solution = solver.solve(bytes(tiles))
        assert (solution.cost, solution.optimal) == (length, True)


@pytest.mark.slow
def test_groups_are_joined_by_other_heuristics_too() -> None:
    """Without a compiler too: a few moves only, with small patterns."""
    state = EIGHT.state("R D L D R R U L L")
    partitions = PARTITIONS[:2]
    phases = [added(EIGHT, partition) for partition in partitions]
    parts = {each.name: each for phase in phases for each in phase.coordinates}
    tables = tuple(
        Additive(table.coordinates, str(number), 8)
        for number, phase in enumerate(phases)
        for table in phase.pruning_tables
    )
    both = Phase("solve", "every tile", "U L R D", tuple(parts.values()), tables)
    assert [len(group) for group in both.groups] == [2, 3]
    solver = Solver(EIGHT.puzzle, [Method("both", "", (both,))], EIGHT.store)
    estimate = solver.prepared().phases[0].estimate
    (one, other) = (
        int(estimates(EIGHT, phase, {j: np.array([label]) for j, label in enumerate(state)})[0])
        for phase in phases
    )
    assert estimate(EIGHT.puzzle, state) == max(one, other)
    summed = solver.prepared(heuristic="sum").phases[0]
    assert summed.estimate(EIGHT.puzzle, state) == one + other
    assert not summed.admissible
    summed = solver.choose(SearchOptions(heuristic="sum"))
    assert len(table_keys(summed)) == len(table_keys(solver.choose())) + 1
    assert solver.solve(state).cost == EIGHT.solve(state).cost


def test_a_level_refuses_arrays_that_do_not_fit() -> None:
    masks = [np.zeros(4, np.uint16) for _ in range(3)]
    tables = [np.zeros((size, 2), np.uint32) for size in (4, 1, 1)]
    ways, begin = np.array([[0, 0], [1, 0]], np.int32), np.array([0, 2], np.int32)
    right = [np.full(4, 255, np.uint8), *masks, *tables, ways, begin]
    assert additive_level(*right, 0) == 0
    for at in range(len(right)):
        with pytest.raises(ValueError, match="of different puzzles"):
            additive_level(*right[:at], right[at][:-1], *right[at + 1 :], 0)
    masks = [np.zeros(4, np.uint8) for _ in range(4)]
    begin, edges, turns = np.array([0, 0, 1], np.int32), np.zeros((1, 4), np.int32), [[0, 1]]
    right = [*masks, np.zeros(2, np.uint8), begin, edges, np.array(turns, np.uint16)]
    assert sliding_level(*right, 0) == 0
    for at in (0, 1, 2, 3, 4, 5):
        with pytest.raises(ValueError, match="of different patterns"):
            sliding_level(*right[:at], right[at][:-1], *right[at + 1 :], 0)
