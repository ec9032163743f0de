"""Domains of research: puzzles and heuristics against breadth-first search."""

from __future__ import annotations

from functools import cache
from math import factorial
from random import Random
from typing import Any

import numpy as np
import pytest

import puzzlekit
from puzzlekit import Puzzle, StateError, UsageError
from puzzlekit.search.estimates import find_heuristic
from puzzlekit_authoring.run import run_checks
from puzzlekit_domains.gap import Gap

# The largest numbers of flips: Gates and Papadimitriou (1979), Cohen and Blum (1995); OEIS A058986
# and A078942. The largest distances of TopSpin were computed here.
FARTHEST = {
    "pancake-5": 5,
    "pancake-6": 7,
    "pancake-7": 8,
    "burnt-pancake-3": 6,
    "burnt-pancake-4": 8,
    "burnt-pancake-5": 10,
}
SMALL = ("pancake-2", *FARTHEST, "burnt-pancake-2", "topspin-7-3", "topspin-8-4")
STATES = {"pancake": lambda n: factorial(n), "burnt-pancake": lambda n: 2**n * factorial(n)}


@cache
def distances(name: str) -> dict[bytes, int]:
    """The distance of every state, breadth first."""
    puzzle = puzzlekit.load(name).puzzle
    moves = [puzzle.move(family, sign) for family in puzzle.turns for sign in (1, -1)]
    found, fresh = {puzzle.solved: 0}, [puzzle.solved]
    for state in fresh:
        for move in moves:
            after = puzzle.apply(state, [move])
            if after not in found:
                found[after] = found[state] + 1
                fresh.append(after)
    return found


def rows(puzzle: Puzzle, states: Any) -> Any:
    return np.frombuffer(b"".join(states), dtype=np.uint8).reshape(-1, len(puzzle.solved))


@pytest.mark.parametrize("name", SMALL)
def test_answers_and_estimates_of_all_states(name: str) -> None:
    solver, true = puzzlekit.load(name), distances(name)
    puzzle = solver.puzzle
    if name in FARTHEST:
        assert max(true.values()) == FARTHEST[name]
    kind, _, size = name.rpartition("-")
    if kind in STATES:
        assert len(true) == STATES[kind](int(size))
    if kind not in STATES:
        assert len(true) == factorial(len(puzzle.solved)) // (2 if puzzle.constraints else 1)
    states = rows(puzzle, true)
    lengths = np.array(list(true.values()))
    for heuristic in ("gap", "gap:ignored=1", "gap:ignored=2"):
        estimates = find_heuristic(heuristic).estimate(puzzle, states, None)
        assert (estimates <= lengths).all() and estimates[0] == 0
    if kind in STATES:
        assert (find_heuristic("gap").estimate(puzzle, states, None) > 0).sum() == len(true) - 1
    for state in Random(1).sample(sorted(true), min(len(true), 20)):
        found = solver.solve(state)
        assert (found.cost, found.optimal) == (true[state], True)
        text = solver.positions.to_facelets(state)
        assert solver.state(text) == state


def test_gaps_are_counted_to_any_goal() -> None:
    import attrs

    for name in ("pancake-5", "burnt-pancake-3"):
        puzzle = puzzlekit.load(name).puzzle
        for goal in Random(2).sample(sorted(distances(name)), 5):
            size = puzzle.orbits[0].size
            if any(goal[size:]):
                continue
            orbit = attrs.evolve(puzzle.orbits[0], solved=tuple(goal[:size]))
            seen = attrs.evolve(puzzle, orbits=(orbit,))
            assert seen.solved == goal
            gaps = Gap().estimate(seen, rows(puzzle, [goal]), None)
            assert list(gaps) == [0]
            near = [puzzle.apply(goal, [puzzle.move(family)]) for family in puzzle.turns]
            assert max(Gap().estimate(seen, rows(puzzle, near), None)) == 1


def test_a_flip_of_burnt_pancakes() -> None:
    solver = puzzlekit.load("burnt-pancake-3")
    flipped = solver.state("F2")
    assert solver.positions.to_facelets(flipped) == "-2 -1 3"
    assert solver.state("-2, -1, 3") == flipped
    assert str(solver.solve("-2 -1 3")) == "F2"


def test_turns_of_a_ring() -> None:
    solver = puzzlekit.load("topspin-6-2")
    assert len(solver.puzzle.turns) == 5  # of the six turns, two undo each other
    assert len(solver.prepared("optimal").phases[0].moves) == 6  # without their powers
    assert solver.state("3 4 5 6 1 2") == solver.puzzle.solved  # the ring as a whole turns freely
    found = solver.solve("1 3 2 4 5 6")
    assert found.cost == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pancake-1", "stacks have 2 to 60 pancakes"),
        ("burnt-pancake-99", "stacks have 2 to 60"),
        ("topspin-4-2", "N from 5 to 26 tokens"),
        ("topspin-9-8", "K of them, from 2 to N - 2"),
        ("topspin-8-3", "choose an even K"),
    ],
)
def test_impossible_sizes(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        puzzlekit.load(name)


def test_states_that_cannot_be() -> None:
    solver = puzzlekit.load("pancake-5")
    with pytest.raises(StateError, match="5 is missing; 2 is there 2 times"):
        solver.state("1 2 3 4 2")
    with pytest.raises(StateError, match="'-2' is not a number from 1 to 5"):
        solver.state("1 -2 3 4 5")


def test_gap_is_not_for_cubes() -> None:
    with pytest.raises(UsageError, match="gap is for pancake-N"):
        puzzlekit.load("cube2").solve("R U", method="small-tables", heuristic="gap")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pancake-5", "burnt-pancake-3", "topspin-7-3"])
def test_conformance(name: str) -> None:
    from puzzlekit.plugins.manager import manager

    entry = manager().entry(name)
    assert [each for each in run_checks(entry) if each.outcome == "failed"] == []


@pytest.mark.parametrize(
    ("part", "begin", "layers"), [("corners", 0, [1, 18, 243, 2874]), ("edges", 16, [1, 18, 243])]
)
def test_parts_of_the_cube(part: str, begin: int, layers: list[int]) -> None:
    solver, cube = puzzlekit.load(f"cube3-{part}"), puzzlekit.load("cube3")
    puzzle = solver.puzzle
    scramble = "R U F2 D' L B' U2"
    whole = cube.puzzle.apply(cube.puzzle.solved, cube.puzzle.moves(scramble))
    assert solver.state(scramble) == whole[begin : begin + len(puzzle.solved)]
    moves = [puzzle.move(face, turns) for face in puzzle.turns for turns in (1, 2, 3)]
    seen, fresh, counts = {puzzle.solved}, {puzzle.solved}, [1]
    while len(counts) < len(layers):
        fresh = {puzzle.apply(state, [move]) for state in fresh for move in moves} - seen
        seen |= fresh
        counts.append(len(fresh))
    assert counts == layers
