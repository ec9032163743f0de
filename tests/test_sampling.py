"""Random states are sound, fair and repeatable."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit import EvenParity, Frame, Orbit, OrientationSum, Puzzle
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.orbit import Law
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_cubes import cube_puzzle

CUBES = [cube_puzzle("cube2", 2), cube_puzzle("cube3", 3)]

TINY = Puzzle(
    "tiny",
    "",
    (
        Orbit("tiles", "tile", "a b c", orientations=3),
        Orbit("pegs", "peg", "d e"),
        Orbit("dots", "dot", "f g h", solved=(0, 0, 1)),
        Orbit("frame", "center", "i j"),
    ),
    {},
    (),
    constraints=(
        OrientationSum("tiles"),
        EvenParity(("tiles", "pegs", "frame")),
        Frame("frame"),
    ),
)


class Script(Random):
    """Chances that are chosen, not drawn; more of them than are given end the run."""

    def __init__(self, chances: tuple[int, ...]) -> None:
        super().__init__(0)
        self.chances = list(chances)
        self.wanted = 0

    def randrange(self, n: int, *_: Any) -> int:
        """The next chosen number below n."""
        if not self.chances:
            self.wanted = n
            raise LookupError
        return self.chances.pop(0)

    def shuffle(self, x: Any) -> None:
        """Each order of x with the same chance."""
        orders = list(itertools.permutations(x))
        x[:] = orders[self.randrange(len(orders))]


def one_draw(puzzle: Puzzle, chances: tuple[int, ...] = ()) -> Iterator[tuple[bytes, float]]:
    """All states that one draw may give, with their chances; a second draw is not followed."""
    script = Script(chances)
    try:
        state = random_state(puzzle, script)
    except LookupError:
        if len(chances) < DRAW:
            for chance in range(script.wanted):
                for found, weight in one_draw(puzzle, (*chances, chance)):
                    yield found, weight / script.wanted
    else:
        yield state, 1.0


# What is asked in one draw of TINY: three orders and three orientations.
DRAW = 6


def test_uniform_by_enumeration() -> None:
    chances: dict[bytes, float] = {}
    for state, weight in one_draw(TINY):
        chances[state] = chances.get(state, 0) + weight
    # 3! * 2! / 2 orders of tiles and pegs, 3**2 orientations, 3 arrangements of the dots.
    assert len(chances) == 6 * 9 * 3
    assert max(chances.values()) == pytest.approx(min(chances.values()))
    # Half of the draws pass the parity, so what is not drawn at first comes later just as evenly.
    assert sum(chances.values()) == pytest.approx(1 / 2)
    assert all(diagnose(TINY, state) == [] for state in chances)
    assert {state[-2:] for state in chances} == {bytes([0, 1])}


@given(st.sampled_from(CUBES), st.integers(0, 2**64))
def test_states_are_sound_and_repeatable(puzzle: Puzzle, seed: int) -> None:
    state = random_state(puzzle, Random(seed))
    assert diagnose(puzzle, state) == []
    assert state == random_state(puzzle, Random(seed))


def test_frames_stay() -> None:
    cube = CUBES[1]
    centers = cube.orbit("centers")
    rng = Random(5)
    states = [random_state(cube, rng) for _ in range(20)]
    assert len(set(states)) == 20
    assert {cube.labels(state, centers) for state in states} == {bytes(centers.solved)}


def test_without_constraints_all_orientations_occur() -> None:
    puzzle = Puzzle("free", "", (Orbit("tiles", "tile", "a", orientations=3),), {}, ())
    rng = Random(0)
    assert {random_state(puzzle, rng)[1] for _ in range(50)} == {0, 1, 2}


def test_a_seed_gives_these_states() -> None:
    """Written down, so that a change of the drawing does not go unnoticed."""
    assert random_state(CUBES[0], Random(2024)).hex() == "03060002040501070201020002020102"


def test_a_law_draws_the_pieces_that_it_couples() -> None:
    """Twenty pieces that are turned alike: one state of 3**19 has no fault."""

    def faults(puzzle: Puzzle, state: bytes) -> list[str]:
        return ["not turned alike"] if len({*state[20:]}) > 1 else []

    def settle(puzzle: Puzzle, state: bytes, rng: Random) -> bytes:
        return state[:20] + bytes([rng.randrange(3)]) * 20

    places = " ".join("abcdefghijklmnopqrst")
    orbit = Orbit("tiles", "tile", places, orientations=3)
    law = Law(("tiles",), faults, settle)
    tiles = Puzzle("alike", "", (orbit,), {}, (), constraints=(law,))
    states = [random_state(tiles, Random(seed)) for seed in range(60)]
    assert not any(diagnose(tiles, state) for state in states)
    assert {state[20] for state in states} == {0, 1, 2}
