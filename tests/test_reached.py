"""Coordinates with a number for each value that moves reach."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    Combination,
    DeclarationError,
    Method,
    Optimal,
    Orientation,
    Permutation,
    Phase,
    Product,
    Solver,
)
from puzzlekit.coordinates.products import Reached
from puzzlekit.puzzle.puzzle import Puzzle

CUBE2 = puzzlekit.load("cube2")
CUBE = CUBE2.puzzle
PLACES = Permutation("places", CUBE, "corners")
TURNS = Orientation("turns", CUBE, "corners")
MOVES = "U R2"
TURNED = Reached("turned", CUBE, "corners", (PLACES,), MOVES, 120)
LAYER = Combination("layer", CUBE, "corners", "ULB UBR URF UFL")
BOTH = Reached("both", CUBE, "corners", (LAYER, TURNS), "U R2 F2", 35)


def test_the_number_of_values_need_not_be_stated() -> None:
    counted = Reached("turned", CUBE, "corners", (PLACES,), MOVES)
    assert counted.size == TURNED.size
    assert counted.identity == TURNED.identity


def by_hand(cube: Puzzle, moves: str) -> dict[bytes, int]:
    """All states that some moves reach, and how many moves they need."""
    found = {cube.solved: 0}
    for state in (todo := [cube.solved]):
        for move in cube.named_moves(moves):
            after = cube.apply(state, [move])
            if after not in found:
                found[after] = found[state] + 1
                todo.append(after)
    return found


@pytest.mark.parametrize("coordinate", [TURNED, BOTH], ids=lambda each: each.name)
def test_each_reached_state_has_its_number(coordinate: Reached) -> None:
    states = list(by_hand(CUBE, coordinate.moves))
    ranks = [coordinate.rank(state) for state in states]
    assert sorted(set(ranks)) == list(range(coordinate.size))
    assert all(type(rank) is int for rank in ranks)
    # The order is that of the product.
    whole = [coordinate.whole.rank(state) for state in states]
    assert [r for _, r in sorted(set(zip(whole, ranks, strict=True)))] == list(
        range(coordinate.size)
    )


@pytest.mark.parametrize("coordinate", [TURNED, BOTH], ids=lambda each: each.name)
def test_unrank_then_rank_gives_back_every_number(coordinate: Reached) -> None:
    every = np.arange(coordinate.size)
    assert (coordinate.rank(coordinate.unrank(every)) == every).all()
    for number in range(0, coordinate.size, 17):
        assert coordinate.rank(coordinate.unrank(number)) == number


@pytest.mark.slow
@given(st.lists(st.sampled_from(["U", "R2", "R", "F"]), max_size=8))
def test_states_that_the_moves_do_not_reach_have_no_number(names: list[str]) -> None:
    state = CUBE.apply(CUBE.solved, CUBE.moves(" ".join(names)))
    known = {PLACES.rank(each) for each in by_hand(CUBE, MOVES)}
    assert (TURNED.rank(state) >= 0) == (PLACES.rank(state) in known)
    arrays = {j: np.array([value]) for j, value in enumerate(state)}
    assert TURNED.rank(arrays).tolist() == [TURNED.rank(state)]


def test_it_is_closed_under_its_own_moves_alone() -> None:
    assert TURNED.closed_under(CUBE.named_moves(MOVES))
    assert not TURNED.closed_under(CUBE.named_moves("U R"))
    assert TURNED.digits == (TURNED,)


def test_tables_hold_exact_distances() -> None:
    """A search that proves its answers finds the lengths that brute force finds."""
    phase = Phase("solve", "solved", MOVES, (TURNED, TURNS), ("turned", "turns"))
    solver = Solver(CUBE, [Method("turned", "with two moves", (phase,), Optimal())], CUBE2.store)
    known = by_hand(CUBE, MOVES)
    for state in random.Random(1).sample(sorted(known), 30):
        solution = solver.solve(state, method="turned")
        assert solution.cost == known[state]
        assert CUBE.is_solved(CUBE.apply(state, CUBE.moves(str(solution))))


def test_a_state_that_is_not_reached_is_told() -> None:
    phase = Phase("solve", "solved", MOVES, (TURNED, TURNS), ("turned", "turns"))
    solver = Solver(CUBE, [Method("turned", "with two moves", (phase,), Optimal())], CUBE2.store)
    with pytest.raises(puzzlekit.PuzzlekitError, match="turned is not defined"):
        solver.solve(CUBE.apply(CUBE.solved, CUBE.moves("F")), method="turned")


def test_wrong_declarations_are_told() -> None:
    wrong = Reached("turned", CUBE, "corners", (PLACES,), MOVES, 121)
    with pytest.raises(DeclarationError, match="the moves reach 120 values, not 121"):
        wrong.rank(CUBE.solved)
    with pytest.raises(DeclarationError, match="at most 67,108,864 are possible"):
        Reached("all", CUBE, "corners", (PLACES, TURNS, TURNS), MOVES, 120)
    with pytest.raises(DeclarationError, match="a part cannot be a product itself"):
        product = Product("product", CUBE, "corners", (PLACES,))
        Reached("all", CUBE, "corners", (product,), MOVES, 120)
    few = Permutation("few", CUBE, "corners", "ULB UBR")
    with pytest.raises(DeclarationError, match="two of its parts describe the same pieces"):
        Reached("all", CUBE, "corners", (few, LAYER), MOVES).rank(CUBE.solved)


def test_other_moves_make_another_coordinate() -> None:
    other = Reached("turned", CUBE, "corners", (PLACES,), "U F2", 120)
    assert other.identity != TURNED.identity
    assert other.identity.startswith("Reached")
