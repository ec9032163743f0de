"""Tests of the moves that make all others, such as layers if there are wide moves."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from definition_texts import RING

from puzzlekit import Metric, Move, Orbit, Puzzle
from puzzlekit.puzzle.move import Effect, compose
from puzzlekit_definitions import parse_definition
from puzzlekit_definitions.basic_moves import BasicMoves

pytestmark = pytest.mark.quick

TOKENS = "ABCDEFG"
MACRO = (
    RING
    + """
MoveSequence M A B A B'
MoveSequence N A B
"""
)


def random_puzzle(rng: Random) -> Puzzle:
    """Return a puzzle of seven tokens, with products of its first moves as further moves."""
    orbit = Orbit("tokens", "token", " ".join(TOKENS), orientations=1)
    still = bytes(7)
    turns: dict[str, Effect] = {}
    for name, places in (("P", "ABC"), ("Q", "DEFG"), ("R", TOKENS)):
        image = [*range(7)]
        cycle = rng.sample(places, rng.randint(2, min(4, len(places))))
        for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            image[TOKENS.index(one)] = TOKENS.index(other)
        turns[name] = (bytes(image), still)
    modulus = bytes(7)
    for name in "ST":
        effect = turns[rng.choice("PQR")]
        for _ in range(rng.randint(1, 2)):
            effect = compose(effect, turns[rng.choice("PQR")], modulus)
        if effect[0] != bytes(range(7)):
            turns[name] = effect
    return Puzzle("random", "Random", (orbit,), turns, (Metric("m", "m", dict.fromkeys(turns, 1)),))


def group(puzzle: Puzzle, moves: Iterable[Move]) -> set[bytes]:
    """Return the states that moves reach."""
    found = [puzzle.solved]
    known = {*found}
    every = [*moves]
    for state in found:  # grows during the loop
        for move in every:
            after = puzzle.apply(state, [move])
            if after not in known:
                known.add(after)
                found.append(after)
    return known


@pytest.mark.slow
def test_basic_moves_reach_all_states() -> None:
    left_out = more = 0
    for seed in range(12):
        puzzle = random_puzzle(Random(seed))
        basic = BasicMoves(puzzle, puzzle.turns)
        every = group(puzzle, puzzle.family_moves(puzzle.turns))
        assert group(puzzle, puzzle.family_moves(basic.families)) == every
        left_out += len(puzzle.turns) - len(basic.families)
        for some in (basic.families[:1], basic.families[:2]):
            names = " ".join(some)
            made = basic.with_made(names)
            assert made.startswith(names)
            more += made != names
            few = group(puzzle, puzzle.named_moves(names))
            assert group(puzzle, puzzle.named_moves(made)) == few
    assert left_out > 3
    assert more > 3


def test_longer_sequences_are_not_needed() -> None:
    solver = parse_definition(MACRO, "tws")
    assert solver._sequences() == ["M"]
