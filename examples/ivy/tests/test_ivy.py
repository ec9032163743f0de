"""Known facts about the Ivy Cube, and the conformance checks."""

import pytest

import puzzlekit
import puzzlekit_lab
from puzzlekit_authoring.run import parametrize_with_checks

IVY = puzzlekit.load("my-ivy")
# The number of states at each distance.
KNOWN = (1, 8, 48, 288, 1640, 7582, 15262, 4221, 110)


@parametrize_with_checks("my-ivy")
def test_what_holds_for_every_puzzle(check):
    check()


def test_all_distances():
    found = puzzlekit_lab.distribution(IVY)
    assert found.states == KNOWN
    assert found.total == 29_160


@pytest.mark.parametrize("move", ["R", "L", "D", "B", "R'", "L'", "D'", "B'"])
def test_one_turn_is_undone_by_one(move):
    for turned in (move, f"Rv {move} Bv'"):
        solution = IVY.solve(turned)
        assert solution.length == 1 and solution.optimal


def test_a_turn_moves_the_stickers_that_it_should():
    # The corner UBR turns clockwise, from U to B to R, and the petals U, B and R with it.
    assert IVY.positions.to_facelets(IVY.state("R")) == "RRU BBR FFF DDD LLL UUB".replace(" ", "")


def test_stickers_in_any_colours_and_holding():
    shown = IVY.positions.to_facelets(IVY.state("R L' D B Rv"))
    for colours in ("WRGYOB", "123456"):
        text = shown.translate(str.maketrans("URFDLB", colours))
        assert IVY.solve(text).length == IVY.solve("R L' D B").length


def test_random_states_are_solved_in_eight_turns():
    for seed in range(100):
        solution = IVY.solve(IVY.random_state(seed))
        assert solution.length <= 8 and solution.verified


def test_two_exchanged_petals_are_named():
    state = bytearray(IVY.puzzle.solved)
    state[8], state[9] = state[9], state[8]
    with pytest.raises(puzzlekit.StateError, match="two petals are exchanged"):
        IVY.solve(bytes(state))


def test_pictures_have_round_stickers():
    net, solid = IVY.svg("R"), IVY.svg("R", "solid")
    assert net.count("<path") == 2 + 18 and solid.count("<path") == 2 + 9
