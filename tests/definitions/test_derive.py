"""Methods derived from a puzzle alone: optimal, within their memory, told in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import attrs
import numpy as np
import pytest
from flat_distances import build_distances
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from resolving import resolve
from turned_ring import turned_ring
from walks import cheapest

import puzzlekit
import puzzlekit_definitions
from puzzlekit import (
    DeclarationError,
    Metric,
    Orbit,
    Puzzle,
    SearchOptions,
    Solver,
    TableStore,
    UsageError,
)
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.move import act, no_effect
from puzzlekit.search.parity import cost_signs
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.tables.move_table import build_move_table
from puzzlekit.tables.product_distances import fill_levels, possible, taken

ALL = 10**9


def stripped(name: str, families: str) -> Puzzle:
    """A bundled puzzle of which only orbits, some moves and metrics are known."""
    full = puzzlekit.load(name).puzzle
    return attrs.evolve(
        full,
        name=f"stripped-{name}",
        turns={family: full.turns[family] for family in families.split()},
        metrics=tuple(each for each in full.metrics if each.counts),
        rotations=(),
        reflections=(),
        constraints=(),
        layout=None,
        aliases={},
        hints=None,
    )


def distances(puzzle: Puzzle, metric: Metric) -> dict[bytes, int]:
    """The least cost of every state, from the solved one outwards; moves are undone by moves."""
    moves = puzzle.family_moves(puzzle.turns)
    undone = [(puzzle.inverse(move).effect, metric.cost(move)) for move in moves]
    found = {puzzle.solved: 0}
    levels: dict[int, list[bytes]] = {0: [puzzle.solved]}
    level = 0
    while level <= max(levels):
        for state in levels.get(level, ()):
            if found[state] < level:
                continue
            for effect, price in undone:
                after = act(state, *effect, puzzle.modulus)
                cost = level + price
                if cost < found.get(after, ALL):
                    found[after] = cost
                    levels.setdefault(cost, []).append(after)
        level += 1
    return found


@st.composite
def small_puzzles(draw: st.DrawFn) -> Puzzle:
    """A puzzle of one or two orbits with a few pieces, some maybe alike, and two or three moves."""
    orbits = []
    for name in "ab"[: draw(st.integers(1, 2))]:
        size = draw(st.integers(1, 4))
        labels = draw(
            st.one_of(st.none(), st.lists(st.integers(0, 2), min_size=size, max_size=size))
        )
        places = tuple(f"{name}{i}" for i in range(size))
        solved = {} if labels is None else {"solved": tuple(labels)}
        orbits.append(Orbit(name, "piece", places, draw(st.integers(1, 3)), **solved))
    turns = {}
    for family in "XYZ"[: draw(st.integers(1, 3))]:
        gather, add, start = b"", b"", 0
        for orbit in orbits:
            order = draw(st.permutations(range(orbit.size)))
            gather += bytes(start + i for i in order)
            add += bytes(orbit.size)
            if orbit.orientations > 1:
                gather += bytes(start + orbit.size + i for i in order)
                turn = st.integers(0, orbit.orientations - 1)
                add += bytes(draw(turn) for _ in range(orbit.size))
            start += orbit.width
        if (gather, add) != no_effect(add):
            turns[family] = gather, add
    assume(turns)
    weights = {family: draw(st.integers(1, 2)) for family in turns}
    metrics = (
        Metric("moves", "moves", dict.fromkeys(turns, 1)),
        Metric("dear", "with weights", weights, per_turn=draw(st.booleans())),
    )
    return Puzzle("small", "small", tuple(orbits), turns, metrics)


def three_alike() -> Puzzle:
    """1,500 bytes leave no layout of its tables at all."""
    turns = {
        "X": (bytes([2, 1, 0, 5, 4, 3]), bytes([0, 0, 0, 2, 0, 0])),
        "Y": (bytes([0, 2, 1, 3, 5, 4]), bytes([0, 0, 0, 0, 2, 0])),
    }
    orbit = Orbit("a", "piece", ("a0", "a1", "a2"), 3, solved=(0, 0, 0))
    return Puzzle(
        "small", "small", (orbit,), turns, (Metric("moves", "moves", dict.fromkeys(turns, 1)),)
    )


def test_the_memory_that_a_message_names_is_hardly_more_than_the_least() -> None:
    puzzle = three_alike()
    puzzlekit_definitions.derive(puzzle, memory=4_350)
    for memory in (1, 1_500, 4_300):
        with pytest.raises(UsageError) as caught:
            puzzlekit_definitions.derive(puzzle, memory=memory)
        named = int(str(caught.value).split()[-2].replace(",", ""))
        assert 4_300 < named < 4_600
        puzzlekit_definitions.derive(puzzle, memory=named)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(small_puzzles(), st.sampled_from([500_000_000, 6_000, 1_500]), st.randoms())
@example(three_alike(), 1_500, Random(0))
def test_answers_are_as_short_as_brute_force_finds(
    puzzle: Puzzle, memory: int, random: Random
) -> None:
    try:
        derived = puzzlekit_definitions.derive(puzzle, memory=memory)
    except UsageError as error:
        needed = re.fullmatch(r".* they need at least ([\d,]+) bytes", str(error))
        assert needed
        enough = int(needed[1].replace(",", ""))
        assert memory < enough
        puzzlekit_definitions.derive(puzzle, memory=enough)
        if enough * 3 // 4 > memory:
            with pytest.raises(UsageError):
                puzzlekit_definitions.derive(puzzle, memory=enough * 3 // 4)
        return
    solver = Solver(puzzle, derived.methods)
    for metric in puzzle.metrics:
        known = distances(puzzle, metric)
        for state in random.sample(sorted(known), min(len(known), 6)):
            solution = solver.solve(state, metric=metric)
            assert (solution.cost, solution.optimal) == (known[state], True)
            assert solver.prepared(metric=metric).phases[0].estimate(puzzle, state) <= known[state]


def test_a_puzzle_that_needs_more_than_much_memory_has_no_such_method() -> None:
    """A UsageError would ask for the memory. A solver of a definition takes another method."""
    orbits = [
        Orbit(f"o{n}", "piece", tuple(f"{n}{chr(97 + i)}" for i in range(8))) for n in range(12)
    ]
    still = bytes(range(96))
    turns = {}
    for n, start in enumerate(range(0, 96, 8)):
        own = still[start + 1 : start + 8] + still[start : start + 1]
        turns[chr(65 + n)] = still[:start] + own + still[start + 8 :], bytes(96)
    metric = Metric("moves", "moves", dict.fromkeys(turns, 1))
    puzzle = Puzzle("many", "many", tuple(orbits), turns, (metric,))
    with pytest.raises(DeclarationError, match="no method of one phase"):
        puzzlekit_definitions.derive(puzzle, memory=70_000_000)
    assert puzzlekit_definitions.derive(puzzle, memory=400_000_000).memory > 70_000_000


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(small_puzzles(), st.sampled_from([0, 1]), st.randoms())
def test_a_method_for_one_metric_is_as_short_as_brute_force_finds(
    puzzle: Puzzle, number: int, random: Random
) -> None:
    metric = puzzle.metrics[number]
    solver = Solver(puzzle, puzzlekit_definitions.derive(puzzle, metric=metric).methods)
    assert solver.catalogue.metrics() == (metric,)
    known = distances(puzzle, metric)
    for state in random.sample(sorted(known), min(len(known), 6)):
        assert solver.solve(state).cost == known[state]


def test_powers_that_cost_as_much_as_their_turns_make_no_columns_of_move_tables() -> None:
    """Two rings of six places cross at two of them. With all powers, no exact table fits."""
    rings = {"l": [1, 2, 3, 4, 5, 0, 6, 7, 8, 9], "r": [6, 1, 0, 3, 4, 5, 7, 8, 9, 2]}
    text = json.dumps({"generators": rings, "central_state": list("CACAAABBBB")})
    solver = puzzlekit_definitions.parse_definition(text, "json", name="rings", memory=20_000)
    assert [(each.name, each.metrics) for each in solver.methods] == [
        ("optimal", ("turns",)),
        ("universal", ()),
    ]
    allowed = solver.method().phases[0].allowed(solver.puzzle)
    assert [move.name for move in allowed] == ["l", "l'", "r", "r'"]
    assert "l: only single turns, since others cost as much as one by one" in solver.method().notes
    known = distances(solver.puzzle, solver.puzzle.metric("turns"))
    assert len(known) == 3150
    for state in Random(4).sample(sorted(known), 20):
        solution = solver.solve(state)
        assert (solution.cost, solution.optimal) == (known[state], True)
    assert solver.choose(SearchOptions(metric="moves")).method.name == "universal"
    with pytest.raises(UsageError, match="optimal does not search in moves, only in turns"):
        solver.choose(SearchOptions("optimal", metric="moves"))


@pytest.mark.slow
def test_five_colours_of_alike_pieces_take_one_table() -> None:
    """It has more colours than columns, so that some columns would read a place twice."""
    turns = {
        "R": (bytes([5, 0, 1, 2, 3, 4, 6, 7, 8, 9]), bytes(10)),
        "L": (bytes([0, 1, 2, 3, 9, 4, 5, 6, 7, 8]), bytes(10)),
    }
    pairs = Orbit(
        "a", "piece", tuple(f"a{i}" for i in range(10)), solved=tuple(sorted([*range(5)] * 2))
    )
    metric = Metric("moves", "moves", dict.fromkeys(turns, 1))
    puzzle = Puzzle("pairs", "five pairs", (pairs,), turns, (metric,))
    solver = Solver(puzzle, puzzlekit_definitions.derive(puzzle).methods)
    known = distances(puzzle, metric)
    assert len(known) == 113_400
    for state in Random(3).sample(sorted(known), 20):
        assert solver.solve(state).cost == known[state]


def test_known_parities_change_no_answer() -> None:
    """In quarter turns each move is an odd permutation of the corners."""
    puzzle = stripped("cube2", "U R F")
    derived = puzzlekit_definitions.derive(puzzle, memory=600_000)
    assert len(derived.methods[0].phases[0].tables) > 1
    chain = Solver(puzzle, derived.methods).prepared(metric="QTM")
    assert isinstance(chain, SinglePhase)
    random = Random(5)
    skipped = []
    for _ in range(30):
        moves = random.choices(puzzle.family_moves("URF"), k=5)
        state = puzzle.apply(puzzle.solved, moves)
        parity = chain.parity(state)
        assert parity == puzzle.metric("QTM").total(moves) % 2
        found: dict[int | None, list[tuple[int, tuple[int, ...]]]] = {}
        assert parity is not None
        for told in (parity, None):
            search = Search(chain.phases[0].space, exact=True)
            chain.phases[0].start(search, puzzle, state, 8, told)
            listed = []
            while search.run(1 << 30) == FOUND:
                listed.append((search.spent_here, tuple(search.path)))
            found[told] = listed
            bounds = {bound for bound, *_ in search.iterations}
            skipped.append(len(bounds))
            assert told is None or all(bound % 2 == told for bound in bounds)
        assert sorted(found[parity]) == sorted(found[None])
    assert sum(skipped[::2]) < sum(skipped[1::2])
    assert any(found.values())


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(small_puzzles())
def test_parities_are_those_of_the_costs(puzzle: Puzzle) -> None:
    moves = puzzle.family_moves(puzzle.turns)
    coordinates = puzzlekit_definitions.derive(puzzle).methods[0].phases[0].coordinates
    for metric in puzzle.metrics:
        signs = cost_signs(puzzle, moves, list(map(metric.cost, moves)), coordinates)
        if signs is not None:
            for state, cost in distances(puzzle, metric).items():
                assert sum(sign.of_state(puzzle, state) for sign in signs) % 2 == cost % 2


@pytest.mark.slow
@pytest.mark.parametrize("memory", [30_000_000, 700_000])
def test_tables_filled_from_both_sides_are_the_same(memory: int, tmp_path: Path) -> None:
    puzzle = stripped("cube2", "U R F")
    (phase,) = puzzlekit_definitions.derive(puzzle, memory=memory, metric="HTM").methods[0].phases
    moves = phase.allowed(puzzle)
    store = TableStore(str(tmp_path))
    for table in phase.pruning_tables:
        parts = [phase.coordinates[number] for number in phase.coordinate_numbers(table)]
        found = build_distances(store, parts, moves, [1] * len(moves))
        undone = [
            np.argsort(build_move_table(part, moves), axis=0, kind="stable").astype(np.uint32)
            for part in parts
        ]
        usual = np.full((1, len(found)), 255, dtype=np.uint8)
        usual[0, np.ravel_multi_index([p.goals[0] for p in parts], [p.size for p in parts])] = 0
        fill_levels(usual, undone, [[(move, 0, 1) for move in range(len(moves))]])
        assert (found == usual[0]).all()
        # Every value that the pieces can have together is reached, and no other.
        assert possible(taken(parts)) == (found < 255).sum()


def test_memory_is_kept_and_every_table_is_told() -> None:
    puzzle = stripped("cube3", "U R F D L B")
    sizes = []
    for memory in (2_000_000, 30_000_000, 500_000_000):
        derived = puzzlekit_definitions.derive(puzzle, memory=memory)
        (phase,) = derived.methods[0].phases
        needed = 0
        for metric in puzzle.metrics:
            simple, pruning = resolve(puzzle, phase, metric).table_keys()
            largest = max(t.entries for t in resolve(puzzle, phase, metric).tables)
            needed = max(needed, sum(key.nbytes for key in [*simple, *pruning]) + largest)
        assert needed <= derived.memory <= memory
        sizes.append(sum(each.size for each in phase.coordinates))
        told = "\n".join(derived.explanation)
        for table in phase.pruning_tables:
            assert f"pruning table {table.coordinates.replace(' ', ' x ')}: " in told
        for coordinate in phase.coordinates:
            assert f"coordinate {coordinate.name}: {coordinate.size:,} values" in told
        assert "orbit centers: left out, no move changes it" in derived.explanation
        assert "every answer in QTM is odd exactly if the permutation of corners is" in told
    assert sizes == sorted(sizes)
    with pytest.raises(UsageError, match="100,000 bytes are too few"):
        puzzlekit_definitions.derive(puzzle, memory=100_000)


@pytest.mark.slow
def test_exact_tables_of_the_2x2x2() -> None:
    """As many moves as the bundled method finds, which turns three faces too."""
    puzzle = stripped("cube2", "U R F")
    derived = puzzlekit_definitions.derive(puzzle)
    assert "heuristic: the distance itself, since one table covers the whole puzzle" in (
        derived.explanation
    )
    solver, bundled = Solver(puzzle, derived.methods), puzzlekit.load("cube2")
    random = Random(7)
    for metric in ("HTM", "QTM"):
        for _ in range(20):
            moves = random.choices(puzzle.family_moves("URF"), k=30)
            state = puzzle.apply(puzzle.solved, moves)
            solution = solver.solve(state, metric=metric)
            known = bundled.solve(state, method="optimal", metric=metric)
            assert (solution.cost, solution.optimal) == (known.cost, True)


def test_what_moves_at_once_and_what_does_the_same_is_told() -> None:
    one, other = Orbit("one", "piece", "a b c"), Orbit("other", "piece", "d e", orientations=2)
    still = Orbit("still", "piece", "f g")
    swap = bytes([1, 2, 0, 3, 4, 5, 6, 7, 8]), bytes(9)
    turn = bytes(range(9)), bytes([0, 0, 0, 0, 0, 1, 0, 0, 0])
    back = bytes([2, 0, 1, 3, 4, 5, 6, 7, 8]), bytes(9)
    turns = {"X": swap, "Y": turn, "Z": back}
    metric = Metric("moves", "moves", dict.fromkeys(turns, 1))
    puzzle = Puzzle("two", "two in one", (one, other, still), turns, (metric,))
    derived = puzzlekit_definitions.derive(puzzle)
    assert derived.methods[0].phases[0].moves == "X Y"
    for line in (
        "Z: left out, it does the same as X'",
        "orbit still: left out, no move changes it",
        "independent: one, changed by X, X' only",
        "independent: other (d), changed by Y only",
    ):
        assert line in derived.explanation
    assert Solver(puzzle, derived.methods).solve("Z Y").cost == 2


def test_moves_left_out_of_a_family_stay_out() -> None:
    """Where a part of a family is left out, the base move stands for itself only."""
    orbit = Orbit("ring", "piece", tuple("abcde"), 1)
    turns = {"X": (bytes([1, 2, 0, 4, 3]), bytes(5)), "Y": (bytes([1, 2, 0, 3, 4]), bytes(5))}
    puzzle = Puzzle("half", "half", (orbit,), turns, (Metric("moves", "moves", {"X": 1, "Y": 1}),))
    (method,) = puzzlekit_definitions.derive(puzzle).methods
    moves = [move.effect for move in method.phases[0].allowed(puzzle)]
    assert len(moves) == len(set(moves)) == 5
    solver = Solver(puzzle, [method])
    found = [str(each) for each in solver.solutions("X", max_length=2)]
    assert len(found) == len(set(found))


def test_sliding_tiles() -> None:
    """Small boards have an exact table; larger ones are refused in words."""
    small = puzzlekit.load("tiles-2x3")
    solver = Solver(small.puzzle, puzzlekit_definitions.derive_methods(small.puzzle))
    for seed in range(5):
        state = small.random_state(seed)
        assert solver.solve(state).cost == small.solve(state).cost
    with pytest.raises(DeclarationError, match="not always possible"):
        puzzlekit_definitions.derive(puzzlekit.load("fifteen").puzzle)


def test_a_puzzle_that_can_be_held_in_several_ways() -> None:
    """Where no piece shows the holding, solved in any of them is a goal of the one table."""
    places = 6
    beads = Orbit("beads", "bead", " ".join("abcdef"))

    def moved(*order: int) -> tuple[bytes, bytes]:
        return bytes(order), bytes(places)

    turns = {
        "S": moved(1, 0, 2, 3, 4, 5),
        "T": moved(0, 1, 3, 4, 2, 5),
        "x": moved(1, 2, 3, 4, 5, 0),
    }
    metric = Metric("moves", "moves", {"S": 1, "T": 1, "x": 0})
    # T and S alone leave f where it is: it shows how the ring is held.
    ring = Puzzle("ring", "ring", (beads,), turns, (metric,), rotations=("x",))
    assert puzzlekit_definitions.derive(ring).methods[0].fixed == {"beads": "f"}
    turns["T"] = moved(0, 2, 3, 4, 5, 1)
    ring = Puzzle("ring", "ring", (beads,), turns, (metric,), rotations=("x",))
    derived = puzzlekit_definitions.derive(ring)
    assert not derived.methods[0].fixed
    solver = Solver(ring, derived.methods)
    known = {state: 0 for state in ring.solved_states}
    fresh = list(known)
    for state in fresh:
        for move in ring.family_moves("ST"):
            after = ring.apply(state, [ring.inverse(move)])
            if after not in known:
                known[after] = known[state] + 1
                fresh.append(after)
    for state in Random(1).sample(fresh, 40):
        assert solver.solve(state).cost == known[state]
    with pytest.raises(DeclarationError, match="declare no rotations"):
        puzzlekit_definitions.derive(ring, memory=3_000)


def test_a_rotation_may_change_what_no_move_changes() -> None:
    """No piece and no orientation is left out for a parity or a sum that the rotation changes."""
    ring = turned_ring()
    solver = Solver(ring, puzzlekit_definitions.derive_methods(ring))
    moves = ring.family_moves("ABCD")
    known = cheapest(
        ring.solved_states, lambda state: [(ring.apply(state, [move]), 1) for move in moves], 20
    )
    for state in Random(1).sample(sorted(known), 60):
        solution = solver.solve(state)
        assert solution.cost == known[state] and solution.optimal


def test_a_pyraminx_is_derived_with_its_tips() -> None:
    derived = puzzlekit_definitions.derive(puzzlekit.load("pyraminx").puzzle)
    (method,) = derived.methods
    assert method.fixed == {"axials": "FLR FDL FRD DRL", "tips": "flr fdl frd drl"}
    (phase,) = method.phases
    (table,) = phase.pruning_tables
    sizes = [phase.coordinates[number].size for number in phase.coordinate_numbers(table)]
    assert np.prod(sizes) == 933_120 * 3**4
    layers = stripped("pyraminx", "U L R B")
    derived = puzzlekit_definitions.derive(layers)
    assert np.prod([each.size for each in derived.methods[0].phases[0].coordinates]) == 933_120
    assert "orbit tips (flr): left out, it turns together with another piece" in derived.explanation


def test_one_table_of_ten_pancakes_fits() -> None:
    puzzle = puzzlekit.load("pancake-10").puzzle
    derived = puzzlekit_definitions.derive(puzzle)
    (phase,) = derived.methods[0].phases
    (table,) = phase.pruning_tables
    assert [each.size for each in phase.coordinates_of(table)] == [3_628_800]
    assert isinstance(derived.methods[0].strategy, puzzlekit.Sequential)
