"""Pairings with a partner: tables and searches of both at once."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from engines import engine, plain

import puzzlekit
from puzzlekit import Metric, Orbit, Permutation, Phase, Puzzle
from puzzlekit.engine import fill
from puzzlekit.engine.statuses import FOUND
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.resolved import Plan
from puzzlekit_cubes import SymPairing, Thresholds
from puzzlekit_cubes.pairing_classes import PairingClasses, PairingNeeds
from puzzlekit_cubes.pairing_distances import PairingDistances

STORE = puzzlekit.load("cube2").store


def lamp_puzzle() -> Puzzle:
    """Five pairs of places (see test_sym_pairing), and a lamp that B and C switch."""

    def effect(first: list[int], second: list[int], lamp: bool = False) -> Effect:
        lamps = [11, 10] if lamp else [10, 11]
        return bytes([*first, *(5 + i for i in second), *lamps]), bytes(12)

    still, one, other = [0, 1, 2, 3, 4], [1, 2, 0, 3, 4], [0, 1, 3, 4, 2]
    about = [4, 3, 2, 1, 0]
    turns = {
        "A": effect([4, 0, 1, 2, 3], [4, 0, 1, 2, 3]),
        "B": effect(one, still, True),
        "C": effect(other, still, True),
        "D": effect(still, one),
        "E": effect(still, other),
        "x": effect(about, about),
    }
    orbits = (
        Orbit("beads", "bead", " ".join("abcdefghij")),
        Orbit("lamp", "lamp", "on off"),
    )
    metric = Metric("M", "moves", {**dict.fromkeys("ABCDE", 1), "x": 0})
    return Puzzle("lamps", "Lamps", orbits, turns, (metric,), ("x",))


LAMPS = lamp_puzzle()
FIVE = SymPairing("five", LAMPS, "beads", "a f b g c h d i e j", "c", classes=3, symmetries=2)
LAMP = Permutation("lamp", LAMPS, "lamp", "on off")


@cache
def lamp_distances() -> dict[tuple[int, int], tuple[int, bytes]]:
    state = LAMPS.solved
    found = {(FIVE.rank(state), LAMP.rank(state)): (0, state)}
    for far, state in (queue := list(found.values())):
        for move in LAMPS.family_moves("ABCDE"):
            near = LAMPS.apply(state, [move])
            key = FIVE.rank(near), LAMP.rank(near)
            if key not in found:
                found[key] = (far + 1, near)
                queue.append(found[key])
    return found


@pytest.mark.parametrize("thresholds", [(1, 2, 3), (2, 3, 4)])
def test_a_pairing_with_a_partner_has_the_same_table_either_way(
    thresholds: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled, as plain Python and in NumPy; and it tells the thresholds that are reached."""
    moves = LAMPS.family_moves("ABCDE")

    def filled(compiled: bool) -> PairingDistances:
        found = PairingDistances(
            STORE, PairingNeeds(FIVE, moves, [1] * len(moves), LAMP), thresholds
        )
        found.fill(compiled)
        return found

    reference = filled(False)
    assert (filled(fill.COMPILED).entries == reference.entries).all()
    with monkeypatch.context() as patched:
        patched.setattr("puzzlekit_cubes.engine.pairing.PairFill", plain().PairFill)
        patched.setattr("puzzlekit_cubes.pairing_classes.PairRank", plain().PairRank)
        patched.setattr("puzzlekit_cubes.pairing_classes.Carry", plain().Carry)
        again = filled(True)
    assert (again.entries == reference.entries).all()
    assert again.counts == reference.counts
    assert len(lamp_distances()) == 120
    levels = np.bincount([far for far, _ in lamp_distances().values()])
    assert reference.counts == levels[: len(reference.counts)].tolist()
    ranking = PairingClasses(STORE, PairingNeeds(FIVE, moves, [1] * len(moves), LAMP)).engine_rank
    for far, state in lamp_distances().values():
        _, whole = FIVE.pairing(state)
        assert whole
        p = bytes(int(i) for i in FIVE.pairing(state)[0])
        entry = reference.entries[ranking.rank(p) * 2 + LAMP.rank(state)]
        assert entry == sum(far >= threshold for threshold in thresholds)


def test_a_search_with_a_partner_finds_shortest_answers() -> None:
    table = Thresholds("five lamp", (1, 2, 3))
    one = Phase("pair", "all paired", "A B C D E", (FIVE, LAMP), (table,))
    ready = CompiledPhase(Plan(LAMPS, (one,), LAMPS.metric(), STORE), one)
    for far, state in lamp_distances().values():
        assert ready.estimate(LAMPS, state) <= far
        search = engine.Search(ready.space)
        ready.start(search, LAMPS, state, 20)
        assert search.run(1 << 30) == FOUND
        assert search.spent_here == far
