"""States with mixed alike pieces take the place of the solved state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from math import comb, factorial, prod
from pathlib import Path
from random import Random

import pytest

import puzzlekit
import puzzlekit_definitions
from puzzlekit import NoSolutionError, Solver, UsageError
from puzzlekit_definitions import DefinedSolver
from puzzlekit_steps.route import is_together

# Six places in two rings that share two of them, and three pieces of each of two colours.
RINGS = """
Name rings
Set RING 6 1
Solved
RING
1 1 1 2 2 2
End
Move A
RING
2 3 4 1 5 6
End
Move B
RING
1 2 4 5 6 3
End
"""


@pytest.fixture(scope="module")
def rings(tmp_path_factory: pytest.TempPathFactory) -> Solver:
    path: Path = tmp_path_factory.mktemp("rings") / "rings.tws"
    path.write_text(RINGS)
    return puzzlekit_definitions.load_definition(path)


def distances(solver: Solver, start: bytes) -> dict[bytes, int]:
    """Return the number of moves to each state, by a plain search."""
    puzzle = solver.puzzle
    moves = puzzle.family_moves(puzzle.turns)
    found = {start: 0}
    for state in (queue := [start]):
        for move in moves:
            if puzzle.obstacle(state, move):
                continue
            after = puzzle.apply(state, [move])
            if after not in found:
                found[after] = found[state] + 1
                queue.append(after)
    return found


def pairs(solver: Solver) -> Iterator[tuple[bytes, bytes, int]]:
    every = list(distances(solver, solver.puzzle.solved))
    assert len(every) == 20
    for start, target in product(every, repeat=2):
        yield start, target, distances(solver, start)[target]


def test_every_state_leads_to_every_state(rings: Solver) -> None:
    kinds = set()
    for start, target, distance in pairs(rings):
        found = rings.solve(start, target=target)
        assert rings.puzzle.apply(start, found.sequence) == target
        ends = is_together(rings.puzzle, start), is_together(rings.puzzle, target)
        kinds.add(ends)
        assert found.cost >= distance
        if found.optimal or any(ends) or distance <= 3:
            assert found.cost == distance
    assert kinds == set(product((False, True), repeat=2))


@pytest.mark.parametrize("metric", ["moves", "turns"])
def test_no_answer_costs_more_than_it_may(rings: Solver, metric: str) -> None:
    for start, target, distance in [*pairs(rings)][::7]:
        for most in range(4):
            try:
                found = rings.solve(start, target=target, metric=metric, max_length=most)
            except NoSolutionError as error:
                if metric == "moves":
                    assert distance > most or not (error.proven or most <= 3)
            else:
                assert distance <= found.cost <= most


def restricted(rule: str, form: str) -> DefinedSolver:
    """Return six different pieces in the two rings, some of which prevent moves."""
    text = RINGS.replace("1 1 1 2 2 2", "1 2 3 4 5 6") + rule
    return puzzlekit_definitions.parse_definition(text, form)


@pytest.mark.parametrize(
    ("rule", "form"),
    [
        ("Block\nRING\n1 2\nEnd\n", "def"),
        ("Block\nRING\n1 2\nEnd\nBlock\nRING\n5 6\nEnd\n", "def"),
        ("Illegal RING 6 1\n", "tws"),
        ("Illegal RING 1 3\nIllegal RING 5 1\n", "tws"),
    ],
)
def test_states_are_reached_where_pieces_prevent_moves(rule: str, form: str) -> None:
    solver = restricted(rule, form)
    puzzle, rng = solver.puzzle, Random(1)
    every = list(distances(solver, puzzle.solved))
    for _ in range(20):
        start, target = rng.choices(every, k=2)
        found = solver.solve(start, target=target, max_nodes=20_000)
        assert puzzle.apply(start, found.sequence) == target
        assert not found.optimal or found.cost == distances(solver, start)[target]


@pytest.mark.slow
def test_another_shape_of_a_square_1_is_reached() -> None:
    square = puzzlekit.load("square1")
    start, target = square.state("(1,0)/(3,0)/(5,-1)/"), square.state("(1,0)/")
    found = square.solve(start, target=target)
    assert square.puzzle.apply(start, found.sequence) == target


def test_lists_need_one_end_with_alike_pieces_together(rings: Solver) -> None:
    every = distances(rings, rings.puzzle.solved)
    start, target, *_ = (state for state in every if not is_together(rings.puzzle, state))
    with pytest.raises(UsageError, match="are alike, and in the goal state"):
        list(rings.shortest(start, target=target))
    listed = list(rings.shortest(rings.puzzle.solved, target=target))
    assert {each.cost for each in listed} == {every[target]}
    for each in listed:
        assert rings.puzzle.apply(rings.puzzle.solved, each.sequence) == target


@pytest.mark.slow
def test_a_checkerboard_of_the_4x4x4_is_reached() -> None:
    cube = puzzlekit.load("cube4")
    target = cube.state("Rw2 Uw2")
    quarters = ("", "x", "x2", "x'", "z", "z'")
    turned = {
        cube.state(f"Rw2 Uw2 {one} {other}")
        for one, other in product(quarters, ("", "y", "y2", "y'"))
    }
    assert len(turned) == 24
    for scramble, most in (("Rw2 Uw2 F", 1), ("Rw2 Uw2 Fw R U2", 3), ("Rw2 Uw2 y", 0)):
        start = cube.state(scramble)
        found = cube.solve(start, method="six-phase", target=target)
        assert found.cost <= most
        end = cube.puzzle.apply(start, found.sequence)
        assert end in turned


def beads(size: int, apart: int, colours: list[int]) -> str:
    """Return two rings of `size` beads each, which cross at the places 0 and `apart`."""
    first = list(range(size))
    second = [0, *range(size, size + apart - 1), apart, *range(size + apart - 1, 2 * size - 2)]
    rings = {}
    for name, ring in (("L", first), ("R", second)):
        move = list(range(2 * size - 2))
        for here, there in zip(ring, [*ring[1:], ring[0]], strict=True):
            move[there] = here
        rings[name] = move
    return json.dumps({"generators": rings, "central_state": colours})


@pytest.mark.parametrize("colours", ["0000111111", "0001122222", "0011223344", "0123456789"])
def test_states_that_can_be_told_apart_are_counted(colours: str) -> None:
    text = beads(6, 2, list(map(int, colours)))
    solver = puzzlekit_definitions.parse_definition(text, "json")
    states = prod(map(factorial, map(colours.count, set(colours))))
    assert solver.built.invariants.appearances == factorial(10) // states
    if len(set(colours)) < 5:
        assert len(distances(solver, solver.puzzle.solved)) == factorial(10) // states
        assert f"{factorial(10) // states:,} that can be told apart" in solver.explanation[-2]


def test_alike_pieces_hide_a_parity_but_no_sum_of_orientations() -> None:
    """Four pieces that turn in three ways, two of them alike. One move is a cycle of four."""
    text = "Name q\nSet P 4 3\nSolved\nP\n1 1 2 3\nEnd\n"
    text += "Move A\nP\n2 3 4 1\n1 2 0 0\nEnd\nMove B\nP\n2 1 3 4\n0 0 1 2\nEnd\n"
    solver = puzzlekit_definitions.parse_definition(text, "tws")
    assert solver.built.invariants.appearances == 12 * 27
    assert len(distances(solver, solver.puzzle.solved)) == 12 * 27


@pytest.mark.slow
def test_many_alike_beads_get_a_method_that_fits_into_memory() -> None:
    """The coordinate of 26 beads has 2^31 values or more; 28 took 10 GB to list its goals."""
    size = 28
    text = beads(size, 2, [0] * (size - 1) + [1] * (size - 1))
    solver = puzzlekit_definitions.parse_definition(text, "json")
    assert solver.built.invariants.appearances == comb(2 * size - 2, size - 1)
    assert solver.methods[-1].name == "universal"
    assert solver.solve("L R2 L2", timeout=10).cost <= 5
