"""The face-turning octahedron, against numbers known of it and against counts of its own."""

from __future__ import annotations

import random
from math import factorial

import pytest
from sympy.combinatorics import Permutation, PermutationGroup

import puzzlekit
from puzzlekit import Move, StateError
from puzzlekit.engine.automaton import redundancy_automaton
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.net import facelets
from puzzlekit.search.move_order import pairs_of
from puzzlekit_fto.coordinates import Pairs, least_cycles
from puzzlekit_fto.octahedron import FACES, OTHERS, UPRIGHT
from puzzlekit_fto.strategy import exchanged, exchanged_moves

SOLVER = puzzlekit.load("fto")
PUZZLE = SOLVER.puzzle
TURNS = PUZZLE.family_moves(FACES)


def scrambled(seed: int, moves: int = 40) -> bytes:
    return PUZZLE.apply(PUZZLE.solved, random.Random(seed).choices(TURNS, k=moves))


def test_every_family_turns_thirds() -> None:
    assert {move.order for move in PUZZLE.family_moves(PUZZLE.turns)} == {3}
    assert len(PUZZLE.whole_rotations) == 12 == len(PUZZLE.solved_states)
    state = scrambled(7)
    opposite = dict(U="D", F="B", R="BL", L="BR")
    for face, other in (opposite | {each: face for face, each in opposite.items()}).items():
        wide = PUZZLE.apply(state, PUZZLE.moves(f"{face}w"))
        assert wide == PUZZLE.apply(state, PUZZLE.moves(f"{face} 2{face}"))
        assert wide == PUZZLE.apply(state, PUZZLE.moves(f"{other} {face}v"))


def test_u_carries_the_stickers_of_r_to_l_of_l_to_b_and_of_b_to_r() -> None:
    before, after = (facelets(PUZZLE, SOLVER.state(text)) for text in ("", "U"))
    turned = {(one, other) for one, other in zip(before, after, strict=True) if one != other}
    assert turned == {("R", "B"), ("L", "R"), ("B", "L"), ("F", "X"), ("X", "Z"), ("Z", "F")}


@pytest.mark.slow
def test_the_number_of_states() -> None:
    """31,408,133,379,194,880,000,000, of which 229,920,768,000 without triangles."""
    # Where each sticker comes from tells alike triangles apart.
    moves = [Permutation(arrivals_of(PUZZLE.move(face))) for face in FACES]
    half = factorial(12) // 2
    corners_and_edges = factorial(6) // 2 * 2**5 * half
    assert corners_and_edges // 12 == 229_920_768_000
    whole = PermutationGroup(moves).order()
    assert whole == corners_and_edges * half**2
    alike = 6**4 // 2  # even exchanges of alike triangles of one orbit
    assert whole // alike**2 // 12 == 31_408_133_379_194_880_000_000


def arrivals_of(move: Move) -> list[int]:
    """The facelet to which a move carries each sticker."""
    assert PUZZLE.layout is not None
    found = [*range(72)]
    for orbit in PUZZLE.orbits:
        start, places = PUZZLE.offsets[orbit.name], PUZZLE.layout.places[orbit.name]
        for at, place in enumerate(places):
            twist = move.add[start + orbit.size + at] if orbit.orientations > 1 else 0
            for k, facelet in enumerate(places[move.gather[start + at] - start]):
                found[facelet] = place[(k + twist) % len(place)]
    return found


def test_sequences_and_states_near_the_solved_one() -> None:
    """5,808,384 states are six moves away (twips), as many as there are canonical sequences."""
    automaton = redundancy_automaton(pairs_of(PUZZLE, TURNS, (1,) * len(TURNS)))
    now = {0: 1}
    counts = []
    for _ in range(6):
        after: dict[int, int] = {}
        for state, ways in now.items():
            for _, reached in automaton[state]:
                after[reached] = after.get(reached, 0) + ways
        now = after
        counts.append(sum(now.values()))
    assert counts == [16, 208, 2_688, 34_752, 449_280, 5_808_384]
    layer = seen = {PUZZLE.solved}
    for count in counts[:3]:
        layer = {PUZZLE.apply(state, (move,)) for state in layer for move in TURNS} - seen
        seen = seen | layer
        assert len(layer) == count


def test_turns_of_four_faces_are_those_of_a_pyraminx() -> None:
    """They carry corners along with the triangles beside them, so they pair and part none."""
    (reduction, _) = SOLVER.methods
    assert reduction.phases[2].pruning_tables[0].coordinates == "corners half-turns face-turns"
    pairs = Pairs("pairs", PUZZLE, "r-triangles")
    rng = random.Random(1)
    state, last = PUZZLE.solved, 0
    seen = set()
    for _ in range(3000):
        move = rng.choice(TURNS)
        state = PUZZLE.apply(state, [move])
        value = pairs.rank(state)
        assert abs(value - last) <= (move.family in OTHERS)
        seen.add(value)
        last = value
    assert {3, 4, 5} <= seen and max(least_cycles()) == 6
    for move in rng.choices(PUZZLE.family_moves(UPRIGHT), k=100):
        state = PUZZLE.apply(state, [move])
        assert pairs.rank(state) == last


def test_a_quarter_turn_about_a_vertex_exchanges_both_fours() -> None:
    undone = exchanged_moves(PUZZLE)
    names = {after.family: before.family for after, before in undone.items()}
    assert set(names) == set(names.values()) == set(FACES)
    assert all((after in UPRIGHT) != (before in UPRIGHT) for after, before in names.items())
    turned = {before: after for after, before in undone.items()}
    assert exchanged(PUZZLE, PUZZLE.solved) == PUZZLE.solved
    for seed in range(20):
        moves = random.Random(seed).choices(TURNS, k=30)
        state = PUZZLE.apply(PUZZLE.solved, moves)
        image = PUZZLE.apply(PUZZLE.solved, [turned[move] for move in moves])
        assert exchanged(PUZZLE, state) == image


def test_reflections_are_what_a_mirror_shows() -> None:
    (mirror,) = PUZZLE.reflections
    assert mirror["U"] == ("U", -1) and mirror["BRw"] == ("BLw", -1) and mirror["Lv"] == ("Rv", -1)


def test_stickers_in_any_holding_and_any_colours() -> None:
    state = scrambled(3)
    for symbols in ("WRGPYBSO", "12345678"):
        for turn in ("", "Uv", "Lv Fv'"):
            held = PUZZLE.apply(state, PUZZLE.moves(turn))
            text = facelets(PUZZLE, held).translate(str.maketrans("URFLDBXZ", symbols))
            read = SOLVER.state(text)
            assert any(PUZZLE.relabel(read, each) == held for each in PUZZLE.whole_rotations)
    assert SOLVER.state(facelets(PUZZLE, state)) == state


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({0: 1, 1: 0}, "parity: two corners are exchanged"),
        ({12: 1, 13: 0}, "parity: two edges are exchanged"),
        ({6: 2}, "corner"),
        ({6: 1, 7: 3}, "corner twist: UBXR at UBXR is turned by a quarter turn"),
    ],
)
def test_faults_are_named(changes: dict[int, int], fault: str) -> None:
    state = bytearray(PUZZLE.solved)
    for byte, value in changes.items():
        state[byte] = value
    assert any(fault in each for each in map(str, diagnose(PUZZLE, bytes(state))))


def test_a_triangle_of_another_colour_is_a_fault() -> None:
    text = facelets(PUZZLE, PUZZLE.solved)
    at = PUZZLE.layout.places["u-triangles"][0][0]  # type: ignore[union-attr]
    other = PUZZLE.layout.places["r-triangles"][0][0]  # type: ignore[union-attr]
    stickers = [*text]
    stickers[at], stickers[other] = stickers[other], stickers[at]
    with pytest.raises(StateError):
        SOLVER.state("".join(stickers))


@pytest.mark.slow
def test_shortest_answers_of_short_scrambles() -> None:
    for seed in range(12):
        length = 1 + seed % 7
        moves = random.Random(seed).choices(TURNS, k=length)
        found = SOLVER.solve(" ".join(move.name for move in moves), method="optimal")
        assert found.optimal and found.length <= length
    for move in TURNS:
        assert str(SOLVER.solve(move.name, method="optimal")) == PUZZLE.inverse(move).name
    for state in PUZZLE.solved_states:
        assert SOLVER.solve(state, method="optimal").length == 0


@pytest.mark.slow
def test_random_states_are_solved_in_turns_of_faces() -> None:
    for seed in range(2):
        solution = SOLVER.solve(SOLVER.random_state(seed), max_length=30)
        assert 18 <= solution.length <= 30 and solution.verified
        assert {move.rstrip("'") for move in solution.moves} <= set(FACES)
        assert [phase.name for phase in solution.phases] == ["face", "pair", "finish"]
    assert str(SOLVER.solve("U R'")) == "R U'" and SOLVER.solve("Uv Rv'").length == 0
