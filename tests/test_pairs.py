"""Pieces in pairs, parities, goals under moves, and distances where a coordinate is not closed."""

from __future__ import annotations

import random
from array import array
from functools import cache
from itertools import permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
from bundled import find
from flat_distances import build_distances
from hypothesis import given
from hypothesis import strategies as st

import puzzlekit
from puzzlekit import (
    Combination,
    Coordinate,
    DeclarationError,
    Metric,
    Move,
    Orbit,
    Puzzle,
    TableStore,
)
from puzzlekit.engine import ranks
from puzzlekit.puzzle.move import Effect, permutation_parity
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_cubes import Pairing, PairSplit, Parity

CUBE4 = puzzlekit.load("cube4")
PUZZLE = CUBE4.puzzle
WINGS = PUZZLE.orbit("wings").places
FIRSTS, SECONDS = WINGS[:12], WINGS[12:]
PAIRS = " ".join(f"{one} {other}" for one, other in zip(FIRSTS, SECONDS, strict=True))
KEEPING = find("cube4", "six-phase", 2)[2]  # the moves that keep first places first

numbers = st.integers(0, 2**32)


def with_wings(labels: list[int]) -> bytes:
    start = PUZZLE.offsets["wings"]
    return PUZZLE.solved[:start] + bytes(labels) + PUZZLE.solved[start + 24 :]


def kept(seed: int) -> bytes:
    """A state with one wing of each dedge at a first place, some pairs exchanged."""
    rng = random.Random(seed)
    first, second, exchanged = list(range(12)), list(range(12)), rng.choices((0, 1), k=12)
    rng.shuffle(first)
    rng.shuffle(second)
    labels = [i + 12 * exchanged[i] for i in first] + [i + 12 - 12 * exchanged[i] for i in second]
    return with_wings(labels)


def pairing_of(state: bytes) -> list[int]:
    """For each first place the number of the second place with the partner; plainly."""
    labels = PUZZLE.labels(state, PUZZLE.orbit("wings"))
    return [[label % 12 for label in labels[12:]].index(label % 12) for label in labels[:12]]


def by_engine(coordinate: Coordinate, state: bytes) -> int:
    assert coordinate.program is not None
    return ranks.rank(array("i", coordinate.program), state)


MIDDLE = " ".join(FIRSTS[:4])
OUTER = " ".join(FIRSTS[4:])
ALL = Pairing("all", PUZZLE, "wings", PAIRS)
SOME = Pairing("some", PUZZLE, "wings", PAIRS, at=MIDDLE)
WITHIN = Pairing("within", PUZZLE, "wings", PAIRS, within=OUTER)
SPLIT = PairSplit("split", PUZZLE, "wings", PAIRS)
WING_PARITY = Parity("wings", PUZZLE, "wings")
BOTH = Parity("both", PUZZLE, "corners", plus=Parity("dedges", PUZZLE, "wings", pairs=PAIRS))


# --- what the coordinates say -------------------------------------------------------------------


@given(seed=numbers)
def test_pairing_tells_where_partners_are(seed: int) -> None:
    state = kept(seed)
    partners = pairing_of(state)
    order = [partners[:4], partners]
    for coordinate, expected in zip((SOME, ALL), order, strict=True):
        vector = coordinate.unrank(coordinate.rank(state))
        seconds = [vector[j] for j in coordinate.reads[12:]]
        found = [seconds.index(vector[j] + 12) for j in coordinate.reads[: len(expected)]]
        assert found == expected
        assert by_engine(coordinate, state) == coordinate.rank(state)


@given(seed=numbers, picked=st.permutations(range(24)))
def test_pair_split_is_what_it_says(seed: int, picked: list[int]) -> None:
    for state in (kept(seed), with_wings(picked)):
        labels = PUZZLE.labels(state, PUZZLE.orbit("wings"))[:12]
        if len({label % 12 for label in labels}) < 12:
            expected = 2
        else:
            expected = sum(label >= 12 for label in labels) % 2
        assert SPLIT.rank(state) == expected == by_engine(SPLIT, state)


@given(picked=st.permutations(range(24)), corners=st.permutations(range(8)))
def test_parity_is_that_of_the_permutation(picked: list[int], corners: list[int]) -> None:
    state = bytes(corners) + with_wings(picked)[8:]
    assert WING_PARITY.rank(state) == permutation_parity(picked) == by_engine(WING_PARITY, state)
    dedges = [label % 12 for label in picked[:12]]
    if len(set(dedges)) == 12:
        expected = permutation_parity(corners) ^ permutation_parity(dedges)
        assert BOTH.rank(state) == expected == by_engine(BOTH, state)
    else:
        assert BOTH.rank(state) == -1 == by_engine(BOTH, state)


@given(seed=numbers)
def test_wing_parity_is_that_of_the_pairing_and_the_flips(seed: int) -> None:
    """With one wing of each dedge in each class."""
    state = kept(seed)
    flips = SPLIT.rank(state)
    assert WING_PARITY.rank(state) == permutation_parity(pairing_of(state)) ^ flips


def test_where_pairs_are_not_split_there_is_no_pairing() -> None:
    labels = list(range(24))
    labels[0], labels[13] = labels[13], labels[0]  # both wings of pair 1 at first places
    for coordinate in (ALL, SOME):
        assert coordinate.rank(with_wings(labels)) == -1
        assert by_engine(coordinate, with_wings(labels)) == -1
    assert SPLIT.rank(with_wings(labels)) == 2


def test_partners_within_are_to_be_found_within() -> None:
    labels = list(range(24))
    labels[12], labels[16] = labels[16], labels[12]
    assert ALL.rank(with_wings(labels)) >= 0
    assert WITHIN.rank(with_wings(labels)) == -1 == by_engine(WITHIN, with_wings(labels))


@given(seed=numbers, path=st.lists(st.sampled_from(KEEPING), max_size=20))
def test_moves_act_on_the_pairing_from_both_sides(seed: int, path: list[Move]) -> None:
    """p becomes L^-1 p H: where the first places come from, p, where the second ones go."""
    state = kept(seed)
    start = PUZZLE.offsets["wings"]
    for move in path:
        expected = pairing_of(state)
        source = [move.gather[start + i] - start for i in range(24)]
        arrival = {old - 12: new for new, old in enumerate(source[12:])}
        expected = [arrival[expected[source[i]]] for i in range(12)]
        state = PUZZLE.apply(state, [move])
        assert pairing_of(state) == expected


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Pairing("p", PUZZLE, "wings", " ".join(WINGS[:3])), "two places each"),
        (lambda: PairSplit("p", PUZZLE, "wings", " ".join(WINGS[:2])), "two pairs or more"),
        (lambda: Pairing("p", PUZZLE, "wings", PAIRS, at=SECONDS[0]).size, "the first place"),
        (lambda: Pairing("p", PUZZLE, "wings", PAIRS, OUTER, FIRSTS[0]).size, "within"),
        (lambda: Parity("p", PUZZLE, "centers").reads, "same label"),
        (lambda: list(SOME.passages([PUZZLE.move("R")])), "first places"),
        (lambda: list(SPLIT.passages([PUZZLE.move("R")])), "not closed"),
    ],
)
def test_mistakes_in_a_declaration_are_named(make: Any, problem: str) -> None:
    with pytest.raises(DeclarationError, match=problem):
        make()


# --- how they are run ---------------------------------------------------------------------------


def test_which_coordinates_are_tabulated() -> None:
    _, gather, moves = find("cube4", "six-phase", 0)
    assert not is_tabulated(gather.coordinates[0], moves)  # 735,471 x 27: too large
    assert not is_tabulated(SOME, KEEPING)  # not closed
    assert not is_tabulated(SPLIT, find("cube4", "six-phase", 1)[2])
    reducing = find("cube4", "six-phase", 3)[2]
    assert is_tabulated(WITHIN, reducing)
    assert is_tabulated(SOME, reducing)  # the middle dedges stay in the middle
    assert is_tabulated(BOTH, reducing)


@cache
def states_of_pairing(limit: int) -> list[set[tuple[int, ...]]]:
    """Pairings by their distance from all paired, under the moves that keep classes."""
    start = PUZZLE.offsets["wings"]
    acts = []
    for move in KEEPING:
        source = [move.gather[start + i] - start for i in range(24)]
        arrival = {old - 12: new for new, old in enumerate(source[12:])}
        acts.append((source[:12], [arrival[i] for i in range(12)]))
    levels = [{tuple(range(12))}]
    seen = set(levels[0])
    for _ in range(limit):
        fresh = {
            tuple(arrival[p[i]] for i in source) for p in levels[-1] for source, arrival in acts
        }
        levels.append(fresh - seen)
        seen |= fresh
    return levels


def test_pairings_by_depth() -> None:
    """The published beginning of the distribution over the 239,500,800 even pairings."""
    assert [len(level) for level in states_of_pairing(5)] == [1, 3, 20, 140, 1141, 8059]


def test_distances_of_a_projection_never_exceed_the_true_ones() -> None:
    moves = find("cube4", "six-phase", 2)[2]
    distances = build_distances(TableStore(), [SOME], moves, [1] * len(moves))
    for depth, level in enumerate(states_of_pairing(4)):
        for p in level:
            assert distances[SOME.rank(paired(p))] <= depth
    assert distances[SOME.rank(PUZZLE.solved)] == 0
    assert (distances == 0).sum() == 1
    assert UNREACHED not in distances


def paired(p: tuple[int, ...]) -> bytes:
    """A state with that pairing."""
    labels = list(range(24))
    for i, second in enumerate(p):
        labels[12 + second] = 12 + i
    return with_wings(labels)


@given(seed=numbers, move=st.sampled_from(KEEPING))
def test_a_passage_holds_every_true_step(seed: int, move: Move) -> None:
    ((before, after),) = SOME.passages([move])
    state = kept(seed)
    reached = PUZZLE.apply(state, [move])
    assert before[SOME.rank(state)] == after[SOME.rank(reached)]


def toy() -> tuple[Puzzle, list[Move]]:
    """Five pairs in two rows: each row can be turned about, and two places of it swapped."""
    rows = [list(range(5)), list(range(5, 10))]

    def effect(row: int, cycle: list[int]) -> Effect:
        gather = list(range(10))
        for old, new in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            gather[rows[row][new]] = rows[row][old]
        return bytes(gather), bytes(10)

    turns = {
        "a": effect(0, [0, 1, 2, 3, 4]),
        "b": effect(1, [0, 1]),
        "c": effect(1, [1, 2, 3]),
    }
    orbit = Orbit("tiles", "tile", "A B C D E F G H I J")
    metric = Metric("moves", "moves", dict.fromkeys(turns, 1))
    puzzle = Puzzle("rows", "two rows", (orbit,), turns, (metric,))
    return puzzle, list(puzzle.family_moves(turns))


@pytest.mark.slow
@pytest.mark.parametrize("costs", [[1] * 7, [2, 1, 3, 1, 2, 1, 1]])
def test_relaxed_distances_are_those_of_the_graph_of_all_that_may_happen(costs: list[int]) -> None:
    """Against a search by hand over full pairings, of which only two places are known."""
    puzzle, moves = toy()
    known = Pairing("known", puzzle, "tiles", "A F B G C H D I E J", at="A B")
    whole = Pairing("whole", puzzle, "tiles", "A F B G C H D I E J")
    assert not known.closed_under(moves)
    true = build_distances(TableStore(), [whole], moves, costs)
    relaxed = build_distances(TableStore(), [known], moves, costs)

    # Bellman and Ford over ranks: an edge to all that agree with the places known after a move.
    states = [paired_rows(p) for p in permutations(range(5))]
    edges = set()
    for state in states:
        for move, cost in zip(moves, costs, strict=True):
            moved = partners(puzzle.apply(state, [move]))
            kept = [i for i in (0, 1) if move.gather[i] in (0, 1)]
            edges |= {
                (known.rank(state), known.rank(other), cost)
                for other in states
                if all(partners(other)[i] == moved[i] for i in kept)
            }
    expected = [99] * known.size
    expected[known.rank(puzzle.solved)] = 0
    for _ in range(known.size):
        for here, there, cost in edges:
            expected[here] = min(expected[here], expected[there] + cost)
    assert relaxed.tolist() == expected
    assert all(relaxed[known.rank(state)] <= true[whole.rank(state)] for state in states)
    assert any(relaxed[known.rank(state)] > 0 for state in states)


def partners(state: bytes) -> list[int]:
    return [[label % 5 for label in state[5:]].index(label % 5) for label in state[:5]]


def paired_rows(p: tuple[int, ...]) -> bytes:
    return bytes(range(5)) + bytes(5 + p.index(second) for second in range(5))


# --- goals --------------------------------------------------------------------------------------


def count_goals(number: int, name: str) -> int:
    _, phase, _ = find("cube4", "six-phase", number)
    coordinate = next(each for each in phase.coordinates if each.name == name)
    return int((goal_flags(TableStore(), coordinate, phase.kept(PUZZLE)) > 0).sum())


def test_goals_are_what_the_goal_moves_make_of_the_solved_state() -> None:
    assert count_goals(1, "rl") == 12  # of 70 arrangements, under the moves of the next phase
    assert count_goals(1, "fb-faces") == 1
    assert count_goals(2, "rl") == count_goals(2, "fb") == 6
    assert count_goals(2, "middle") == 1
    # One wing of the dedge at a first place, the other at a second one.
    dedge = find("cube4", "six-phase", 1)[1].coordinates[2]
    assert dedge.size == comb(24, 2)
    flags = goal_flags(TableStore(), dedge, KEEPING)
    for index in range(dedge.size):
        vector = dedge.unrank(index)
        occupied = [i for i, j in enumerate(dedge.reads) if vector[j] != 127]
        assert flags[index] == (occupied[0] < 12 <= occupied[1])


@pytest.mark.slow
def test_how_rare_the_goal_of_the_second_phase_is() -> None:
    """One random state in 1,320.4 has its pairs split and an even number of flips."""
    share = factorial(12) ** 2 * 2**12 / factorial(24) / 2
    assert 1 / share == pytest.approx(1320.4, abs=0.05)
    rng = np.random.default_rng(1)
    labels = np.argsort(rng.random((400_000, 24)), axis=1)
    start = PUZZLE.offsets["wings"]
    vector = {start + i: labels[:, i] for i in range(24)}
    found = int((SPLIT.rank(vector) == 0).sum())
    expected = 400_000 * share
    assert abs(found - expected) < 4 * expected**0.5
    # The parity of the wings is even in half of these.
    even = int(((SPLIT.rank(vector) == 0) & (WING_PARITY.rank(vector) == 0)).sum())
    assert abs(even - expected / 2) < 4 * (expected / 2) ** 0.5


def test_centers_of_the_last_reduction_phases() -> None:
    """29,400 classes up to exchanging U with D together with F with B, none farther than 10."""
    parts = find("cube4", "six-phase", 3)[1].coordinates[:3]
    moves = find("cube4", "six-phase", 2)[2]
    distances = build_distances(TableStore(), parts, moves, [1] * len(moves)).reshape(70, 70, 70)
    assert (distances < UNREACHED).sum() == 58_800
    # Exchanging two colours turns a combination into its complement.
    other = {each.name: complement(each) for each in parts}
    assert list(other) == ["ud", "fb", "rl"]
    exchanged = distances[other["ud"]][:, other["fb"]]
    nearest = np.minimum(distances, exchanged)
    reached = nearest[nearest < UNREACHED]
    assert len(reached) == 58_800
    assert reached.max() == 10


def complement(coordinate: Coordinate) -> Any:
    assert isinstance(coordinate, Combination)
    vector = coordinate.unrank(np.arange(coordinate.size))
    label = PUZZLE.orbit("centers").solved[CENTER_OF[coordinate.name]]
    swapped = {j: np.where(values == label, 127, label) for j, values in vector.items()}
    return coordinate.rank(swapped)


CENTER_OF = {
    name: next(i for i, place in enumerate(PUZZLE.orbit("centers").places) if place[0] == face)
    for name, face in (("rl", "R"), ("fb", "F"), ("ud", "U"))
}


def test_centers_of_the_phase_before_are_at_most_9_moves_away() -> None:
    """Whichever of the two other colour pairs comes to F and B: 12,870 / 2 x 70 states."""
    _, phase, moves = find("cube4", "six-phase", 1)
    parts = phase.coordinates[:2]
    kept = phase.kept(PUZZLE)
    distances = build_distances(TableStore(), parts, moves, [1] * len(moves), kept)
    grid = distances.reshape(parts[0].size, parts[1].size)
    assert grid.shape == (12_870, 70)
    places = parts[0].reads
    vector = parts[0].unrank(np.arange(12_870))
    front = PUZZLE.orbit("centers").solved[CENTER_OF["fb"]]
    swapped = {j: np.where(vector[j] == front, 127, front) for j in places}
    nearest = np.minimum(grid, grid[parts[0].rank(swapped)])
    assert nearest.max() == 9
