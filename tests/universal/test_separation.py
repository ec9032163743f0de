"""Words of 3-cycles that are made of two words with one place in common, and their library."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path

import pytest
from engines import plain

from puzzlekit import Solver
from puzzlekit.search.universal import universal_method
from puzzlekit.tables.store import TableStore
from puzzlekit_definitions import parse_definition
from puzzlekit_definitions.load import DefinedSolver
from puzzlekit_universal.places import Places
from puzzlekit_universal.separation import Separation
from puzzlekit_universal.strategy import Universal
from puzzlekit_universal.word_library import WordLibrary

_ORBITS, _SIZE = 4, 17  # orbits, and places of each


def layered(root: Path) -> DefinedSolver:
    """A puzzle whose moves A to D turn all orbits alike. Each other move turns one orbit alone.

    No move turns only the first orbit, like the middle edges of a large dodecahedron.
    """
    still = list(range(_SIZE))
    alone = [*still[1:], 0]
    names = [f"P{number}" for number in range(_ORBITS)]
    moves = []
    for name, start in zip("ABCD", range(0, _SIZE - 1, 4), strict=True):
        turned = [*still[:start], *still[start + 1 : start + 5], start, *still[start + 5 :]]
        moves.append((name, dict.fromkeys(names, turned)))
    moves += [(f"L{name}", {name: alone}) for name in names[1:]]
    lines = [f"Set {name} {_SIZE} 1" for name in names] + ["Solved"]
    for name in names:
        lines += [name, " ".join(str(i + 1) for i in still)]
    lines += ["End"]
    for move, images in moves:
        lines += [f"Move {move}"]
        for name, own in images.items():
            lines += [name, " ".join(str(i + 1) for i in own)]
        lines += ["End"]
    return parse_definition("\n".join(lines), "tws", store=TableStore(str(root)))


def test_words_permute_three_pieces_of_the_orbit_alone(tmp_path: Path) -> None:
    puzzle = layered(tmp_path).puzzle
    places = Places.of(puzzle, puzzle.metrics[0])
    words = Separation(places, 0).found(2_000_000, 100, 5)
    assert 1 <= len(words) <= 5
    assert words == sorted(words, key=lambda word: (len(word), word))
    for word in words:
        at, _ = places.engine.after(range(_SIZE * _ORBITS), [0] * _SIZE * _ORBITS, word)
        wrong = [place for place, label in enumerate(at) if label != place]
        assert len(wrong) == 3 and max(wrong) < _SIZE
        assert len(word) <= 100
    assert not Separation(places, 0).found(2_000_000, len(words[0]) - 1, 5)


@pytest.mark.slow
def test_an_orbit_that_no_move_turns_alone_is_solved(tmp_path: Path) -> None:
    """Only the first orbit has long words, so only its slots in the library are long."""
    known = layered(tmp_path)
    places = Places.of(known.puzzle, known.puzzle.metrics[0])
    library = WordLibrary(places, known.store, 3000)
    assert [len(block.places) for block in library.blocks] == [_SIZE] * _ORBITS
    method = universal_method(known.puzzle, Universal(seconds=0.05, effort=3000, starts=2))
    solver = Solver(known.puzzle, [method], known.store)
    for seed in range(3):
        assert solver.solve(solver.random_state(seed)).verified


def test_each_cycle_has_one_key() -> None:
    n, m, slots = 5, 3, 1
    cycles = sum((own * m) ** 2 for own in range(n))
    engine = plain()
    still = list(range(n))
    moves = engine.Moves([m] * n, still, [0] * n, [1], [0], [-2], [True])
    rows = [(0, n, m, 0, cycles, 48)]
    library = engine.Library(moves, [0] * n, rows, slots, bytearray((cycles + n * n * m) * 48 + 1))
    keys: dict[int, set[tuple[tuple[int, int, int], ...]]] = {}
    for (a, b, c), (t, u) in product(permutations(still, 3), product(range(m), repeat=2)):
        v = (2 * m - t - u) % m
        effect = tuple(sorted(((a, b, t), (b, c, u), (c, a, v))))
        keys.setdefault(library._cycle(a, b, c, t, u), set()).add(effect)
    assert len(keys) == n * (n - 1) * (n - 2) // 3 * m**2
    assert all(len(effects) == 1 for effects in keys.values())
    assert 0 <= min(keys) <= max(keys) < cycles
