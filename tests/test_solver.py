"""Solving as a user does: answers that are right, short, reproducible and within their limits."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import attrs
import bundled
import pytest
from bundled import COMPILED, CUBES, StickerCube, counted, stickers
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Method,
    NoSolutionError,
    NotationError,
    Orientation,
    Phase,
    PuzzlekitError,
    Solution,
    Solver,
    StateError,
    TableStore,
    UsageError,
)
from puzzlekit.errors import PluginError, TableError
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state
from puzzlekit.search.heuristic import Sum
from puzzlekit_twophase import Anytime

METHODS = [each for each in bundled.METHODS if each[0] in CUBES]
WAYS = [each for each in bundled.WAYS if each[0] in CUBES]
SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
SUPERFLIP_MOVES = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
FACES = [face + amount for face in "URFDLB" for amount in ("", "2", "'")]
HARD = "DBDLUBLDFRLLLRUUFUFFDBFULRRUDBFDLRBBRDDULRURFBDBRBFLUF"


def check(puzzle: str, start: str, solution: Solution) -> None:
    """Replay an answer on stickers, with nothing of puzzlekit, and count its moves."""
    cube = stickers(puzzle)
    assert cube.is_solved(cube.replay(start, str(solution)))
    assert solution.verified
    assert solution.cost == solution.lengths[solution.metric]
    if solution.metric not in ("STM", "BTM") and solution.method != "universal":
        outer = "URFDLB2' w" if puzzle == "cube4" else "URFDLB2' "
        assert set(" ".join(solution.moves)) <= set(outer)
    for metric, length in solution.lengths.items():
        assert length == counted(solution.moves, metric)
    assert len(solution) == len(solution.moves) == len(str(solution).split())


# --- the stickers themselves --------------------------------------------------------------------


def test_the_sticker_cube_agrees_with_examples_from_elsewhere() -> None:
    """Known facts, so that what judges the answers is itself judged."""
    data = Path(__file__).parent / "data" / "notation_examples.txt"
    checked = 0
    for line in data.read_text().splitlines():
        size, moves, expected = (part.strip() for part in ([*line.split("|"), "", ""])[:3])
        cube = StickerCube(int(size)) if size in ("2", "3") else None
        if cube and {move.rstrip("2'") for move in moves.split()} <= set(cube.turns):
            assert cube.replay(cube.solved, moves) == expected, moves
            checked += 1
    assert checked >= 10
    cube = stickers("cube3")
    assert cube.replay(cube.solved, SUPERFLIP_MOVES) == SUPERFLIP


@pytest.mark.parametrize("puzzle", CUBES)
def test_every_move_carries_stickers_as_the_sticker_cube_does(puzzle: str) -> None:
    known = puzzlekit.load(puzzle).puzzle
    cube = stickers(puzzle)
    start = facelets(known, random_state(known, random.Random(5)))
    state = puzzlekit.load(puzzle).positions.from_facelets(start)
    assert set(cube.turns) == set(known.turns)
    for move in known.family_moves(known.turns):
        assert facelets(known, known.apply(state, [move])) == cube.replay(start, move.name)


# --- many states --------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_cube2_is_solved_optimally_by_both_methods(
    metric: str, random_facelets: dict[str, list[str]], positions_at_depth: dict[str, list[int]]
) -> None:
    """The pruning table of `optimal` is exact (see test_tables); both methods must reach it."""
    solver = puzzlekit.load("cube2")
    chain = solver.prepared("optimal", metric=metric)
    (exact,) = chain.phases
    states = random_facelets["cube2"]
    assert len(states) >= 100
    for text in states:
        state = solver.positions.from_facelets(text)
        distance = exact.space.estimate(exact.ranks(chain.normal(state)))
        assert 0 < distance < len(positions_at_depth[f"cube2_{metric.lower()}_3gen"])
        for method in ("optimal", "small-tables"):
            solution = solver.solve(state, method=method, metric=metric)
            check("cube2", text, solution)
            assert solution.optimal
            assert solution.cost == distance


def test_a_hundred_random_cubes_are_solved_in_at_most_21_moves(
    random_facelets: dict[str, list[str]],
) -> None:
    solver = puzzlekit.load("cube3")
    states = random_facelets["cube3"]
    assert len(states) >= 100
    for text in states[: 100 if COMPILED else 10]:
        solution = solver.solve(solver.positions.from_facelets(text), max_length=21)
        check("cube3", text, solution)
        assert solution.cost <= 21


EASY = {"cube2": 23, "cube3": 32, "cube4": 80}  # lengths that are found at once
EASY_FOR_UNIVERSAL = 200
# Those that do not first prove that there is nothing shorter, which takes minutes for a 3x3x3.
QUICK = [way for way in WAYS if not puzzlekit.load(way[0]).method(way[1]).strategy.proves]


@pytest.mark.slow
@given(seed=st.integers(0, 1 << 32), way=st.sampled_from(QUICK), turn=st.integers(0, 23))
@settings(max_examples=15 if COMPILED else 8)
def test_random_states_held_any_way_are_solved_in_every_way(
    seed: int, way: tuple[str, str, str], turn: int
) -> None:
    puzzle, method, metric = way
    solver = puzzlekit.load(puzzle)
    rotations = [
        f"{a} {b}" for a, b in product(("", "x", "x2", "x'", "z", "z'"), ("", "y", "y2", "y'"))
    ]
    state = solver.puzzle.apply(
        random_state(solver.puzzle, random.Random(seed)), solver.puzzle.moves(rotations[turn])
    )
    text = facelets(solver.puzzle, state)
    assert solver.positions.from_facelets(text) == state
    easy = EASY_FOR_UNIVERSAL if method == "universal" else EASY[puzzle]
    solution = solver.solve(state, method=method, metric=metric, max_length=easy)
    assert (solution.puzzle, solution.method, solution.metric) == way
    assert solution.state == state
    check(puzzle, text, solution)


@pytest.mark.slow
@given(data=st.data(), puzzle=st.sampled_from(CUBES))
@settings(max_examples=30 if COMPILED else 8)
def test_scrambles_with_rotations_wide_turns_and_slices(data: st.DataObject, puzzle: str) -> None:
    cube = stickers(puzzle)
    tokens = [name + amount for name in sorted(cube.turns) for amount in ("", "2", "'")]
    scramble = " ".join(data.draw(st.lists(st.sampled_from(tokens), max_size=25)))
    start = cube.replay(cube.solved, scramble)
    solution = puzzlekit.load(puzzle).solve(scramble, max_length=EASY[puzzle])
    assert facelets(puzzlekit.load(puzzle).puzzle, solution.state) == start
    check(puzzle, start, solution)


def test_the_superflip() -> None:
    solver = puzzlekit.load("cube3")
    state = solver.state(SUPERFLIP_MOVES)
    assert facelets(solver.puzzle, state) == SUPERFLIP
    assert solver.positions.from_facelets(SUPERFLIP) == state
    solution = solver.solve(state, max_length=24)
    check("cube3", SUPERFLIP, solution)
    assert 20 <= solution.cost <= 24


# --- solved and short scrambles -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "method", "metric"), WAYS)
def test_a_solved_cube_in_any_holding_takes_no_moves(puzzle: str, method: str, metric: str) -> None:
    solver = puzzlekit.load(puzzle)
    assert len(solver.puzzle.solved_states) == 24
    for state in solver.puzzle.solved_states:
        for most in (None, 22):
            solution = solver.solve(state, method=method, metric=metric, max_length=most)
            assert (solution.moves, solution.cost, solution.optimal) == ((), 0, True)


@pytest.mark.slow
@pytest.mark.parametrize("limits", [{}, {"max_length": 22}, {"timeout": 5.0}], ids=str)
@pytest.mark.parametrize(("puzzle", "method", "metric"), WAYS)
def test_one_move_is_undone_by_one_move(
    puzzle: str, method: str, metric: str, limits: dict[str, Any]
) -> None:
    solver = puzzlekit.load(puzzle)
    wide = [move for move in stickers(puzzle).turns if move.endswith("w")]
    for scramble in FACES + [move + amount for move in wide for amount in ("", "2", "'")]:
        solution = solver.solve(scramble, method=method, metric=metric, **limits)
        cost = counted([scramble], metric)  # 2-3Fw takes two turns of outer blocks
        assert solution.cost <= cost and (cost > 1 or len(solution) == 1), scramble
        assert solution.optimal or "max_length" in limits


SOME = random.Random(11)
TWO = [" ".join(pair) for pair in product(FACES, repeat=2)]
THREE = [" ".join(SOME.choices(FACES, k=3)) for _ in range(150)]
HALF_TURNS = ["R2 F2", "R2 F2 U2", "U2 R2 D2", "F2 L2 F2", "R2 L2 U2", "U D' R2", "F2 B2 L"]


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "method", "metric"), WAYS)
def test_two_and_three_moves_are_undone_by_no_more(puzzle: str, method: str, metric: str) -> None:
    solver = puzzlekit.load(puzzle)
    scrambles = TWO[:: 3 if COMPILED else 30] + THREE[:: 1 if COMPILED else 15] + HALF_TURNS
    for scramble in scrambles:
        cost = counted(scramble.split(), metric)
        solution = solver.solve(scramble, method=method, metric=metric, max_length=22)
        assert solution.cost <= cost, scramble
        assert len(solution) <= len(scramble.split()), scramble
        check(puzzle, stickers(puzzle).replay(stickers(puzzle).solved, scramble), solution)


OUTER_AND_WIDE = {"R", "Rw", "L", "U", "Uw", "D", "F", "Fw", "B"}


CUBE4_METHODS = [method for puzzle, method in METHODS if puzzle == "cube4"]


@pytest.mark.slow
@pytest.mark.parametrize("method", [each for each in CUBE4_METHODS if each != "universal"])
def test_four_moves_of_the_first_phase_are_undone_in_as_few(method: str) -> None:
    solver = puzzlekit.load("cube4")
    puzzle = solver.puzzle
    moves = solver.method(method).phases[0].allowed(puzzle)
    some = random.Random(6)
    for _ in range(50 if COMPILED else 10):
        scramble = some.choices(moves, k=4)
        solution = solver.solve(puzzle.apply(puzzle.solved, scramble), method=method)
        assert solution.cost <= 4 and solution.optimal, scramble


@pytest.mark.slow
@pytest.mark.parametrize("method", CUBE4_METHODS)
def test_three_moves_of_any_layers_are_undone_at_no_higher_cost(method: str) -> None:
    solver = puzzlekit.load("cube4")
    puzzle, metric = solver.puzzle, solver.puzzle.metric()
    families = [family for family in puzzle.turns if family not in puzzle.rotations]
    moves = puzzle.family_moves(families)
    assert len(moves) == 81
    some = random.Random(5)
    scrambles = [[move] for move in moves]
    scrambles += [some.choices(moves, k=2 + k % 2) for k in range(200 if COMPILED else 20)]
    for scramble in scrambles:
        solution = solver.solve(puzzle.apply(puzzle.solved, scramble), method=method)
        assert solution.cost <= sum(map(metric.cost, scramble)), scramble
        if method != "universal":
            assert {move.strip("2'") for move in solution.moves} <= OUTER_AND_WIDE


@pytest.mark.parametrize("scramble", ["M", "E2", "S'", "M E", "M2 U2"])
def test_slices_are_undone_by_two_face_turns_each(scramble: str) -> None:
    solver = puzzlekit.load("cube3")
    turns = sum(2 if move[0] in "MES" else 1 for move in scramble.split())
    assert solver.solve(scramble).cost <= turns


# --- limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["HTM", pytest.param("QTM", marks=pytest.mark.slow)])
def test_a_number_of_nodes_makes_an_answer_reproducible(metric: str) -> None:
    known = puzzlekit.load("cube3")
    nodes = 400_000 if COMPILED else 200_000
    outcomes = set()
    for _ in range(2):
        solver = Solver(known.puzzle, known.methods, known.store)
        state = known.positions.from_facelets(HARD)
        solution = solver.solve(state, metric=metric, max_nodes=nodes, profile="small")
        assert solution.nodes <= nodes + 100
        assert solution.nodes == sum(phase.nodes for phase in solution.phases)
        assert 0 < solution.expanded < solution.nodes
        outcomes.add((solution.moves, solution.nodes, solution.expanded))
        time.sleep(0.01)
    assert len(outcomes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", CUBES)
@pytest.mark.parametrize(
    ("scramble", "limits"),
    [
        ("R U F", {"max_length": 2}),
        ("R U F", {"max_length": 0}),
        ("R U F2 R' U2 F R", {"max_length": 3}),
        ("R U F2 R' U2 F R U2 F'", {"max_nodes": 1}),
        ("R U F2 R' U2 F R U2 F'", {"max_length": 4, "timeout": 1.5}),
    ],
)
def test_limits_that_no_answer_keeps(puzzle: str, scramble: str, limits: dict[str, Any]) -> None:
    solver = puzzlekit.load(puzzle)
    with pytest.raises(NoSolutionError, match="no solution"):
        solver.solve(scramble, **limits)
    for method in (method for name, method in METHODS if name == puzzle):
        if method == "universal" and limits.keys() == {"max_nodes"}:
            continue  # it has an answer before it searches
        with pytest.raises(NoSolutionError) as caught:
            solver.solve(scramble, method=method, **limits)
        said = str(caught.value)
        known = solver.catalogue.metrics(method)[0].name
        if said == f"there is no solution of at most {limits.get('max_length')} {known}":
            # It knows that. The universal method first searches from both ends, which is a proof.
            assert solver.method(method).strategy.proves or method == "universal"
        else:
            assert all(f"{value:g}" in said for value in limits.values())


@pytest.mark.slow
def test_a_timeout_ends_an_improving_search() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    started = time.perf_counter()
    solution = solver.solve(
        solver.positions.from_facelets(SUPERFLIP), timeout=0.5 if COMPILED else 4
    )
    elapsed = time.perf_counter() - started
    assert (0.45 if COMPILED else 3.9) < elapsed < 10
    assert solution.seconds == pytest.approx(elapsed, abs=1.0)
    assert not solution.optimal
    check("cube3", SUPERFLIP, solution)


def test_without_limits_improving_takes_a_fraction_of_a_second() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    started = time.perf_counter()
    try:
        solver.solve(solver.positions.from_facelets(HARD))
    except NoSolutionError:
        assert not COMPILED
    assert time.perf_counter() - started < 5


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", CUBES)
def test_a_search_cancelled_before_it_starts_finds_nothing(puzzle: str) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(NoSolutionError):
        puzzlekit.load(puzzle).solve("R U F2 R' U2 F R U2 F'", cancel=cancel)


def test_a_search_can_be_cancelled_from_another_thread() -> None:
    solver = puzzlekit.load("cube3")
    solver.prepared()
    cancel = threading.Event()
    best: list[Solution] = []
    timer = threading.Timer(0.2, cancel.set)
    started = time.perf_counter()
    timer.start()
    try:
        for solution in solver.improve(
            solver.positions.from_facelets(SUPERFLIP), timeout=60.0, cancel=cancel
        ):
            best.append(solution)
    except NoSolutionError:
        assert not COMPILED
    finally:
        timer.cancel()
    assert time.perf_counter() - started < 10
    assert best or not COMPILED


@pytest.mark.slow
def test_improving_yields_shorter_and_shorter_answers(
    random_facelets: dict[str, list[str]],
) -> None:
    solver = puzzlekit.load("cube3")
    improved = 0
    for text in random_facelets["cube3"][: 30 if COMPILED else 2]:
        state = solver.positions.from_facelets(text)
        answers = list(solver.improve(state, max_nodes=400_000))
        lengths = [solution.cost for solution in answers]
        assert all(longer > shorter for longer, shorter in pairwise(lengths)), (text, lengths)
        for solution in answers:
            check("cube3", text, solution)
        told: list[puzzlekit.Solution] = []
        best = solver.solve(state, max_nodes=400_000, on_answer=told.append)
        assert [solution.moves for solution in told] == [solution.moves for solution in answers]
        assert best.moves == answers[-1].moves
        assert best.nodes >= answers[-1].nodes
        improved += len(answers) > 1
    assert improved


def test_improving_can_be_left_early() -> None:
    solver = puzzlekit.load("cube3")
    answers = solver.improve(solver.positions.from_facelets(HARD), timeout=60.0)
    first = next(answers)
    answers.close()  # type: ignore[attr-defined]
    check("cube3", HARD, first)


# --- reports ------------------------------------------------------------------------------------


def test_phases_say_what_was_done_before_merging(random_facelets: dict[str, list[str]]) -> None:
    solver = puzzlekit.load("cube3")
    cube = stickers("cube3")
    for text in random_facelets["cube3"][: 20 if COMPILED else 2]:
        solution = solver.solve(solver.positions.from_facelets(text), max_length=23)
        assert sorted(phase.name for phase in solution.phases) == ["finish", "orient"]
        moves = [move for phase in solution.phases for move in phase.moves]
        assert cube.is_solved(cube.replay(text, " ".join(moves)))
        assert sum(phase.cost for phase in solution.phases) >= solution.cost
        for phase in solution.phases:
            assert phase.cost == counted(phase.moves, solution.metric)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "method"), METHODS)
def test_solutions_survive_pickling(puzzle: str, method: str) -> None:
    solution = puzzlekit.load(puzzle).solve("R U F2", method=method)
    copy = pickle.loads(pickle.dumps(solution))
    assert copy == solution and copy is not solution
    assert (str(copy), copy.phases) == (str(solution), solution.phases)
    assert copy != solution.evolve(lengths={}) and hash(copy) == hash(solution)
    assert copy.to_json() == solution.to_json()


def test_a_pickled_solver_is_what_it_was_loaded_from(tmp_path: Path) -> None:
    cube2 = puzzlekit.load("cube2")
    assert pickle.loads(pickle.dumps(cube2)) is cube2
    make, (name, root) = cube2.__reduce__()
    assert (name, root) == ("cube2", cube2.store.root)
    elsewhere = make(name, str(tmp_path))
    assert elsewhere.store.root == str(tmp_path)
    assert pickle.loads(pickle.dumps(elsewhere)) is elsewhere
    made = Solver(cube2.puzzle, cube2.methods)
    with pytest.raises(pickle.PicklingError, match="this solver of cube2 was made from its parts"):
        pickle.dumps(made)


@pytest.mark.slow
def test_a_spawned_pool_solves_with_a_pickled_solver() -> None:
    solver = puzzlekit.load("cube2")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (found,) = pool.starmap(Solver.solve, [(solver, "R U")])
    record = json.loads(found.to_json())
    assert found.cost == 2 and record["verified"]
    assert record["state"] == solver.positions.to_facelets(found.state)


@pytest.mark.parametrize(
    "error",
    [
        PuzzlekitError("something"),
        NoSolutionError("no solution of at most 2 moves"),
        UsageError("there is no method"),
        NotationError("not a move", text="R Q", token="Q", column=3, hint="faces"),
        StateError(["edge UF is flipped", "corner URF is missing"]),
        DeclarationError("contradiction"),
        PluginError("broken"),
        TableError("no memory"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling(error: PuzzlekitError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


# --- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("puzzle", CUBES)
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": "magic"}, "no method 'magic'; it has "),
        ({"metric": "XTM"}, "no metric 'XTM'; it has (HTM, QTM|OBTM, STM, BTM)"),
        ({"heuristic": "guess"}, "no heuristic 'guess'; there are max, sum"),
        ({"threads": 0}, "threads"),
    ],
)
def test_what_does_not_exist_is_named(puzzle: str, options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        puzzlekit.load(puzzle).solve("R U", **options)


@pytest.mark.parametrize("puzzle", CUBES)
def test_impossible_states_are_not_searched(puzzle: str) -> None:
    solver = puzzlekit.load(puzzle)
    with pytest.raises(StateError, match="bytes instead of"):
        solver.solve(b"\x00\x01")
    twisted = bytearray(solver.puzzle.solved)
    twisted[solver.puzzle.orbits[0].size] = 1
    with pytest.raises(StateError, match="corner ULB is twisted"):
        solver.solve(bytes(twisted))
    with pytest.raises(NotationError):
        solver.solve("R Q")


def test_a_metric_that_a_method_does_not_search_in_is_still_counted() -> None:
    with pytest.raises(UsageError, match="block does not search in HTM, only in QTM"):
        puzzlekit.load("supercube3").solve("R", metric="HTM", method="block")
    solver = puzzlekit.load("cube3")
    assert solver.solve("R2 U").lengths == {"HTM": 2, "QTM": 3, "STM": 2}


def test_a_metric_may_be_written_in_any_case() -> None:
    assert puzzlekit.load("cube2").solve("R2", metric="qtm").cost == 2


# --- threads ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", CUBES if COMPILED else ["cube2", "cube3"])
def test_two_threads_for_one_state(puzzle: str, random_facelets: dict[str, list[str]]) -> None:
    solver = puzzlekit.load(puzzle)
    for text in random_facelets[puzzle][: 5 if COMPILED else 1]:
        check(
            puzzle,
            text,
            solver.solve(solver.positions.from_facelets(text), threads=2, max_length=EASY[puzzle]),
        )


@pytest.mark.slow
def test_many_threads_may_solve_at_once_from_an_empty_cache(
    tmp_path: Path, random_facelets: dict[str, list[str]]
) -> None:
    # Answers differ between profiles, and another test may have built the large one.
    for puzzle, count, profile in (
        ("cube2", 60, None),
        ("cube3", 40 if COMPILED else 4, "small"),
    ):
        known = puzzlekit.load(puzzle)
        limits: dict[str, Any] = {"max_length": 23, "profile": profile}
        solver = Solver(known.puzzle, known.methods, TableStore(str(tmp_path / puzzle)))
        states = random_facelets[puzzle][:count]
        held = [known.positions.from_facelets(text) for text in states]
        alone = [known.solve(state, **limits).moves for state in held]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(partial(solver.solve, **limits), held))
        for text, solution in zip(states, together, strict=True):
            check(puzzle, text, solution)
        assert [solution.moves for solution in together] == alone


# --- what is proven, listed, or refused ---------------------------------------------------------


@pytest.mark.parametrize("metric", ["HTM", pytest.param("QTM", marks=pytest.mark.slow)])
def test_a_proof_is_told(metric: str) -> None:
    """Scrambles of six to nine moves are searched to the end, so the answer is known to be best."""
    solver = puzzlekit.load("cube3")
    rng = random.Random(11)
    for length in (6, 7, 8, 9) if COMPILED else (6,):
        scramble = " ".join(rng.choice(FACES) for _ in range(length))
        solution = solver.solve(scramble, metric=metric, timeout=60.0)
        assert solution.optimal
        assert solution.cost <= counted(tuple(scramble.split()), metric)


def test_a_move_that_is_named_twice_is_allowed_once() -> None:
    cube = puzzlekit.load("cube2").puzzle
    twist = Orientation("twist", cube, "corners")
    phase = Phase("twist", "corners are turned right", "U R R2", (twist,), ("twist",))
    assert [move.name for move in phase.allowed(cube)] == ["U", "U2", "U'", "R", "R2", "R'"]


def test_all_solutions_are_those_that_brute_force_finds() -> None:
    solver = puzzlekit.load("cube2")
    puzzle = solver.puzzle
    moves = puzzle.family_moves("URF")
    state = solver.prepared("optimal").normal(solver.state("R U F"))
    listed = {solution.moves for solution in solver.solutions(state, max_length=7)}
    # By brute force: all sequences of up to 5 moves, no two neighbours on one face.
    layer = [(state, ())]
    found: set[tuple[str, ...]] = set()
    for _ in range(5):
        layer = [
            (puzzle.apply(reached, [move]), (*path, move))
            for reached, path in layer
            for move in moves
            if not path or path[-1].family != move.family
        ]
        found |= {
            tuple(move.name for move in path) for reached, path in layer if reached == puzzle.solved
        }
    assert {each for each in listed if len(each) <= 5} == found
    assert {each for each in listed if len(each) > 5}
    with pytest.raises(UsageError, match="two-phase has several phases"):
        next(puzzlekit.load("cube3").solutions("R U F", method="two-phase", max_length=7))


def test_an_answer_comes_however_short_the_time_to_improve_it() -> None:
    known = puzzlekit.load("cube3")
    hurried = [attrs.evolve(known.method(), strategy=Anytime(premoves=2, seconds=0.0))]
    solver = Solver(known.puzzle, hurried, known.store)
    assert solver.solve(solver.positions.from_facelets(HARD)).verified
    assert solver.solve(solver.positions.from_facelets(HARD), threads=2).verified


def test_an_improving_method_takes_any_heuristic() -> None:
    """Not admissible: phase by phase, and never called optimal (but for the shortest)."""
    solver = puzzlekit.load("cube3")
    for seed in range(5):
        state = solver.random_state(seed)
        solution = solver.solve(state, heuristic="sum", timeout=60.0)
        check("cube3", solver.positions.to_facelets(state), solution)
        assert not solution.optimal


def test_heuristics_of_one_name_are_told_apart() -> None:
    class Other(Sum):
        def join(self, distances: Any) -> Any:
            return puzzlekit.Max().join(distances)

    assert Sum().identity != Other().identity
    assert Sum().identity == Sum().identity
    solver = puzzlekit.load("cube2")
    state = solver.random_state(1)
    nodes = {
        solver.solve(state, method="small-tables", heuristic=heuristic).nodes
        for heuristic in (Other(), puzzlekit.Max())
    }
    assert len(nodes) == 1


@pytest.mark.parametrize(
    "limits",
    [
        {"max_length": -1},
        {"max_length": 7.5},
        {"max_nodes": 1.0},
        {"timeout": float("nan")},
        {"timeout": "1"},
        {"timeout": -0.1},
        {"threads": 0},
    ],
    ids=str,
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        puzzlekit.load("cube2").solve("R U", **limits)


def test_a_limit_beyond_all_lengths_is_none() -> None:
    assert puzzlekit.load("cube2").solve("R U", max_length=2**31).cost == 2


def test_moves_are_the_same_objects_however_they_are_asked_for() -> None:
    puzzle = puzzlekit.load("cube3").puzzle
    assert puzzle.move("R", 5) is puzzle.move("R") is puzzle.move("R", -3)
    with pytest.raises(DeclarationError, match="not a move"):
        puzzle.move("R", 4)


@pytest.mark.parametrize("name", ["cube3", "square1", "clock", "topspin-7-3"])
def test_names_of_moves_are_read_as_the_notation_reads_them(name: str) -> None:
    """A puzzle reads names that it has read before without the notation."""
    puzzle = puzzlekit.load(name).puzzle
    rng = random.Random(name)
    every = puzzle.family_moves(puzzle.families)
    for _ in range(30):
        text = puzzle.text(rng.choices(every, k=rng.randrange(1, 40)))
        for shown in (text, text, f" {text}  ", f"{text} // end", f"({text}) {every[0].name}"):
            parsed = puzzle.notation.parse(shown)
            assert puzzle.moves(shown) == tuple(puzzle.move(*each) for each in parsed)


@pytest.mark.parametrize("puzzle", ["cube2", "skewb"])
def test_a_later_search_is_as_one_of_a_new_solver(puzzle: str) -> None:
    """A solver uses a search again, and ranks states in compiled code."""
    solver = puzzlekit.load(puzzle)
    states = [solver.random_state(seed) for seed in range(5)]
    for state in states:
        new = Solver(solver.puzzle, solver.methods, solver.store)
        alone, later = (
            (str(found), found.nodes, found.expanded)
            for found in (new.solve(state), solver.solve(state))
        )
        assert alone == later
    (phase,) = solver.prepared().phases
    for state in states:
        seen = solver.prepared().normal(state)
        ranked = (each.valued(solver.store, phase.reading) for each in phase.resolved.runners)
        assert phase.ranks(seen) == [rank(seen) for rank in ranked]


def test_a_phase_outside_its_domain_is_told() -> None:
    known = puzzlekit.load("cube3")
    finish = known.methods[0].phases[1]
    alone = puzzlekit.Method("finish", "alone", (finish,), fixed={"centers": "U R F D L B"})
    solver = Solver(known.puzzle, [alone], known.store)
    assert solver.solve("U R2").cost == 2
    with pytest.raises(DeclarationError, match="not defined"):
        solver.solve("R U F D B L R U")


def test_stickers_may_be_given_to_solve_as_they_are() -> None:
    solver = puzzlekit.load("cube3")
    solution = solver.solve(HARD, max_length=21)
    assert solution.state == solver.positions.from_facelets(HARD)
    check("cube3", HARD, solution)


def test_methods_that_are_yielded_are_made_when_they_are_needed() -> None:
    cube = puzzlekit.load("cube2")
    first, *_ = cube.methods
    made: list[str] = []

    def methods() -> Iterator[Method]:
        for name in ("one", "two", "three"):
            made.append(name)
            yield attrs.evolve(first, name=name)
            if name == "two" and made.count("two") == 1:
                raise DeclarationError("out of luck")

    solver = Solver(cube.puzzle, methods, cube.store)
    assert made == []
    assert solver.solve("R U").method == "one"
    assert made == ["one"]
    assert solver.method("two").name == "two"
    for _ in range(2):
        assert solver.method("two").name == "two"
    assert made == ["one", "two"]
    with pytest.raises(DeclarationError, match="out of luck"):
        solver.method("three")
    assert [each.name for each in solver.methods] == ["one", "two", "three"]


def test_unknown_options_of_a_search_are_named() -> None:
    cube = puzzlekit.load("cube2")
    with pytest.raises(TypeError, match="a search has no option 'most'"):
        cube.solve("R U", most=3)  # type: ignore[call-arg]
