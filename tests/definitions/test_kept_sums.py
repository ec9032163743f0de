"""Sums that moves keep, and linked parts: what a phase has to see so that the next one goes on."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import product
from math import exp
from random import Random

import attrs
import pytest

import puzzlekit
from puzzlekit import Coordinate, Metric, Move, Orbit, Puzzle
from puzzlekit.engine.ranks import rank
from puzzlekit.puzzle.groups import parts_of
from puzzlekit.puzzle.move import Effect
from puzzlekit_beam.symmetries import directions_of
from puzzlekit_definitions.basic_moves import symmetric_families
from puzzlekit_definitions.links import linked_parts
from puzzlekit_definitions.phases import Subgroup
from puzzlekit_definitions.sums import Lattice, kept_sums
from puzzlekit_steps import EachSolvableBy
from puzzlekit_steps.bundles import bundles_of

pytestmark = pytest.mark.quick

CUBE3 = puzzlekit.load("cube3").puzzle


def random_puzzle(rng: Random, alike: bool) -> Puzzle:
    """Return a puzzle with two orbits of tokens, the second of which turn, and four moves."""
    ring = [0, 0, 1, 1] if alike else [0, 1, 2, 3]
    orbits = (
        Orbit("tokens", "token", "A B C D", 1, tuple(ring)),
        Orbit("coins", "coin", "E F G", orientations=2),
    )
    turns: dict[str, Effect] = {}
    while len(turns) < 4:
        gather = [*range(4), *range(4, 7), *range(7, 10)]
        add = [0] * 10
        if rng.random() < 0.8:
            places = rng.sample(range(4), rng.choice([2, 3, 4, 4]))
            for one, other in zip(places, places[1:] + places[:1], strict=True):
                gather[one] = other
        if rng.random() < 0.8:
            coins = rng.sample(range(4, 7), rng.choice([2, 3]))
            for one, other in zip(coins, coins[1:] + coins[:1], strict=True):
                gather[one], gather[one + 3] = other, other + 3
            add[7:] = rng.choices([0, 1], k=3) if rng.random() < 0.5 else [0, 0, 0]
        if gather != [*range(10)] or any(add):
            turns["PQRS"[len(turns)]] = bytes(gather), bytes(add)
    return Puzzle("random", "Random", orbits, turns, (Metric("m", "m", dict.fromkeys(turns, 1)),))


def reached(puzzle: Puzzle, moves: Sequence[Move]) -> set[bytes]:
    """Return the states that moves reach."""
    found = {puzzle.solved}
    fresh = [puzzle.solved]
    for state in fresh:
        for move in moves:
            after = puzzle.apply(state, [move])
            if after not in found:
                found.add(after)
                fresh.append(after)
    return found


def ranked(coordinate: Coordinate, state: bytes) -> int:
    """Return the value of a coordinate, and check that the engine computes the same one."""
    program = coordinate.engine_program
    assert program is not None
    value = int(coordinate.rank(state))
    assert rank(array("i", program), state) == value
    return value


@pytest.mark.parametrize("seed", range(20))
def test_weighted_sums_tell_which_vectors_are_in_a_lattice(seed: int) -> None:
    rng = Random(seed)
    moduli = [rng.choice([2, 2, 3, 4, 6]) for _ in range(3)]
    rows = [[rng.randrange(modulus) for modulus in moduli] for _ in range(rng.randrange(3))]
    lattice = Lattice(rows, moduli)
    tests = list(lattice.tests)
    count = 0
    for vector in product(*map(range, moduli)):
        fits = all(
            sum(w * number for w, number in zip(weights, vector, strict=True)) % modulus == 0
            for weights, modulus in tests
        )
        assert fits == (vector in lattice)
        count += fits
    assert count * lattice.index == moduli[0] * moduli[1] * moduli[2]


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_states_of_a_phase_are_counted_as_listed(seed: int, alike: bool) -> None:
    puzzle = random_puzzle(Random(seed), alike)
    every = puzzle.family_moves("PQRS")
    own = puzzle.family_moves("PQ"[: 1 + seed % 2])
    first, last = (Subgroup(puzzle, moves, len(moves)) for moves in (every, own))
    sums = list(kept_sums(puzzle, every, own))
    solvable = EachSolvableBy(" ".join(move.name for move in own)).test(puzzle)
    states, ends = reached(puzzle, every), reached(puzzle, own)
    for each in sums:
        assert {ranked(each, state) for state in states} == {*range(each.size)}
        assert all(ranked(each, state) in each.goals for state in ends)
        assert all(each.rank(each.unrank(value)) == value for value in range(each.size))
    seen = [s for s in states if solvable(s) and all(e.rank(s) in e.goals for e in sums)]
    assert ends <= {*seen}
    if round(exp(first.states)) == len(states):  # the moves reach all that sums allow
        factor = last.unseen + first.hidden(last)
        assert len(seen) / len(ends) <= exp(factor) * 1.001
        turned = any(part.turned for part in parts_of(puzzle, every))
        if not turned and not alike and not bundles_of(puzzle):
            assert len(seen) / len(ends) == pytest.approx(exp(factor))


def test_parities_of_two_orbits_are_one_sum() -> None:
    moves = CUBE3.family_moves("URFDLB")
    (twist,) = kept_sums(CUBE3, CUBE3.family_moves("URFDLBM"), moves)
    assert (twist.size, twist.modulus) == (2, 2)
    assert {each.orbit for each in twist.summands} == {"corners", "edges"}
    assert list(kept_sums(CUBE3, moves, CUBE3.moves("U D R2 L2 F2 B2"))) == []
    rng = Random(1)
    for _ in range(20):
        done = rng.choices(CUBE3.family_moves("URFDLBM"), k=9)
        odd = sum(move.family == "M" and move.amount % 2 for move in done) % 2
        assert ranked(twist, CUBE3.apply(CUBE3.solved, done)) == odd


def test_tetrads_of_the_3x3x3_are_linked() -> None:
    """Half turns reach 96 of the 40,320 orders of the corners: 24 * 24 / 6."""
    half = CUBE3.moves("U2 D2 R2 L2 F2 B2")
    links = list(linked_parts(CUBE3, half))
    corners = next(each for each in links if each.places[-1] < 8)
    assert corners.size == 96 + 1
    assert not list(linked_parts(CUBE3, CUBE3.family_moves("URFDLB")))
    rng = Random(2)
    for link in links:
        assert all(link.rank(link.unrank(value)) == value for value in range(link.size))
        for _ in range(30):
            state = CUBE3.apply(CUBE3.solved, rng.choices(half, k=20))
            assert ranked(link, state) in link.goals
    swapped = bytearray(CUBE3.solved)
    one, other = corners.places[0], corners.places[1]
    swapped[one], swapped[other] = swapped[other], swapped[one]
    assert ranked(corners, bytes(swapped)) == corners.size - 1


def test_directions_of_a_puzzle_with_alike_pieces() -> None:
    layers = tuple(place // 4 for place in range(12))  # edges of U, D and between
    orbits = [attrs.evolve(o, solved=layers) if o.name == "edges" else o for o in CUBE3.orbits]
    turns = {family: CUBE3.turns[family] for family in "URFDLB"}
    metric = Metric("m", "m", dict.fromkeys(turns, 1))
    puzzle = Puzzle("layers", "Layers", tuple(orbits), turns, (metric,))
    moves = puzzle.family_moves("URFDLB")
    found = directions_of(puzzle, moves, [1] * len(moves))
    assert len(found) == 8  # those of the axis of U and D; pieces alike cannot be inverted
    done = Random(3).choices(moves, k=8)
    state = puzzle.apply(puzzle.solved, done)
    for each in found:
        ahead = {move: image for image, move in each.back.items()}
        seen = puzzle.apply(puzzle.solved, [ahead[move] for move in done])
        assert each.see(puzzle, state) == seen


def test_slices_that_break_symmetries_are_left_out() -> None:
    cube4 = puzzlekit.load("cube4").puzzle
    wide = [f"{face}w" for face in "URFDLB"]
    faces = [*"URFDLB", *wide]
    slices = [family for family in cube4.turns if family not in (*faces, *cube4.rotations)][:1]
    assert sorted(symmetric_families(cube4, [*faces, *slices])) == sorted(faces)
    assert symmetric_families(CUBE3, "URF") == ["U", "R", "F"]
