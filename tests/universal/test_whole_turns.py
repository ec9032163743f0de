"""Products of parallel moves that act nearly like a turn of the whole puzzle."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from engines import plain

import puzzlekit
import puzzlekit_universal.engine  # noqa: F401  (so that its modules are among the installed ones)
from puzzlekit import TableStore
from puzzlekit_authoring.engines import installed
from puzzlekit_universal.engine.word_sizes import ROOM
from puzzlekit_universal.places import Places
from puzzlekit_universal.whole_turns import whole_turns
from puzzlekit_universal.word_library import WordLibrary


def places_of(name: str) -> Places:
    puzzle = puzzlekit.load(name).puzzle
    return Places.of(puzzle, puzzle.metrics[0])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parallel"), [("cube3", "R L"), ("cube5", "Rw Lw")])
def test_two_opposite_turns_turn_a_cube(name: str, parallel: str) -> None:
    """All but the middle layer turn. Then moves of U do nearly what moves of F did, or of B."""
    places = places_of(name)
    names = [move.name for move in places.moves]
    right, left = parallel.split()
    turn = next(
        each
        for each in whole_turns(places, 100)
        if {names[move] for move in each.word} == {right, f"{left}'"}
    )
    became = {names[move]: names[other] for move, other in enumerate(turn.becomes)}
    assert {became["U"], became["D"]} == {"F", "B"}
    assert {became["F"], became["B"]} == {"U", "D"}
    assert became["R"] == "R"


def test_no_parallel_moves_turn_nothing() -> None:
    """On a 2x2x2 with one corner in place, no two moves commute."""
    assert whole_turns(places_of("cube2"), 100) == []


@pytest.mark.slow
def test_commutators_of_a_missing_layer_permute_three_pieces() -> None:
    """The middle layer of the 5x5x5 turns, then three moves, then both are undone."""
    places = places_of("cube5")
    moves = range(len(places.moves))
    turn = whole_turns(places, 1)[0]
    undone = bytes(places.inverses[move] for move in reversed(turn.word))
    least = len(places.modulus)
    for one, other in product(moves, moves):
        word = bytes([one, other, places.inverses[one]])
        back = bytes(places.inverses[turn.becomes[move]] for move in reversed(word))
        at = list(range(len(places.modulus)))
        for move in turn.word + word + undone + back:
            at = [places.targets[move][place] for place in at]
        changed = sum(place != to for place, to in enumerate(at))
        least = min(least, changed or least)
    assert least == 3


@pytest.mark.slow
def test_no_words_are_sought_for_pieces_of_which_no_three_move_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The middle pieces of the faces of a 5x5x5 turn together, and words solve all others."""
    called = []

    def counted(self: WordLibrary, library: object, *args: Any) -> int:
        called.append(args)
        return offered(self, library, *args)

    offered: Any = WordLibrary._commutators
    monkeypatch.setattr(WordLibrary, "_commutators", counted)
    places = places_of("cube5")
    library = WordLibrary(places, TableStore(str(tmp_path)), 100_000)
    assert len(called) == 3  # the first step of twelve
    solved = {place for block in library.blocks for place in block.places}
    assert len(places.modulus) - len(solved) == 6


@pytest.mark.slow
def test_the_nearest_turns_are_found_alone() -> None:
    places = places_of("cube4")
    every = whole_turns(places, 1000)
    assert len(every) > 20
    for most in (1, 5, 20):
        assert whole_turns(places, most) == every[:most]


@pytest.mark.parametrize("made", [plain(), installed()])
def test_words_with_turns_around_are_offered_as_any_others(made: SimpleNamespace) -> None:
    """Of random words A B A' C of 3-cycles, the same ones are kept, whatever moves become."""
    n, m, rng = 9, 2, Random(3)
    cycles = sum((own * m) ** 2 for own in range(n))
    targets, turns = [], []
    for _ in range(5):
        a, b, c = rng.sample(range(n), 3)
        by = rng.randrange(m)
        for ways in ({a: b, b: c, c: a}, {b: a, c: b, a: c}):
            targets += [ways.get(place, place) for place in range(n)]
            turned = (a, b) if ways[a] == b else (b, c)
            turns += [by * (place in turned) for place in range(n)]
    inverses = [move ^ 1 for move in range(10)]
    moves = made.Moves([m] * n, targets, turns, [1] * 10, inverses, [-1] * 100, [False] * 100)
    words = [bytearray((cycles + n * n * m) * 48 + 1) for _ in range(2)]
    rows = [(0, n, m, 0, cycles, 48)]
    one, other = (made.Library(moves, [0] * n, rows, 1, own) for own in words)
    for _ in range(1000):
        around, length = rng.randint(1, 2), rng.randint(1, 3)
        first, *seconds = (bytes(rng.choices(range(10), k=k)) for k in (around, *[length] * 3))
        becomes = bytes(range(10)) if rng.random() < 0.5 else bytes(rng.choices(range(10), k=10))
        undone = bytes(move ^ 1 for move in reversed(first))
        lasts = [bytes(becomes[move] ^ 1 for move in reversed(second)) for second in seconds]
        every = zip(seconds, lasts, strict=True)
        kept = sum(other.offer(first + second + undone + last) for second, last in every)
        assert one.turned(first, becomes, b"".join(seconds), length) == kept
    assert words[0] == words[1] and any(words[0])
    assert not one.turned(bytes(ROOM), bytes(range(10)), bytes(1), 1)  # no place in the buffer
