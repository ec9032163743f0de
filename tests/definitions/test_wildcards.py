"""Answers after which some stickers may be wrong, replayed on permutations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from runpy import run_path

import pytest

from puzzlekit import UsageError
from puzzlekit_definitions.generators import allowed_moves, puzzle_info

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
with_wildcards = run_path(str(BENCHMARKS / "wildcards.py"))["with_wildcards"]
FILE = BENCHMARKS / "data" / "santa2023" / "puzzle_info.csv"
KINDS = puzzle_info(FILE.read_text(), "info")

Moves = Mapping[str, Sequence[int]]


def after(state: Sequence[str], path: Sequence[str], moves: Moves) -> list[str]:
    """The stickers after a path, from the permutations alone."""
    found = list(state)
    for name in path:
        if name in moves:
            found = [found[j] for j in moves[name]]
        else:
            before = found[:]
            for i, j in enumerate(moves[name.removeprefix("-")]):
                found[j] = before[i]
    return found


def undone(path: Sequence[str]) -> list[str]:
    return [f"-{name}".removeprefix("--") for name in reversed(path)]


def colours(moves: Moves, faces: int) -> list[str]:
    size = len(next(iter(moves.values())))
    return [str(i * faces // size) for i in range(size)]


@pytest.mark.parametrize("wildcards", [0, 2, 6, 12])
@pytest.mark.parametrize("kind", ["cube_3/3/3", "globe_3/4", "globe_6/4", "wreath_6/6"])
def test_few_enough_stickers_are_wrong(kind: str, wildcards: int) -> None:
    """With no wildcards the result solves the state; it is never longer than the path."""
    moves, rng = allowed_moves(KINDS[kind], kind), Random(f"{kind} {wildcards}")
    names = [*moves, *(f"-{name}" for name in moves)]
    solved = colours(moves, 2 if kind.startswith("wreath") else 6)
    for length in (0, 1, 8, 25):
        path = rng.choices(names, k=length)
        state = after(solved, undone(path), moves)
        found = with_wildcards(moves, state, solved, path, wildcards)
        assert len(found) <= length
        reached = after(state, found, moves)
        assert sum(a != b for a, b in zip(reached, solved, strict=True)) <= wildcards


def test_moves_in_the_middle_are_given_up() -> None:
    """A path permutes three corners in its middle. With wildcards for them, it can do without.

    Without the moves at its end, too many stickers would be wrong.
    """
    moves, rng = allowed_moves(KINDS["cube_3/3/3"], "info"), Random(1)
    names = [*moves, *(f"-{name}" for name in moves)]
    solved = colours(moves, 54)
    swapped = ["-d0", "-f0", "d0", "-f2", "-d0", "f0", "d0", "f2"]
    own = sum(a != b for a, b in zip(after(solved, swapped, moves), solved, strict=True))
    assert own == 9  # three corners
    begin, end = (rng.choices(names, k=6) for _ in range(2))
    path = [*begin, *swapped, *end]
    state = after(solved, undone(path), moves)
    without = with_wildcards(moves, state, solved, path, 0)
    found = with_wildcards(moves, state, solved, path, own)
    assert len(found) <= len(begin) + len(end) < len(without)
    reached = after(state, found, moves)
    assert 0 < sum(a != b for a, b in zip(reached, solved, strict=True)) <= own


def test_too_many_moves_are_refused() -> None:
    swaps = {f"m{i}": [1, 0] for i in range(128)}
    with pytest.raises(UsageError, match="at most 255 moves with their inverses, not 256"):
        with_wildcards(swaps, "BA", "AB", ["m1"], 0)
