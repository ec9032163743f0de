"""Metrics with memory as automata: made small and pruned, nothing gets dearer or is lost."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import edges_of, walked

import puzzlekit
from puzzlekit.engine.automaton import (
    NOTHING,
    Edge,
    at_least_as_good,
    pruned,
    reduced,
)

LIMIT = 8
BEADS = [bytes(each) for each in permutations(range(3))]
PLENTY = 1 << 20


def times(one: bytes, other: bytes) -> bytes:
    return bytes(one[i] for i in other)


def turned(one: int, other: int) -> int:
    return (one + other) % 6


@st.composite
def automata(draw: st.DrawFn, moves: int) -> list[list[Edge]]:
    """Few states, several edges for a move, some that do nothing, and states at a dead end."""
    states = draw(st.integers(1, 5))
    edge = st.tuples(st.integers(NOTHING, moves - 1), st.integers(0, states - 1), st.integers(1, 3))
    return [draw(st.lists(edge, max_size=6)) for _ in range(states)]


moves_of_beads = st.lists(st.sampled_from(BEADS), min_size=3, max_size=3, unique=True)
moves_of_ring = st.lists(st.integers(1, 5), min_size=3, max_size=3)  # maybe two that do the same


def least_costs(
    edges: list[list[Edge]], start: int, effects: list[bytes] | list[int]
) -> dict[object, int]:
    if isinstance(effects[0], bytes):
        return dict(
            walked(edges, start, lambda at, move: times(at, effects[move]), BEADS[0], LIMIT)  # type: ignore[arg-type]
        )
    return dict(walked(edges, start, lambda at, move: turned(at, effects[move]), 0, LIMIT))  # type: ignore[arg-type]


def prune(
    edges: list[list[Edge]], starts: list[int], effects: list[bytes] | list[int], most: int
) -> puzzlekit.engine.automaton.Pruned:
    if isinstance(effects[0], bytes):
        return pruned(edges, starts, effects, times, BEADS[0], most)  # type: ignore[arg-type]
    return pruned(edges, starts, effects, turned, 0, most)  # type: ignore[arg-type]


@pytest.mark.slow
@given(edges=automata(3), effects=st.one_of(moves_of_beads, moves_of_ring))
@settings(max_examples=150)
def test_nothing_gets_dearer_or_is_lost(
    edges: list[list[Edge]], effects: list[bytes] | list[int]
) -> None:
    small, state_of = reduced(edges)
    assert len(small) <= len(edges)
    assert set(state_of) == set(range(len(small)))
    assert all(move != NOTHING for own in small for move, _, _ in own)
    starts = list(range(len(small)))
    found = prune(small, starts, effects, PLENTY)
    assert found.complete
    assert [found.source[entry] for entry in found.entries] == starts
    walkable = edges_of(found, len(effects))
    for state, new in enumerate(state_of):
        whole = least_costs(edges, state, effects)
        assert least_costs(small, new, effects) == whole
        assert least_costs(walkable, found.entries[new], effects) == whole


@pytest.mark.slow
@given(edges=automata(3), effects=st.one_of(moves_of_beads, moves_of_ring), most=st.integers(1, 3))
@settings(max_examples=100)
def test_only_where_there_are_too_few_numbers_something_is_left_out(
    edges: list[list[Edge]], effects: list[bytes] | list[int], most: int
) -> None:
    small, _ = reduced(edges)
    whole = prune(small, [0], effects, PLENTY)
    found = prune(small, [0], effects, 3 * most + 2)
    assert found.complete == (whole.times <= most)
    assert found.times <= most
    assert all(len(prices) == 3 * found.times for prices in found.costs)
    if found.complete:
        assert found == whole
    before, after = (
        least_costs(edges_of(each, 3), each.entries[0], effects) for each in (whole, found)
    )
    assert all(cost >= before[element] for element, cost in after.items())


def test_with_too_few_numbers_the_cheapest_way_is_kept() -> None:
    """Move 0 leads to where 1 is cheap, or for less to where 2 is."""
    edges = [[(0, 1, 2), (0, 2, 1)], [(1, 0, 1), (2, 0, 9)], [(1, 0, 9), (2, 0, 1)]]
    small, state_of = reduced(edges)
    assert (small, state_of) == (edges, [0, 1, 2])
    found = prune(small, [0], [1, 2, 4], 5)
    assert (found.complete, found.times) == (False, 1)
    assert found.costs[found.entries[0]] == [1, 0, 0]
    found = prune(small, [0], [1, 2, 4], 6)
    assert (found.complete, found.times) == (True, 2)
    assert found.costs[found.entries[0]] == [1, 0, 0, 2, 0, 0]


def test_an_edge_is_dropped_where_another_leads_to_at_least_as_much() -> None:
    more, less = [(0, 2, 1), (1, 2, 1)], [(1, 2, 1)]
    small, _ = reduced([[(0, 1, 1), (0, 2, 1)], less, more])
    assert small == [[(0, 2, 1)], less, more]


def word_cost(edges: list[list[Edge]], start: int, word: tuple[int, ...]) -> int | None:
    """The least cost of doing exactly these moves."""
    best = {start: 0}
    for move in word:
        after: dict[int, int] = {}
        for state, spent in best.items():
            for m, to, cost in edges[state]:
                if m == move:
                    after[to] = min(spent + cost, after.get(to, spent + cost))
        best = after
    return min(best.values(), default=None)


WORDS = [word for length in range(5) for word in product(range(2), repeat=length)]


@pytest.mark.slow
@given(edges=automata(2))
@settings(max_examples=100)
def test_at_least_as_good_means_that_no_sequence_costs_more(edges: list[list[Edge]]) -> None:
    small, _ = reduced(edges)
    better = at_least_as_good(small)
    for a, b in product(range(len(small)), repeat=2):
        if better[a][b]:
            for word in WORDS:
                there = word_cost(small, b, word)
                here = word_cost(small, a, word)
                assert there is None or (here is not None and here <= there)
    # Of two states between which nothing tells apart there is one.
    assert not any(
        small[a] == small[b] for a in range(len(small)) for b in range(a) if better[a][b]
    )


@given(edges=automata(3))
def test_reducing_again_changes_nothing(edges: list[list[Edge]]) -> None:
    small, _ = reduced(edges)
    assert reduced(small) == (small, list(range(len(small))))


def test_turns_of_two_opposite_faces_are_done_in_one_order() -> None:
    """As without memory: D then U is U then D, and nothing follows on the same axis."""
    faces = [[(0, 0, 1), (1, 0, 1)]]
    effects = [(1, 0), (0, 1)]

    def both(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return (one[0] + other[0]) % 2, (one[1] + other[1]) % 2

    found = pruned(faces, [0], effects, both, (0, 0), PLENTY)
    words = [((), found.entries[0])]
    listed = []
    for word, state in words:
        listed.append(word)
        words += [((*word, move), to) for move, to in found.automaton[state]]  # type: ignore[list-item]
    assert sorted(listed) == [(), (0,), (0, 1), (1,)]
