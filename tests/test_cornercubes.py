"""Dino, Ivy, Redi and Rex Cube, against stickers in space and the numbers known of them."""

from __future__ import annotations

from math import factorial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolving import resolve
from solids import StickerSolid, corner_cube, ivy

import puzzlekit
from puzzlekit import Puzzle, StateError
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit_authoring.checks import Check
from puzzlekit_authoring.run import parametrize_with_checks
from puzzlekit_cornercubes.corner_cube import CORNERS

SOLIDS = {name: corner_cube(name) for name in ("dino", "redi", "rex")} | {"ivy": ivy()}
# For each distance the number of states, however the cube is held: found with turns in space of
# the middles of edges, which share nothing with puzzlekit (see `test_every_state_of_the_dino`).
# Held still, the first six are those of T. Rokicki, twsearch-results, godsnumber/dino-g2.log.
DINO = (1, 16, 160, 1408, 11712, 90912, 640192, 3740838, 11138597, 4313963, 20577, 24)


@pytest.fixture(params=["dino", "ivy", "redi", "rex"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def puzzle_of(name: str) -> Puzzle:
    return puzzlekit.load(name).puzzle


def scramble(solid: StickerSolid, rng: Random, length: int) -> str:
    names = list(solid.turns)
    return " ".join(rng.choice(names) + rng.choice(("", "'", "2")) for _ in range(length))


@pytest.mark.slow
@parametrize_with_checks("dino", "ivy", "redi", "rex", effort="quick")
def test_conformance(check: Check) -> None:
    check()


@settings(max_examples=20)
@given(st.integers(0, 1 << 32), st.integers(0, 40))
def test_sequences_carry_stickers_as_turns_in_space_do(seed: int, length: int) -> None:
    for name, solid in SOLIDS.items():
        solver = puzzlekit.load(name)
        moves = scramble(solid, Random(seed), length)
        shown = solid.replay(solid.solved, moves)
        state = solver.state(moves)
        assert solver.positions.to_facelets(state) == shown
        assert solver.positions.from_facelets(shown) == state
        assert not diagnose(solver.puzzle, state)


def test_every_family_is_a_turn_in_space(name: str) -> None:
    puzzle, solid = puzzle_of(name), SOLIDS[name]
    assert set(puzzle.turns) == set(solid.turns)
    assert name == "ivy" or set(puzzle.turns) == {*CORNERS, *puzzle.rotations}
    assert len(puzzle.whole_rotations) == len(puzzle.solved_states) == (12 if name == "ivy" else 24)
    assert all(puzzle.move(family).order == order for family, order in solid.orders.items())
    solid.check_reflections(puzzle.reflections, [lambda point: (point[2], point[1], point[0])])


@pytest.mark.slow
def test_orders_of_the_groups() -> None:
    """By SymPy's Schreier-Sims, of the turns in space, which carry stickers as our moves do."""
    even = factorial(12) // 2
    orders = {
        "dino": even,
        "redi": 3**8 * even,
        "ivy": 3**4 * 360,
        "rex": even * 360 * even * even,  # as if all petals differed
    }
    for name, order in orders.items():
        rotations = puzzle_of(name).rotations
        assert SOLIDS[name].group_order(rotations) == order


def test_random_states_are_sound(name: str) -> None:
    puzzle, rng = puzzle_of(name), Random(1)
    states = {puzzlekit.load(name).random_state(rng) for _ in range(50)}
    assert len(states) > 45 and not any(diagnose(puzzle, state) for state in states)


def test_petals_of_random_states_are_spread_evenly() -> None:
    solver, rng = puzzlekit.load("rex"), Random(2)
    start = solver.puzzle.offsets["petals"]
    states = [solver.random_state(rng) for _ in range(600)]
    for place in range(start, start + 24):
        counts = [sum(state[place] == colour for state in states) for colour in range(6)]
        assert sum(counts) == 600 and min(counts) > 60 and max(counts) < 140


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dino", "ivy"])
@pytest.mark.parametrize("turn", ["", "first", "last"])
def test_one_move_is_undone_by_one(name: str, turn: str) -> None:
    solver = puzzlekit.load(name)
    rotations = solver.puzzle.rotations
    held = {"": "", "first": rotations[0], "last": f"{rotations[-1]}'"}[turn]
    for family in solver.puzzle.turns:
        cost = int(family not in rotations)
        solution = solver.solve(f"{family} {held}")
        assert solution.length == cost and solution.optimal


@pytest.mark.slow
def test_first_distances_of_the_dino_cube() -> None:
    """As many states as breadth-first search finds, and each answer as long."""
    solver = puzzlekit.load("dino")
    puzzle = solver.puzzle
    moves = puzzle.family_moves("FLBRflbr")

    def held_alike(state: bytes) -> bytes:
        return min(puzzle.relabel(state, held) for held in puzzle.whole_rotations)

    known, fresh = {held_alike(puzzle.solved)}, [puzzle.solved]
    for distance, count in enumerate(DINO[:3]):
        assert len(fresh) == count
        assert {solver.solve(state).length for state in fresh[:40]} == {distance}
        after = {held_alike(puzzle.apply(state, [move])) for state in fresh for move in moves}
        fresh = sorted(after - known)
        known.update(fresh)


@pytest.mark.slow
def test_random_states_are_solved_as_short_as_possible() -> None:
    for name, mean, farthest in (("dino", 7.9, 11), ("redi", 14.0, 17)):
        solver, rng = puzzlekit.load(name), Random(3)
        lengths = []
        for _ in range(20):
            state = solver.random_state(rng)
            solution = solver.solve(state)
            assert solution.optimal and solution.verified
            shown = solver.positions.to_facelets(state)
            assert SOLIDS[name].is_solved(SOLIDS[name].replay(shown, str(solution)))
            lengths.append(solution.length)
        assert abs(sum(lengths) / 20 - mean) < 0.6 and max(lengths) <= farthest


@pytest.mark.slow
def test_the_rex_cube_is_solved() -> None:
    solver, rng = puzzlekit.load("rex"), Random(4)
    for most in (None, 44):
        state = solver.random_state(rng)
        solution = solver.solve(state, max_length=most)
        assert solution.verified and solution.length <= 44
        shown = solver.positions.to_facelets(state)
        assert SOLIDS["rex"].is_solved(SOLIDS["rex"].replay(shown, str(solution)))


@pytest.mark.slow
@pytest.mark.parametrize("symbols", ["WRGYOB", "WRGBOY", "YOGWRB", "123456"])
def test_colours_in_any_holding_and_any_scheme(symbols: str) -> None:
    # A Dino Cube can also be solved with mirrored colours, so its colours must be known.
    for name in ("ivy",) if symbols == "123456" else ("dino", "ivy"):
        solid, solver = SOLIDS[name], puzzlekit.load(name)
        rotations = solver.puzzle.rotations
        moves = "F R' l b" if name == "dino" else "R L' D B"
        shown = solid.replay(solid.solved, f"{moves} {rotations[0]} {rotations[1]}")
        text = shown.translate(str.maketrans("URFDLB", symbols))
        assert solver.solve(text).length == solver.solve(moves).length


@pytest.mark.parametrize(
    ("name", "changes", "faults"),
    [
        ("dino", {0: 1, 1: 0}, ["parity: two edges are exchanged"]),
        ("dino", {12: 1}, ["edge UF is flipped"]),
        ("redi", {16: 1, 17: 0}, ["parity: two edges are exchanged"]),
        ("redi", {28: 1, 30: 1}, ["edge UF is flipped", "edge UB is flipped"]),
        ("rex", {24: 1, 25: 0}, ["parity: two centers are exchanged"]),
        ("rex", {0: 1, 1: 0}, ["parity: two edges are exchanged"]),
        (
            "rex",
            {30: 2, 43: 0},
            [
                "the petals near URF ULB DLF DRB have 1 of U instead of 2",
                "the petals near URF ULB DLF DRB have 3 of F instead of 2",
                "the petals near UFL UBR DFR DBL have 3 of U instead of 2",
                "the petals near UFL UBR DFR DBL have 1 of F instead of 2",
            ],
        ),
        ("ivy", {8: 1, 9: 0}, ["parity: two petals are exchanged"]),
    ],
)
def test_faults_are_named(name: str, changes: dict[int, int], faults: list[str]) -> None:
    solver = puzzlekit.load(name)
    puzzle = solver.puzzle
    state = bytearray(puzzle.solved)
    for byte, value in changes.items():
        state[byte] = value
    assert diagnose(puzzle, bytes(state)) == faults
    for turn in puzzle.rotations:
        held = puzzle.apply(bytes(state), puzzle.moves(turn))
        assert len(diagnose(puzzle, held)) == len(faults)
    with pytest.raises(StateError):
        solver.solve(bytes(state))


@pytest.mark.long
def test_every_state_of_the_dino() -> None:
    """Breadth-first search through 11! / 2 states, with one edge held still."""
    import numpy as np

    edges = [point for point in _grid() if point.count(0) == 1]
    number = {edge: i for i, edge in enumerate(edges)}
    sources = []
    for corner in [point for point in _grid() if 0 not in point]:
        turned = [number[_third(edge, corner)] for edge in edges]
        near = [i for i, e in enumerate(edges) if sum(map(int.__mul__, e, corner)) == 2]
        if 0 in near:  # in place of the layer, everything else is turned back
            move = [turned.index(turned[i] if i in near else i) for i in range(12)]
        else:
            move = [turned[i] if i in near else i for i in range(12)]
        for arrivals in (move, [move[i] for i in move]):
            sources.append([arrivals.index(i) - 1 for i in range(1, 12)])
    bits = np.array([i.bit_count() for i in range(1 << 11)], dtype=np.uint8)

    def rank(states):  # type: ignore[no-untyped-def]
        used, found = np.zeros(len(states), np.uint16), np.zeros(len(states), np.int64)
        for k in range(10):
            bit = np.left_shift(np.uint16(1), states[:, k], dtype=np.uint16)
            found += (states[:, k] - bits[used & (bit - 1)]).astype(np.int64) * factorial(10 - k)
            used |= bit
        return found >> 1

    fresh = np.arange(11, dtype=np.uint8)[None]
    seen = np.zeros(factorial(11) // 2, bool)
    seen[rank(fresh)] = True
    counts = []
    while len(fresh):
        counts.append(len(fresh))
        later = [fresh[:0]]
        for part in np.array_split(fresh, len(fresh) // 500_000 + 1):
            for source in sources:
                states = part[:, source]
                ranks = rank(states)
                new = np.flatnonzero(~seen[ranks])
                own, first = np.unique(ranks[new], return_index=True)
                seen[own] = True
                later.append(states[new[first]])
        fresh = np.concatenate(later)
    assert tuple(counts) == DINO and sum(counts) == 19_958_400


def _grid() -> list[tuple[int, int, int]]:
    return [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]


def _third(point: tuple[int, int, int], corner: tuple[int, int, int]) -> tuple[int, int, int]:
    """A point after a third of a turn about a corner."""
    x, y, z = (a * b for a, b in zip(point, corner, strict=True))
    return z * corner[0], x * corner[1], y * corner[2]


def test_both_halves_of_the_redi_cube_have_one_table() -> None:
    """A half turn about R carries each move to a move, and the upper half to the lower one."""
    solver = puzzlekit.load("redi")
    redi, (phase,) = solver.puzzle, solver.method("optimal").phases
    upper, lower = phase.coordinates[:2], phase.coordinates[2:]
    named = {frozenset(place): move for move, place in CORNERS.items()}
    turned = {
        move: named[frozenset(place.translate(str.maketrans("UDFB", "DUBF")))]
        for move, place in CORNERS.items()
    }
    random = Random(5)
    for _ in range(50):
        word = random.choices([*CORNERS], k=20)
        one = redi.apply(redi.solved, redi.moves(" ".join(word)))
        other = redi.apply(redi.solved, redi.moves(" ".join(turned[move] for move in word)))
        assert [each.rank(one) for each in upper] == [each.rank(other) for each in lower]
    first, second = resolve(redi, phase, solver.metric()).tables
    assert first.key == second.key
