"""Scrambles of the Megaminx have the form of the WCA; those of the Kilominx are random states."""

from __future__ import annotations

import re

import pytest
from bundled import COMPILED

import puzzlekit
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_events import load_event
from puzzlekit_events.scrambler import Draws

LINE = r"(R(\+\+|--) D(\+\+|--) ){4}R(\+\+|--) D(\+\+ U|-- U')"


def test_seven_lines_of_ten_turns_and_one_of_u() -> None:
    """U after D++ and U' after D--, as TNoodle prints them."""
    event = load_event("minx")
    seen = set()
    for seed in range(20):
        lines = event.lines(seed, "1")
        assert len(lines) == 7 and all(re.fullmatch(LINE, line) for line in lines)
        seen.update(lines)
    assert len(seen) > 130


def test_a_seed_gives_the_same_scramble_for_ever() -> None:
    first, *_, last = load_event("minx").lines(2025, "1")
    assert first == "R++ D-- R-- D++ R-- D++ R-- D-- R++ D++ U"
    assert last == "R++ D-- R++ D-- R-- D-- R++ D++ R-- D++ U"


def test_the_lines_are_the_moves() -> None:
    event, solver = load_event("minx"), puzzlekit.load("megaminx")
    text = " ".join(event.lines(7, "2"))
    moves = event.scramble(7, "2")
    assert solver.state(text) == solver.puzzle.apply(solver.puzzle.solved, moves)
    assert len(moves) == 77


@pytest.mark.skipif(not COMPILED, reason="the tables take minutes")
@pytest.mark.slow
def test_a_scramble_of_a_kilominx_leads_to_the_state_that_was_drawn() -> None:
    event = load_event("kilominx")
    puzzle = event.puzzle
    state = random_state(puzzle, Draws("kilominx 3 1"))
    scrambled = puzzle.apply(puzzle.solved, event.scramble(3, "1"))
    assert any(puzzle.relabel(scrambled, each) == state for each in puzzle.whole_rotations)
