"""Hashed pruning tables over sym coordinates: against distances without symmetries."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from engines import engine, plain
from sym_spaces import ALL, CUBE3, SLICE, STORE, THREE, TWIST

from puzzlekit import DeclarationError, Phase, PruningTable
from puzzlekit.coordinates.products import SymCoordinate
from puzzlekit.engine.statuses import FOUND
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.product_distances import distances
from puzzlekit_authoring import engines
from puzzlekit_cubes import Hashed

SLICES = SymCoordinate("slices", CUBE3.puzzle, "edges", (SLICE,), 45, 16)
TWISTS = SymCoordinate("twists", CUBE3.puzzle, "corners", (TWIST,), 168, 16)
BOTH = Hashed("slices twists", 1 << 20, {"HTM": 5})


@cache
def plain_distances() -> npt.NDArray[np.uint8]:
    """The distance of each joint value of slice and twist, without symmetries."""
    moves = CUBE3.puzzle.family_moves(ALL.split())
    return distances(DistanceGraph([SLICE, TWIST], moves, [1] * 18, "HTM"), STORE)


def with_classes(*tables: str | PruningTable) -> CompiledPhase:
    phase = Phase("both", "a slice and twists", ALL, (SLICES, TWISTS), tables)
    return CompiledPhase(Plan(CUBE3.puzzle, (phase,), CUBE3.puzzle.metric("HTM"), STORE), phase)


def distance_and_state(some: random.Random, length: int) -> tuple[int, bytes]:
    cube = CUBE3.puzzle
    state = cube.apply(cube.solved, some.choices(cube.family_moves(ALL.split()), k=length))
    return int(plain_distances()[SLICE.rank(state) * TWIST.size + TWIST.rank(state)]), state


@pytest.mark.slow
def test_classes_have_lower_bounds_that_are_nearly_exact() -> None:
    phase = with_classes("slices", "twists", BOTH)
    hashed = phase.hashed
    assert hashed is not None
    keys, data = memoryview(hashed.keys), memoryview(hashed.data)
    some, exact = random.Random(3), 0
    needs = SymNeeds(SLICES, (), phase.moves, [1] * 18)
    products = np.frombuffer(Classes(STORE, needs).products, dtype=np.uint8).reshape(16, 16)
    for _ in range(2000):
        distance, state = distance_and_state(some, some.randrange(8))
        first, second = phase.ranks(state)
        undone = int(np.argmin(products[first & 15]))  # symmetry 0 is the identity
        mixed = 0
        for i, value in enumerate((first & ~15, second & ~15 | int(products[undone, second & 15]))):
            mixed ^= keys[512 * i + (value & 255)] ^ keys[512 * i + 256 + (value >> 8)]
        index = (mixed & 0x7FFFFFFF) * hashed.entries >> 31
        bound = int(data[index >> 1] >> ((index & 1) << 2) & 15)
        assert bound <= min(distance, 6)
        exact += bound == min(distance, 6)
    assert exact > 1980


@pytest.mark.slow
def test_searches_with_classes_find_shortest_answers() -> None:
    phase, without = with_classes("slices", "twists", BOTH), with_classes("slices", "twists")
    some, nodes = random.Random(4), [0, 0]
    for length in (0, 1, 2, 3, 4, 5, 6, 30, 30, 30):
        distance, state = distance_and_state(some, length)
        for i, each in enumerate((phase, without)):
            search = engine.Search(each.space)
            each.start(search, CUBE3.puzzle, state, 20)
            assert search.run(1 << 30) == FOUND and search.spent_here == distance
            nodes[i] += search.expanded_nodes
        if length < 5:
            with engines.interpreted():
                plainly = with_classes("slices", "twists", BOTH)
            slow = plain().Search(plainly.space)
            plainly.start(slow, CUBE3.puzzle, state, 20)
            assert slow.run(1 << 30) == FOUND and slow.spent_here == distance
    assert nodes[0] < nodes[1] / 2


def test_sym_coordinates_stand_together() -> None:
    for other, problem in (
        (TWIST, "all coordinates or none"),
        (SymCoordinate("three", CUBE3.puzzle, "edges", (THREE,), 234, 6), "the same symmetries"),
    ):
        table = Hashed(f"slices {other.name}", 256, {"HTM": 2})
        phase = Phase("both", "a slice and twists", ALL, (SLICES, other), ("slices", table))
        with pytest.raises(DeclarationError, match=problem):
            CompiledPhase(Plan(CUBE3.puzzle, (phase,), CUBE3.puzzle.metric("HTM"), STORE), phase)
