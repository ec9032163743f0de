"""Scrambles of the Clock."""

from __future__ import annotations

from collections import Counter

import puzzlekit
from puzzlekit_clock import HOURS, WCA
from puzzlekit_events import load_event

CLOCK = puzzlekit.load("clock")


def test_scrambles_of_the_event() -> None:
    """The form of TNoodle. It gives every state once, since the fixed form has an answer."""
    scrambler = load_event("clock")
    seen = Counter()
    for label in map(str, range(40)):
        words = scrambler.lines(7, label)[0].split()
        assert [word.rstrip("0123456789+-") for word in words[:9]] == [*WCA]
        assert words[9] == "y2"
        assert [word.rstrip("0123456789+-") for word in words[10:]] == [*WCA[4:]]
        seen.update(word[len(word.rstrip("0123456789+-")) :] for word in words if word != "y2")
    assert seen.keys() == {*HOURS}
    assert not scrambler.is_allowed(CLOCK.state("UR3+"))
    assert scrambler.is_allowed(CLOCK.state("UR3+ y2 L1+"))


def test_a_seed_gives_the_same_scramble_for_ever() -> None:
    (line,) = load_event("clock").lines(7, "1")
    assert line == "UR3+ DR1- DL0+ UL4+ U5+ R1+ D0+ L6+ ALL5+ y2 U1- R5- D6+ L2- ALL4-"
