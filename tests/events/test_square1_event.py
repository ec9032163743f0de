"""Scrambles of the Square-1."""

from __future__ import annotations

import re

import pytest

import puzzlekit
from puzzlekit.engine.fill import COMPILED
from puzzlekit_events import load_event
from puzzlekit_events.scrambler import Draws

SQUARE = puzzlekit.load("square1")


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="an interpreted search takes minutes")
def test_scrambles_lead_to_random_states() -> None:
    scrambler = load_event("sq1")
    for label in "123":
        (text,) = scrambler.lines(7, label)
        assert re.fullmatch(r"(\(-?\d,-?\d\))?(/(\(-?\d,-?\d\))?)+", text)
        state = SQUARE.state(text)
        solution = SQUARE.solve(state)
        assert text.count("/") == solution.cost >= 8
        # A turn of both layers is one move, as a slash is.
        assert len(re.findall(r"/|\(", text)) >= 11
        assert state == SQUARE.state([*scrambler.scramble(7, label)])


@pytest.mark.parametrize(
    ("seed", "pieces"), [(7, "EACB25F3H7G46D81/"), (2025, "BHE45DAFG267C318/")]
)
def test_a_seed_gives_the_same_state_for_ever(seed: int, pieces: str) -> None:
    state = SQUARE.random_state(Draws(f"sq1 {seed} 1"))
    assert SQUARE.positions.to_facelets(state) == pieces


@pytest.mark.slow
def test_near_states_are_drawn_again() -> None:
    """The regulations ask for 11 moves: 6 slashes have at least as many."""
    scrambler = load_event("sq1")
    assert not scrambler.is_allowed(SQUARE.state("/(3,0)/(0,3)/(-3,0)/(0,-3)/"))
    assert not scrambler.is_allowed(SQUARE.state("(1,0)"))
