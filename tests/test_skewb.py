"""The Skewb, against a model of stickers in space and the numbers known of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from solids import Point, skewb

import puzzlekit
from puzzlekit import StateError
from puzzlekit.cli import main
from puzzlekit.puzzle.diagnose import diagnose

SOLVER = puzzlekit.load("skewb")
PUZZLE = SOLVER.puzzle
SOLID = skewb()
MOVES = [name + prime for name in "URLB" for prime in ("", "'")]
EVERYTHING = [name + amount for name in SOLID.turns for amount in ("", "'", "2")]


@pytest.mark.slow
@given(st.lists(st.sampled_from(EVERYTHING), max_size=30))
def test_sequences_carry_stickers_as_turns_in_space_do(moves: list[str]) -> None:
    SOLID.check_sequence(SOLVER, " ".join(moves), 11)
    assert not diagnose(PUZZLE, SOLVER.state(" ".join(moves)))


def test_every_family_is_a_turn_in_space() -> None:
    assert set(PUZZLE.turns) == set(SOLID.turns)
    assert len(PUZZLE.whole_rotations) == len(PUZZLE.solved_states) == 24
    assert {move.order for move in PUZZLE.family_moves("URLB")} == {3}


def test_reflections_are_what_mirrors_show() -> None:
    mirrors: list[Callable[[Point], Point]] = [
        lambda point: (point[2], point[1], point[0]),
        lambda point: (point[0], point[2], point[1]),
    ]
    SOLID.check_reflections(PUZZLE.reflections, mirrors)


def test_constraints_allow_exactly_what_can_be_reached() -> None:
    """As many states as can be reached and held pass; none that is reached fails (see above).

    Whether a state passes depends on how tetrads and centers are placed and on the sums of twists.
    """
    (_, law) = PUZZLE.constraints
    passing = 0
    for first, second in ((0, 4), (4, 0)):
        for one, other in product(permutations(range(4)), repeat=2):
            labels = bytes(first + i for i in one) + bytes(second + i for i in other)
            for centers in (range(6), (1, 0, 2, 3, 4, 5)):  # half of all ways are like either
                for twists in product(range(3), repeat=2):  # and 3**3 twists have either sum
                    turns = bytes([twists[0], 0, 0, 0, twists[1], 0, 0, 0])
                    passing += not law.faults(PUZZLE, labels + turns + bytes(centers))
    assert passing * 360 * 3**6 == 3_149_280 * 24


@pytest.mark.slow
def test_random_states_are_sound_and_solved() -> None:
    rng = Random(4)
    lengths = []
    for _ in range(200):
        state = SOLVER.random_state(rng)
        assert not diagnose(PUZZLE, state)
        solution = SOLVER.solve(state)
        shown = SOLVER.positions.to_facelets(state)
        assert SOLID.is_solved(SOLID.replay(shown, str(solution)))
        lengths.append(solution.cost)
    assert 8.1 < sum(lengths) / len(lengths) < 8.6  # 8.36 on average


@pytest.mark.parametrize("move", MOVES)
def test_one_move_is_undone_by_one(move: str) -> None:
    undone = move[0] if "'" in move else f"{move}'"
    assert str(SOLVER.solve(move)) == undone


def test_solved_in_any_holding() -> None:
    for state in PUZZLE.solved_states:
        assert SOLVER.solve(state).cost == 0
        assert SOLVER.solve(PUZZLE.apply(state, PUZZLE.moves("R"))).cost == 1


@pytest.mark.parametrize("symbols", ["WRGYOB", "WRGBOY", "YOGWRB", "123456"])
def test_colours_in_any_holding_and_any_scheme(symbols: str) -> None:
    shown = SOLID.replay(SOLID.solved, "U R' x L B' y")
    text = shown.translate(str.maketrans("URFDLB", symbols))
    assert SOLVER.solve(text).cost == SOLVER.solve(shown).cost


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({0: 1, 1: 0}, ["parity: two of the corners at URF ULB DLF DRB are exchanged"]),
        ({16: 1, 17: 0}, ["parity: two centers are exchanged"]),
        ({8: 1}, ["corner twist: one of the corners at URF ULB DLF DRB is twisted clockwise"]),
        (
            {12: 2},
            ["corner twist: one of the corners at UFL UBR DFR DBL is twisted counter-clockwise"],
        ),
        (
            {0: 4, 4: 0},
            [
                "corners URF ULB DLF DRB must stay together, but among them is UFL at URF",
                "corners UFL UBR DFR DBL must stay together, but among them is URF at UFL",
            ],
        ),
        (
            {0: 4, 4: 0, 1: 5, 5: 1},  # half of each: those at home are taken to be right
            [
                "corners URF ULB DLF DRB must stay together, but among them are UFL at URF, "
                "UBR at ULB",
                "corners UFL UBR DFR DBL must stay together, but among them are URF at UFL, "
                "ULB at UBR",
            ],
        ),
    ],
)
@pytest.mark.parametrize("turn", ["", "x", "z'", "y2 x"])
def test_faults_are_named(changes: dict[int, int], faults: list[str], turn: str) -> None:
    state = bytearray(PUZZLE.solved)
    for byte, value in changes.items():
        state[byte] = value
    assert diagnose(PUZZLE, bytes(state)) == faults
    held = PUZZLE.apply(bytes(state), PUZZLE.moves(turn))
    assert len(diagnose(PUZZLE, held)) == len(faults)
    with pytest.raises(StateError):
        SOLVER.solve(held)


NET = """\
         B   U
           B
         B   U
  U   U  R   F  R   L  F   L
    U      F      L      D
  F   L  F   B  L   B  D   D
         D   D
           R
         R   R

facelets  BUBBURLLLBRFFFBDDRRRUUUFLFLDDD
vectors   cp=0,1,2,3,5,4,7,6 co=0,1,0,2,2,0,0,1 xp=5,4,2,1,0,3
solved    no
"""


def test_the_command_line() -> None:
    def run(*arguments: str) -> str:
        found = CliRunner().invoke(main, arguments)
        assert found.exit_code == 0
        return found.output

    assert run("show", "--puzzle", "skewb", "U R'") == NET
    scrambles = run("scramble", "--puzzle", "skewb", "--seed", "1", "--count", "3").splitlines()
    assert max(len(scramble.split()) for scramble in scrambles) <= 11
    assert "solved after 2 TURNS" in run(
        "verify", "--puzzle", "skewb", "--scramble", "R U", "U' R'"
    )
