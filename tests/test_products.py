"""Several coordinates as one."""

from __future__ import annotations

import random
from array import array

import numpy as np
import pytest
from beads import (
    BEADS,
    CUBE2,
    CUBE4,
    TOP,
)
from engines import engine, plain

import puzzlekit
from puzzlekit import (
    Coordinate,
    DeclarationError,
    Product,
)
from puzzlekit_cube4.coordinates import CubeCoordinates
from puzzlekit_cubes import Halves

PIECES = CubeCoordinates(CUBE4.puzzle)
PRODUCTS = [
    Product("one", BEADS, "beads", (TOP,)),
    Product("rl-parity", CUBE4.puzzle, "centers", (PIECES.right_left, PIECES.parity)),
    Product("three", CUBE4.puzzle, "centers", (PIECES.up_down, PIECES.parity, PIECES.front_back)),
    Product(
        "turned and placed",
        CUBE2.puzzle,
        "corners",
        (
            puzzlekit.Orientation("turned", CUBE2.puzzle, "corners"),
            Halves("layers", CUBE2.puzzle, "corners", "ULB UBR URF UFL"),
        ),
    ),
]


@pytest.mark.parametrize("both", PRODUCTS, ids=lambda each: each.name)
def test_products_round_trip(both: Product) -> None:
    """Over the whole range, scalar, vectorised and by the engine."""
    every = np.arange(both.size)
    vectors = both.unrank(every)
    assert set(vectors) <= set(both.reads)
    assert np.array_equal(both.rank(vectors), every)
    sizes = [part.size for part in both.parts]
    for part, digit in zip(both.parts, np.unravel_index(every, sizes), strict=True):
        assert np.array_equal(np.broadcast_to(part.rank(vectors), every.shape), digit)
    rng = random.Random(1)
    for index in rng.sample(range(both.size), min(40, both.size)):
        state = bytearray(both.puzzle.solved)
        for j, value in both.unrank(index).items():
            state[j] = value
        assert both.rank(state) == index
        for module in (engine, plain()) if both.engine_program else ():
            assert module.rank(array("i", both.engine_program or ()), bytes(state)) == index
    assert both.rank(both.puzzle.solved) in both.goals
    assert len(both.goals) == np.prod([len(part.goals) for part in both.parts])


def test_a_product_is_not_defined_where_a_part_is_not() -> None:
    both = PRODUCTS[1]
    moved = CUBE4.state("Uw")
    assert PIECES.right_left.rank(moved) < 0
    assert both.rank(moved) == -1
    rows = [np.array([a, b]) for a, b in zip(moved, CUBE4.puzzle.solved, strict=True)]
    assert both.rank(rows).tolist() == [-1, both.rank(CUBE4.puzzle.solved)]
    assert engine.rank(array("i", both.engine_program or ()), moved) == -1


@pytest.mark.parametrize("parts", [(), (PRODUCTS[0],)])
def test_a_product_is_of_plain_coordinates(parts: tuple[Coordinate, ...]) -> None:
    with pytest.raises(DeclarationError, match="coordinate wrong: name at least one part"):
        Product("wrong", BEADS, "beads", parts)
