"""Cuboids, against models of stickers in space and the numbers known of them."""

from __future__ import annotations

from math import factorial
from operator import itemgetter
from random import Random

import pytest
from click.testing import CliRunner
from solids import StickerSolid, cuboid

import puzzlekit
from puzzlekit import StateError, UsageError
from puzzlekit.cli import main
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit_authoring.checks import Check
from puzzlekit_authoring.run import parametrize_with_checks
from puzzlekit_cuboids.cuboid import Cuboid

SIZES = ("2x2x3", "3x3x2", "1x2x3", "1x3x3", "1x2x2", "2x2x4", "2x2x5", "3x3x4", "2x3x3", "3x4x3")
# The number of states at each distance: of the Floppy Cube (J. Scherphuis, jaapsch.net).
FLOPPY = (1, 4, 10, 24, 53, 64, 31, 4, 1)
# Of the Tower Cube, as breadth-first search of its colours finds it; it has 241,920 in all.
TOWER = (1, 8, 35, 157, 678, 2527, 7442, 17088, 31568, 44704, 47216, 49792, 29024, 11104, 576)


def solid_of(size: str) -> StickerSolid:
    return cuboid(*map(int, size.split("x")))


def breadth_first(size: str, most: int = 99) -> list[int]:
    """The number of states at each distance in HTM, by colours alone, of all ways of holding it."""
    solid = solid_of(size)
    turns = []
    for name, turn in solid.turns.items():
        powers = [turn]
        while len(powers) < solid.orders[name] - 1:
            powers.append([powers[-1][source] for source in turn])
        turns += [(name[0] in "xyz", itemgetter(*power)) for power in powers]
    known = {tuple(solid.solved)}
    fresh = [*known]
    for state in fresh:  # grows during the loop
        new = {turn(state) for whole, turn in turns if whole} - known
        known |= new
        fresh += new
    held, counts = len(fresh), []
    while fresh and len(counts) <= most:
        counts.append(len(fresh) // held)
        new = {turn(state) for state in fresh for whole, turn in turns if not whole} - known
        known |= new
        fresh = [*new]
    return counts


@pytest.mark.slow
@parametrize_with_checks(*(f"cuboid-{size}" for size in SIZES[:5]), effort="quick")
def test_conformance(check: Check) -> None:
    check()


@pytest.mark.long
@parametrize_with_checks("cuboid-3x3x4", "cuboid-2x2x5", effort="quick")
def test_conformance_of_large_cuboids(check: Check) -> None:
    check()


@pytest.mark.parametrize("size", SIZES)
def test_sequences_carry_stickers_as_turns_in_space_do(size: str) -> None:
    solver, solid, rng = puzzlekit.load(f"cuboid-{size}"), solid_of(size), Random(size)
    puzzle = solver.puzzle
    assert set(puzzle.turns) == set(solid.turns)
    assert set(Cuboid(*map(int, size.split("x"))).layer_turns) <= set(puzzle.turns)
    for length in (1, 2, 3, 10, 30):
        moves = " ".join(rng.choice([*solid.turns]) for _ in range(length))
        shown = solid.replay(solid.solved, moves)
        state = solver.state(moves)
        assert solver.positions.to_facelets(state) == shown
        assert solver.positions.from_facelets(shown) == state
        assert not diagnose(puzzle, state)
    for _ in range(10):
        assert not diagnose(puzzle, solver.random_state(rng))
    for family, (image, sign) in puzzle.reflections[0].items():
        mirrored = solid.mirrored(family, lambda point: (-point[0], *point[1:]))
        turn = solid.turns[image]
        undone = sorted(range(len(turn)), key=turn.__getitem__)
        assert mirrored == (turn if sign == 1 else undone)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "order"),
    [
        ("1x2x2", 24),
        ("1x2x3", 96),
        ("1x3x3", 192),
        ("2x2x3", factorial(8) * factorial(4)),
        ("3x3x2", factorial(8) ** 2),
        ("2x2x4", factorial(8) ** 2),
        ("2x2x5", factorial(8) ** 2 * factorial(4)),
        ("3x3x4", factorial(8) ** 4 // 2),  # as if all centers differed
    ],
)
def test_orders_of_the_groups(size: str, order: int) -> None:
    """By SymPy; random states have as many values as the laws allow (see the next test)."""
    assert solid_of(size).group_order(["x", "y", "z", "x2", "y2", "z2"]) == order


@pytest.mark.parametrize("size", ["1x2x2", "1x2x3", "1x3x3"])
def test_random_states_are_all_states_of_flat_cuboids(size: str) -> None:
    solver, rng = puzzlekit.load(f"cuboid-{size}"), Random(1)
    order = {"1x2x2": 24, "1x2x3": 96, "1x3x3": 192}[size]
    assert len({solver.random_state(rng) for _ in range(20 * order)}) == order


def test_distances_of_small_cuboids() -> None:
    assert breadth_first("1x3x3") == [*FLOPPY] and sum(FLOPPY) == 192
    assert breadth_first("2x2x3", 4) == [*TOWER[:5]] and sum(TOWER) == 241_920


@pytest.mark.long
def test_every_state_of_the_tower() -> None:
    assert breadth_first("2x2x3") == [*TOWER]


@pytest.mark.parametrize("move", ["U", "R2", "F2", "D'", "L2'", "x2", "y"])
def test_moves_of_a_tower(move: str) -> None:
    solver = puzzlekit.load("cuboid-2x2x3")
    solution = solver.solve(move)
    assert solution.length == (move[0] not in "xyz") and solution.optimal


@pytest.mark.slow
def test_the_domino_and_others_are_solved_as_short_as_possible() -> None:
    """The farthest of the Domino is 18 turns away: D. T. Winter, Cube-Lovers, 1992."""
    for size, farthest in (("3x3x2", 18), ("2x2x4", 20), ("2x2x5", 24)):
        solver, solid, rng = puzzlekit.load(f"cuboid-{size}"), solid_of(size), Random(2)
        for _ in range(5):
            state = solver.random_state(rng)
            solution = solver.solve(state)
            assert solution.optimal and solution.length <= farthest
            shown = solver.positions.to_facelets(state)
            assert solid.is_solved(solid.replay(shown, str(solution)))


@pytest.mark.slow
def test_a_large_cuboid_is_solved() -> None:
    solver = puzzlekit.load("cuboid-3x3x4")
    solution = solver.solve(solver.random_state(3))
    assert solution.verified and solution.length <= 29


@pytest.mark.parametrize(
    ("size", "changes", "faults"),
    [
        ("2x2x3", {12: 1}, ["edge RF is flipped"]),
        ("1x3x3", {8: 1}, ["parity: one of the edges is flipped, or two corners are exchanged"]),
        ("3x3x4", {24: 1}, None),
    ],
)
def test_faults_are_named(size: str, changes: dict[int, int], faults: list[str] | None) -> None:
    solver = puzzlekit.load(f"cuboid-{size}")
    state = bytearray(solver.puzzle.solved)
    for byte, value in changes.items():
        state[byte] = value
    found = diagnose(solver.puzzle, bytes(state))
    assert found if faults is None else found == faults
    with pytest.raises(StateError):
        solver.solve(bytes(state))


def test_names_of_the_family() -> None:
    assert puzzlekit.load("cuboid 3x4x3").puzzle.name == "cuboid-3x4x3"
    for name, words in (
        ("cuboid-3x3x3", "cube3 is a cube"),
        ("cuboid-2x3x4", "cuboids have the sides 1x2x2, 1x2x3"),
        ("cuboid-2x2", "no puzzle"),
    ):
        with pytest.raises(UsageError, match=words):
            puzzlekit.load(name)
    shown = CliRunner().invoke(main, ["solve", "--puzzle", "cuboid-3x3x2", "R U"])
    assert shown.exit_code == 2 and "layers that are no squares turn by half turns" in shown.output
