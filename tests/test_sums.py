"""Sums of distances in the engine: exact counts, and what the estimates are."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from bundled import COMPILED
from engines import engine, plain
from hypothesis import given, settings
from hypothesis import strategies as st
from tiles import Tiles, korf

from puzzlekit.engine.inputs import JoinInput
from puzzlekit.engine.statuses import EXHAUSTED, FOUND

PLENTY = 1 << 50
FIFTEEN = Tiles(4, 4)
EIGHT = Tiles(3, 3)


def test_manhattan_distance_takes_the_nodes_it_always_took() -> None:
    """An instance of Korf (1985), from arrays alone; test_additive.py has another one too."""
    if not COMPILED:
        pytest.skip("takes a minute where the engine is not compiled")
    tiles, length = korf()[9]
    search = engine.Search(FIFTEEN.manhattan(engine))
    FIFTEEN.start(search, tiles)
    assert search.run(PLENTY) == FOUND
    assert (search.spent_here, search.generated_nodes) == (length, 1_650_695)


def walked(word: list[int]) -> tuple[int, ...]:
    """The board of three by three after some moves, of those possible in each case."""
    tiles = list(range(9))
    for number in word:
        blank = tiles.index(0)
        ways = [after for before, after in EIGHT.moves if before == blank]
        after = ways[number % len(ways)]
        tiles[blank], tiles[after] = tiles[after], 0
    return tuple(tiles)


words = st.lists(st.integers(0, 3), max_size=30)
groupings = st.sampled_from([(8,), (3, 5), (1, 1, 6), (4, 1, 3), (1,) * 8, ()])


def distances(tiles: tuple[int, ...]) -> list[int]:
    return [EIGHT.distance(tiles.index(tile), tile) for tile in range(1, 9)]


def sums(tiles: tuple[int, ...], groups: tuple[int, ...]) -> list[int]:
    own = iter(distances(tiles))
    return [sum(next(own) for _ in range(size)) for size in groups or (1,) * 8]


@given(word=words, groups=groupings)
@settings(max_examples=30)
def test_both_engines_add_alike(word: list[int], groups: tuple[int, ...]) -> None:
    tiles = walked(word)
    trails = []
    for module in (engine, plain()):
        space = EIGHT.manhattan(module, groups)
        values = [tiles.index(tile) for tile in range(1, 9)]
        assert space.estimate(values) == max(sums(tiles, groups))
        search = module.Search(space)
        EIGHT.start(search, tiles)
        trail: list[Any] = []
        while not trail or (trail[-1][0] == 0 and search.generated_nodes < 1500):
            trail.append((search.run(71), search.path, search.generated_nodes, search.iterations))
        trails.append(trail)
    assert trails[0] == trails[1]


@given(word=words, first=st.integers(1, 7))
@settings(max_examples=20)
def test_groups_count_as_one_where_distances_are_joined(word: list[int], first: int) -> None:
    """A table of estimates that holds the maximum finds what the maximum finds."""
    groups, tiles = (first, 8 - first), walked(word)
    estimates = array("H", [max(divmod(index, 33)) for index in range(33 * 33)])
    join = JoinInput([33, 33], estimates)
    found = []
    for changes in ({}, {"join": join}):
        search = engine.Search(EIGHT.manhattan(engine, groups, **changes))
        EIGHT.start(search, tiles, 31)
        assert search.run(PLENTY) == FOUND
        found.append((search.path, search.spent_here))
    assert found[0] == found[1]


def test_a_sum_finds_as_short_an_answer_in_fewer_nodes() -> None:
    tiles = walked([1, 3, 2, 0, 3, 1, 1, 2, 0, 1, 3, 3, 0, 2, 1, 2, 3])
    lengths, nodes = [], []
    for groups in ((1,) * 8, (4, 4), (8,)):
        search = engine.Search(EIGHT.manhattan(engine, groups))
        EIGHT.start(search, tiles)
        assert search.run(PLENTY) == FOUND
        lengths.append(search.spent_here)
        nodes.append(search.generated_nodes)
        EIGHT.start(search, tiles, lengths[0] - 1)
        assert search.run(PLENTY) == EXHAUSTED
    assert len(set(lengths)) == 1
    assert nodes == sorted(nodes, reverse=True) and len(set(nodes)) == 3


@pytest.mark.parametrize("groups", [(7,), (4, 5), (8, 0), (9, -1)])
def test_groups_are_of_all_tables(groups: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="groups of pruning tables"):
        EIGHT.manhattan(engine, groups)


def test_a_join_is_of_all_groups() -> None:
    with pytest.raises(ValueError, match="no estimate"):
        EIGHT.manhattan(engine, (4, 4), join=JoinInput([33], array("H", range(33))))
