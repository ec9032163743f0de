"""Machines on a puzzle that a method may hold in several ways."""

from __future__ import annotations

from random import Random

import pytest
from bundled import COMPILED
from domino import solver
from walks import cheapest

import puzzlekit
from puzzlekit import NoSolutionError
from puzzlekit_robots import Machine
from puzzlekit_robots.machine import FREE

DOMINO = solver()
# Those of the first line cost 1 or 2 turns, though as the centers are held they take one more.
SCRAMBLES = ["U y", "F2 U y", "R2 U y2", "U D' y", "U D R2", "x2 U D R2 y", "z2 y' F2 D"]

PAIRS = Machine(name="pairs", title="", arms=(("U", "D"), ("R2", "L2"), ("F2", "B2")))
ONE_SIDED = Machine(
    name="one-sided",
    title="",
    arms=(("U",), ("R2", "L2")),
    turns={1: 1, 2: 2},
    grip=1,
    rotations=("y",),
    whole=2,
    again=False,
)


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "limit"), [(PAIRS, 2), (ONE_SIDED, 5)])
def test_what_machines_do_to_a_puzzle_held_in_several_ways(machine: Machine, limit: int) -> None:
    puzzle = DOMINO.puzzle

    def after(node: tuple[bytes, int]) -> list[tuple[tuple[bytes, int], int]]:
        return [
            ((puzzle.apply(node[0], step.moves), group), step.cost)
            for step, group in machine.following(puzzle, node[1])
        ]

    names = [move.name for move in puzzle.family_moves(puzzle.families)]
    rng = Random(5)
    drawn = [rng.choices(names, k=rng.randint(1, 3)) for _ in range(4 if COMPILED else 1)]
    for scramble in [*SCRAMBLES, *map(" ".join, drawn)]:
        state = DOMINO.state(scramble)
        reached = cheapest([(state, FREE)], after, limit)
        least = min(
            (cost for (at, _), cost in reached.items() if puzzle.is_solved(at)), default=None
        )
        if least is None or puzzle.is_solved(state):
            continue
        for name in ("first", "improve"):
            found = DOMINO.solve(state, method=name, metric=machine, max_nodes=200_000)
            assert found.cost == least >= found.at_least
        listed = DOMINO.solutions(state, method="first", metric=machine, max_length=least)
        moves = [each.moves for each in listed]
        assert moves and len(set(moves)) == len(moves)


def test_that_what_a_machine_cannot_solve_does_not_depend_on_the_holding() -> None:
    tower = puzzlekit.load("2x2x3")
    machine = Machine(name="three", title="", arms=(("U", "D"), ("B2",)))
    for held in ("", "x2", "y", "y'", "z2", "R2 L2"):
        assert tower.solve(f"{held} U", metric=machine).cost == 1
        with pytest.raises(NoSolutionError, match="cannot solve this: its moves reach 2 of the 24"):
            tower.solve(f"{held} R2", metric=machine)
