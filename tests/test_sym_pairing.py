"""A pairing reduced by symmetries, and its pruning tables with thresholds."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engines import engine, plain
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import DeclarationError, Metric, Orbit, Phase, Puzzle, TableStore
from puzzlekit.engine import fill
from puzzlekit.engine.search import Search
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.move import Effect, permutation_parity
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit.tables.pruning_table import pack_codes
from puzzlekit_cubes import Parity, SymPairing, Thresholds
from puzzlekit_cubes.pairing_classes import PairingClasses, PairingNeeds, find_symmetries
from puzzlekit_cubes.pairing_distances import PairingDistances

CUBE4 = puzzlekit.load("cube4")
PUZZLE, STORE = CUBE4.puzzle, CUBE4.store
WINGS = PUZZLE.orbit("wings").places
PAIRS = " ".join(f"{one} {other}" for one, other in zip(WINGS[:12], WINGS[12:], strict=True))
HEAD = " ".join(place for place in WINGS[:12] if not {"R", "L"} & set(place[:2]))
PAIRING = SymPairing("pairing", PUZZLE, "wings", PAIRS, HEAD, classes=1538, symmetries=8)
MOVES = "R2 Rw2 L2 Uw2 Fw2 U D F B"
# Positions by depth of the pairing in A12 under these moves.
BY_DEPTH = [1, 3, 20, 140, 1141, 8059, 62188, 442293, 2958583, 17286512, 69004356]

numbers = st.integers(0, 2**32)


def phase_of(coordinate: SymPairing, moves: str, *tables: Any, others: Any = ()) -> Phase:
    return Phase("pair", "all paired", moves, (coordinate, *others), tables)


ALLOWED = phase_of(PAIRING, MOVES, Thresholds("pairing", (2, 3, 4))).allowed(PUZZLE)
NEEDS = PairingNeeds(PAIRING, ALLOWED, [1] * len(ALLOWED))


# --- a small puzzle, of which everything can be listed --------------------------------------------


def small_puzzle() -> Puzzle:
    """Five first places in a ring and five second ones: A turns both rings, B and C turn three."""

    def effect(first: list[int], second: list[int]) -> Effect:
        return bytes([*first, *(5 + i for i in second)]), bytes(10)

    still = [0, 1, 2, 3, 4]
    one, other = [1, 2, 0, 3, 4], [0, 1, 3, 4, 2]
    # Turns all about the middle: B becomes what undoes C.
    about = [4, 3, 2, 1, 0]
    turns = {
        "A": effect([4, 0, 1, 2, 3], [4, 0, 1, 2, 3]),
        "B": effect(one, still),
        "C": effect(other, still),
        "D": effect(still, one),
        "E": effect(still, other),
        "x": effect(about, about),
    }
    orbit = Orbit("beads", "bead", " ".join("abcdefghij"))
    metric = Metric("M", "moves", {**dict.fromkeys("ABCDE", 1), "x": 0})
    return Puzzle("ten", "Ten", (orbit,), turns, (metric,), ("x",))


SMALL = small_puzzle()
FIVE = SymPairing("five", SMALL, "beads", "a f b g c h d i e j", "c", classes=3, symmetries=2)
SMALL_MOVES = "A B C D E"
ALLOWED_SMALL = SMALL.family_moves(SMALL_MOVES.split())
NEEDS_SMALL = PairingNeeds(FIVE, ALLOWED_SMALL, [1] * len(ALLOWED_SMALL))


@cache
def small_distances() -> dict[bytes, int]:
    """The distance of each pairing, plainly."""
    effects = FIVE.effects(ALLOWED_SMALL)
    found = {bytes(range(5)): 0}
    for p in (listed := list(found)):  # grows while it is gone through
        for gather, relabel in effects:
            near = bytes(relabel[p[i]] for i in gather)
            if near not in found:
                found[near] = found[p] + 1
                listed.append(near)
    return found


def paired_as(coordinate: SymPairing, p: bytes) -> bytes:
    """A state with that pairing."""
    state = bytearray(coordinate.puzzle.solved)
    seconds = coordinate.reads[len(p) :]
    for i, place in enumerate(p):
        state[seconds[place]] = coordinate.puzzle.solved[seconds[i]]
    return bytes(state)


def test_the_small_puzzle_has_all_even_pairings() -> None:
    assert len(small_distances()) == FIVE.size == 60
    assert len(find_symmetries(NEEDS_SMALL, [(1, ())] * len(ALLOWED_SMALL))) == 2


# --- ranks ---------------------------------------------------------------------------------------


def even(seed: int, n: int = 12) -> bytes:
    p = list(range(n))
    random.Random(seed).shuffle(p)
    if permutation_parity(p):
        p[0], p[1] = p[1], p[0]
    return bytes(p)


@given(seed=numbers)
def test_ranks_of_pairings_round_trip(seed: int) -> None:
    p = even(seed)
    state = paired_as(PAIRING, p)
    index = PAIRING.rank(state)
    assert 0 <= index < PAIRING.size == 239_500_800
    vector = PAIRING.unrank(index)
    assert PAIRING.rank(vector) == index
    positions, whole = PAIRING.pairing(vector)
    assert whole and bytes(positions) == p


def test_all_ranks_of_a_small_pairing() -> None:
    every = FIVE.unrank(np.arange(FIVE.size))
    assert (FIVE.rank(every) == np.arange(FIVE.size)).all()
    for p in permutations(range(5)):
        rank = FIVE.rank(paired_as(FIVE, bytes(p)))
        assert (rank >= 0) == (permutation_parity(p) == 0)


@pytest.mark.slow
@given(seed=numbers)
def test_what_is_alike_has_one_class_and_reading_agrees_with_the_coordinate(seed: int) -> None:
    p = even(seed)
    classes = PairingClasses(STORE, NEEDS)
    values = set()
    for s in classes.rows:
        image = bytearray(12)
        for i in range(12):
            image[s[i]] = s[p[i]]
        for module in (engine, plain()):
            ranking = module.PairRank(12, 4, 1538, 3, classes.heads, classes.symmetries)
            values.add(ranking.rank(bytes(image)))
    assert len({value // PAIRING.tails for value in values}) == 1
    assert max(values) < PAIRING.values
    if classes.keepers()[values.copy().pop() // PAIRING.tails] == 1:
        assert len(values) == 1
    state = paired_as(PAIRING, p)
    for module in (engine, plain()):
        labels = bytes(number & 255 for number in PAIRING.numbers)
        assert module.PairReading(list(PAIRING.reads), labels).read(state) == p


def test_what_is_no_even_pairing_is_told() -> None:
    classes = PairingClasses(STORE, NEEDS)
    odd = bytes([1, 0, *range(2, 12)])
    swapped = bytearray(PUZZLE.solved)
    one, other = PAIRING.reads[0], PAIRING.reads[13]
    swapped[one], swapped[other] = swapped[other], swapped[one]
    labels = bytes(number & 255 for number in PAIRING.numbers)
    for module in (engine, plain()):
        ranking = module.PairRank(12, 4, 1538, 3, classes.heads, classes.symmetries)
        assert ranking.rank(odd) == ranking.rank(bytes(12)) == ranking.rank(bytes([12] * 12)) == -1
        assert module.PairReading(list(PAIRING.reads), labels).read(bytes(swapped)) is None
    assert PAIRING.rank(bytes(swapped)) == PAIRING.rank(paired_as(PAIRING, odd)) == -1
    with pytest.raises(DeclarationError, match="not defined"):
        small = Thresholds("five", (1, 2, 3))
        phase = phase_of(FIVE, SMALL_MOVES, small)
        parts = CompiledPhase(Plan(SMALL, (phase,), SMALL.metric(), STORE), phase)
        parts.ranks(paired_as(FIVE, bytes([1, 0, 2, 3, 4])))


# --- distances -----------------------------------------------------------------------------------


def filled(needs: PairingNeeds, thresholds: tuple[int, int, int], way: bool) -> PairingDistances:
    found = PairingDistances(STORE, needs, thresholds)
    found.fill(way)
    return found


def test_positions_by_depth_are_those_known() -> None:
    depth = 7 if fill.COMPILED else 5
    found = filled(NEEDS, (3, depth, depth + 1), fill.COMPILED)
    assert found.counts == BY_DEPTH[: depth + 1]
    sizes = found._sizes
    for code, levels in enumerate((slice(0, 3), slice(3, depth), slice(depth, depth + 1))):
        heads = np.flatnonzero(found.entries == code) // PAIRING.tails
        assert sizes[heads].sum() == sum(BY_DEPTH[levels])


@pytest.mark.slow
@pytest.mark.parametrize("thresholds", [(1, 2, 3), (2, 4, 6)])
def test_ways_to_fill_give_the_same(
    thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = filled(NEEDS_SMALL, thresholds, False)
    assert (filled(NEEDS_SMALL, thresholds, True).entries == reference.entries).all()
    cube = filled(NEEDS, (3, 4, 5), False)
    assert (filled(NEEDS, (3, 4, 5), True).entries == cube.entries).all()
    with monkeypatch.context() as patched:
        patched.setattr("puzzlekit_cubes.engine.pairing.PairFill", plain().PairFill)
        patched.setattr("puzzlekit_cubes.pairing_classes.PairRank", plain().PairRank)
        patched.setattr("puzzlekit_cubes.pairing_classes.Carry", plain().Carry)
        again = filled(PairingNeeds(FIVE, ALLOWED_SMALL, NEEDS_SMALL.costs), thresholds, True)
    assert (again.entries == reference.entries).all()
    assert again.counts == reference.counts


@pytest.mark.parametrize("thresholds", [(1, 2, 3), (2, 3, 4)])
def test_entries_tell_the_thresholds_reached(thresholds: tuple[int, int, int]) -> None:
    found = filled(NEEDS_SMALL, thresholds, fill.COMPILED)
    ranking = PairingClasses(STORE, NEEDS_SMALL).engine_rank
    for p, distance in small_distances().items():
        reached = sum(distance >= threshold for threshold in thresholds)
        assert found.entries[ranking.rank(p)] == reached
    packed = pack_codes(found.entries, 2)
    values = np.arange(FIVE.values)
    assert ((packed[values >> 2] >> ((values & 3) << 1) & 3) == found.entries).all()


@pytest.mark.parametrize("thresholds", [(1, 2, 3), (2, 3, 4)])
def test_the_search_finds_shortest_answers(thresholds: tuple[int, int, int]) -> None:
    phase = phase_of(FIVE, SMALL_MOVES, Thresholds("five", thresholds))
    assembled = CompiledPhase(Plan(SMALL, (phase,), SMALL.metric(), STORE), phase)
    for p, distance in small_distances().items():
        state = paired_as(FIVE, p)
        assert assembled.estimate(SMALL, state) == max(
            (threshold for threshold in thresholds if threshold <= distance), default=0
        )
        search = Search(assembled.space)
        assembled.start(search, SMALL, state, 20)
        assert search.run(1 << 30) == FOUND
        assert search.spent_here == distance
        moves = [assembled.moves[number] for number in search.path]
        assert FIVE.rank(SMALL.apply(state, moves)) == 0


# --- what cannot be ------------------------------------------------------------------------------


def test_stated_numbers_are_checked(tmp_path: Path) -> None:
    store = TableStore(str(tmp_path))
    for classes, order, error in ((2, 2, "3 classes of heads, not 2"), (3, 1, "2 symmetries here")):
        wrong = SymPairing("five", SMALL, "beads", FIVE.pairs, "c", classes, order)
        needs = PairingNeeds(wrong, ALLOWED_SMALL, NEEDS_SMALL.costs)
        with pytest.raises(DeclarationError, match=error):
            _ = PairingClasses(store, needs).heads


def test_declarations_that_cannot_be() -> None:
    with pytest.raises(DeclarationError, match="head"):
        SymPairing("five", SMALL, "beads", FIVE.pairs, "f", 3, 2)
    with pytest.raises(DeclarationError, match="three thresholds"):
        Thresholds("five", (3, 2, 4))
    with pytest.raises(DeclarationError, match="three thresholds"):
        Thresholds("five", (2, 3))  # type: ignore[arg-type]
    odd = Parity("odd", SMALL, "beads")
    three = Thresholds("five", (1, 2, 3))
    plain_five = SymPairing("five", SMALL, "beads", FIVE.pairs, "c", classes=5, symmetries=1)
    wrong = [
        (phase_of(FIVE, SMALL_MOVES, "five"), "a Thresholds or a Hashed table"),
        (
            phase_of(FIVE, SMALL_MOVES, Thresholds("odd", (1, 2, 3)), others=[odd]),
            "over a SymPairing",
        ),
        (phase_of(plain_five, "A2", three), "an inverse move"),
    ]
    for phase, error in wrong:
        with pytest.raises(DeclarationError, match=error):
            CompiledPhase(Plan(SMALL, (phase,), SMALL.metric(), STORE), phase)
    with pytest.raises(DeclarationError, match="first places"):
        PairingNeeds(PAIRING, PUZZLE.moves("Rw"), [1]).carry()
