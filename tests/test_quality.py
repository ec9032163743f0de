"""How good heuristics are in a phase: against every state, one by one."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

import puzzlekit
from puzzlekit import (
    Method,
    Orientation,
    Permutation,
    Phase,
    PruningTable,
    Solver,
    View,
)
from puzzlekit.comparison.case import Case
from puzzlekit.comparison.quality import exhaustive
from puzzlekit.comparison.record import record_of
from puzzlekit.phase.needs import PhaseNeeds
from puzzlekit.puzzle.move import Move
from puzzlekit_cube4 import finish

NAMES = ("max", "sum", "max-sd", "euclid", "blended")
CUBE2 = puzzlekit.load("cube2")
(SMALL,) = CUBE2.method("small-tables").phases
Ranks = tuple[int, ...]


# --- phases that are small enough to look at every state -----------------------------------------


def one_phase(solver: Solver, phase: Phase, metric: str | None = None) -> Case:
    alone = Solver(solver.puzzle, [Method("alone", "", (phase,))], solver.store)
    return Case(alone, metric=metric)


def of_cube2(**changes: Any) -> Case:
    metric = changes.pop("metric", None)
    return one_phase(CUBE2, attrs.evolve(SMALL, **changes), metric)


def tiles() -> Case:
    """Two sums of the distances of single tiles and pairs of them, and two distances."""
    solver = puzzlekit.load("tiles-2x3")
    parts = [Permutation("all", solver.puzzle, "tiles", "0 1 2 3 4 5")]
    parts += [
        Permutation(names.replace(" ", "-"), solver.puzzle, "tiles", names)
        for names in ("1", "2", "3 4", "5")
    ]
    tables = [
        *(PruningTable(name, 8, additive="sum") for name in ("1", "2", "3-4")),
        *("3-4", PruningTable("1", 8)),
        PruningTable("5", 4, additive="alone"),
    ]
    return one_phase(solver, Phase("solve", "", "U L R D", tuple(parts), tuple(tables)))


def viewed() -> Case:
    """The corners and edges of a 3x3x3 that a 4x4x4 shows."""
    big, small = puzzlekit.load("cube4"), puzzlekit.load("cube3").puzzle
    parts = Orientation("twist", small, "corners"), Orientation("flip", small, "edges")
    view = View(small, finish.seen(big.puzzle, small))
    return one_phase(big, Phase("orient", "", "F R2", parts, ("twist", "flip"), view=view))


CASES: dict[str, Callable[[], Case]] = {
    "two faces": lambda: of_cube2(moves="U R2"),
    "costs": lambda: of_cube2(moves="U2 R F2", metric="QTM"),
    "several goals": lambda: of_cube2(moves="U R2", goal_moves="U2 R2"),
    "tiles": tiles,
    "viewed": viewed,
}


class Near(NamedTuple):
    move: Move
    cost: int
    after: Ranks


class Every(NamedTuple):
    """All states of a phase, by the ranks of its coordinates: one of each, its moves, distances."""

    states: dict[Ranks, bytes]
    near: dict[Ranks, list[Near]]
    distance: dict[Ranks, int]


@cache
def case(name: str) -> Case:
    return CASES[name]()


@cache
def every(name: str) -> Every:
    return brute_force(case(name))


def closure(start: bytes, moves: Sequence[Move], key: Callable[[bytes], Any], one: Case) -> Any:
    """All states that moves make of one: what the key tells apart, and where each move leads."""
    puzzle = one.puzzle
    states, near = {key(start): start}, defaultdict(list)
    waiting = [start]
    for state in waiting:  # grows while it is gone through
        place = puzzle.place_of_guard(state)
        for move in moves:
            if move.guard_before not in (-1, place):
                continue
            after = puzzle.apply(state, [move])
            if key(after) not in states:
                states[key(after)] = after
                waiting.append(after)
            near[key(state)].append(Near(move, one.metric.cost(move), key(after)))
    return states, near


def brute_force(one: Case) -> Every:
    """Dijkstra's algorithm from the goals, over whole states that differ in some coordinate."""
    (phase,) = one.method.phases
    needs = PhaseNeeds(one.puzzle, phase, one.metric, one.method)

    def ranks(state: bytes) -> Ranks:
        seen = state if phase.view is None else phase.view.see(one.puzzle, state)
        return tuple(int(each.rank(seen)) for each in phase.coordinates)

    moves = needs.as_done(one.puzzle)
    at_goal, _ = closure(one.puzzle.solved, needs.goal_moves, lambda state: state, one)
    goals = [set(values) for values in zip(*map(ranks, at_goal), strict=True)]
    known = list(dict.fromkeys([*moves, *needs.goal_moves]))
    states, near = closure(one.puzzle.solved, known, ranks, one)
    near = {key: [each for each in near[key] if each.move in moves] for key in states}
    before = defaultdict(list)
    for key, own in near.items():
        for _, cost, after in own:
            before[after].append((cost, key))
    waiting = [(0, key) for key in states if all(v in g for v, g in zip(key, goals, strict=True))]
    distance: dict[Ranks, int] = {}
    while waiting:
        far, key = heapq.heappop(waiting)
        if distance.setdefault(key, far) == far:
            for cost, other in before[key]:
                if other not in distance:
                    heapq.heappush(waiting, (far + cost, other))
    assert distance.keys() == states.keys()
    return Every(states, near, distance)


def estimates(one: Case, found: Every, heuristic: str) -> dict[Ranks, int]:
    ready = one.candidate(heuristic).chain.phases[0]
    return {key: ready.estimate(one.puzzle, state) for key, state in found.states.items()}


@pytest.mark.parametrize("name", CASES)
def test_all_states_one_by_one(name: str) -> None:
    one, found = case(name), every(name)
    highest = estimates(one, found, "max")
    by_state = {state: key for key, state in found.states.items()}
    judged = exhaustive(one, "0", NAMES, memory=10_000_000)
    assert [each.heuristic for each in judged] == list(NAMES)
    for each in judged:
        h = estimates(one, found, each.heuristic)
        pairs = Counter((found.distance[key], h[key]) for key in h)
        falls = {
            (key, edge.move.name): h[key] - h[edge.after] - edge.cost
            for key, own in found.near.items()
            for edge in own
        }
        assert (each.how, each.sample, each.states) == ("exhaustive", "all states", len(h))
        assert {(d, value): count for d, value, count in each.pairs} == pairs
        assert each.over == sum(count for (d, value), count in pairs.items() if value > d)
        assert each.edges == len(falls)
        assert each.broken == sum(fall > 0 for fall in falls.values())
        assert each.goals == sum(d == 0 for d in found.distance.values())
        assert each.goals_above == sum(h[key] > 0 for key, d in found.distance.items() if not d)
        assert each.differ == sum(h[key] != highest[key] for key in h)
        assert each.admissible is (each.heuristic == "max")
        assert set(each.zeros.values()) == {True}
        most = max(h[key] - found.distance[key] for key in h)
        assert (each.worst is None) == (most <= 0)
        if each.worst is not None:
            key = _key(one, by_state, each.worst.state)
            assert each.worst[1:] == (h[key], found.distance[key])
            assert h[key] - found.distance[key] == most
        assert (each.worst_edge is None) == (max(falls.values()) <= 0)
        if each.worst_edge is not None:
            key = _key(one, by_state, each.worst_edge.state)
            edge = next(e for e in found.near[key] if e.move.name == each.worst_edge.move)
            assert each.worst_edge[2:] == (h[key], h[edge.after], edge.cost)
            assert falls[key, each.worst_edge.move] == max(falls.values())
        assert record_of(each.line()) == each


def _key(one: Case, by_state: dict[bytes, Ranks], state: str) -> Ranks:
    """The ranks of a state, which is perhaps not the one that stands for them."""
    (phase,) = one.method.phases
    seen = bytes.fromhex(state)
    if phase.view is not None:
        seen = phase.view.see(one.puzzle, seen)
    found = tuple(int(each.rank(seen)) for each in phase.coordinates)
    assert found in by_state.values()
    return found


def test_cases_are_what_they_are_meant_to_be() -> None:
    """Several goals, moves of two costs, sums; and overestimates and broken edges everywhere."""
    assert sum(d == 0 for d in every("several goals").distance.values()) > 1
    assert {edge.cost for own in every("costs").near.values() for edge in own} == {1, 2}
    assert len(every("tiles").states) == 360
    for name in CASES:
        assert 100 < len(every(name).states) < 30_000
        summed = exhaustive(case(name), "0", ["sum"])[0]
        assert summed.over and summed.broken and summed.differ


def test_sums_are_not_consistent_even_with_max() -> None:
    """A sum is the least over the places of the blank: no edge says otherwise of the others."""
    consistent = {name: exhaustive(case(name), "0", ["max"])[0].broken == 0 for name in CASES}
    assert [name for name, fine in consistent.items() if not fine] in ([], ["tiles"])


def test_vectors_that_differ() -> None:
    """Of all vectors of distances that the tables have anywhere."""
    one = case("two faces")
    ready = one.candidate("max").chain.phases[0]
    sizes = []
    for _, bits, data in ready.parts.tables:
        assert bits == 4
        values = {value for byte in bytes(data) for value in (byte & 15, byte >> 4)}
        sizes.append(max(values - {15}) + 1)
    vectors = list(np.ndindex(*sizes))
    for each in exhaustive(one, "solve", NAMES):
        joiner = one.candidate(each.heuristic).joiners[0]
        assert each.vectors == len(vectors)
        assert each.vectors_differ == sum(joiner.join(v) != max(v) for v in vectors)
