"""A puzzle of four pieces whose rotation changes what no move changes."""

from __future__ import annotations

from puzzlekit import Metric, Orbit, Puzzle
from puzzlekit.puzzle.move import Effect, compose, invert
from puzzlekit.puzzle.orbit import state_modulus

PIECES = Orbit("pieces", "piece", "a b c d", orientations=3)


def turned_ring() -> Puzzle:
    """Each move permutes three pieces and keeps the sum of orientations; the rotation `r` is odd.

    It turns each of the four pieces by one of three steps, so it also changes that sum.
    """
    modulus = state_modulus([PIECES])

    def effect(order: list[int], add: list[int]) -> Effect:
        return bytes([*order, *(4 + i for i in order)]), bytes([0, 0, 0, 0, *add])

    whole, turn = effect([1, 2, 3, 0], [1, 1, 1, 1]), effect([0, 3, 1, 2], [0, 1, 2, 0])
    turns = {}
    for family in "ABCD":
        turns[family] = turn
        turn = compose(compose(invert(whole, modulus), turn, modulus), whole, modulus)
    metric = Metric("TURNS", "turns", {**dict.fromkeys(turns, 1), "r": 0})
    return Puzzle("ring", "Ring", (PIECES,), {**turns, "r": whole}, (metric,), rotations=("r",))
