"""The drive: what a method sees of a machine is what the machine does."""

from __future__ import annotations

from functools import cache, partial

import pytest
from machine_walks import as_held
from walks import edges_of, walked

import puzzlekit
from puzzlekit.engine.automaton import pruned
from puzzlekit.puzzle.move import compose, no_effect
from puzzlekit_robots import Machine
from puzzlekit_robots.drive import Drive

PLENTY = 1 << 20
AXES = (("U", "D"), ("R", "L"), ("F", "B"))
QUARTERS = {1: 1, 2: 2}
OWN = [
    Machine(name="changing", title="", arms=AXES, turns=QUARTERS, change=1),
    Machine(name="no-again", title="", arms=AXES, grip=1, change=2, again=False),
    Machine(name="turner", title="", arms=(("R", "L"),), rotations=("x", "y", "z"), whole=2),
    Machine(name="two", title="", arms=(("F", "B"), ("U",)), amounts=(1,), change=3),
    Machine(name="spinner", title="", arms=(("U",),), amounts=(-1, 2), rotations=("x",), grip=1),
]
# By puzzle: each machine and the largest cost at which every state is looked at.
CASES = [
    ("cube2", "AXHT", 2),
    ("cube2", "AXQT", 2),
    ("cube2", "robot", 9),
    ("cube2", "changing", 3),
    ("cube2", "no-again", 6),
    ("cube2", "turner", 6),
    ("cube2", "two", 6),
    ("cube2", "spinner", 8),
    ("cube3", "AXHT", 2),
    ("cube3", "AXQT", 2),
    ("cube3", "changing", 3),
    ("cube3", "no-again", 4),
    ("cube3", "turner", 5),
    ("cube3", "two", 5),
    ("cube3", "spinner", 8),
]


@cache
def machine_of(puzzle: str, name: str) -> Machine:
    known = [*OWN, *puzzlekit.load(puzzle).puzzle.metrics]
    found = next(each for each in known if each.name == name)
    assert isinstance(found, Machine)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "machine", "limit"), CASES)
def test_what_a_method_sees_is_what_the_machine_does_as_held(
    name: str, machine: str, limit: int
) -> None:
    """Every state within a cost, up to the holding: by the automaton and by whole states."""
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    method = solver.methods[0]
    robot = machine_of(name, machine)
    fixed = puzzle.bytes_at(method.fixed)

    def normal(state: bytes) -> bytes:
        turned = (
            puzzle.apply(state, [puzzlekit.Move("", "", 1, 0, *held)])
            for held in puzzle.whole_rotations
        )
        return next(each for each in turned if all(each[j] == puzzle.solved[j] for j in fixed))

    expected: dict[bytes, int] = {}
    for state, cost in as_held(puzzle, robot, limit).items():
        seen = normal(state)
        expected[seen] = min(cost, expected.get(seen, cost))

    steps = Drive(puzzle, robot, method.fixed).steps(method.phases[0].allowed(puzzle))
    moves = steps.moves
    assert (
        walked(
            steps.edges,
            steps.start,
            lambda at, m: puzzle.apply(at, [moves[m]]),
            puzzle.solved,
            limit,
        )
        == expected
    )
    found = pruned(
        steps.edges,
        [steps.start],
        [move.effect for move in moves],
        partial(compose, modulus=puzzle.modulus),
        no_effect(puzzle.modulus),
        PLENTY,
    )
    assert (
        walked(
            edges_of(found, len(moves)),
            found.entries[0],
            lambda at, m: puzzle.apply(at, [moves[m]]),
            puzzle.solved,
            limit,
        )
        == expected
    )
    assert len(expected) > 20
