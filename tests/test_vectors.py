"""States as named vectors."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit import Frame, Orbit, Puzzle
from puzzlekit.errors import StateError
from puzzlekit.puzzle.position import format_vectors, parse_vectors
from puzzlekit.puzzle.random_states import random_state
from puzzlekit_cubes import cube_puzzle

CUBES = [cube_puzzle("cube2", 2), cube_puzzle("cube3", 3)]
CUBE3 = CUBES[1]

# The check of the model of K. Nishi (2018), S0.
MOVES = "L D2 R U2 L F2 U2 L F2 R2 B2 R U' R' U2 F2 R' D B' F2"
VECTORS = {
    "cp": [4, 3, 2, 1, 6, 5, 7, 0],
    "co": [0, 0, 1, 0, 2, 2, 2, 2],
    "ep": [2, 9, 4, 10, 0, 7, 3, 1, 11, 5, 6, 8],
    "eo": [1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
}
R = {
    "cp": [0, 2, 6, 3, 4, 1, 5, 7],
    "co": [0, 1, 2, 0, 0, 2, 1, 0],
    "ep": [0, 5, 9, 3, 4, 2, 6, 7, 8, 1, 10, 11],
    "eo": [0] * 12,
}


def words(vectors: dict[str, list[int]], form: str = "{} {}", between: str = " ") -> str:
    return between.join(
        form.format(name, " ".join(map(str, numbers))) for name, numbers in vectors.items()
    )


def faults(text: str, puzzle: Puzzle = CUBE3) -> list[str]:
    with pytest.raises(StateError) as caught:
        parse_vectors(puzzle, text)
    return caught.value.faults


@pytest.mark.parametrize(("moves", "vectors"), [(MOVES, VECTORS), ("R", R)])
def test_the_model_of_2018(moves: str, vectors: dict[str, list[int]]) -> None:
    state = CUBE3.apply(CUBE3.solved, CUBE3.moves(moves))
    assert format_vectors(CUBE3, state) == vectors
    assert parse_vectors(CUBE3, words(vectors)) == state


@pytest.mark.parametrize(
    "text",
    [
        words(VECTORS),
        words(VECTORS, "{}={}", "\n"),
        words(VECTORS, "{}: {}", "; "),
        words(VECTORS, "{} = [{}]", "\n"),
        words(dict(reversed(VECTORS.items()))),
        words(VECTORS, "{}({})").replace(" ", ","),
        json.dumps(VECTORS),
        json.dumps(VECTORS, indent=2),
        str(VECTORS),
    ],
)
def test_ways_of_writing(text: str) -> None:
    assert parse_vectors(CUBE3, text) == CUBE3.apply(CUBE3.solved, CUBE3.moves(MOVES))


@given(st.sampled_from(CUBES), st.integers(0, 2**32))
def test_round_trip(puzzle: Puzzle, seed: int) -> None:
    state = random_state(puzzle, Random(seed))
    assert parse_vectors(puzzle, words(format_vectors(puzzle, state))) == state


def test_faults_of_the_text_all_at_once() -> None:
    text = "7 cp 1 2 3 xp 3 co 0 0 1 0 2 2 2 3 ep 1.5 " + words({"ep": [12, *range(1, 12)]})
    assert faults(text) == [
        "number 7 stands before the name of any vector",
        "'1.5' is neither the name of a vector nor a number",
        "vector ep is given twice",
        "unknown vector xp: cube3 has cp, co, ep, eo",
        "vector cp has 3 numbers instead of 8",
        "vector co: 3 at position 8 is not 0 to 2",
        "vector ep: 12 at position 1 is not 0 to 11",
        "vector eo is missing",
    ]


def test_negative_and_huge_numbers() -> None:
    cp, co = [0, 1, 2, 3, 4, 5, 6, -7], [0, 0, 0, 0, 0, 0, 0, 1000]
    assert faults(words({"cp": cp, "co": co}), CUBES[0]) == [
        "vector cp: -7 at position 8 is not 0 to 7",
        "vector co: 1000 at position 8 is not 0 to 2",
    ]


def test_nothing() -> None:
    assert faults("") == [f"vector {name} is missing" for name in ("cp", "co", "ep", "eo")]


def test_faults_of_the_state() -> None:
    bad = {**VECTORS, "co": [0] * 7 + [1], "eo": [0] * 11 + [1], "cp": [0, 0, *range(2, 8)]}
    found = faults(words(bad))
    assert found[:2] == ["corner ULB is there twice: at ULB and at UBR", "corner UBR is missing"]
    assert found[2:] == ["edge DB at DL is flipped"]


def test_frames_may_be_given() -> None:
    frame = Orbit("frame", "center", "A B C", vectors="f")
    dots = Orbit("dots", "dot", "a b c", solved=(2, 2, 4), vectors="d")
    puzzle = Puzzle("dots", "", (frame, dots), {}, (), constraints=(Frame("frame"),))
    assert parse_vectors(puzzle, "d 2 4 2") == bytes([0, 1, 2, 2, 4, 2])
    assert parse_vectors(puzzle, "d 2 4 2 f 0 1 2") == bytes([0, 1, 2, 2, 4, 2])
    assert faults("d 2 4 3", puzzle) == ["vector d: 3 at position 3 is not one of 2, 4"]
