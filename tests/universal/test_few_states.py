"""Kinds of pieces that a table of all their states solves, and puzzles that need it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from test_proving import needs_compiler

from puzzlekit import Solver, TableStore, universal_method
from puzzlekit_definitions import parse_definition
from puzzlekit_puzzlegeometry.cuts import cut
from puzzlekit_universal import Universal
from puzzlekit_universal.few_states import FewStates
from puzzlekit_universal.piece_cycles import Kind, cycles_of, kinds_of
from puzzlekit_universal.places import Places

RING = """Name Ring
Set BEADS 6 1
Solved
BEADS
1 1 2 2 3 3
End
Move A
BEADS
4 1 2 3 5 6
End
Move B
BEADS
1 2 6 3 4 5
End
"""


def distances(places: Places, bytes_: list[int]) -> dict[bytes, int]:
    """Return the number of moves from the solved puzzle to each state of some bytes."""
    puzzle = places.puzzle
    found, fresh = {bytes(puzzle.solved[i] for i in bytes_): 0}, [puzzle.solved]
    for state in fresh:  # grows during the loop
        depth = found[bytes(state[i] for i in bytes_)]
        for move in places.moves:
            after = puzzle.apply(state, [move])
            if (key := bytes(after[i] for i in bytes_)) not in found:
                found[key] = depth + 1
                fresh.append(after)
    return found


def few_of(places: Places, sizes: tuple[int, ...]) -> tuple[list[Kind], FewStates]:
    kinds = [kind for kind in kinds_of(places) if kind.size in sizes]
    for kind in kinds:
        kind.clear()
    return kinds, FewStates(kinds, [kind.labels(places) for kind in kinds])


@pytest.mark.parametrize("sizes", [(4, 3), (6,)])
def test_words_have_the_fewest_moves(sizes: tuple[int, ...]) -> None:
    if sizes == (6,):
        puzzle = parse_definition(RING, "tws").puzzle
    else:  # the corners of a Skewb: 8,748 states with one of them held
        puzzle = parse_definition(cut("c v 0").to_json(), "json").puzzle
    places = Places.of(puzzle, puzzle.metrics[0])
    kinds, few = few_of(places, sizes)
    orbits = [orbit for orbit in puzzle.orbits if orbit.size in sizes]
    own = [
        puzzle.offsets[orbit.name] + i
        for orbit in orbits
        for i in range(orbit.size * (1 + (orbit.orientations > 1)))
    ]
    known = distances(places, own)
    assert len(known) == (60 if sizes == (6,) else 8748)
    assert few.fill(len(known)) and len(few) == len(known)
    rng, still = Random(1), [(np.arange(kind.size), np.zeros(kind.size, int)) for kind in kinds]
    for _ in range(20):
        mixed = bytes(rng.choices(range(len(places.moves)), k=20))
        state = puzzle.apply(puzzle.solved, places.named(mixed))
        pairs = zip(kinds, still, strict=True)
        seen = [bytes(np.concatenate(kind.after(*home, mixed)).tolist()) for kind, home in pairs]
        words = [b"", *(bytes(rng.choices(range(len(places.moves)), k=n)) for n in (1, 3, 7))]
        for word, found in zip(words, few.solved(seen, words, rng), strict=True):
            assert found.startswith(word)
            before = puzzle.apply(state, places.named(word))
            assert len(found) - len(word) == known[bytes(before[i] for i in own)]
            after = puzzle.apply(state, places.named(found))
            assert all(after[i] == puzzle.solved[i] for i in own)


def test_too_many_states_are_none() -> None:
    puzzle = parse_definition(RING, "tws").puzzle
    kinds, few = few_of(Places.of(puzzle, puzzle.metrics[0]), (6,))
    assert not few.fill(59) and not len(few)
    every = FewStates(kinds, [range(6)])  # no two pieces alike: PGL(2, 5)
    assert every.fill(120) and len(every) == 120


@pytest.mark.slow
@needs_compiler
def test_kinds_without_words_are_solved_first(tmp_path: object) -> None:
    # Each 3-cycle of four corners of a Master Skewb turns one of the other four.
    store = TableStore(str(tmp_path))
    skewb = parse_definition(cut("c v 0.275").to_json(), "json", store=store)
    places = Places.of(skewb.puzzle, skewb.puzzle.metrics[0])
    found = cycles_of(places, store, 100_000)
    assert found is not None and [kind.size for kind in found[:2]] == [4, 4]
    assert [kind.has_words for kind in found] == 2 * [False] + 4 * [True]
    method = universal_method(skewb.puzzle, Universal(effort=100_000))
    solver = Solver(skewb.puzzle, [method], store)
    for seed in range(2):
        answer = solver.solve(skewb.random_state(seed), max_nodes=12_000_000, max_length=139)
        # Words that keep all other pieces take about 210 moves after five seconds.
        assert answer.verified and answer.length <= 139
