"""Pruning tables: exact distances, whichever way they are filled, and how they are packed."""

from __future__ import annotations

import heapq
import importlib.util
import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import pytest
from bundled import PHASES, WAYS, costs_in, find
from flat_distances import build_distances
from hypothesis import given
from hypothesis import strategies as st
from resolving import resolve

import puzzlekit
from puzzlekit import (
    Coordinate,
    DeclarationError,
    Move,
    Orientation,
    Permutation,
    Plain,
    TableStore,
)
from puzzlekit.engine import fill
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import move_table, move_table_key
from puzzlekit.tables.pruning_table import ResolvedTable, pack
from puzzlekit.tables.table import Table
from puzzlekit_authoring.table_checks import check_exact, unpacked

Array = npt.NDArray[Any]
DISTRIBUTIONS = json.loads(
    (Path(__file__).parent / "data" / "depth_distributions.json").read_text()
)
SOLVER = puzzlekit.load("cube2")
CUBE2 = SOLVER.puzzle
FREE = "ULB UBR URF UFL DRB DFR DLF"
TURNS = CUBE2.family_moves("URF")
FOUR = Permutation("four", CUBE2, "corners", "ULB URF", FREE)
THREE = Permutation("three", CUBE2, "corners", "DRB DFR DLF", FREE)
TWIST = Orientation("twist", CUBE2, "corners", FREE)


def plain_tables() -> Iterator[Any]:
    """Every pruning table of the bundled methods, in each metric; what several share, once.

    Those over a sym coordinate or a reduced pairing are checked in test_symmetric.py,
    test_sym_tables.py, test_sym_pairing.py and test_hashed_tables.py.
    """
    seen = set()
    for puzzle, method, number in PHASES:
        solver, phase, _ = find(puzzle, method, number)
        for metric in (metric for *way, metric in WAYS if way == [puzzle, method]):
            needs = resolve(solver.puzzle, phase, solver.puzzle.metric(metric))
            for table in needs.tables:
                if not table.graph.is_reduced and table.key not in seen:
                    seen.add(table.key)
                    name = f"{puzzle}-{method}-{table.kind.coordinates}-{metric}"
                    yield pytest.param(solver.store, table, id=name)


def moves_of(coordinate: Coordinate, moves: Sequence[Move], store: TableStore) -> Array:
    data = np.asarray(move_table(store, coordinate, moves).data)
    return data.reshape(coordinate.size, len(moves)).astype(np.int64)


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_positions_at_each_depth_of_cube2(metric: str) -> None:
    solver, phase, _ = find("cube2", "optimal", 0)
    needs = resolve(solver.puzzle, phase, solver.puzzle.metric(metric))
    (table,) = needs.tables
    distances = unpacked(table.get(solver.store).data, table.kind.bits, table.entries)
    expected = DISTRIBUTIONS[f"cube2_{metric.lower()}_3gen"]
    assert np.bincount(distances).tolist() == expected["positions_at_depth"]
    assert len(distances) == expected["total"]


@pytest.mark.slow
@pytest.mark.parametrize(("store", "table"), list(plain_tables()))
def test_every_entry_is_one_move_from_its_nearest_neighbour(
    store: TableStore, table: ResolvedTable
) -> None:
    """Zero exactly on the goals, and h(s) = the least of cost + h(s m): so all are distances.

    It follows that |h(s) - h(s m)| is never more than the cost of m.
    """
    check_exact(store, table)


@pytest.mark.slow
def test_the_beginning_of_the_phase_1_distribution() -> None:
    """Breadth-first over twist x flip x slice, which is too large for one table here."""
    solver, phase, moves = find("cube3", "two-phase", 0)
    parts = [part for each in phase.coordinates for part in getattr(each, "parts", [each])]
    assert [each.name for each in parts] == ["flip", "slice", "twist"]
    after = [moves_of(each, moves, solver.store) for each in parts]
    sizes = [each.size for each in parts]
    expected = DISTRIBUTIONS["cube3_phase1_htm"]
    assert int(np.prod(sizes)) == expected["total"]

    counts = []
    before = np.array([], dtype=np.int64)
    level = np.array([np.ravel_multi_index([each.goals[0] for each in parts], sizes)])
    for _ in range(6):
        counts.append(len(level))
        values = np.unravel_index(level, sizes)
        near = np.unique(
            np.ravel_multi_index([t[v] for t, v in zip(after, values, strict=True)], sizes)
        )
        seen = np.concatenate([before, level])
        before, level = level, near[~np.isin(near, seen)]
    counts.append(len(level))
    assert counts == expected["positions_at_depth"][:7]


def by_dijkstra(
    coordinates: Sequence[Coordinate], moves: Sequence[Move], costs: Sequence[int]
) -> list[int]:
    """Distances by the textbook, over the moves undone; 255 where nothing leads to a goal."""
    after = [moves_of(each, moves, SOLVER.store).tolist() for each in coordinates]
    sizes = [each.size for each in coordinates]
    before: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
    for node in product(*map(range, sizes)):
        for column, cost in enumerate(costs):
            reached = tuple(t[v][column] for t, v in zip(after, node, strict=True))
            before.setdefault(reached, []).append((node, cost))
    least: dict[tuple[int, ...], int] = {}
    heap = [(0, goal) for goal in product(*(each.goals for each in coordinates))]
    while heap:
        spent, node = heapq.heappop(heap)
        if node not in least:
            least[node] = spent
            for source, cost in before[node]:
                heapq.heappush(heap, (spent + cost, source))
    return [least.get(node, 255) for node in product(*map(range, sizes))]


@attrs.frozen(slots=False, eq=False)
class SomeGoals(Permutation):
    """A permutation with several goals."""

    goals = (3, 17, 40)


CASES: dict[str, tuple[list[Coordinate], Sequence[Move], list[int]]] = {
    "one coordinate": ([FOUR], TURNS, [1] * 9),
    "quarter turns": ([FOUR, THREE], TURNS, [1, 2, 1] * 3),
    "costs that depend on the direction": ([THREE], TURNS, [1, 2, 5, 3, 3, 1, 2, 7, 4]),
    "not everything reachable": ([FOUR, TWIST], CUBE2.family_moves("U"), [1, 1, 1]),
    "one move only": ([THREE], CUBE2.moves("R"), [3]),
    "three coordinates": (
        [
            FOUR,
            Permutation("one", CUBE2, "corners", "DLF", FREE),
            Permutation("other", CUBE2, "corners", "DRB", FREE),
        ],
        TURNS,
        [1, 1, 2] * 3,
    ),
    "several goals": ([SomeGoals("some", CUBE2, "corners", "ULB URF", FREE)], TURNS, [1] * 9),
}
KINDS = ["compiled or interpreted", "plain Python", "NumPy"]


def interpreted_fill() -> ModuleType:
    source = Path(fill.__file__).with_name("fill.py")
    spec = importlib.util.spec_from_file_location("fill_as_plain_python", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.COMPILED
    vars(module)["COMPILED"] = True  # so that its loop is used rather than NumPy
    return module


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_tables_hold_least_costs_whichever_way_they_are_filled(
    case: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    coordinates, moves, costs = CASES[case]
    if kind == "plain Python":
        if case == "not everything reachable":
            coordinates = coordinates[:1]
        monkeypatch.setattr("puzzlekit.engine.fill", interpreted_fill())
    elif kind == "NumPy":
        monkeypatch.setattr(fill, "COMPILED", False)
    distances = build_distances(SOLVER.store, coordinates, moves, costs)
    assert distances.dtype == np.uint8
    assert distances.tolist() == by_dijkstra(coordinates, moves, costs)


@pytest.mark.slow
def test_numpy_fills_the_large_table_as_the_compiled_code_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coordinates = list(SOLVER.method("optimal").phases[0].coordinates)
    costs = costs_in(CUBE2.metric("QTM"), TURNS)
    first = build_distances(SOLVER.store, coordinates, TURNS, costs)
    monkeypatch.setattr(fill, "COMPILED", False)
    second = build_distances(SOLVER.store, coordinates, TURNS, costs)
    assert np.array_equal(first, second)


@given(values=st.lists(st.integers(0, 255), min_size=1, max_size=40))
def test_packing_two_entries_a_byte(values: list[int]) -> None:
    packed = pack(np.array(values, dtype=np.uint8), 4)
    assert packed.dtype == np.uint8 and len(packed) == (len(values) + 1) // 2
    assert [
        int(packed[i // 2] >> 4 if i % 2 else packed[i // 2] & 15) for i in range(len(values))
    ] == [min(value, 15) for value in values]


@pytest.mark.parametrize("bits", [4, 8])
def test_a_stored_table_is_the_distances_packed(bits: int, tmp_path: Path) -> None:
    store = TableStore(str(tmp_path))
    costs = [4] * 9
    graph = DistanceGraph([FOUR, THREE], TURNS, costs, "fours")
    table = ResolvedTable(Plain("four three", bits), graph)
    found = table.get(store)
    distances = build_distances(store, [FOUR, THREE], TURNS, costs)
    assert distances.max() > 15
    assert found.source == "built"
    expected = distances if bits == 8 else np.minimum(distances, 15)
    assert np.array_equal(unpacked(found.data, bits, len(distances)), expected)
    again = table.get(TableStore(str(tmp_path)))
    assert again.source == "disk" and again.data == found.data


def test_tables_of_different_goals_costs_or_moves_are_kept_apart(tmp_path: Path) -> None:
    store = TableStore(str(tmp_path))
    some = SomeGoals("four", CUBE2, "corners", "ULB URF", FREE)

    def stored(graph: DistanceGraph, bits: int = 4) -> Table:
        return ResolvedTable(Plain("four", bits), graph).get(store)

    tables = [
        stored(DistanceGraph([FOUR], TURNS, [1] * 9, "HTM")),
        stored(DistanceGraph([some], TURNS, [1] * 9, "HTM")),
        stored(DistanceGraph([FOUR], TURNS, [1, 2, 1] * 3, "HTM")),
        stored(DistanceGraph([FOUR], TURNS, [1] * 9, "HTM"), bits=8),
        stored(DistanceGraph([FOUR], TURNS[:6], [1] * 6, "HTM")),
    ]
    assert all(table.source == "built" for table in tables)
    assert len({table.key.filename for table in tables}) == len(tables)


def test_the_width_of_move_tables() -> None:
    permutation = next(
        each for each in SOLVER.method("optimal").phases[0].coordinates if each.size == 5040
    )
    assert move_table_key(permutation, TURNS).dtype == "u2"
    wide = Permutation("wide", puzzlekit.load("cube3").puzzle, "edges", "UF UR UB UL DF")
    key = move_table_key(wide, wide.puzzle.family_moves("UR"))
    assert (key.dtype, key.shape) == ("u4", (95040, 6))


def test_a_wide_move_table_acts_as_the_moves_do(tmp_path: Path) -> None:
    wide = Permutation("wide", puzzlekit.load("cube3").puzzle, "edges", "UF UR UB UL DF")
    moves = wide.puzzle.family_moves("UR")
    after = moves_of(wide, moves, TableStore(str(tmp_path)))
    assert after.max() > 1 << 16
    state = wide.puzzle.solved
    for column in (0, 3, 1, 5, 2, 4, 0, 3, 3, 0):
        moved = wide.puzzle.apply(state, [moves[column]])
        assert after[wide.rank(state), column] == wide.rank(moved)
        state = moved


def test_mistakes_are_named() -> None:
    with pytest.raises(DeclarationError, match="1 to 3 coordinates"):
        build_distances(SOLVER.store, [THREE] * 4, TURNS, [1] * 9)
    with pytest.raises(DeclarationError, match="1 to 3 coordinates"):
        build_distances(SOLVER.store, [], TURNS, [1] * 9)
    with pytest.raises(DeclarationError, match="byte"):
        build_distances(SOLVER.store, [THREE], TURNS, [90] * 9)
    with pytest.raises(DeclarationError, match="three is not closed under the moves U L"):
        move_table(SOLVER.store, THREE, CUBE2.moves("U L"))
