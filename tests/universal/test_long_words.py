"""Long words of 3-cycles, for puzzles whose moves all change many pieces."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from test_proving import needs_compiler

from puzzlekit import Solver, TableStore, universal_method
from puzzlekit_definitions import parse_definition
from puzzlekit_universal import Universal
from puzzlekit_universal.long_words import long_words
from puzzlekit_universal.piece_cycles import FAR, cycles_of, kinds_of
from puzzlekit_universal.places import Places, products_of

pytestmark = [pytest.mark.slow, needs_compiler]


def two_circles() -> str:
    """Two of the five orbits of a Starcopter: two circles share 2 of 8 places, and 8 of 37."""
    still = range(1, 38)
    orbits = {
        "Pentagons": ([*still[:8]], [5, 1, 2, 3, 4, 6, 7, 8], [1, 2, 3, 5, 6, 7, 8, 4]),
        "Points": (
            [*still],
            [*still[20:25], *still[:20], *still[25:]],
            [*still[:17], 24, 25, 22, 23, 27, 28, 26, *range(29, 38), 18, 20, 21, 19],
        ),
    }
    lines = [f"Set {name} {len(rows[0])} 1" for name, rows in orbits.items()]
    for number, head in enumerate(("Solved", "Move L", "Move R")):
        lines.append(head)
        for name, rows in orbits.items():
            lines += [name, " ".join(map(str, rows[number]))]
        lines.append("End")
    return "\n".join(["Name Circles", *lines, ""])


@pytest.fixture(scope="module")
def places() -> Places:
    puzzle = parse_definition(two_circles(), "tws").puzzle
    return Places.of(puzzle, puzzle.metrics[0])


def test_words_permute_three_pieces_and_keep_the_other_kind(places: Places) -> None:
    puzzle, kinds = places.puzzle, kinds_of(places)
    products = products_of(places.images, places.costs)
    words = long_words(places, kinds, *products)
    assert words == sorted(words, key=lambda word: (len(word), word)) and len(words[0]) <= 16
    for word in words:
        after = puzzle.apply(puzzle.solved, places.named(word))
        assert after[:8] == puzzle.solved[:8]
        changed = [i for i in range(8, 45) if after[i] != puzzle.solved[i]]
        assert len(changed) == 3
        undone = bytes(places.inverses[move] for move in reversed(word))
        assert undone in words
    # The pentagons alone: no word needs to keep the points.
    (shortest, *_) = long_words(places, kinds[:1], *products)
    assert len(shortest) < 16


def test_small_kinds_come_first_and_others_have_long_words(
    places: Places, tmp_path: object
) -> None:
    kinds = cycles_of(places, TableStore(str(tmp_path)), 100_000)
    assert kinds is not None
    assert [(kind.size, kind.has_words) for kind in kinds] == [(8, False), (37, True)]
    points = kinds[1]
    known = np.flatnonzero(points.cost < FAR)
    assert len(known) >= points.twists
    for key in Random(1).sample(known.tolist(), 100):
        word = bytes(points.words[key, : points.length[key]].tolist())
        assert points.keys_of([word]) == [key] and kinds[0].keys_of([word]) == [-2]
        assert len(word) == points.cost[key]
    # The same from the store.
    again = cycles_of(places, TableStore(str(tmp_path)), 100_000)
    assert again is not None and (again[1].table == points.table).all()


def test_answers_are_shorter_than_with_words_that_keep_all_others(tmp_path: object) -> None:
    store = TableStore(str(tmp_path))
    solver = parse_definition(two_circles(), "tws", store=store)
    method = universal_method(solver.puzzle, Universal(effort=100_000))
    for seed in range(2):
        found = Solver(solver.puzzle, [method], store).solve(
            solver.random_state(seed), max_nodes=40_000_000, max_length=339
        )
        # Words that keep all other pieces take about 620 at first, and 374 after three seconds.
        assert found.verified and found.length <= 339
