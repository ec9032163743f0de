"""Pruning tables over sym coordinates, every entry against distances found without symmetry."""

from __future__ import annotations

import importlib.util
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest
from bundled import COMPILED, engine_space, kept
from engines import engine, interpreted  # noqa: F401 (a fixture)
from resolving import table_of as table_in
from sym_spaces import (
    ALL,
    CASES,
    CORNERS,
    CUBE3,
    FLIP,
    PLACED,
    SLICE,
    STORE,
    THREE,
    TOP,
    TOP_EDGES,
    TWIST,
    Case,
    distances,
    entries,
    representatives,
    unpacked,
)

import puzzlekit
from puzzlekit import (
    Coordinate,
    DeclarationError,
    Metric,
    Orbit,
    Orientation,
    Permutation,
    Phase,
    Plain,
    PruningTable,
    Puzzle,
    TableStore,
)
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine import fill
from puzzlekit.errors import TableError
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.product_table import Folded, Modulo3
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit.tables.sym_distances import SymDistances

DISTRIBUTIONS = json.loads(
    (Path(__file__).parent / "data" / "depth_distributions.json").read_text()
)
needs_compiler = pytest.mark.skipif(not COMPILED, reason="too slow without a compiler")


def kind_of(case: Case, bits: int, fold: int = 1, farthest: int | None = None) -> PruningTable:
    """The kind of table over a sym coordinate that says all this."""
    cut = {} if farthest is None else {case.metric: farthest}
    return Modulo3("sym") if bits == 2 else Folded("sym", fold, cut, bits)


class Shape(NamedTuple):
    """How the entries of a table over a sym coordinate lie: in rows of whole bytes."""

    rows: int
    groups: int  # of neighbouring values of the last partner, which share an entry
    stride: int  # entries of a row, with the padding

    @classmethod
    def of(cls, sym: SymCoordinate, partners: Sequence[Coordinate], bits: int, fold: int) -> Shape:
        *first, last = [partner.size for partner in partners] or [1]
        groups = math.ceil(last / fold)
        stride = math.ceil(groups * bits / 8) * 8 // bits if partners else 1
        return cls(sym.classes * math.prod(first), groups, stride)


def table_of(
    case: Case, partners: int, bits: int, fold: int = 1, farthest: int | None = None
) -> Any:
    """The pruning table of a case over so many of its partners, unpacked."""
    graph = DistanceGraph(
        [case.sym, *case.partners[:partners]],
        case.allowed,
        case.costs,
        case.metric,
        goal_moves=case.kept,
        syms=[case.needs()],
    )
    wanted = ResolvedTable(kind_of(case, bits, fold, farthest), graph)
    found_entries = unpacked(wanted.get(STORE).data, bits)
    assert len(found_entries) == wanted.entries + -wanted.entries % (8 // bits)
    return found_entries


# --- every value --------------------------------------------------------------------------------

EVERY = [
    pytest.param(name, partners, bits, id=f"{name}-{partners}-{bits}")
    for name, case in CASES.items()
    for partners in range(len(case.partners) + 1)
    for bits in (2, 4, 8)
    if bits > 2 or (partners and case.metric == "HTM")
]


@pytest.mark.parametrize(("name", "partners", "bits"), EVERY)
def test_every_entry_is_the_distance(name: str, partners: int, bits: int) -> None:
    case = CASES[name]
    expected = distances(name, partners)
    assert 4 <= expected[expected < 255].max() < 255 or case.symmetries == 1
    found = table_of(case, partners, bits)
    stride = Shape.of(case.sym, case.partners[:partners], bits, 1).stride
    index = entries(case, case.partners[:partners], 1, stride)
    if bits == 2:
        expected = np.where(expected == 255, 3, expected % 3)
    assert np.array_equal(found[index], np.minimum(expected, (1 << bits) - 1))


FOLDED = [
    ("16 symmetries", 1, 5, None),
    ("16 symmetries", 2, 7, None),
    ("16 symmetries", 2, 1, 4),
    ("16 symmetries", 2, 9, 5),
    ("quarter turns", 2, 7, 6),
    ("two parts", 1, 70, None),
    ("two parts", 1, 100, 6),
    ("18 moves", 1, 9, 4),
    ("18 moves", 1, 2, None),
    ("18 moves, quarter turns", 1, 9, 7),
    ("6 symmetries", 1, 4, 3),
    ("several goals", 2, 3, 4),
    ("goals of half turns", 1, 4, 3),
    ("48 symmetries", 0, 1, 3),
    ("half of it out of reach", 1, 1, None),
    ("half of it out of reach", 1, 2, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize(("name", "partners", "fold", "farthest"), FOLDED)
def test_a_folded_entry_is_the_least_of_its_values(
    name: str, partners: int, fold: int, farthest: int | None, bits: int
) -> None:
    """Row by row at the representatives; then that the engine's images find that entry."""
    case = CASES[name]
    exact = distances(name, partners)
    assert farthest is None or exact.max() > farthest + 1
    cut = np.minimum(exact, 255 if farthest is None else farthest + 1)
    shape = Shape.of(case.sym, case.partners[:partners], bits, fold)
    found = table_of(case, partners, bits, fold, farthest)
    rows = found[: shape.rows * shape.stride].reshape(shape.rows, shape.stride)[:, : shape.groups]
    kept = cut[representatives(case, case.classes_of().class_of)]
    kept = kept.reshape(shape.rows, -1)
    least = np.minimum.reduceat(kept, np.arange(0, kept.shape[1], fold), axis=1)
    assert np.array_equal(rows, np.minimum(least, (1 << bits) - 1))
    index = entries(case, case.partners[:partners], fold, shape.stride)
    assert (found[index] <= exact).all()
    if fold == 1:
        assert np.array_equal(found[index], np.minimum(cut, (1 << bits) - 1))
    # Not a bound that a table over nothing would give.
    assert (found[index][exact > 0] > 0).mean() > 0.4


WAYS = [
    ("16 symmetries", 2, 2, 1, None),
    ("16 symmetries", 2, 4, 7, None),
    ("quarter turns", 2, 8, 1, None),
    ("quarter turns", 1, 8, 3, 5),
    ("two parts", 1, 2, 1, None),
    ("18 moves", 1, 2, 1, None),
    ("6 symmetries", 1, 2, 1, None),
    ("6 symmetries", 1, 8, 5, 3),
    ("several goals", 2, 2, 1, None),
    ("48 symmetries, quarter turns", 0, 8, 1, None),
    ("half of it out of reach", 1, 2, 1, None),
    ("half of it out of reach", 1, 4, 5, None),
    ("1 symmetry", 1, 2, 1, None),
]


def filled(
    case: Case, partners: int, bits: int, fold: int, farthest: int | None, compiled: bool
) -> Any:
    """A table as it is filled in one of the two ways."""
    own = case.partners[:partners]
    made = SymDistances(STORE, case.needs(), own, fold, farthest, keep=bits > 2)
    made.fill(compiled)
    return made.packed(bits, Shape.of(case.sym, own, bits, fold).stride)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(("name", "partners", "bits", "fold", "farthest"), WAYS)
def test_compiled_and_numpy_fill_alike(
    name: str, partners: int, bits: int, fold: int, farthest: int | None
) -> None:
    case = CASES[name]
    one, other = (filled(case, partners, bits, fold, farthest, way) for way in (True, False))
    assert one.dtype == other.dtype == np.uint8
    assert np.array_equal(one, other)


def interpreted_fill() -> Any:
    source = Path(fill.__file__).with_name("fill.py")
    spec = importlib.util.spec_from_file_location("fill_as_plain_python", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert not module.COMPILED
    return module


@pytest.mark.parametrize("name", ["16 symmetries", "quarter turns", "several goals"])
def test_the_loops_are_correct_as_plain_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    monkeypatch.setattr("puzzlekit.engine.fill", interpreted_fill())
    bits = 4 if case.metric == "QTM" else 2
    found = filled(case, 1, bits, 1, None, compiled=True)
    monkeypatch.undo()
    expected = filled(case, 1, bits, 1, None, compiled=False)
    assert np.array_equal(found, expected)


def test_levels_are_reached_forward_and_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever way a level is reached, the table is the same."""
    case = CASES["two parts"]
    tables = []
    used = []

    def run(forced: bool) -> None:
        made = SymDistances(STORE, case.needs(), case.partners, 1, None, keep=True)
        reach = made._compiled()
        usual = []

        def step(level: int, backward: bool) -> Iterator[int]:
            usual.append(backward)
            return reach(level, forced)

        monkeypatch.setattr(made, "_compiled", lambda: step)
        made.fill(compiled=True)
        tables.append((made.codes.copy(), made.nearest.copy()))
        used.append(usual)

    run(forced=False)
    run(forced=True)
    for one, other in zip(*tables, strict=True):
        assert np.array_equal(one, other)
    assert used[0] == used[1]
    assert set(used[0]) == {False, True}  # and by itself it would use both


# --- numbers from outside -----------------------------------------------------------------------


def phase_1() -> Case:
    return Case(CUBE3.puzzle, (FLIP, SLICE), (TWIST,), ALL, 16, 64430)


@pytest.fixture(scope="module")
def exact() -> tuple[Any, Any]:
    """The space of phase 1 with the exact table of the method `optimal`, and the table."""
    table = CUBE3.method("optimal").phases[0].pruning_tables[-1]
    assert table == Modulo3("flip-slice twist")
    phase = attrs.evolve(CUBE3.method().phases[0], tables=(table,))
    space = engine_space(engine, CUBE3, phase, "HTM")
    data = table_in(phase_1().phase_needs(phase), table).get(STORE).data
    return space, data


def weighted(codes: Any, weights: Any) -> list[int]:
    """How many values have each code, from the codes of their classes."""
    rows = codes.reshape(len(weights), -1)
    counts = [0] * 4
    for code in range(4):
        packed = np.arange(256, dtype=np.uint8)
        found = sum(((packed >> shift) & 3) == code for shift in (0, 2, 4, 6)).astype(np.uint8)
        counts[code] = int(found[rows].sum(axis=1, dtype=np.int64) @ weights)
    return counts


@pytest.mark.slow
@needs_compiler
def test_the_distribution_of_phase_1(exact: tuple[Any, Any]) -> None:
    """The published numbers of positions, at all depths modulo 3 and up to depth 8."""
    case = phase_1()
    expected = DISTRIBUTIONS["cube3_phase1_htm"]["positions_at_depth"]
    assert len(expected) == 13 and sum(expected) == 2217093120
    keepers = case.classes_of().keepers
    weights = 16 // np.bitwise_count(keepers).astype(np.int64)
    padding = case.classes_of().class_of.shape[0]  # one entry of each row, with the code 3
    assert padding == 2048 * 495
    width = (TWIST.size + 3) // 4
    counts = weighted(np.asarray(exact[1]), weights)
    assert counts[:3] == [sum(expected[k::3]) for k in range(3)]
    assert counts[3] == padding * (4 * width - TWIST.size)
    near = SymDistances(STORE, case.needs(), [TWIST], 1, 8, keep=False)
    near.fill(compiled=True)
    assert weighted(near.codes, weights)[:3] == [sum(expected[k:9:3]) for k in range(3)]


@pytest.mark.slow
@needs_compiler
def test_the_folded_table_of_cube3_is_the_least_of_exact_distances(exact: tuple[Any, Any]) -> None:
    """Some rows of the table of the bundled method, from the exact one."""
    case = phase_1()
    orient = CUBE3.method().phases[0]
    table = orient.pruning_tables[-1]
    assert isinstance(table, Folded)
    assert (table.coordinates, table.bits, table.fold) == ("flip-slice twist", 4, 9)
    stored = unpacked(table_in(case.phase_needs(orient), table).get(STORE).data, 4)
    shape = Shape.of(orient.coordinates[0], [TWIST], 4, 9)  # type: ignore[arg-type]
    rows = stored[: shape.rows * shape.stride].reshape(shape.rows, shape.stride)[:, : shape.groups]
    rng = np.random.default_rng(5)
    space, _ = exact
    seen = set()
    for number in (0, *rng.integers(0, 64430, 25).tolist()):
        row = [space.estimate([number << 4, twist]) for twist in range(TWIST.size)]
        least = np.minimum(row, table.farthest["HTM"] + 1).reshape(-1, 9).min(axis=1)
        assert np.array_equal(rows[number], least)
        seen.update(row)
    assert seen >= set(range(4, 11))


@pytest.mark.slow
@needs_compiler
def test_a_distance_of_phase_1_is_the_length_of_the_shortest_way(exact: tuple[Any, Any]) -> None:
    """Each is one more than the least of its neighbours, at random values, by raw move tables."""
    case = phase_1()
    class_of = case.classes_of().class_of
    space, _ = exact
    rng = np.random.default_rng(7)
    puzzle, moves = CUBE3.puzzle, case.allowed
    for _ in range(300):
        state = puzzle.apply(puzzle.solved, [moves[k] for k in rng.integers(0, 18, 30)])

        def distance(at: bytes) -> int:
            return int(space.estimate([class_of[case.sym.rank(at)], TWIST.rank(at)]))

        near = [distance(puzzle.apply(state, [move])) for move in moves]
        assert distance(state) == (1 + min(near) if distance(state) else 0)


# --- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Plain("a", bits=3), "pruning table a: entries must have 4 or 8 bits, not 3"),
        (lambda: Plain("a", bits=2), "not 2; use Modulo3 for entries of 2 bits"),
        (lambda: Folded("a b", fold=2, bits=2), "pruning table a b: entries must have 4 or 8 bits"),
        (lambda: Folded("a", fold=0), "pruning table a: fold must be at least 1, not 0"),
        (lambda: Folded("a", farthest={"HTM": 0}), "pruning table a: the largest distance in"),
        (
            lambda: SymCoordinate("s", CUBE3.puzzle, "edges", ()),
            "coordinate s: name at least one part",
        ),
        (
            lambda: SymCoordinate("s", CUBE3.puzzle, "edges", (CASES["18 moves"].sym,)),
            "coordinate s: name at least one part",
        ),
        (
            lambda: SymCoordinate("s", CUBE3.puzzle, "edges", (SLICE,), 45, 65),
            "coordinate s has too many symmetries",
        ),
        (
            lambda: SymCoordinate("s", CUBE3.puzzle, "edges", (SLICE,), 45, -1),
            "coordinate s has too many symmetries",
        ),
        (
            lambda: SymCoordinate("s", CUBE3.puzzle, "edges", (SLICE,), 1 << 27, 16),
            "2\\^31 values",
        ),
    ],
)
def test_declarations_that_cannot_be_are_refused(make: Any, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        make()


SYM = CASES["16 symmetries"].sym
LARGE = Permutation("large", CUBE3.puzzle, "edges", "UF UR UB UL DF")
OPEN = Permutation("open", CUBE3.puzzle, "corners", "URF", "URF UFL ULB UBR")
SLICES = CASES["18 moves"].sym


@pytest.mark.parametrize(
    ("coordinates", "moves", "kind", "problem"),
    [
        ((PLACED, SYM), "U D R2 F2 L2 B2", Plain, "a sym coordinate must be the first coordinate"),
        ((SLICES, LARGE), "U R F D L B", Plain, "large shares .* sym, .* at most 65,536 values"),
        ((SYM, OPEN), "U D R2 F2 L2 B2", Plain, "open shares a pruning table with sym"),
        ((SYM,), "U D R2 F2 L2 B2", Modulo3, "only the sym coordinate sym cannot have 2 bits"),
        ((PLACED, TOP_EDGES), "U D R2 F2 L2 B2", partial(Folded, fold=2), "over a sym coordinate"),
        (
            (PLACED,),
            "U D R2 F2 L2 B2",
            partial(Folded, farthest={"HTM": 2}),
            "over a sym coordinate",
        ),
    ],
)
def test_tables_that_cannot_be_built_are_refused(
    coordinates: tuple[Any, ...], moves: str, kind: Callable[[str], PruningTable], problem: str
) -> None:
    """Before anything is built: what only asks for the keys is told too."""
    table = kind(" ".join(each.name for each in coordinates))
    needs = Case(CUBE3.puzzle, (TOP,), (), moves, 1, 1, "HTM").phase_needs(
        Phase("p", "g", moves, coordinates, (table,))
    )
    with pytest.raises(DeclarationError, match=problem):
        _ = table_in(needs, table).key
    with pytest.raises(DeclarationError, match=problem):
        needs.table_keys()
    with pytest.raises(DeclarationError, match=problem):
        table_in(needs, table).get(STORE)


def test_costs_other_than_1_and_2_are_refused() -> None:
    case = CASES["16 symmetries"]
    parts = [case.sym, PLACED]
    costs = [3] * 10
    sym = SymNeeds(case.sym, [PLACED], case.allowed, costs)
    graph = DistanceGraph(parts, case.allowed, costs, "threes", syms=[sym])
    with pytest.raises(DeclarationError, match="tables of sym need moves that cost 1 or 2"):
        ResolvedTable(Plain("sym placed"), graph).get(STORE)


@pytest.mark.parametrize("coordinates", [(SYM, PLACED), (PLACED,)])
def test_distances_modulo_3_are_for_moves_that_cost_1(coordinates: tuple[Any, ...]) -> None:
    """Where they cost more, a table of 4 bits takes its place."""
    case = CASES["quarter turns"]
    sym = SymNeeds(SYM, [PLACED], case.allowed, case.costs) if coordinates[0] is SYM else None
    graph = DistanceGraph(coordinates, case.allowed, case.costs, "QTM", syms=[sym])
    names = " ".join(each.name for each in coordinates)
    assert ResolvedTable(Modulo3(names), graph).kind == Plain(names)


@pytest.mark.parametrize(("metric", "bits", "length"), [("HTM", 2, 3), ("QTM", 4, 5)])
def test_a_phase_takes_4_bits_where_2_are_not_enough(metric: str, bits: int, length: int) -> None:
    case = CASES["16 symmetries"]
    table = Modulo3("sym middle")
    coordinates = (case.sym, *case.partners, CORNERS)
    phase = Phase("finish", "solved", case.moves, coordinates, (table, "corners"))
    assert table_in(case._replace(metric=metric).phase_needs(phase), table).kind.bits == bits
    method = puzzlekit.Method("m", "t", (phase,), fixed={"centers": ALL})
    solver = puzzlekit.Solver(case.puzzle, [method], STORE)
    assert solver.solve("R2 U F2", metric=metric).cost == length


def test_tables_of_other_folds_and_cuts_are_kept_apart(tmp_path: Path) -> None:
    case = CASES["16 symmetries"]
    store = TableStore(str(tmp_path))

    def made(bits: int, fold: int, farthest: int | None, partners: Any = case.partners) -> Any:
        parts = [case.sym, PLACED]
        sym = SymNeeds(case.sym, partners, case.allowed, case.costs)
        graph = DistanceGraph(parts, case.allowed, case.costs, "HTM", syms=[sym])
        return ResolvedTable(kind_of(case, bits, fold, farthest), graph).get(store)

    found = [
        made(4, 1, None),
        made(8, 1, None),
        made(2, 1, None),
        made(4, 2, None),
        made(4, 2, 3),
        made(4, 1, 3),
        made(4, 1, None, [PLACED]),
    ]
    assert all(each.source == "built" for each in found)
    assert len({each.key.filename for each in found}) == len(found)
    again = made(4, 2, 3)
    assert (again.source, again.data) == ("memory", found[4].data) or again.data == found[4].data


def test_the_three_edges_of_a_corner_have_the_symmetries_of_a_corner() -> None:
    """A number of symmetries that is no power of two, so that some engine values do not exist."""
    case = CASES["6 symmetries"]
    assert case.parts == (THREE,) and case.sym.shift == 3
    symmetry = np.asarray(case.classes_of().class_of) & 7
    assert set(symmetry.tolist()) == set(range(6))


def ring(places: int) -> Puzzle:
    """A ring of different beads, turned by one place in one move either way."""
    orbit = Orbit("beads", "bead", " ".join(f"p{i}" for i in range(places)))
    there = bytes((i - 1) % places for i in range(places)), bytes(places)
    back = bytes((i + 1) % places for i in range(places)), bytes(places)
    steps = Metric("steps", "steps", {"t": 1, "v": 1})
    return Puzzle("ring", "Ring", (orbit,), {"t": there, "v": back}, (steps,))


@pytest.mark.parametrize("places", [62, 80])
@pytest.mark.usefixtures("interpreted")
def test_far_distances_of_2_bits_are_joined_too(places: int, tmp_path: Path) -> None:
    puzzle = ring(places)
    beads = tuple(Permutation(name, puzzle, "beads", name) for name in ("p0", "p3"))
    tables = tuple(Modulo3(bead.name) for bead in beads)
    phase = Phase("turn", "turned back", "t' v'", beads, tables)
    method = puzzlekit.Method("m", "t", (phase,))
    solver = puzzlekit.Solver(puzzle, [method], TableStore(str(tmp_path)))
    (ready,) = solver.prepared(heuristic="sum").phases
    for turns in (1, 20, places // 2):
        state = puzzle.apply(puzzle.solved, [puzzle.move("t")] * turns)
        assert ready.estimate(puzzle, state) == 2 * turns


@pytest.mark.parametrize("sym", [True, False], ids=["over classes", "of 2 bits"])
def test_moves_that_none_undoes_are_refused(sym: bool) -> None:
    cube = puzzlekit.load("cube2").puzzle
    twist = Orientation("twist", cube, "corners")
    classes = SymCoordinate("twists", cube, "corners", (twist,), classes=291, symmetries=8)
    coordinate = classes if sym else twist
    table = kept(coordinate.name, 4 if sym else 2)
    phase = Phase("turn", "turned", "U' R' F' D' L' B'", (coordinate,), (table,))
    with pytest.raises(DeclarationError, match="an inverse move of the same cost"):
        CompiledPhase(Plan(cube, (phase,), cube.metric(), TableStore()), phase)


@pytest.mark.usefixtures("own_files")
def test_damaged_classes_are_told_and_not_followed(tmp_path: Path) -> None:
    case = CASES["16 symmetries"]
    store = TableStore(str(tmp_path))
    needs = case.needs()
    assert Classes(store, needs).class_moves
    path = Path(store.path(needs.classes_key))
    data = bytearray(path.read_bytes())
    last = len(data) - 4 * sum(needs.sizes[2:]) - 4
    data[last : last + 4] = b"\xff\xff\xff\x7f"
    times = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # so that it is not looked at
    with pytest.raises(TableError, match="damaged"):
        SymDistances(TableStore(str(tmp_path)), needs, needs.partners, 1, None, keep=True)
