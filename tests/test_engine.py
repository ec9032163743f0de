"""The engine: the same compiled and as plain Python, exact counts, and what its answers mean."""

from __future__ import annotations

import random
import threading
from array import array
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import pytest
from bundled import COMPILED, automaton_of, costs_in, engine_space, engine_table
from engines import engine, interpreted, plain  # noqa: F401 (a fixture)
from hypothesis import given, settings
from hypothesis import strategies as st
from resolving import resolve

import puzzlekit
from puzzlekit import Heuristic, Max, Move, NoSolutionError, Solution, Solver
from puzzlekit.engine import opcodes
from puzzlekit.engine.automaton import canonical_sequences
from puzzlekit.engine.inputs import CoordinateInput, JoinInput, TableInput
from puzzlekit.engine.statuses import EXHAUSTED, FOUND, PAUSED
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.heuristic import Sum
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.pruning_table import ResolvedTable
from puzzlekit_twophase import Anytime

PLENTY = 1 << 40


SOLVER = puzzlekit.load("cube2")
CUBE2 = SOLVER.puzzle
OPTIMAL = SOLVER.method("optimal").phases[0]
SMALL = SOLVER.method("small-tables").phases[0]
MOVES = OPTIMAL.allowed(CUBE2)


def ranks(phase: puzzlekit.Phase, state: bytes) -> list[int]:
    return [coordinate.rank(state) for coordinate in phase.coordinates]


def after(*numbers: int) -> bytes:
    return CUBE2.apply(CUBE2.solved, [MOVES[number] for number in numbers])


def exhaust(search: Any, budget: int = PLENTY) -> list[list[int]]:
    """Every path that a search finds."""
    paths = []
    while (status := search.run(budget)) != EXHAUSTED:
        if status == FOUND:
            paths.append(search.path)
    return paths


words = st.lists(st.integers(0, len(MOVES) - 1), max_size=14)


# --- read while it runs ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="no other thread reads anything while Python runs")
def test_nodes_are_counted_while_another_thread_searches() -> None:
    search = engine.Search(engine_space(engine, SOLVER, SMALL, "HTM"), exact=False)
    search.start(ranks(SMALL, after(0, 3, 6, 0, 3, 6, 0, 3, 6)), 14)
    thread = threading.Thread(target=exhaust, args=[search])
    thread.start()
    counted = [search.generated_nodes]
    while thread.is_alive() and len(counted) < 100_000:
        counted.append(search.generated_nodes)
    thread.join()
    assert max(counted) <= search.generated_nodes


# --- compiled and interpreted -------------------------------------------------------------------


@pytest.mark.slow
@given(word=words, metric=st.sampled_from(["HTM", "QTM"]), exact=st.booleans())
@settings(max_examples=25)
def test_both_engines_find_the_same_with_the_same_effort(
    word: list[int], metric: str, exact: bool
) -> None:
    outcomes = []
    for module in (engine, plain()):
        search = module.Search(engine_space(module, SOLVER, SMALL, metric), exact=exact)
        search.start(ranks(SMALL, after(*word)), 14)
        trail = []
        while search.generated_nodes < 4000:
            status = search.run(97)
            trail.append(
                (
                    status,
                    search.path,
                    search.spent_here,
                    search.f_bound,
                    search.generated_nodes,
                    search.expanded_nodes,
                    search.work,
                )
                if status != EXHAUSTED
                else (status, search.generated_nodes, search.expanded_nodes)
            )
            if status == EXHAUSTED:
                break
        outcomes.append(trail)
    assert outcomes[0] == outcomes[1]


def outcome(
    puzzle: str, state: bytes, heuristic: Heuristic, **limits: Any
) -> list[tuple[object, ...]]:
    known = puzzlekit.load(puzzle)
    solver = Solver(known.puzzle, known.methods, known.store)
    found: list[tuple[object, ...]] = []

    def note(answer: Solution) -> None:
        phases = [(part.name, part.moves, part.nodes, part.expanded) for part in answer.phases]
        found.append((answer.moves, answer.optimal, answer.nodes, answer.expanded, phases))

    try:
        note(solver.solve(state, heuristic=heuristic, on_answer=note, **limits))
    except NoSolutionError as error:
        found.append((str(error),))
    return found


CHAINS: list[tuple[str, dict[str, Any], Heuristic]] = [
    ("cube2", {"method": "small-tables"}, Max()),
    ("cube2", {"method": "small-tables", "metric": "QTM"}, Max()),
    ("cube2", {"method": "small-tables"}, Sum()),
    ("cube3", {"max_nodes": 100_000}, Max()),
    ("cube3", {"max_nodes": 20_000, "metric": "QTM"}, Max()),
    ("cube3", {"max_nodes": 20_000}, Sum()),
    ("cube3", {"max_nodes": 100_000, "max_length": 23}, Max()),
]


def _case(case: int, seed: int) -> list[tuple[object, ...]]:
    puzzle, limits, heuristic = CHAINS[case]
    state = random_state(puzzlekit.load(puzzle).puzzle, random.Random(seed))
    return outcome(puzzle, state, heuristic, **limits)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("case", range(len(CHAINS)))
def test_both_engines_solve_alike(case: int, seed: int, request: pytest.FixtureRequest) -> None:
    native = _case(case, seed)
    request.getfixturevalue("interpreted")
    assert native == _case(case, seed)
    assert len(native) > 1 or CHAINS[case][1].get("max_nodes") == 20_000


def test_the_plain_engine_is_really_another_one(interpreted: None) -> None:  # noqa: F811
    from puzzlekit.search import compiled_phase

    assert compiled_phase.Space is plain().Space  # type: ignore[attr-defined]
    assert compiled_phase.Space is not engine.Space  # type: ignore[attr-defined]


# --- counts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, 1, 4, 6 if COMPILED else 5])
def test_without_tables_the_counts_follow_from_the_automaton(limit: int) -> None:
    """Iteration b expands every canonical sequence of 0 to b moves (g + h <= b, with h = 0)."""
    space = engine_space(engine, SOLVER, OPTIMAL, "HTM", tables=[])
    search = engine.Search(space)
    far = SOLVER.positions.from_facelets(
        "RBDLBDRFLURUUFDUDFBBLFLR"
    )  # more than 6 moves from solved
    state = SOLVER.prepared("optimal").normal(far)
    search.start(ranks(OPTIMAL, state), limit)
    assert search.run(PLENTY) == EXHAUSTED
    sequences = canonical_sequences(automaton_of(CUBE2, MOVES, [1] * len(MOVES)), limit + 1)
    assert search.generated_nodes == sum(sum(sequences[1 : b + 2]) for b in range(limit + 1))
    assert search.expanded_nodes == sum(sum(sequences[: b + 1]) for b in range(limit + 1))


@given(word=st.lists(st.integers(0, 8), max_size=4), metric=st.sampled_from(["HTM", "QTM"]))
@settings(max_examples=25)
def test_without_tables_the_first_answer_is_as_short(word: list[int], metric: str) -> None:
    state = after(*word)
    lengths = []
    choices: tuple[dict[str, Any], ...] = ({}, {"tables": []})
    for changes in choices:
        search = engine.Search(engine_space(engine, SOLVER, OPTIMAL, metric, **changes))
        search.start(ranks(OPTIMAL, state), 8)
        assert search.run(PLENTY) == FOUND
        assert CUBE2.is_solved(CUBE2.apply(state, [MOVES[number] for number in search.path]))
        lengths.append(search.spent_here)
    assert lengths[0] == lengths[1]


@given(
    word=words,
    budgets=st.lists(st.integers(0, 60), min_size=1, max_size=6).filter(any),
)
def test_any_sequence_of_budgets_gives_the_same_search(word: list[int], budgets: list[int]) -> None:
    space = engine_space(engine, SOLVER, SMALL, "HTM")
    whole, parts = engine.Search(space), engine.Search(space)
    for search in (whole, parts):
        search.start(ranks(SMALL, after(*word)), 11)
    assert whole.run(PLENTY) == FOUND
    status = PAUSED
    pauses = 0
    while status == PAUSED:
        work = parts.work
        budget = budgets[pauses % len(budgets)]
        status = parts.run(budget)
        assert parts.work - work <= budget + 200  # it stops between nodes, not between children
        pauses += 1
    assert status == FOUND
    assert (parts.path, parts.generated_nodes, parts.expanded_nodes, parts.work) == (
        whole.path,
        whole.generated_nodes,
        whole.expanded_nodes,
        whole.work,
    )


def test_a_start_at_the_goal_is_found_at_once() -> None:
    search = engine.Search(engine_space(engine, SOLVER, OPTIMAL, "HTM"))
    search.start(ranks(OPTIMAL, CUBE2.solved), 0)
    assert search.run(1) == FOUND
    assert (search.path, search.spent_here, search.generated_nodes) == ([], 0, 0)
    assert search.run(PLENTY) == EXHAUSTED


# --- answers ------------------------------------------------------------------------------------


@cache
def sequences(length: int) -> list[tuple[tuple[int, ...], bytes]]:
    """Every canonical sequence of exactly that length, with the state that it leads to."""
    automaton = automaton_of(CUBE2, MOVES, [1] * len(MOVES))
    found: list[tuple[tuple[int, ...], int, bytes]] = [((), 0, CUBE2.solved)]
    for _ in range(length):
        found = [
            ((*path, number), reached, CUBE2.apply(state, [MOVES[number]]))
            for path, at, state in found
            for number, reached in automaton[at]
        ]
    return [(path, state) for path, _, state in found]


def two_ways() -> tuple[int, ...]:
    """One of the three pairs of canonical sequences of 3 moves that do the same."""
    seen: dict[bytes, tuple[int, ...]] = {}
    doubles = [path for path, state in sequences(3) if seen.setdefault(state, path) != path]
    assert len(doubles) == 324 - 321
    return doubles[0]


@pytest.mark.parametrize("tables", ["all tables", "one table", "no table"])
@pytest.mark.parametrize("word", [(), (0,), (0, 3, 6), (1, 4, 8), (0, 3, 6, 2), two_ways()])
def test_exact_lists_every_solution_once(word: tuple[int, ...], tables: str) -> None:
    """Brute force: the sequences whose inverse leads to the state."""
    most = 5
    target = CUBE2.invert(after(*word))
    expected = [
        path for length in range(most + 1) for path, state in sequences(length) if state == target
    ]
    changes: dict[str, Any] = {"no table": {"tables": []}}.get(tables, {})
    phase = SMALL if tables == "all tables" else OPTIMAL
    space = engine_space(engine, SOLVER, phase, "HTM", **changes)
    search = engine.Search(space, exact=True)
    search.start(ranks(phase, after(*word)), most)
    paths = exhaust(search)
    assert sorted(map(tuple, paths)) == sorted(expected)
    assert [len(path) for path in paths] == sorted(len(path) for path in paths)


def test_any_of_several_goals_will_do() -> None:
    (permutation,) = [each for each in OPTIMAL.coordinates if each.size == 5040]
    near = {permutation.rank(after(0, 3)), permutation.rank(after(6, 1))}
    moves = [
        CoordinateInput(permutation.size, engine_move_table(permutation), tuple(sorted(near))),
    ]
    automaton = automaton_of(CUBE2, MOVES, [1] * 9)
    space = engine.Space([1] * 9, automaton, moves, [])
    for word in ((), (0,), (6,), (6, 1, 3), (0, 3, 6, 1)):
        search = engine.Search(space)
        search.start([permutation.rank(after(*word))], 6)
        assert search.run(PLENTY) == FOUND
        reached = permutation.rank(after(*word, *search.path))
        assert reached in near
        nearest = min(
            length
            for length in range(4)
            for path, _ in sequences(length)
            if permutation.rank(after(*word, *path)) in near
        )
        assert len(search.path) == nearest


def engine_move_table(coordinate: puzzlekit.Coordinate) -> memoryview:
    from puzzlekit.tables.move_table import move_table

    return move_table(SOLVER.store, coordinate, MOVES).data


def test_no_path_costs_more_than_the_limit() -> None:
    for metric in ("HTM", "QTM"):
        space = engine_space(engine, SOLVER, OPTIMAL, metric)
        state = after(1, 3, 7, 2)
        search = engine.Search(space)
        search.start(ranks(OPTIMAL, state), 20)
        assert search.run(PLENTY) == FOUND
        least = search.spent_here
        assert least == sum(costs_in(CUBE2.metric(metric), [MOVES[n] for n in search.path]))
        search = engine.Search(space)
        search.start(ranks(OPTIMAL, state), least - 1)
        assert search.run(PLENTY) == EXHAUSTED
        search.start(ranks(OPTIMAL, state), least)
        assert search.run(PLENTY) == FOUND


def test_a_search_makes_room_for_more_plies() -> None:
    space = engine_space(engine, SOLVER, OPTIMAL, "HTM")
    word = (0, 3, 6, 2, 4, 7)
    enough = engine.Search(space, plies=20)
    enough.start(ranks(OPTIMAL, after(*word)), 11)
    assert enough.run(PLENTY) == FOUND
    depth = len(enough.path)
    for plies in range(1, depth + 2):
        search = engine.Search(space, plies=plies)
        search.start(ranks(OPTIMAL, after(*word)), 11)
        assert search.run(PLENTY) == FOUND
        assert search.path == enough.path
        assert search.generated_nodes == enough.generated_nodes


def test_paths_longer_than_the_first_room_are_found() -> None:
    """A ring of 200 places, turned one place at a time: up to 100 moves."""
    size = 200
    table = array("H", [(i + step) % size for i in range(size) for step in (1, size - 1)])
    distances = bytes(min(i, size - i) for i in range(size))
    automaton = [[(0, 1), (1, 2)], [(0, 1)], [(1, 2)]]
    coordinate = CoordinateInput(size, table, [0])
    space = engine.Space([1, 1], automaton, [coordinate], [TableInput((0,), 8, distances)])
    for start in (1, 63, 64, 65, 66, 99, 100, 135):
        search = engine.Search(space)
        search.start([start], 1000)
        assert search.run(PLENTY) == FOUND
        assert len(search.path) == distances[start]


def test_iterations_are_counted_one_by_one() -> None:
    search = engine.Search(engine_space(engine, SOLVER, SMALL, "HTM"))
    search.start(ranks(SMALL, SOLVER.prepared("small-tables").normal(SOLVER.random_state(3))), 11)
    assert search.run(PLENTY) == FOUND
    rounds = search.iterations
    assert [bound for bound, _, _ in rounds] == sorted({bound for bound, _, _ in rounds})
    assert rounds[-1][0] == search.spent_here
    assert sum(generated for _, generated, _ in rounds) == search.generated_nodes
    assert sum(expanded for _, _, expanded in rounds) == search.expanded_nodes


def test_a_search_can_be_started_again() -> None:
    search = engine.Search(engine_space(engine, SOLVER, OPTIMAL, "HTM"))
    for word in ((0, 3), (), (6, 1, 5)):
        search.start(ranks(OPTIMAL, after(*word)), 11)
        assert search.run(PLENTY) == FOUND
        assert len(search.path) == len(word)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"costs": []}, "1 to 256 moves"),
        ({"ending": b"1"}, "each move"),
        ({"automaton": [[(9, 0)]]}, "does not exist"),
        ({"automaton": [[(0, 1)]]}, "does not exist"),
        ({"join": JoinInput([16], array("H", [0] * 15))}, "no estimate"),
        ({"costs": [0] + [1] * 8}, "positive cost"),
        ({"costs": [1] * 257}, "1 to 256 moves"),
        ({"tables": [TableInput((0,), 5, b"")]}, "2, 4 or 8 bits"),
        ({"tables": [TableInput((), 4, b"")]}, "1 to 3 coordinates"),
        ({"tables": [TableInput((0,), 8, bytes(10))]}, "smaller"),
        ({"tables": [TableInput((0,), 8, bytes(3**6))] * 17}, "16 pruning tables"),
        (
            {"coordinates": [CoordinateInput(729, array("H", [0] * 729), (0,))], "tables": []},
            "shape",
        ),
        (
            {"coordinates": [CoordinateInput(1, array("H", [0] * 9), (0,))] * 17, "tables": []},
            "16 coordinates",
        ),
    ],
)
def test_a_space_checks_what_it_is_given(changes: dict[str, Any], problem: str) -> None:
    for module in (engine, plain()):
        with pytest.raises(ValueError, match=problem):
            engine_space(module, SOLVER, OPTIMAL, "HTM", **changes)


# --- heuristics ---------------------------------------------------------------------------------


class Odd(Heuristic):
    """One half more than the largest, unless it is 0."""

    name = "odd"

    def join(self, distances: Any) -> Any:
        most = Max().join(distances)
        return most + (most + 1) // 2


@pytest.mark.parametrize("heuristic", [Max(), Sum(), Odd()], ids=["max", "sum", "odd"])
def test_estimates_join_the_distances_of_the_tables(heuristic: Heuristic) -> None:
    """Read from the tables by hand."""
    chain = SOLVER.prepared("small-tables", heuristic)
    (phase,) = chain.phases
    whole = engine_space(engine, SOLVER, SMALL, "HTM")
    assert len(SMALL.tables) >= 3
    alone = []
    for number in range(len(SMALL.tables)):
        one = small_table(number)
        alone.append(engine_space(engine, SOLVER, SMALL, "HTM", tables=[one]))
    rng = random.Random(7)
    different = 0
    for _ in range(200):
        values = ranks(SMALL, after(*(rng.randrange(9) for _ in range(rng.randrange(14)))))
        distances = [space.estimate(values) for space in alone]
        assert distances == [by_hand(number, values) for number in range(len(alone))]
        assert phase.space.estimate(values) == heuristic.join(distances)
        assert whole.estimate(values) == max(distances)
        different += len(set(distances)) > 1
    assert different > 100


@cache
def small_table(number: int) -> TableInput:
    table = SMALL.pruning_tables[number]
    numbers = SMALL.coordinate_numbers(table)
    graph = DistanceGraph([SMALL.coordinates[i] for i in numbers], MOVES, [1] * 9, "HTM")
    return TableInput(numbers, SMALL.bits, ResolvedTable(table, graph).get(SOLVER.store).data)


def by_hand(number: int, values: list[int]) -> int:
    table = small_table(number)
    index = 0
    for i in table.coordinates:
        index = index * SMALL.coordinates[i].size + values[i]
    if table.bits == 8:
        return table.data[index]
    return table.data[index // 2] >> 4 * (index % 2) & 15


def test_a_joined_estimate_guides_the_search_too() -> None:
    """Sum overestimates: some longer answers, no wrong one, and none called optimal."""
    rng = random.Random(3)
    lengths = {"max": 0, "sum": 0}
    for _ in range(20):
        state = random_state(CUBE2, rng)
        for name in lengths:
            solution = SOLVER.solve(state, method="small-tables", heuristic=name)
            lengths[name] += solution.cost
            assert solution.optimal == (name == "max")
    assert lengths["sum"] > lengths["max"]


@given(
    distances=st.lists(st.integers(0, 40), min_size=1, max_size=5),
)
def test_max_and_sum(distances: list[int]) -> None:
    assert Max().join(distances) == max(distances)
    assert Sum().join(distances) == sum(distances)


# --- two phases in a chain ----------------------------------------------------------------------


def shortest(moves: tuple[Move, ...], state: bytes, most: int) -> int:
    """The least number of moves to solved, by brute force from the state."""
    puzzle = puzzlekit.load("cube3").puzzle
    level = {state}
    for depth in range(most + 1):
        if any(map(puzzle.is_solved, level)):
            return depth
        level = {puzzle.apply(each, [move]) for each in level for move in moves}
    raise AssertionError("farther than that")


@pytest.mark.parametrize("scramble", ["R", "R L", "F2 R", "U F2 L'", "R2 L2 U", "R U2 R'"])
def test_short_scrambles_are_proven_optimal_by_the_chain(scramble: str) -> None:
    """Nothing is lost at the seam: the proof agrees with brute force."""
    solver = puzzlekit.load("cube3")
    state = solver.state(scramble)
    moves = solver.puzzle.family_moves("URFDLB")
    solution = solver.solve(state)
    assert solution.optimal
    assert solution.cost == shortest(moves, state, 3)


def test_every_product_of_two_moves_is_solved_in_its_least_number_of_moves() -> None:
    solver = puzzlekit.load("cube3")
    puzzle = solver.puzzle
    moves = puzzle.family_moves("URFDLB")
    one = {puzzle.apply(puzzle.solved, [move]) for move in moves}
    for pair in list(product(moves, repeat=2))[:: 1 if COMPILED else 7]:
        state = puzzle.apply(puzzle.solved, pair)
        expected = 0 if puzzle.is_solved(state) else 1 if state in one else 2
        solution = solver.solve(state, max_length=22)
        assert solution.cost == expected, pair


@pytest.mark.parametrize("premoves", [0, 1])
def test_a_chain_counts_its_first_phase_bound_by_bound(premoves: int) -> None:
    known = puzzlekit.load("cube3")
    method = attrs.evolve(known.method(), strategy=Anytime(premoves=premoves))
    solver = Solver(known.puzzle, [method], known.store)
    chain = solver.prepared()
    assert isinstance(chain, Anytime)
    (search,), _ = chain._searches(chain.normal(solver.random_state(1)), 1)
    search.restart(30)
    while search.work < 50_000 and search.run(1000) != EXHAUSTED:
        pass
    rounds = search.iterations
    (generated, expanded), (finishing, _) = search.nodes
    assert generated + finishing == search.work  # what is listed counts
    bounds = [bound for bound, _, _ in rounds]
    # Starts that come later are counted by themselves up to the bound that the others have reached.
    assert len(bounds) == len(set(bounds)) + premoves
    assert sorted(set(bounds)) == list(range(bounds[0], bounds[-1] + 1)) and bounds == sorted(
        bounds
    )
    assert sum(nodes for _, nodes, _ in rounds) == generated
    assert sum(nodes for _, _, nodes in rounds) == expanded


# --- coordinates that are ranked, not looked up -------------------------------------------------


def ranked_space(module: Any, phase: puzzlekit.Phase, names: tuple[str, ...], late: bool) -> Any:
    """The space of a phase of cube2 in which some coordinates have rank programs.

    With `late`, the tables that read them are left out.
    """
    moves = phase.allowed(CUBE2)
    numbers = [i for i, each in enumerate(phase.coordinates) if each.name in names]
    coordinates = []
    for i, coordinate in enumerate(phase.coordinates):
        table = move_table(SOLVER.store, coordinate, moves).data
        run = coordinate.program if i in numbers else table
        coordinates.append(CoordinateInput(coordinate.size, run, coordinate.goals))
    tables = [
        engine_table(SOLVER, needs, each)
        for needs in [resolve(CUBE2, phase, CUBE2.metric("HTM"))]
        for each in phase.pruning_tables
        if not (late and set(phase.coordinate_numbers(each)) & set(numbers))
    ]
    return engine_space(
        module,
        SOLVER,
        phase,
        "HTM",
        coordinates=coordinates,
        tables=tables,
        carry=module.Carry([move.effect for move in moves], CUBE2.modulus),
    )


@pytest.mark.slow
@given(word=st.lists(st.integers(0, len(MOVES) - 1), max_size=7), late=st.booleans())
@settings(max_examples=15)
def test_a_ranked_coordinate_is_searched_as_a_tabulated_one(word: list[int], late: bool) -> None:
    state = after(*word)
    names = [each.name for each in SMALL.coordinates]
    usual_space = engine_space(engine, SOLVER, SMALL, "HTM")
    for module, most in ((engine, 7), (plain(), 6)):  # a tenth of the nodes for plain Python
        usual = engine.Search(usual_space, exact=True)
        usual.start(ranks(SMALL, state), most)
        expected = exhaust(usual)
        for some in ((names[0],), tuple(names)):
            if late and (some != (names[0],) or module is not engine):
                continue  # too slow without any table, or without a compiler
            search = module.Search(ranked_space(module, SMALL, some, late), plies=3, exact=True)
            search.start(ranks(SMALL, state), most, 0, state)
            assert sorted(exhaust(search)) == sorted(expected)
            if not late:
                assert search.generated_nodes == usual.generated_nodes
                assert search.expanded_nodes == usual.expanded_nodes


def test_a_state_that_leaves_the_domain_of_a_ranked_coordinate_is_told() -> None:
    cube3 = puzzlekit.load("cube3").puzzle
    middle = puzzlekit.Permutation("m", cube3, "edges", "BL BR FR FL", "BL BR FR FL")
    twist = puzzlekit.Orientation("twist", cube3, "corners")
    moves = cube3.moves("R U")
    for module in (engine, plain()):
        table = array("H", [0] * (2 * twist.size))
        space = module.Space(
            [1, 1],
            [[(0, 0), (1, 0)]],
            [
                CoordinateInput(twist.size, table, [5]),
                CoordinateInput(middle.size, middle.program, [3]),
            ],
            [TableInput((1,), 8, bytes(middle.size))],
            carry=module.Carry([move.effect for move in moves], cube3.modulus),
        )
        search = module.Search(space)
        search.start([0, middle.rank(cube3.solved)], 3, 0, cube3.solved)
        with pytest.raises(ValueError, match="left the domain"):
            search.run(PLENTY)


def test_a_space_that_does_not_fit_together_is_refused() -> None:
    program = SMALL.coordinates[0].program
    size = SMALL.coordinates[0].size
    for module in (engine, plain()):
        with pytest.raises(ValueError, match="not carried"):
            module.Space([1], [[(0, 0)]], [CoordinateInput(size, program, [0])], [])
        carry = module.Carry([MOVES[0].effect], CUBE2.modulus)
        with pytest.raises(ValueError, match="each value"):
            module.Space([1], [[(0, 0)]], [CoordinateInput(size, program, b"\1")], [], carry=carry)
        space = module.Space(
            [1], [[(0, 0)]], [CoordinateInput(size, program, [0])], [], carry=carry
        )
        with pytest.raises(ValueError, match="all carried bytes"):
            module.Search(space).start([0], 3)


def test_rank_programs_have_the_same_numbers_compiled() -> None:
    """Cython numbers the names of an enum in their order."""
    directory = Path(opcodes.__file__).parent
    listed = (directory / "opcodes.pxd").read_text(encoding="utf-8").split("cdef enum:")[1].split()
    named = {name: number for name, number in vars(opcodes).items() if name.isupper()}
    assert named == {name: number for number, name in enumerate(listed)}


# --- buffers --------------------------------------------------------------------------------------


def gapped(kind: str) -> memoryview:
    return memoryview(array(kind, bytes(1600)))[::2]


@pytest.mark.skipif(not COMPILED, reason="Python indexes any buffer")
@pytest.mark.parametrize(
    ("name", "buffer", "error"),
    [
        *[("program", array(kind, bytes(800)), ValueError) for kind in "IhqfB"],
        *[("vectors", array(kind, bytes(800)), ValueError) for kind in "bHi"],
        *[("ranks", array(kind, bytes(8)), ValueError) for kind in "QdiB"],
        ("program", gapped("i"), ValueError),
        ("vectors", gapped("B"), ValueError),
        ("program", memoryview(array("i", bytes(800))).toreadonly(), ValueError),
        ("ranks", memoryview(array("q", [0])).toreadonly(), ValueError),
        ("program", [0] * 200, TypeError),
        ("program", None, TypeError),
    ],
)
def test_buffers_of_other_numbers_are_refused(name: str, buffer: Any, error: Any) -> None:
    program = array("i", SMALL.coordinates[0].program)
    state, found = after(1, 3), array("q", [0])
    carry = engine.Carry([MOVES[0].effect], CUBE2.modulus)
    good = {"program": program, "vectors": state, "ranks": found}
    engine.rank_after(carry, 0, *good.values())
    assert found[0] == SMALL.coordinates[0].rank(after(1, 3, 0))
    with pytest.raises(error, match="do not fit" if error is ValueError else "bytes-like"):
        engine.rank_after(carry, 0, *{**good, name: buffer}.values())
    rows = memoryview(state).cast("B", (2, len(state) // 2))  # one row after the other
    found[0] = -1
    engine.rank_after(carry, 0, program, rows, found)
    assert found[0] == SMALL.coordinates[0].rank(after(1, 3, 0))
