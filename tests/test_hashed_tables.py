"""Hashed pruning tables: bounds on joint states, built and looked up alike."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from engines import engine, plain
from test_sym_pairing import FIVE, SMALL, SMALL_MOVES, STORE

import puzzlekit
from puzzlekit import (
    DeclarationError,
    Permutation,
    Phase,
    PruningTable,
    SymCoordinate,
)
from puzzlekit.engine.search import FOUND
from puzzlekit.phase.assembly import Assembled, assemble
from puzzlekit.tables.hashed import HashedDistances, check_hashed, hash_keys, layout

SECONDS = Permutation("seconds", SMALL, "beads", "f g h i j", "f g h i j")
ALLOWED = SMALL.family_moves(SMALL_MOVES.split())
THREE = PruningTable("five", 2, thresholds=(1, 2, 3))
JOINT = PruningTable("five seconds", hashed=1 << 16, farthest={"M": 3})


def assembled(*tables: str | PruningTable) -> Assembled:
    phase = Phase("both", "all paired, second places at home", SMALL_MOVES, (FIVE, SECONDS), tables)
    return assemble(SMALL, phase, SMALL.metric(), None, STORE)


@cache
def distances() -> dict[tuple[int, int], tuple[int, bytes]]:
    """For each joint state its distance and a state, plainly."""
    state = SMALL.solved
    found = {(FIVE.rank(state), SECONDS.rank(state)): (0, state)}
    for far, state in (listed := list(found.values())):  # grows while it is gone through
        for move in ALLOWED:
            near = SMALL.apply(state, [move])
            joint = (FIVE.rank(near), SECONDS.rank(near))
            if joint not in found:
                found[joint] = (far + 1, near)
                listed.append(found[joint])
    return found


def test_entries_are_lower_bounds_and_nearly_exact() -> None:
    phase = assembled(THREE, "seconds", JOINT)
    exact = 0
    for distance, state in distances().values():
        bound = phase.space.hashed_bound(phase.parts.ranks(state), phase.parts.vector(state))
        assert bound <= min(distance, 4)
        exact += bound == min(distance, 4)
    assert exact > 0.9 * len(distances())


@pytest.mark.parametrize(
    "tables", [(THREE, "seconds", JOINT), ("seconds", JOINT), ("seconds", THREE, JOINT)]
)
def test_searches_find_shortest_answers(tables: tuple[str | PruningTable, ...]) -> None:
    phase = assembled(*tables)
    rng = random.Random(1)
    for distance, state in rng.sample(list(distances().values()), 60):
        for module in (engine, plain()):
            if module is not engine and distance > 4:
                continue
            space = phase.space if module is engine else plain_space(phase)
            search = module.Search(space)
            search.start(phase.parts.ranks(state), 20, 0, phase.parts.vector(state))
            assert search.run(1 << 30) == FOUND
            assert search.spent_here == distance
            if module is engine:
                expected = search.expanded_nodes
            assert search.expanded_nodes == expected  # compiled and not


def plain_space(phase: Assembled) -> object:
    """The same space of the engine as plain Python."""
    parts = phase.parts
    if plain().Space is type(phase.space):
        return phase.space
    from puzzlekit.tables.pairing_classes import PairingClasses, PairingNeeds

    needs = PairingNeeds(FIVE, phase.moves, phase.costs)
    classes = PairingClasses(STORE, needs)
    module = plain()
    ranking = module.PairRank(5, 1, FIVE.classes, FIVE.shift, classes.heads, classes.symmetries)
    effects = FIVE.effects(phase.moves)
    carry = module.Carry(
        [(gather, bytes(5)) for gather, _ in effects], bytes(5), [label for _, label in effects]
    )
    (size, _, goals), *others = parts.coordinates
    return module.Space(
        phase.costs,
        phase.automaton,
        [(size, ranking, goals), *others],
        parts.tables,
        None,
        None,
        carry,
        hashed=parts.hashed,
    )


def test_the_table_saves_nodes() -> None:
    with_it, without = assembled(THREE, "seconds", JOINT), assembled(THREE, "seconds")
    nodes = [0, 0]
    for _, state in random.Random(2).sample(list(distances().values()), 40):
        for i, phase in enumerate((with_it, without)):
            search = engine.Search(phase.space)
            phase.start(search, SMALL, state, 20)
            assert search.run(1 << 30) == FOUND
            nodes[i] += search.expanded_nodes
    assert nodes[0] < nodes[1]


def test_positions_by_depth_without_hashing_to_the_same() -> None:
    found = HashedDistances(STORE, [FIVE, SECONDS], ALLOWED, 22, 4)
    found.fill()
    expected = np.bincount([distance for distance, _ in distances().values()])
    assert found.counts == expected[:4].tolist()
    assert (found.entries == 0).sum() == 1


def test_goal_states_are_where_it_starts() -> None:
    # What A makes of the solved state has the same pairing.
    turned = [SMALL.solved, SMALL.apply(SMALL.solved, SMALL.moves("A"))]
    found = HashedDistances(STORE, [FIVE, SECONDS], ALLOWED, 16, 2, turned)
    found.fill()
    assert found.counts[0] == 2 and (found.entries == 0).sum() == 2
    with pytest.raises(DeclarationError, match="not at a goal"):
        moved = SMALL.apply(SMALL.solved, SMALL.moves("B"))
        HashedDistances(STORE, [FIVE, SECONDS], ALLOWED, 16, 2, [moved])


def test_values_of_more_than_a_byte_have_more_bytes() -> None:
    assert layout([SECONDS, FIVE]) == [(1, 5)] * 5 + [(0, 120)]
    large = Permutation("large", SMALL, "beads", "f g h i", "f g h i j a b c d e")  # 5,040
    assert layout([large]) == [(0, 256), (0, 20)]
    keys = hash_keys(STORE, [large], ALLOWED)
    assert len(keys) == 512 and len({*keys[:276]}) == 276 and not any(keys[276:])


def test_declarations_that_cannot_be() -> None:
    for wrong in (
        {"hashed": 4},
        {"hashed": 16, "bits": 8},
        {"hashed": 16, "fold": 2},
        {"hashed": 16, "farthest": {"M": 15}},
    ):
        with pytest.raises(DeclarationError):
            PruningTable("five", **wrong)  # type: ignore[arg-type]
    with pytest.raises(DeclarationError, match="how far"):
        assembled(THREE, PruningTable("five seconds", hashed=1 << 16))
    with pytest.raises(DeclarationError, match="twice"):
        assembled(THREE, PruningTable("five five", hashed=1 << 16, farthest={"M": 2}))
    with pytest.raises(DeclarationError, match="one hashed"):
        assembled(THREE, JOINT, PruningTable("five", hashed=1 << 16, farthest={"M": 2}))
    cube = puzzlekit.load("cube2")
    eight = Permutation("eight", cube.puzzle, "corners")
    classes = SymCoordinate("sym", cube.puzzle, "corners", (eight,), 984, 48)
    moves = cube.puzzle.family_moves("URF")
    with pytest.raises(DeclarationError, match="cannot be in a hashed"):
        check_hashed([classes], moves, [1] * len(moves), 4)
