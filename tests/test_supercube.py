"""The supercube: centers with orientations, checked against the plain cube and exact numbers."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bundled import COMPILED

import puzzlekit
from puzzlekit import DeclarationError, Solver, StateError
from puzzlekit.puzzle.net import draw_net, facelets
from puzzlekit.puzzle.sticker_reading import read_facelets
from puzzlekit_cubes import supercube_puzzle

FACES = "URFDLB"
# Of two centers, the first is turned clockwise and the second counterclockwise; and a half turn.
QUARTERS = "R L' F B' U D' R' U' D F' B R' L U"
HALF = "R L U2 R' L' U R L U2 R' L' U"


@pytest.fixture(scope="module")
def cube() -> Solver:
    return puzzlekit.load("supercube3")


def turned(cube: Solver, state: bytes) -> tuple[int, ...]:
    return tuple(state[-6:])


def test_turns_are_those_of_the_plain_cube_and_turn_the_centers(cube: Solver) -> None:
    plain, rng = puzzlekit.load("cube3"), Random(1)
    moves = [cube.puzzle.move(face, amount) for face in FACES for amount in (1, 2, 3)]
    for _ in range(50):
        chosen = rng.choices(moves, k=20)
        state = cube.puzzle.apply(cube.puzzle.solved, chosen)
        assert state[:-6] == plain.state([move.name for move in chosen])
        sums = Counter[str]()
        for move in chosen:
            sums[move.family] += move.amount
        assert turned(cube, state) == tuple(sums[face] % 4 for face in FACES)


@pytest.mark.parametrize(
    ("one", "other"),
    [("M", "L' R x'"), ("E", "D' U y'"), ("S", "F' B z"), ("Rw", "L x"), ("Uw2", "D2 y2")],
)
def test_slices_and_wide_turns_are_faces_and_rotations(cube: Solver, one: str, other: str) -> None:
    assert cube.state(one) == cube.state(other)
    assert not cube.puzzle.is_solved(cube.state(one))


def test_the_number_of_states(cube: Solver) -> None:
    """The sum of the turns of the centers is even if and only if the corners are even."""
    held = [" ".join(f"{name}" for name in way) for way in _holdings()]
    reached = {(0,) * 6}
    effects = set()
    for way in held:
        for moves in (QUARTERS, HALF):
            back = " ".join(move.name for move in cube.puzzle.undo(cube.puzzle.moves(way)))
            state = cube.state(f"{way} {moves} {back}")
            assert state[:-6] == cube.puzzle.solved[:-6]
            effects.add(turned(cube, state))
    fresh = list(reached)
    while fresh:
        found = {
            tuple((a + b) % 4 for a, b in zip(one, effect, strict=True))
            for one in fresh
            for effect in effects
        }
        fresh = list(found - reached)
        reached |= found
    assert len(reached) == 4**6 // 2
    states = len(reached) * 43_252_003_274_489_856_000
    assert states == 88_580_102_706_155_225_088_000


def _holdings() -> list[tuple[str, str]]:
    tops = ("", "x", "x2", "x'", "z", "z'")
    return [(top, around) for top in tops for around in ("", "y", "y2", "y'")]


def test_a_center_that_is_turned_is_named(cube: Solver) -> None:
    puzzle = cube.puzzle
    wrong = bytearray(puzzle.solved)
    wrong[-6] = 1  # U
    text = facelets(puzzle, bytes(wrong))
    with pytest.raises(StateError, match="one of the centers is turned by a quarter turn"):
        read_facelets(puzzle, text)
    wrong[-1] = 3  # B, too
    assert cube.state(facelets(puzzle, bytes(wrong))) == bytes(wrong)
    assert not puzzle.is_solved(bytes(wrong))


def test_stickers_are_read_in_any_colours_and_holding(cube: Solver) -> None:
    puzzle = cube.puzzle
    colours = str.maketrans(FACES, "WRGYOB")
    for seed in range(5):
        state = cube.random_state(seed)
        text = facelets(puzzle, state)
        assert len(text) == 72 and set(Counter(text).values()) == {12}
        assert cube.state(text) == cube.state(text.translate(colours)) == state
        for rotation in ("x", "y'", "z2"):
            held = puzzle.apply(state, puzzle.moves(rotation))
            assert cube.state(facelets(puzzle, held)) == held
    assert len({turned(cube, cube.random_state(seed)) for seed in range(40)}) > 35


def test_the_net_shows_the_sides_of_the_centers(cube: Solver) -> None:
    net = draw_net(cube.puzzle, cube.state("U")).splitlines()
    assert [line.split() for line in net[:5]] == [
        ["U", "U", "U"],
        ["L"],
        ["U", "F", "B", "U"],
        ["R"],
        ["U", "U", "U"],
    ]


def test_only_odd_cubes_have_centers_that_turn() -> None:
    assert (
        len(supercube_puzzle("supercube5", 5).solved)
        == len(puzzlekit.load("cube5").puzzle.solved) + 6
    )
    with pytest.raises(DeclarationError, match="odd number of layers, not 4"):
        supercube_puzzle("supercube4", 4)


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="the tables take too long without the compiled engine")
def test_two_phase_solves_the_centers(cube: Solver) -> None:
    puzzle = cube.puzzle
    for moves in ("", "R", "U2 F'", "R U' F2", "M2", "Rw"):
        found = cube.solve(moves, profile="small", max_nodes=300_000)
        assert found.cost <= sum(2 if name == "M2" else 1 for name in moves.split())
    lengths = []
    for seed in range(3):
        state = cube.random_state(seed)
        found = cube.solve(state, profile="small", max_nodes=20_000_000, max_length=27)
        assert puzzle.is_solved(puzzle.apply(state, found.sequence))
        lengths.append(found.cost)
    assert max(lengths) <= 27
    for face in range(6):  # only one center is turned: searches of the second phase are given up
        one = bytearray(puzzle.solved)
        one[-6 + face] = 2
        for metric in ("HTM", "QTM"):
            found = cube.solve(bytes(one), profile="small", metric=metric, max_nodes=6_000_000)
            assert puzzle.is_solved(puzzle.apply(bytes(one), found.sequence))
            assert found.cost <= 24
    two = cube.solve(QUARTERS, profile="small", max_nodes=20_000_000, max_length=20)
    assert puzzle.is_solved(puzzle.apply(cube.state(QUARTERS), two.sequence))


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="the tables take too long without the compiled engine")
def test_block_solves_in_quarter_turns(cube: Solver) -> None:
    puzzle = cube.puzzle
    for moves in ("", "R", "U2 F'", "R U' F2"):
        found = cube.solve(moves, method="block", max_nodes=300_000)
        assert found.cost <= puzzle.metric("QTM").total(puzzle.moves(moves))
    lengths = []
    for seed in range(3):
        state = cube.random_state(seed)
        alone = cube.solve(state, metric="QTM", max_nodes=20_000_000)
        found = cube.solve(state, method="block", max_nodes=150_000_000)
        assert puzzle.is_solved(puzzle.apply(state, found.sequence))
        assert found.cost <= alone.cost and (found.cost - alone.cost) % 2 == 0
        lengths.append(found.cost)
    assert min(lengths) <= 27
