"""Pieces whose orientations form any group, solved by words of three pieces."""

from __future__ import annotations

import runpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest
from test_proving import needs_compiler

import puzzlekit
from puzzlekit import (
    Metric,
    NoSolutionError,
    Orbit,
    Puzzle,
    Solver,
    TableStore,
    universal_method,
)
from puzzlekit_authoring.engines import interpreted
from puzzlekit_definitions import parse_definition
from puzzlekit_puzzlegeometry.cuts import cut
from puzzlekit_universal import Universal
from puzzlekit_universal.by_pieces import PieceSearch
from puzzlekit_universal.engine.piece_beam import PieceBeam, PieceWords
from puzzlekit_universal.engine.word_moves import Moves
from puzzlekit_universal.piece_cycles import FAR, Kind, cycles_of
from puzzlekit_universal.places import Places

EXAMPLE = Path(__file__).parents[2] / "examples" / "definitions" / "hypercube.py"


def hypercube() -> Puzzle:
    """The 2x2x2x2 with twists about faces of three cells: stickers, of which 48 move."""
    moves = runpy.run_path(str(EXAMPLE))["moves"](2, "RUF", "faces")
    moves = {name: row for name, row in moves.items() if not name.endswith("2")}
    moved = [i for i in range(64) if any(row[i] != i for row in moves.values())]
    turns = {
        name + "_": (bytes(moved.index(row[i]) for i in moved), bytes(len(moved)))
        for name, row in moves.items()
    }
    orbit = Orbit("stickers", "sticker", tuple(f"s{i}" for i in moved))
    return Puzzle("tesseract", "A", (orbit,), turns, (Metric("T", "", dict.fromkeys(turns, 1)),))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> TableStore:
    return TableStore(str(tmp_path_factory.mktemp("tables")))


@pytest.fixture(scope="module")
def kinds(store: TableStore) -> tuple[Places, list[Kind]]:
    puzzle = hypercube()
    places = Places.of(puzzle, puzzle.metrics[0])
    found = cycles_of(places, store, 100_000)
    assert found is not None
    return places, found


@pytest.mark.slow
def test_every_word_does_what_its_key_says(kinds: tuple[Places, list[Kind]]) -> None:
    places, (kind,) = kinds
    assert kind.poses == 12  # A4
    assert (kind.product != kind.product.T).any()
    known = np.flatnonzero(kind.cost < FAR)
    for key in Random(1).sample(known.tolist(), 300):
        word = kind.words[key, : kind.length[key]].tolist()
        assert kind.keys_of([bytes(word)]) == [key]
        assert sum(places.costs[move] for move in word) == kind.cost[key]


@pytest.mark.slow
def test_pieces_of_any_group_are_solved_in_few_moves(
    store: TableStore, kinds: tuple[Places, list[Kind]]
) -> None:
    puzzle = kinds[0].puzzle
    method = universal_method(puzzle, Universal(effort=100_000))
    solver = Solver(puzzle, [method], store)
    moves = puzzle.family_moves(puzzle.turns)
    for seed in (0, 2):
        state = puzzle.apply(puzzle.solved, Random(seed).choices(moves, k=60))
        found = solver.solve(state, max_length=120)
        assert found.verified and found.length > 20


@pytest.mark.slow
def test_a_state_that_no_moves_reach_spoils_no_later_answer(
    store: TableStore, kinds: tuple[Places, list[Kind]]
) -> None:
    puzzle = kinds[0].puzzle
    solver = Solver(puzzle, [universal_method(puzzle, Universal(effort=100_000))], store)
    parted = bytearray(puzzle.solved)
    parted[0], parted[-1] = parted[-1], parted[0]
    with pytest.raises(NoSolutionError):
        solver.solve(bytes(parted))
    state = puzzle.apply(puzzle.solved, Random(0).choices(puzzle.family_moves(puzzle.turns), k=60))
    assert solver.solve(state, max_length=120).verified


@pytest.mark.slow
def test_the_weight_tells_solved_states_and_odd_permutations(
    kinds: tuple[Places, list[Kind]],
) -> None:
    places, (kind,) = kinds
    (own,) = PieceSearch(places, [kind]).words
    solved = bytes([*range(kind.size), *bytes(kind.size)])
    rng, moves = Random(3), range(len(places.costs))
    for _ in range(50):
        word = bytes(rng.choices(moves, k=rng.randint(0, 6)))
        at, by = kind.after(np.arange(kind.size), np.zeros(kind.size, int), word)
        weight = own.weight(solved, word)
        assert own.weight(bytes([*at, *by]), b"") == weight
        assert (weight == 0) == (at.tolist() == list(range(kind.size)) and not by.any())
        cycles, left = 0, set(range(kind.size))
        while left:
            place, cycles = left.pop(), cycles + 1
            while (place := int(at[place])) in left:
                left.remove(place)
        assert weight % 2 == (kind.size - cycles) % 2


def test_every_cycle_of_many_swapped_pieces_is_compared() -> None:
    """Fifty swaps: each of 100 pieces makes a 3-cycle with its partner and with any other one."""
    size = 100
    swap = [1, 0, *range(2, size)]
    moves = Moves([1] * size, swap, [0] * size, [1], [0], [-2], [1])
    none = bytes([FAR]) * (size**3 // 3 + size**2)
    places, one = bytes(swap), bytes(1)
    kind = size, 1, size**3 // 3, places, bytes(size), one, one, [0] * size**3
    own = PieceWords(*kind, none, FAR, none, 1, 1, bytes(range(size)))
    swaps = bytes(i ^ 1 for i in range(size)) + bytes(size)
    beam = PieceBeam(moves, own, swaps, [], [b""], 1, 1, 1)
    assert beam.run(1) == 0 and beam.work == size * (size - 2)


def searched(puzzle: Puzzle, kinds: list[Kind], state: bytes) -> tuple[list[bytes], int]:
    """Return the answers of narrow beams, which are checked, and their work."""
    places = Places.of(puzzle, puzzle.metrics[0])  # makes the engine
    search = PieceSearch(places, kinds)
    seen = search.seen(state)
    assert seen is not None
    pairs = list(zip(search.words, seen, strict=True))
    starts = [b"", *(bytes([move]) for move in range(len(places.costs)))]
    words = [each for each in starts if not any(own.weight(at, each) % 2 for own, at in pairs)]
    for number in range(len(kinds)):
        words = search.solved(number, seen, words, 2, 3, lambda: False)
    for word in words:
        assert puzzle.apply(state, places.named(word)) == puzzle.solved
    return words, search.work


@pytest.mark.slow
def test_the_engine_is_the_same_compiled_and_interpreted(
    kinds: tuple[Places, list[Kind]],
) -> None:
    puzzle, own = kinds[0].puzzle, kinds[1]
    moves = puzzle.family_moves(puzzle.turns)
    state = puzzle.apply(puzzle.solved, Random(1).choices(moves, k=4))

    usual = searched(puzzle, own, state)
    assert usual[0]
    with interpreted():
        assert searched(puzzle, own, state) == usual


@pytest.mark.slow
@needs_compiler
def test_searches_with_a_limit_of_nodes_are_equal_alone_and_in_threads(
    store: TableStore, kinds: tuple[Places, list[Kind]]
) -> None:
    puzzle = kinds[0].puzzle
    solver = Solver(puzzle, [universal_method(puzzle, Universal(effort=100_000))], store)
    moves = puzzle.family_moves(puzzle.turns)
    states = [puzzle.apply(puzzle.solved, Random(i).choices(moves, k=60)) for i in (0, 3)]

    def searched(state: bytes) -> tuple[str, int]:
        found = solver.solve(state, max_nodes=6_000_000)
        return str(found), found.nodes

    alone = list(map(searched, states))
    assert list(map(searched, states)) == alone
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(searched, 2 * states)) == 2 * alone


@pytest.mark.slow
@needs_compiler
def test_beams_in_threads_share_no_scratch(kinds: tuple[Places, list[Kind]]) -> None:
    puzzle, search = kinds[0].puzzle, PieceSearch(*kinds)
    moves = puzzle.family_moves(puzzle.turns)
    states = [puzzle.apply(puzzle.solved, Random(i).choices(moves, k=60)) for i in (0, 3)]
    starts = [b"", *(bytes([move]) for move in range(len(kinds[0].costs)))]

    def solved(state: bytes) -> list[bytes]:
        seen = search.seen(state)
        assert seen is not None
        even = [word for word in starts if not search.words[0].weight(seen[0], word) % 2]
        return search.solved(0, seen, even, 10, 0, lambda: False)

    alone = list(map(solved, states))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(solved, 4 * states)) == 4 * alone


@pytest.mark.slow
def test_a_word_of_any_length_begins_a_search(kinds: tuple[Places, list[Kind]]) -> None:
    places, own = kinds
    search = PieceSearch(places, own)
    start = bytes(Random(5).choices(range(len(places.costs)), k=600))
    solved = places.puzzle.solved
    seen = search.seen(solved)
    assert seen is not None
    if search.words[0].weight(seen[0], start) % 2:
        start += start[:1]
    found = search.solved(0, seen, [start], 2, 0, lambda: False)
    assert found
    for word in found:
        assert places.puzzle.apply(solved, places.named(word)) == solved


@pytest.mark.slow
@needs_compiler
def test_kinds_with_dear_words_are_solved_before_those_with_cheap_ones(store: TableStore) -> None:
    crystal = parse_definition(cut("d f 0.4472135954999579").to_json(), "json", store=store)
    places = Places.of(crystal.puzzle, crystal.puzzle.metrics[0])
    found = cycles_of(places, store, 100_000)
    # Four moves permute three edges and nothing else; no short ones do so with corners.
    assert found is not None and [kind.size for kind in found] == [20, 30]
    method = universal_method(crystal.puzzle, Universal(effort=100_000))
    solver = Solver(crystal.puzzle, [method], store)
    answer = solver.solve(crystal.random_state(1), max_nodes=4_000_000)
    assert answer.verified and answer.length < 180


@pytest.mark.slow
def test_words_for_all_kinds_at_once_are_kept_where_no_order_makes_them_cheaper(
    store: TableStore,
) -> None:
    cube = puzzlekit.load("cube3").puzzle
    turned = parse_definition(cut("c f 0.3333333333333333").to_json(), "json", store=store).puzzle
    for puzzle in (cube, turned):
        assert cycles_of(Places.of(puzzle, puzzle.metrics[0]), store, 100_000) is None


@pytest.fixture(scope="module")
def octahedron(store: TableStore) -> tuple[Places, list[Kind]]:
    """An FTO: two kinds of twelve triangles, each with three of four colours."""
    puzzle = puzzlekit.load("fto").puzzle
    places = Places.of(puzzle, puzzle.metrics[0])
    found = cycles_of(places, store, 100_000)
    assert found is not None
    return places, found


@pytest.mark.slow
@needs_compiler
def test_kinds_with_alike_pieces_are_solved_in_few_moves(
    store: TableStore, octahedron: tuple[Places, list[Kind]]
) -> None:
    puzzle = octahedron[0].puzzle
    solver = Solver(puzzle, [universal_method(puzzle, Universal(effort=100_000))], store)
    moves = puzzle.family_moves(puzzle.turns)
    for seed in range(3):
        state = puzzle.apply(puzzle.solved, Random(seed).choices(moves, k=60))
        found = solver.solve(state, max_nodes=4_000_000)
        # Mixed words of all kinds take about 200 moves at first, and 75 after five seconds.
        assert found.verified and found.length < 65


@pytest.mark.slow
def test_the_weight_is_nothing_only_if_each_place_has_an_alike_piece(
    octahedron: tuple[Places, list[Kind]],
) -> None:
    places, kinds = octahedron
    search, rng = PieceSearch(places, kinds), Random(1)
    ends = np.cumsum(places.modulus)
    for kind, words in zip(kinds, search.words, strict=True):
        homes = np.searchsorted(ends, [home[0] for home in kind.homes], "right")
        labels = [places.wanted[home] for home in homes]
        if len(set(labels)) == kind.size:
            continue
        for count in (0, 2, 3, 12):
            for _ in range(50):
                at = list(range(kind.size))
                for _ in range(count):
                    i, j = rng.sample(at, 2)
                    # Half of the exchanges change only what the pieces are called.
                    if rng.random() < 0.5 or labels[at[i]] == labels[at[j]]:
                        at[i], at[j] = at[j], at[i]
                wrong = sum(labels[piece] != label for piece, label in zip(at, labels, strict=True))
                weight = words.weight(bytes([*at, *bytes(kind.size)]), b"")
                assert weight % 4 == 0 and wrong / 3 <= weight / 4 <= wrong / 2


@pytest.mark.slow
def test_pieces_at_places_of_another_kind_are_seen(octahedron: tuple[Places, list[Kind]]) -> None:
    places, kinds = octahedron
    puzzle, search = places.puzzle, PieceSearch(places, kinds)
    one, other = (puzzle.offsets[name] for name in ("u-triangles", "r-triangles"))
    state = bytearray(puzzle.solved)
    state[one], state[other + 3] = state[other + 3], state[one]
    assert search.seen(bytes(state)) is None
    # An exchange of alike pieces, which is nothing, is no fault; nor is one of others.
    state = bytearray(puzzle.solved)
    state[one], state[one + 3] = state[one + 3], state[one]
    seen = search.seen(bytes(state))
    assert seen is not None
    assert sorted(
        words.weight(own, b"") for words, own in zip(search.words, seen, strict=True)
    ) == [0, 0, 0, 4]


@pytest.mark.slow
def test_alike_pieces_are_solved_the_same_compiled_and_interpreted(
    octahedron: tuple[Places, list[Kind]],
) -> None:
    puzzle, kinds = octahedron[0].puzzle, octahedron[1]
    state = puzzle.apply(puzzle.solved, Random(1).choices(puzzle.family_moves(puzzle.turns), k=4))

    usual = searched(puzzle, kinds, state)
    assert usual[0]
    with interpreted():
        assert searched(puzzle, kinds, state) == usual


@pytest.mark.slow
@needs_compiler
def test_the_last_kind_has_long_words_if_no_short_ones_keep_all_others(store: TableStore) -> None:
    # A deep cut dodecahedron: each turn of a vertex moves half of all pieces.
    chop = parse_definition(cut("d v 0").to_json(), "json", store=store)
    places = Places.of(chop.puzzle, chop.puzzle.metrics[0])
    found = cycles_of(places, store, 100_000)
    assert found is not None
    assert found[-1].size == 60 and found[-1].length.max() > 24
    method = universal_method(chop.puzzle, Universal(effort=100_000))
    solver = Solver(chop.puzzle, [method], store)
    answer = solver.solve(chop.random_state(1), max_nodes=4_000_000)
    assert answer.verified and answer.length < 750
