"""Move pruning: exact numbers of sequences, and no state that is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from bundled import COMPILED, PHASES, StickerCube, automaton_of, costs_in, find
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import Move, Puzzle
from puzzlekit.engine.automaton import (
    MERGES,
    REORDERED,
    REPLACED,
    canonical_sequences,
    pruned_pairs,
    redundancy_automaton,
    seam,
)
from puzzlekit.search.move_order import pairs_of
from puzzlekit_authoring.method_checks import reached, unpruned

CUBE2 = puzzlekit.load("cube2").puzzle
CUBE3 = puzzlekit.load("cube3").puzzle
FACES = "U R F D L B"


def half_turns(puzzle: Puzzle, families: str = FACES) -> tuple[tuple[Move, ...], list[int]]:
    moves = puzzle.family_moves(families.split())
    return moves, [1] * len(moves)


@pytest.mark.parametrize(
    ("puzzle", "families", "counts"),
    [
        (CUBE2, "U R F", [1, 9, 54, 324, 1944]),
        (CUBE3, "U R F", [1, 9, 54, 324, 1944]),
        (CUBE3, FACES, [1, 18, 243, 3240, 43254]),
    ],
    ids=["cube2-URF", "cube3-URF", "cube3"],
)
def test_canonical_sequences(puzzle: Puzzle, families: str, counts: list[int]) -> None:
    automaton = automaton_of(puzzle, *half_turns(puzzle, families))
    assert canonical_sequences(automaton, 4) == counts


def test_canonical_sequences_of_three_commuting_layers_on_each_axis() -> None:
    """The 4x4x4 with one corner fixed, as permutations of stickers: effects can be anything."""
    cube = StickerCube(4)
    around = cube.turns["y"]
    effects: list[tuple[int, ...]] = []
    identity = tuple(range(96))

    def product(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(one[i] for i in other)

    for row in range(3):
        # The sides trade this row; the top layer takes the stickers of its face along.
        cube.turns["layer"] = [
            source if (i < 16 and not row) or (i // 16 not in (0, 3) and i % 16 // 4 == row) else i
            for i, source in enumerate(around)
        ]
        for as_seen_from in ("layer", "z z z layer z", "x layer x x x"):
            turn = tuple(cube.sequence(as_seen_from))
            power = turn
            while power != identity:
                effects.append(power)
                power = product(power, turn)
    assert len(effects) == 27
    automaton = redundancy_automaton(pruned_pairs(effects, [1] * 27, product, identity))
    assert canonical_sequences(automaton, 4) == [1, 27, 567, 11745, 243486]


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_positions_at_each_depth_of_cube3(
    metric: str, positions_at_depth: dict[str, list[int]]
) -> None:
    moves, _ = half_turns(CUBE3)
    costs = costs_in(CUBE3.metric(metric), moves)
    depth = 4 if COMPILED else 3
    least = reached(CUBE3, moves, costs, depth, automaton_of(CUBE3, moves, costs))
    counts = [list(least.values()).count(cost) for cost in range(depth + 1)]
    assert counts == positions_at_depth[f"cube3_{metric.lower()}_prefix"][: depth + 1]


def priced_moves() -> Iterator[Any]:
    """The moves of all phases with their costs; where several have the same, once."""
    seen = set()
    for puzzle, method, number in PHASES:
        solver, _, moves = find(puzzle, method, number)
        for metric in solver.puzzle.metrics:
            if metric.counts and metric.name != "STM":  # in which wide turns of the 4x4x4 cost 2
                costs = costs_in(metric, moves)
                if (key := (puzzle, moves, tuple(costs))) not in seen:
                    seen.add(key)
                    name = f"{puzzle}-{method}-{number}-{metric.name}"
                    yield pytest.param(solver.puzzle, moves, costs, id=name)


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "moves", "costs"), list(priced_moves()))
def test_no_state_is_lost_in_any_phase(
    puzzle: Puzzle, moves: tuple[Move, ...], costs: list[int]
) -> None:
    # The universal method of cube4 has 81 moves: 43 million sequences of four. Three commute.
    depth = 4 if len(moves) <= (20 if COMPILED else 10) else 3
    pruned = reached(puzzle, moves, costs, depth, automaton_of(puzzle, moves, costs))
    assert pruned == reached(puzzle, moves, costs, depth, unpruned(moves, puzzle))


@pytest.mark.parametrize(
    ("allowed", "costs", "depth"),
    [
        ("R U2 U", [1, 1, 1], 8),  # R2 is not allowed: R R must stay
        ("R R' F B2", [1, 1, 1, 1], 6),
        ("R R2 U", [1, 3, 1], 7),  # R2 costs more than R R
        ("R R2 U", [2, 1, 1], 7),
        ("U D U2 D2 R2", [1, 1, 2, 2, 2], 8),
        ("M R L Rw", [1, 1, 1, 1], 5),  # Rw R' would be M', R M is not in order
        ("R L' M x", [1, 1, 1, 1], 6),  # three that commute and cancel together
        ("R L' M' x'", [1, 1, 1, 5], 6),
        ("E U D' y2 R", [2, 1, 1, 1, 1], 6),
        ("U U", [1, 2], 5),  # the same move at two prices
    ],
)
def test_no_state_is_lost_with_odd_sets_of_moves(
    allowed: str, costs: list[int], depth: int
) -> None:
    moves = [CUBE3.moves(name)[0] for name in allowed.split()]
    pruned = reached(CUBE3, moves, costs, depth, automaton_of(CUBE3, moves, costs))
    assert pruned == reached(CUBE3, moves, costs, depth, unpruned(moves, CUBE3))


@given(
    chosen=st.lists(
        st.tuples(st.sampled_from(CUBE3.family_moves(CUBE3.turns)), st.integers(1, 3)),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=40)
def test_no_state_is_lost_whatever_the_moves_and_costs(chosen: list[tuple[Move, int]]) -> None:
    moves = [move for move, _ in chosen]
    costs = [cost for _, cost in chosen]
    pruned = reached(CUBE3, moves, costs, 5, automaton_of(CUBE3, moves, costs))
    assert pruned == reached(CUBE3, moves, costs, 5, unpruned(moves, CUBE3))


def reasons(allowed: str, costs: list[int]) -> dict[str, int]:
    moves = [CUBE3.moves(name)[0] for name in allowed.split()]
    pairs = pairs_of(CUBE3, moves, costs)
    return {
        f"{one.name} {other.name}": pairs[m][n]
        for m, one in enumerate(moves)
        for n, other in enumerate(moves)
    }


def test_why_a_pair_is_pruned() -> None:
    assert set(reasons("R R' R2", [1, 1, 1]).values()) == {MERGES}
    assert reasons("R U", [1, 1]) == dict.fromkeys(["R R", "R U", "U R", "U U"], 0)
    assert reasons("U D", [1, 1]) == {"U U": 0, "U D": 0, "D U": REORDERED, "D D": 0}
    assert reasons("R R2", [1, 3])["R R"] == 0
    assert reasons("R R2", [1, 2])["R R"] == MERGES
    found = reasons("R1 R'", [1, 1])
    assert (found["R R"], found["R' R'"], found["R R'"]) == (0, REPLACED, MERGES)
    assert reasons("R L' M'", [1, 1, 2])["R L'"] == 0  # that is M' and a rotation
    assert reasons("R Rw M'", [1, 1, 1])["R M'"] == MERGES


def test_moves_with_the_same_continuations_share_a_state() -> None:
    assert len(automaton_of(CUBE3, *half_turns(CUBE3))) == 7
    assert len(automaton_of(CUBE3, *half_turns(CUBE3, "U R F"))) == 4


@pytest.mark.parametrize("metric", ["HTM", "QTM"])
def test_a_seam_leaves_out_only_what_merges(metric: str) -> None:
    _, first, outer = find("cube3", "two-phase", 0)
    _, second, inner = find("cube3", "two-phase", 1)
    assert first is not second
    measure = CUBE3.metric(metric)
    pairs = pairs_of(CUBE3, outer, costs_in(measure, outer))
    own = automaton_of(CUBE3, inner, costs_in(measure, inner))
    before = redundancy_automaton(pairs)
    extended, entries = seam(pairs, before, [outer.index(move) for move in inner], own)
    assert extended[: len(own)] == own
    assert len(entries) == len(before)
    assert [number for number, _ in extended[entries[0]]] == list(range(len(inner)))
    for number, last in enumerate(outer):
        entry = entries[dict(before[0])[number]]
        may_begin = {inner[number].name for number, _ in extended[entry]}
        for move in inner:
            # Also in QTM: two quarter turns cost as much as the half turn, R R2 more than R'.
            assert (move.name in may_begin) == (move.family != last.family), (last, move)
    # Going on from there is as after the same move inside the phase.
    after = dict(own[0])
    for row in extended[len(own) :]:
        assert all(state == after[number] for number, state in row)


def test_a_seam_keeps_moves_that_do_not_merge_into_an_allowed_one() -> None:
    outer = [CUBE3.moves(name)[0] for name in ("R", "U2", "U")]
    pairs = pairs_of(CUBE3, outer, [1, 1, 1])
    inner = redundancy_automaton([[pairs[0][0]]])
    before = redundancy_automaton(pairs)
    extended, entries = seam(pairs, before, [0], inner)
    after = entries[dict(before[0])[0]]
    assert [number for number, _ in extended[after]] == [0]  # R R: there is no R2
