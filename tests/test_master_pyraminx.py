"""The Master Pyraminx, against a model of stickers in space and the numbers known of it."""

from __future__ import annotations

from math import factorial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solids import master_pyraminx

import puzzlekit
from puzzlekit import StateError
from puzzlekit.puzzle.diagnose import diagnose

SOLVER = puzzlekit.load("master-pyraminx")
PUZZLE = SOLVER.puzzle
SOLID = master_pyraminx()
# Tips, axials, edges, flips, wings and centers, in one way of holding it.
STATES = 3**4 * 3**4 * 360 * 2**5 * (factorial(12) // 2) * 12


@settings(max_examples=30)
@given(st.lists(st.sampled_from([name + end for name in SOLID.turns for end in ("", "'")])))
def test_sequences_carry_stickers_as_turns_in_space_do(moves: list[str]) -> None:
    shown = SOLID.replay(SOLID.solved, " ".join(moves))
    state = SOLVER.state(" ".join(moves))
    assert SOLVER.positions.to_facelets(state) == shown
    assert SOLVER.positions.from_facelets(shown) == state
    assert not diagnose(PUZZLE, state)


def test_every_family_is_a_turn_in_space() -> None:
    assert set(PUZZLE.turns) == set(SOLID.turns)
    assert {move.order for move in PUZZLE.family_moves(PUZZLE.turns)} == {3}
    assert len(PUZZLE.whole_rotations) == len(PUZZLE.solved_states) == 12
    SOLID.check_reflections(PUZZLE.reflections, [lambda point: (-point[0], *point[1:])])


@pytest.mark.slow
def test_order_of_the_group() -> None:
    """With the rotations, it is the order that GAP finds: twsearch-results, gap-res."""
    assert SOLID.group_order(PUZZLE.rotations) == STATES == 217_225_462_874_112_000
    assert SOLID.group_order(()) == 12 * STATES == 2_606_705_554_489_344_000


@pytest.mark.slow
def test_states_at_each_distance_in_single_layers() -> None:
    """The first numbers of twsearch-results, godsnumber/master_pyraminx-symm-g5.log.

    There, each of four layers about a vertex turns by itself, the lowest one, too.
    """
    layers = []
    for name in "ULRB":
        tip, narrow, wide = (PUZZLE.moves(each)[0] for each in (name.lower(), name, f"{name}w"))
        parts = ([tip], [narrow, PUZZLE.inverse(tip)], [wide, PUZZLE.inverse(narrow)])
        whole = PUZZLE.moves(f"{name}v")
        for part in (*parts, [*whole, PUZZLE.inverse(wide)]):
            layers += [part, list(PUZZLE.undo(part))]

    known, fresh, counts = {PUZZLE.solved}, [PUZZLE.solved], []
    for _ in range(3):
        counts.append(len(fresh))
        after = {PUZZLE.apply(state, layer) for state in fresh for layer in layers}
        fresh = sorted(after - known)
        known.update(fresh)
    assert counts == [1, 32, 672]


@pytest.mark.slow
def test_random_states_are_solved() -> None:
    rng = Random(1)
    for _ in range(2):
        state = SOLVER.random_state(rng)
        assert not diagnose(PUZZLE, state)
        solution = SOLVER.solve(state, max_nodes=20_000_000)
        assert solution.verified and solution.length <= 26
        shown = SOLVER.positions.to_facelets(state)
        assert SOLID.is_solved(SOLID.replay(shown, str(solution)))


@pytest.mark.parametrize(
    ("orbit", "place", "value", "fault"),
    [
        ("edges", 6, 1, "edge FL is flipped"),
        ("wings", 0, 1, "wing at FLr"),
        ("centers", 0, 1, "center at F"),
    ],
)
def test_faults_are_named(orbit: str, place: int, value: int, fault: str) -> None:
    state = bytearray(PUZZLE.solved)
    start = PUZZLE.offsets[orbit]
    state[start + place] = value
    if orbit != "edges":
        state[start + value] = place
        fault = f"parity: two {orbit} are exchanged"
    assert diagnose(PUZZLE, bytes(state)) == [fault]
    with pytest.raises(StateError):
        SOLVER.solve(bytes(state))


@pytest.mark.slow
def test_goals_are_reached() -> None:
    for goal in ("axials", "centers", "layer"):
        solution = SOLVER.solve("Uw R B' Lw u", goal=goal)
        assert solution.optimal and solution.length <= 4


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_a_beam_ends_if_no_shorter_answer_is_left(threads: int) -> None:
    """Its first phase takes no nodes here, so that a limit on nodes does not end the rounds."""
    for scramble in ("U", "U R", "Uw r B'"):
        solution = SOLVER.solve(scramble, max_nodes=20_000_000, threads=threads)
        assert solution.length == len(scramble.split()) and solution.nodes < 10_000_000
