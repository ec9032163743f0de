"""The Pyraminx, against a model of stickers in space and the numbers known of it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from solids import Point, pyraminx

import puzzlekit
from puzzlekit import StateError
from puzzlekit.cli import main
from puzzlekit.puzzle.diagnose import diagnose

SOLVER = puzzlekit.load("pyraminx")
PUZZLE = SOLVER.puzzle
SOLID = pyraminx()
MOVES = [name + prime for name in "ULRBulrb" for prime in ("", "'")]
EVERYTHING = [name + prime for name in SOLID.turns for prime in ("", "'", "2")]
TIPS = [1, 8, 24, 32, 16]  # how many ways there are to turn 0 to 4 of the tips


def changed(changes: dict[int, int]) -> bytes:
    state = bytearray(PUZZLE.solved)
    for byte, value in changes.items():
        state[byte] = value
    return bytes(state)


@given(st.lists(st.sampled_from(EVERYTHING), max_size=30))
def test_sequences_carry_stickers_as_turns_in_space_do(moves: list[str]) -> None:
    SOLID.check_sequence(SOLVER, " ".join(moves), 15)


def test_every_family_is_a_turn_in_space() -> None:
    assert set(PUZZLE.turns) == set(SOLID.turns)
    assert {move.order for move in PUZZLE.family_moves(PUZZLE.turns)} == {3}
    assert len(PUZZLE.whole_rotations) == 12
    assert PUZZLE.moves("y U2") == PUZZLE.moves("Uv U'")


def test_reflections_are_what_mirrors_show() -> None:
    mirrors: list[Callable[[Point], Point]] = [lambda point: (-point[0], point[1], point[2])]
    SOLID.check_reflections(PUZZLE.reflections, mirrors)


def test_answers_are_as_long_as_the_rest_and_the_tips() -> None:
    """The table without tips is exact (see test_tables), and each tip that is turned costs one."""
    (phase,) = SOLVER.prepared().phases
    axials, tips = (PUZZLE.offsets[name] + 4 for name in ("axials", "tips"))
    without = puzzlekit.Solver(
        PUZZLE,
        [
            puzzlekit.Method(
                "core",
                "without tips",
                (
                    puzzlekit.Phase(
                        "core",
                        "all but the tips",
                        "U L R B",
                        phase.phase.coordinates[:3],
                        ("axials edges flips",),
                    ),
                ),
                fixed=SOLVER.method().fixed,
            )
        ],
    )
    lengths = set()
    for seed in range(300):
        state = SOLVER.random_state(seed)
        turned = sum(state[axials + i] != state[tips + i] for i in range(4))
        core = state[: PUZZLE.offsets["tips"]] + state[:8]  # tips turned as the axials are
        solution = SOLVER.solve(state)
        assert solution.cost == without.solve(core).cost + turned
        lengths.add(solution.cost)
    assert {9, 10, 11, 12} <= lengths


@pytest.mark.parametrize("move", MOVES)
def test_one_move_is_undone_by_one(move: str) -> None:
    undone = move[0] if "'" in move else f"{move}'"
    assert str(SOLVER.solve(move)) == undone


def test_solved_in_any_holding() -> None:
    assert len(PUZZLE.solved_states) == 12
    for state in PUZZLE.solved_states:
        assert SOLVER.solve(state).cost == 0
        assert SOLVER.solve(PUZZLE.apply(state, PUZZLE.moves("u l r b"))).cost == 4
        assert (
            SOLVER.solve(SOLVER.positions.to_facelets(PUZZLE.apply(state, PUZZLE.moves("R")))).cost
            == 1
        )


def test_colours_in_any_holding_and_any_scheme() -> None:
    shown = SOLID.replay(SOLID.solved, "U R' L b u' Rv")
    length = SOLVER.solve("U R' L b u' Rv").cost
    for symbols in ("GRBY", "YBRG", "1234", "wxyz"):
        text = shown.translate(str.maketrans("FLRD", symbols))
        assert SOLVER.solve(text).cost == length


def test_random_states_are_spread_evenly() -> None:
    rng = random.Random(1)
    states = [SOLVER.random_state(rng) for _ in range(1000)]
    assert not any(diagnose(PUZZLE, state) for state in states)
    turned = [sum(state[4 + i] != state[24 + i] for i in range(4)) for state in states]
    for count, part in enumerate(TIPS):
        assert abs(turned.count(count) - 1000 * part / 81) < 80
    assert {state[:4] for state in states} == {bytes(range(4))}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({8: 1, 9: 0}, "parity: two edges are exchanged"),
        ({14: 1}, "edge FL is flipped"),
        (
            {20: 1, 21: 0},
            "tips: impossible however the puzzle is held: fdl at flr, flr at fdl",
        ),
        (
            {20: 1, 21: 2, 22: 0},
            "tips: impossible however the puzzle is held: fdl at flr, frd at fdl, flr at frd",
        ),
        (
            {0: 1, 1: 2, 2: 0},  # the axials tell how it is held, and what the tips are to show
            "tips: impossible however the puzzle is held: flr where fdl belongs, "
            "fdl where frd belongs, frd where flr belongs",
        ),
        (
            {0: 1, 1: 0},
            "axials: impossible however the puzzle is held: FDL at FLR, FLR at FDL",
        ),
    ],
)
def test_faults_are_named(changes: dict[int, int], fault: str) -> None:
    assert diagnose(PUZZLE, changed(changes))[-1] == fault
    with pytest.raises(StateError) as caught:
        SOLVER.solve(changed(changes))
    assert fault in caught.value.faults


def test_turned_axials_and_tips_are_no_fault() -> None:
    assert not diagnose(PUZZLE, changed({4: 1, 24: 2, 25: 1}))


NET = """\
  R L F F F   R   L L L R D
    L L F   R R R   D D D
      D   L F L R R   D
          F D R F F
            D D F
              L

facelets  RRRRLFLRRRLFFFLLFDLLLRDDDDDFDRFFDDFL
vectors   ap=0,1,2,3 ao=1,0,2,0 ep=1,5,0,2,4,3 eo=1,0,0,0,0,1 tp=0,1,2,3 to=1,1,2,1
solved    no
"""


def test_the_command_line() -> None:
    def run(*arguments: str) -> str:
        found = CliRunner().invoke(main, arguments)
        assert found.exit_code in (0, 2)
        return found.output

    SOLVER.prepared()  # building tables is told where it takes long
    assert run("show", "--puzzle", "pyraminx", "U R' l b") == NET
    assert "solution  l' b' R U'\nlength    4 TURNS (optimal in TURNS)" in run(
        "solve", "--puzzle", "pyraminx", "U R' l b"
    )
    (scramble,) = run("scramble", "--puzzle", "pyraminx", "--seed", "1").splitlines()
    assert SOLVER.state(scramble) == SOLVER.random_state(1)
    assert "layers are U L R B, tips u l r b" in run("solve", "--puzzle", "pyraminx", "U D")
