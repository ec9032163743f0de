"""The Clock: its turns, fewest turns, the fixed form, and states as hours."""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

import puzzlekit
from puzzlekit import NoSolutionError, StateError
from puzzlekit_clock import DIALS, HOURS, PINS, WCA
from puzzlekit_clock.engine.pairs import HALVES, best_pair, list_halves
from puzzlekit_clock.words import in_words

CLOCK = puzzlekit.load("clock")
PUZZLE = CLOCK.puzzle

# The states at each distance: J. Kogler (12 is enough) and T. Rokicki (all counts), 2014.
DISTANCES = (
    1, 330, 51_651, 4_947_912, 317_141_342, 14_054_473_232, 428_862_722_294, 8_621_633_953_202,
    101_600_180_118_726, 528_107_928_328_516, 613_251_601_892_918, 31_893_880_879_492, 39_248,
)  # fmt: skip


def hours(text: str) -> dict[str, int]:
    """The hours of the dials after some turns, without those at 0."""
    state = CLOCK.state(text)
    return {name: each for name, each in zip(DIALS, state[18:], strict=True) if each}


def test_turns_move_the_dials_beside_raised_pins() -> None:
    assert hours("UR1+") == {"Uf": 1, "URf": 1, "Cf": 1, "Rf": 1, "ULb": 11}
    assert hours("URDL2-") == dict.fromkeys(("Uf", "Rf", "Cf", "Df", "Lf", "URf", "DLf"), 10) | {
        "ULb": 2,
        "DRb": 2,
    }
    assert hours("y2 ALL3+ y2") == {f"{name[:-1]}b": 3 for name in DIALS if name[-1] == "f"} | {
        f"{name}f": 9 for name in ("UL", "UR", "DL", "DR")
    }


def test_words_name_the_raised_pins_and_the_way() -> None:
    def told(text: str) -> list[str]:
        return [in_words(move, b"", "en") for move in PUZZLE.moves(text)]

    assert told("UR3+ U2- ALL6+ ULDR1+ y2") == [
        "upper right pin up, 3 h clockwise",
        "both upper pins up, 2 h counter-clockwise",
        "all pins up, half a turn",
        "upper left and lower right pins up, 1 h clockwise",
        "turn the Clock over, left to right",
    ]
    words = {"UR": "upper right", "DR": "lower right", "DL": "lower left", "UL": "upper left"}
    for name, raised in PINS.items():
        left_out = {*words} - {*raised.split()}
        if len(left_out) == 1:
            assert told(f"{name}1+") == [
                f"all pins but the {words[left_out.pop()]} up, 1 h clockwise"
            ]


def test_turning_over_is_not_the_identity() -> None:
    assert hours("U1+ y2") != hours("U1+")
    assert hours("U1+ y2 y2") == hours("U1+")
    assert PUZZLE.text(PUZZLE.moves("y2' U1+")) == "y2 U1+"
    assert len(PUZZLE.whole_rotations) == 2


def test_all_turns_commute_and_have_twelve_amounts() -> None:
    moves = [PUZZLE.move(f"{pins}+", 1) for pins in PINS]
    assert all(PUZZLE.commute(one, other) for one in moves for other in moves)
    names = {each.name for move in moves for each in PUZZLE.family_moves([move.family])}
    assert names == {f"{pins}{each}" for pins in PINS for each in HOURS if each[0] != "0"}
    assert not PUZZLE.moves("UR0+")


def vectors() -> np.ndarray:
    """The 30 turns by one hour as rows of 14 numbers: the dials of the front, and five more."""
    kept = [
        k
        for k, name in enumerate(DIALS)
        if name[-1] == "f" or name[:-1] in ("U", "R", "C", "D", "L")
    ]
    rows = []
    for side, pins in product(("", "y2 "), PINS):
        state = CLOCK.state(f"{side}{pins}1+ {side}")
        rows.append([state[18 + k] for k in kept])
    return np.array(rows)


def test_published_numbers_of_near_states() -> None:
    """1, 330 and 51,651 states are 0, 1 and 2 turns from solved."""
    assert sum(DISTANCES) == 12**14
    weights = 12 ** np.arange(14, dtype=np.int64)
    amounts = np.arange(1, 12)
    turns = (vectors()[:, None] * amounts[:, None] % 12).reshape(-1, 14)
    one = np.unique(turns @ weights)
    pairs = ((turns[:, None] + turns) % 12).reshape(-1, 14)
    two = np.setdiff1d(np.unique(pairs @ weights), np.append(one, 0))
    assert (len(one), len(two)) == DISTANCES[1:3]


@pytest.mark.long
def test_published_number_of_states_three_turns_away() -> None:
    weights = 12 ** np.arange(14, dtype=np.int64)
    turns = (vectors()[:, None] * np.arange(1, 12)[:, None] % 12).reshape(-1, 14).astype(np.uint8)
    near = [np.zeros((1, 14), np.uint8)]
    seen = np.zeros(1, np.int64)
    for distance in (1, 2, 3):
        found = []
        for turn in turns:
            after = (near[-1] + turn) % 12
            found.append(np.unique(after @ weights))
        keys = np.setdiff1d(np.unique(np.concatenate(found)), seen)
        assert len(keys) == DISTANCES[distance]
        seen = np.union1d(seen, keys)
        near.append((keys[:, None] // weights % 12).astype(np.uint8))


@pytest.mark.slow
@pytest.mark.parametrize("turns", [2, 3])
def test_near_states_take_as_few_turns_as_they_were_made_with(turns: int) -> None:
    """Nearly all states of two or three turns need as many; none needs more."""
    rng = Random(turns)
    costs = Counter()
    for _ in range(60):
        sides = sorted(rng.choices(("", "y2 "), k=turns))
        text = " ".join(
            f"{side}{rng.choice([*PINS])}{rng.choice(HOURS[1:])} {side}" for side in sides
        )
        solution = CLOCK.solve(text)
        assert solution.optimal and solution.cost <= turns
        costs[solution.cost] += 1
    assert costs[turns] > 50


@pytest.mark.slow
def test_every_single_turn_is_undone_by_one() -> None:
    turns = [*product(("", "y2 "), PINS, HOURS[1:])]
    for side, pins, each in Random(1).sample(turns, 40):
        solution = CLOCK.solve(f"{side}{pins}{each}")
        assert solution.cost == 1 and solution.optimal


@pytest.mark.slow
def test_random_states_are_distributed_as_published() -> None:
    rng = Random(7)
    count = 1000
    found = Counter(CLOCK.solve(CLOCK.random_state(rng)).cost for _ in range(count))
    expected = [count * each / 12**14 for each in DISTANCES]
    assert sum(found.values()) == count and max(found) <= 12
    chi = sum((found[n] - expected[n]) ** 2 / expected[n] for n in (8, 9, 10, 11))
    assert chi < 16.3  # exceeded once in a thousand


@pytest.mark.slow
def test_limits_of_turns_are_kept() -> None:
    state = CLOCK.random_state(3)
    cost = CLOCK.solve(state).cost
    assert CLOCK.solve(state, max_length=cost).cost == cost
    with pytest.raises(NoSolutionError):
        CLOCK.solve(state, max_length=cost - 1)


def test_the_fixed_form_is_that_of_scrambles() -> None:
    for seed in range(10):
        state = CLOCK.random_state(seed)
        moves = [*CLOCK.solve(state, method="fixed").moves]
        front, _, back = (" ".join(moves)).partition(" y2 ")
        names = [each.rstrip("0123456789+-") for each in front.split()]
        assert names == [name for name in WCA if name in names]
        names = [each.rstrip("0123456789+-") for each in back.split()]
        assert names == [name for name in WCA[4:] if name in names]


def test_states_are_hours() -> None:
    for seed in range(20):
        state = CLOCK.random_state(seed)
        assert CLOCK.state(CLOCK.positions.to_facelets(state)) == state
    assert CLOCK.state("12 " * 18) == PUZZLE.solved
    assert CLOCK.positions.to_facelets(CLOCK.state("U1+")) == (
        "1 1 1 1 1 1 0 0 0 / 11 0 11 0 0 0 0 0 0"
    )


def test_a_turn_with_an_amount_is_one_move_in_a_list() -> None:
    assert [move.name for move in PUZZLE.turns_of("UR2-")] == ["UR2-"]
    assert len(PUZZLE.turns_of("UR+")) == 11


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 " * 17, "17 hours instead of 18"),
        ("0 " * 17 + "13", "'13' is not an hour: use 0 to 11"),
        ("1" + " 0" * 17, "dial UL of the front shows 1, so dial UR of the back shows 11, not 0"),
    ],
)
def test_wrong_hours_are_named(text: str, said: str) -> None:
    with pytest.raises(StateError, match=said):
        CLOCK.state(text)


def test_halves_of_other_lengths_are_refused() -> None:
    right = [array("i", bytes(4 * n)) for n in (5, 4)], array("q", bytes(8 * HALVES))
    with pytest.raises(ValueError, match="of a side"):
        list_halves(*right[0], False, right[1], array("i", bytes(36)))
    ends = array("i", bytes(40))
    with pytest.raises(ValueError, match="a table of other turns"):
        best_pair(right[1], ends, right[1], ends, bytes(12**5), 9, array("q", bytes(32)))
