"""The lower bound of the order of a group, against known orders and against SymPy."""

from __future__ import annotations

from math import exp, factorial, log
from random import Random

import pytest

from puzzlekit_definitions.groups import log_order_at_least


def cycles(size: int, *given: tuple[int, ...]) -> list[int]:
    """A permutation of 0 to size - 1 from cycles of 1 to size."""
    images = list(range(size))
    for cycle in given:
        for one, other in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            images[one - 1] = other - 1
    return images


def test_orders_of_known_groups() -> None:
    """Symmetric, cyclic, trivial, and the Mathieu group of 12 points."""
    turn = cycles(12, tuple(range(1, 13)))
    assert exp(log_order_at_least([turn])) == pytest.approx(12)
    assert exp(log_order_at_least([turn, cycles(12, (1, 2))])) == pytest.approx(factorial(12))
    assert log_order_at_least([cycles(12)]) == 0
    mathieu = [
        cycles(12, tuple(range(1, 12))),
        cycles(12, (3, 7, 11, 8), (4, 10, 5, 6)),
        cycles(12, (1, 12), (2, 11), (3, 6), (4, 8), (5, 9), (7, 10)),
    ]
    assert exp(log_order_at_least(mathieu)) == pytest.approx(95040)


def test_the_search_ends_at_the_upper_bound() -> None:
    """A bound that is reached at once ends the search early."""
    moves = [cycles(9, tuple(range(1, 10))), cycles(9, (1, 2))]
    assert log_order_at_least(moves, most=log(2)) < log(factorial(9))


@pytest.mark.parametrize("seed", range(12))
def test_orders_agree_with_sympy(seed: int) -> None:
    """Products of few cycles generate groups of all kinds, many of them intransitive."""
    from sympy.combinatorics import Permutation, PermutationGroup  # takes a second to import

    rng = Random(seed)
    moves = []
    for _ in range(rng.randint(1, 4)):
        points = rng.sample(range(1, 15), 8)
        moves.append(cycles(14, tuple(points[:4]), tuple(points[4 : rng.randint(5, 8)])))
    group = PermutationGroup([Permutation(move) for move in moves])
    assert log_order_at_least(moves) == pytest.approx(log(group.order()))
