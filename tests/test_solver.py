"""Solving as a user does: answers that are right, short, and the same from several threads."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from answers import EASY, FACES, METHODS, SUPERFLIP, SUPERFLIP_MOVES, WAYS, check
from bundled import COMPILED, CUBES, StickerCube, counted, stickers
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Solver, TableStore
from puzzlekit.puzzle.net import facelets
from puzzlekit.puzzle.random_states import random_state

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
        cost = sum(map(metric.cost, scramble))
        # `universal` goes on for seconds after an answer that it cannot prove to be the shortest.
        most = cost if method == "universal" and cost > 4 else None
        state = puzzle.apply(puzzle.solved, scramble)
        solution = solver.solve(state, method=method, max_length=most)
        assert solution.cost <= cost, scramble
        if method != "universal":
            assert {move.strip("2'") for move in solution.moves} <= OUTER_AND_WIDE


@pytest.mark.parametrize("scramble", ["M", "E2", "S'", "M E", "M2 U2"])
def test_slices_are_undone_by_two_face_turns_each(scramble: str) -> None:
    solver = puzzlekit.load("cube3")
    turns = sum(2 if move[0] in "MES" else 1 for move in scramble.split())
    assert solver.solve(scramble).cost <= turns


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
