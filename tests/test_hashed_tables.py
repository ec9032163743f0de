"""Hashed pruning tables: bounds on joint states, built and looked up alike."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pytest
from declared_phases import move_tables_of
from engines import engine, plain
from test_sym_pairing import FIVE, SMALL, SMALL_MOVES, STORE

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    DeclarationError,
    Metric,
    Orbit,
    Permutation,
    Phase,
    PruningTable,
    Puzzle,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.move import Effect, Move
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.classes import SymNeeds
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit_cubes import Hashed, Thresholds
from puzzlekit_cubes.hash_keys import hash_keys, layout
from puzzlekit_cubes.hashed_distances import HashedDistances, hashes

SECONDS = Permutation("seconds", SMALL, "beads", "f g h i j", "f g h i j")
ALLOWED = SMALL.family_moves(SMALL_MOVES.split())
THREE = Thresholds("five", (1, 2, 3))
JOINT = Hashed("five seconds", 1 << 16, {"M": 3})


def assembled(*tables: str | PruningTable) -> CompiledPhase:
    phase = Phase("both", "all paired, second places at home", SMALL_MOVES, (FIVE, SECONDS), tables)
    return CompiledPhase(Plan(SMALL, (phase,), SMALL.metric(), STORE), phase)


@cache
def distances() -> dict[tuple[int, int], tuple[int, bytes]]:
    """For each joint state its distance and a state, plainly."""
    state = SMALL.solved
    found = {(FIVE.rank(state), SECONDS.rank(state)): (0, state)}
    for far, state in (listed := list(found.values())):  # grows while it is gone through
        for move in ALLOWED:
            near = SMALL.apply(state, [move])
            joint = (FIVE.rank(near), SECONDS.rank(near))
            if joint not in found:
                found[joint] = (far + 1, near)
                listed.append(found[joint])
    return found


def graph_of(
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move] = ALLOWED,
    goal_states: Sequence[bytes] = (),
) -> DistanceGraph:
    """What a hashed table over some coordinates is made from."""
    return DistanceGraph(coordinates, moves, [1] * len(moves), "M", goal_states=goal_states)


def hashed_bound(phase: CompiledPhase, state: bytes) -> int:
    """What the hashed table of a phase says of a state."""
    hashed = phase.hashed
    assert hashed is not None
    keys, data = memoryview(hashed.keys), memoryview(hashed.data)
    mixed = 0
    for i, value in enumerate([*phase.vector(state), SECONDS.rank(state)]):
        mixed ^= keys[256 * i + value]
    index = (mixed & 0x7FFFFFFF) * hashed.entries >> 31
    return int(data[index >> 1] >> ((index & 1) << 2) & 15)


@pytest.mark.slow
def test_entries_are_lower_bounds_and_nearly_exact() -> None:
    phase = assembled(THREE, "seconds", JOINT)
    exact = 0
    for distance, state in distances().values():
        bound = hashed_bound(phase, state)
        assert bound <= min(distance, 4)
        exact += bound == min(distance, 4)
    assert exact > 0.9 * len(distances())


@pytest.mark.slow
@pytest.mark.parametrize(
    "tables", [(THREE, "seconds", JOINT), ("seconds", JOINT), ("seconds", THREE, JOINT)]
)
def test_searches_find_shortest_answers(tables: tuple[str | PruningTable, ...]) -> None:
    phase = assembled(*tables)
    rng = random.Random(1)
    for distance, state in rng.sample(list(distances().values()), 60):
        for module in (engine, plain()):
            if module is not engine and distance > 4:
                continue
            space = phase.space if module is engine else plain_space(phase)
            search = module.Search(space)
            search.start(phase.ranks(state), 20, 0, phase.vector(state))
            assert search.run(1 << 30) == FOUND
            assert search.spent_here == distance
            if module is engine:
                expected = search.expanded_nodes
            assert search.expanded_nodes == expected  # compiled and not


def plain_space(phase: CompiledPhase) -> object:
    """The same space of the engine as plain Python."""
    parts = phase
    if plain().Space is type(phase.space):
        return phase.space
    from puzzlekit_cubes.pairing_classes import PairingClasses, PairingNeeds

    needs = PairingNeeds(FIVE, phase.moves, phase.costs)
    classes = PairingClasses(STORE, needs)
    module = plain()
    ranking = module.PairRank(5, 1, FIVE.classes, FIVE.shift, classes.heads, classes.symmetries)
    effects = FIVE.effects(phase.moves)
    carry = module.Carry(
        [(gather, bytes(5)) for gather, _ in effects], bytes(5), [label for _, label in effects]
    )
    first, *others = parts.coordinates
    return module.Space(
        phase.costs,
        phase.automaton,
        [first._replace(run=ranking), *others],
        parts.tables,
        None,
        None,
        carry,
        hashed=parts.hashed,
    )


@pytest.mark.slow
def test_the_table_saves_nodes() -> None:
    with_it, without = assembled(THREE, "seconds", JOINT), assembled(THREE, "seconds")
    nodes = [0, 0]
    for _, state in random.Random(2).sample(list(distances().values()), 40):
        for i, phase in enumerate((with_it, without)):
            search = engine.Search(phase.space)
            phase.start(search, SMALL, state, 20)
            assert search.run(1 << 30) == FOUND
            nodes[i] += search.expanded_nodes
    assert nodes[0] < nodes[1]


@pytest.mark.slow
def test_positions_by_depth_without_hashing_to_the_same() -> None:
    found = HashedDistances(STORE, graph_of([FIVE, SECONDS]), 22, 4)
    found.fill()
    expected = np.bincount([distance for distance, _ in distances().values()])
    assert found.counts == expected[:4].tolist()
    assert (found.entries == 0).sum() == 1


def test_goal_states_are_where_it_starts() -> None:
    # What A makes of the solved state has the same pairing.
    turned = [SMALL.solved, SMALL.apply(SMALL.solved, SMALL.moves("A"))]
    found = HashedDistances(STORE, graph_of([FIVE, SECONDS], goal_states=turned), 16, 2)
    found.fill()
    assert found.counts[0] == 2 and (found.entries == 0).sum() == 2
    with pytest.raises(DeclarationError, match="not at a goal"):
        moved = SMALL.apply(SMALL.solved, SMALL.moves("B"))
        HashedDistances(STORE, graph_of([FIVE, SECONDS], goal_states=[moved]), 16, 2)


def test_values_of_more_than_a_byte_have_more_bytes() -> None:
    assert layout([SECONDS, FIVE]) == [(1, 5)] * 5 + [(0, 120)]
    large = Permutation("large", SMALL, "beads", "f g h i", "f g h i j a b c d e")  # 5,040
    assert layout([large]) == [(0, 256), (0, 20)]
    keys = hash_keys(STORE, graph_of([large]))
    assert len(keys) == 512 and len({*keys[:276]}) == 276 and not any(keys[276:])


def test_declarations_that_cannot_be() -> None:
    for entries, farthest, problem in (
        (16, 3, "table five: a hashed table has 256 to 2.30 entries, not 16"),
        (256, 0, "table five: the largest distance in 'farthest' must be at least 1"),
        (256, 15, "table five: the largest distance in 'farthest' must be at most 14"),
    ):
        with pytest.raises(DeclarationError, match=problem):
            Hashed("five", entries, {"M": farthest})
    with pytest.raises(DeclarationError, match="largest distance"):
        assembled(THREE, Hashed("five seconds", 1 << 16, {}))
    with pytest.raises(DeclarationError, match="twice"):
        assembled(THREE, Hashed("five five", 1 << 16, {"M": 2}))
    with pytest.raises(DeclarationError, match="one hashed"):
        assembled(THREE, JOINT, Hashed("five", 1 << 16, {"M": 2}))
    cube = puzzlekit.load("cube2")
    eight = Permutation("eight", cube.puzzle, "corners")
    classes = SymCoordinate("sym", cube.puzzle, "corners", (eight,), 984, 48)
    moves = cube.puzzle.family_moves("URF")
    graph = DistanceGraph([eight], moves, [1] * len(moves), "M")
    with move_tables_of(0), pytest.raises(DeclarationError, match="cannot be in a hashed"):
        Hashed("eight", 256, {"M": 2}).check(graph)
    sym = SymNeeds(classes, (), moves, [1] * len(moves))
    turned = DistanceGraph([classes], moves, [1] * len(moves), "M", (), [cube.puzzle.solved], [sym])
    with pytest.raises(DeclarationError, match="goal turns"):
        Hashed("sym", 256, {"M": 2}).check(turned)


# --- hashed tables whose goals are in other holdings ----------------------------------------------


def row_puzzle(rows: int, turned: Sequence[int], each_alone: bool) -> Puzzle:
    """Rows of four beads, whose ends the rotation x exchanges in some of the rows.

    A and B move the rows all at once, or each row has moves of its own.
    """
    place = [f"{row}{i}" for row in "pqrst"[:rows] for i in range(4)]
    still = list(range(4 * rows))

    def effect(order: Sequence[int], on: Iterable[int]) -> Effect:
        gather = list(still)
        for row in on:
            gather[4 * row : 4 * row + 4] = [4 * row + i for i in order]
        return bytes(gather), bytes(4 * rows)

    turns = {"x": effect([3, 2, 1, 0], turned)}
    groups = [[row] for row in range(rows)] if each_alone else [list(range(rows))]
    for number, group in enumerate(groups):
        turns["ACEGI"[number]] = effect([1, 0, 3, 2], group)
        turns["BDFHJ"[number]] = effect([0, 2, 1, 3], group)
    orbit = Orbit("beads", "bead", " ".join(place))
    metric = Metric("M", "moves", {**{name: 1 for name in turns if name != "x"}, "x": 0})
    return Puzzle(
        f"rows{rows}{len(turned)}{each_alone}", "Rows", (orbit,), turns, (metric,), ("x",)
    )


def hashed_against_brute_force(
    puzzle: Puzzle, coordinates: list[Coordinate], goal_turns: str, farthest: int
) -> tuple[int, int]:
    """How many entries are too large, and how many joint states there are."""
    moves = puzzle.family_moves([name for name in puzzle.turns if name not in puzzle.rotations])
    one = Phase("p", "g", "x", tuple(coordinates), (), goal_turns=goal_turns)
    states = one.goal_states(puzzle)
    distance = {tuple(c.rank(s) for c in coordinates): (0, s) for s in states}
    for far, state in (queue := list(distance.values())):
        for move in moves:
            near = puzzle.apply(state, [move])
            key = tuple(c.rank(near) for c in coordinates)
            if key not in distance:
                distance[key] = (far + 1, near)
                queue.append(distance[key])
    table = HashedDistances(STORE, graph_of(coordinates, moves, states), 1 << 20, farthest)
    table.fill()
    wrong = 0
    for key, (far, _) in distance.items():
        assert len(layout(coordinates)) == len(key)
        row = np.array([key], dtype=np.uint8)
        entry = int(table.entries[table._index(hashes(row, table._keys))][0])
        wrong += entry > min(far, farthest + 1)
    return wrong, len(distance)


def halves(puzzle: Puzzle, rows: str) -> list[Coordinate]:
    """For each row where its first two beads are."""
    return [
        Combination(
            f"half {row}",
            puzzle,
            "beads",
            f"{row}0 {row}1",
            " ".join(f"{row}{i}" for i in range(4)),
        )
        for row in rows
    ]


@pytest.mark.parametrize(
    ("rows", "turned"), [(2, [0, 1]), (3, [0, 1, 2]), (3, [0, 1]), (4, [0, 1]), (4, [0, 1, 2, 3])]
)
def test_hashed_entries_are_lower_bounds_where_goals_are_in_other_holdings(
    rows: int, turned: list[int]
) -> None:
    """What shares a hash is looked at once only, so it has to be equally far from the goal."""
    puzzle = row_puzzle(rows, turned, each_alone=True)
    wrong, count = hashed_against_brute_force(puzzle, halves(puzzle, "pqrst"[:rows]), "x", 10)
    assert wrong == 0 and count >= 16


def test_hashes_are_those_of_the_state_turned_as_the_goals_are() -> None:
    """Else each of the holdings takes an entry of its own."""
    puzzle = row_puzzle(2, [0, 1], each_alone=True)
    pair = halves(puzzle, "pq")
    turned = Phase("p", "g", "A", tuple(pair), (), goal_turns="x")
    states = turned.goal_states(puzzle)
    moves = puzzle.family_moves("ABCD")
    table = HashedDistances(STORE, graph_of(pair, moves, states), 1 << 20, 4)
    rng = random.Random(5)
    for _ in range(30):
        state = puzzle.apply(puzzle.solved, rng.choices(moves, k=8))
        other = puzzle.relabel(state, puzzle.move("x").effect)
        rows = np.array([[c.rank(s) for c in pair] for s in (state, other)], dtype=np.uint8)
        one, same = hashes(rows, table._keys).tolist()
        assert one == same
    assert table.counts == [] and len(states) == 2


def test_images_of_values_that_do_not_follow_from_them_share_no_hash() -> None:
    """Where a bead is does not tell where the one is that the rotation makes it."""
    place = " ".join(f"{row}{i}" for row in "pq" for i in range(4))

    def effect(*orders: Sequence[int]) -> Effect:
        return bytes([4 * row + i for row, order in enumerate(orders) for i in order]), bytes(8)

    still, swap, turn = [0, 1, 2, 3], [1, 0, 3, 2], [2, 1, 0, 3]
    middle = [0, 2, 1, 3]
    turns = {
        "x": effect([2, 3, 0, 1], [2, 3, 0, 1]),
        **{"A": effect(swap, still), "B": effect(turn, still), "C": effect(middle, still)},
        **{"D": effect(still, swap), "E": effect(still, turn), "F": effect(still, middle)},
    }
    metric = Metric("M", "moves", {**dict.fromkeys("ABCDEF", 1), "x": 0})
    puzzle = Puzzle("pq", "PQ", (Orbit("beads", "bead", place),), turns, (metric,), ("x",))
    ones: list[Coordinate] = [
        Permutation(
            f"one {row}", puzzle, "beads", f"{row}0", " ".join(f"{row}{i}" for i in range(4))
        )
        for row in "pq"
    ]
    wrong, count = hashed_against_brute_force(puzzle, ones, "x", 8)
    assert wrong == 0 and count == 16
