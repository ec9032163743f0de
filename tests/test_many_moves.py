"""Phases with more moves than a signed byte counts."""

from __future__ import annotations

from itertools import combinations

import pytest

from puzzlekit import Method, Metric, Optimal, Orbit, Permutation, Phase, Puzzle, Solver, TableStore
from puzzlekit.search.strategies.strategy import Strategy
from puzzlekit_beam import Beam

BEADS = 7


def swapped(*pairs: tuple[int, int]) -> tuple[bytes, bytes]:
    """The move that swaps beads."""
    gather = list(range(BEADS))
    for one, other in pairs:
        gather[one], gather[other] = gather[other], gather[one]
    return bytes(gather), bytes(BEADS)


def puzzle() -> Puzzle:
    """Seven beads with all 21 swaps of two, all 105 pairs of swaps, and all 70 3-cycles."""
    turns = {}
    for one in combinations(range(BEADS), 2):
        turns["S" + "".join(map(str, one)) + "_"] = swapped(one)
        for other in combinations(range(BEADS), 2):
            if one < other and not {*one} & {*other}:
                turns["P" + "".join(map(str, one + other)) + "_"] = swapped(one, other)
    for a, b, c in combinations(range(BEADS), 3):
        gather = list(range(BEADS))
        gather[a], gather[b], gather[c] = b, c, a
        turns[f"C{a}{b}{c}_"] = bytes(gather), bytes(BEADS)
    metric = Metric("TURNS", "moves", dict.fromkeys(turns, 1))
    return Puzzle("beads", "Beads", (Orbit("beads", "bead", "A B C D E F G"),), turns, (metric,))


STRATEGIES = [Optimal(), Beam(shares=(1.0,))]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda each: type(each).__name__)
def test_all_of_196_moves_are_searched(tmp_path: object, strategy: Strategy) -> None:
    beads = puzzle()
    moves = beads.family_moves(beads.turns)
    assert len(moves) == 196
    order = Permutation("order", beads, "beads")
    phase = Phase("solve", "all beads at home", " ".join(beads.turns), (order,), ("order",))
    solver = Solver(beads, [Method("own", "", (phase,), strategy)], TableStore(str(tmp_path)))
    for move in moves[::70] + moves[-2:]:
        found = solver.solve(beads.apply(beads.solved, [move]), max_length=1)
        assert str(found) == beads.inverse(move).name
    cycle = beads.apply(beads.solved, beads.moves("C012_ C234_ C456_"))  # of seven beads
    assert solver.solve(cycle, max_length=3).length == 3
