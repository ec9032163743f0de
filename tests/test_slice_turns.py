"""Searches in STM on the 3x3x3, against a search that knows only stickers."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest
from bundled import StickerCube
from click.testing import CliRunner

import puzzlekit
from puzzlekit import Solver
from puzzlekit.cli import main

STICKERS = StickerCube(3)
TURNS = [f"{family}{suffix}" for family in "URFDLBMES" for suffix in ("", "2", "'")]
CENTERS = range(4, 54, 9)
# Positions at each distance in STM, up to rotations, as published by many.
COUNTS = (1, 27, 501, 9_175)


def sources(moves: str) -> tuple[int, ...]:
    """Where the sticker at each place comes from."""
    numbers = "".join(map(chr, range(54)))
    return tuple(map(ord, STICKERS.replay(numbers, moves)))


MOVES = [sources(turn) for turn in TURNS]
HELD = [sources(f"{tilt} {spin}") for tilt, spin in product(
    ("", "x", "x2", "x'", "z", "z'"), ("", "y", "y2", "y'")
)]  # fmt: skip


def turned(stickers: str, source: tuple[int, ...]) -> str:
    return "".join(map(stickers.__getitem__, source))


def at_rest(stickers: str) -> str:
    """The same cube, held so that its centers are at home."""
    return turned(stickers, _hold("".join(stickers[i] for i in CENTERS)))


@cache
def _hold(centers: str) -> tuple[int, ...]:
    around = list(" " * 54)
    for place, symbol in zip(CENTERS, centers, strict=True):
        around[place] = symbol
    return next(
        held for held in HELD if [turned("".join(around), held)[i] for i in CENTERS] == [*"URFDLB"]
    )


def spheres(start: str, depth: int) -> list[set[str]]:
    """The positions at each distance from one."""
    found = [{at_rest(start)}]
    seen = set(found[0])
    for _ in range(depth):
        after = {at_rest(turned(each, move)) for each in found[-1] for move in MOVES} - seen
        seen |= after
        found.append(after)
    return found


@pytest.fixture(scope="module")
def near() -> dict[str, int]:
    """The distance of every position of at most three turns."""
    found = spheres(STICKERS.solved, 3)
    assert tuple(map(len, found)) == COUNTS
    return {each: distance for distance, sphere in enumerate(found) for each in sphere}


def distance(near: dict[str, int], stickers: str) -> int | None:
    """The distance of a position; None if it is more than six."""
    for more, sphere in enumerate(spheres(stickers, 3)):
        if known := [near[each] for each in sphere if each in near]:
            return more + min(known)
    return None


def check(solver: Solver, method: str, near: dict[str, int], scramble: str) -> None:
    stickers = STICKERS.replay(STICKERS.solved, scramble)
    wanted = distance(near, stickers)
    answer = solver.solve(scramble, method=method, metric="STM", max_nodes=300_000_000)
    after = STICKERS.replay(stickers, str(answer))
    assert at_rest(after) == STICKERS.solved
    assert answer.metric == "STM" and answer.lengths["STM"] == answer.cost
    assert answer.cost == len([move for move in answer.moves if move[0] not in "xyz"])
    assert not answer.steps
    if wanted is not None:
        assert answer.cost == wanted if answer.optimal else answer.cost >= wanted
    if method == "optimal":
        assert answer.optimal and (wanted is not None or answer.cost > 6)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optimal", "two-phase"])
def test_answers_are_as_short_as_a_search_over_stickers(near: dict[str, int], method: str) -> None:
    solver = puzzlekit.load("cube3")
    rng = Random(5)
    for length in (1, 2, 3, 4, 5, 5, 6, 6):
        check(solver, method, near, " ".join(rng.choice(TURNS) for _ in range(length)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scramble", "length"),
    [("M", 1), ("R L'", 1), ("Rw", 1), ("M E S", 3), ("M2 E2 S2", 3), ("x M' U y", 2)],
)
def test_slice_turns_count_one(scramble: str, length: int) -> None:
    asked = ["solve", "-p", "cube3", scramble, "--metric", "STM", "--method", "optimal"]
    found = CliRunner().invoke(main, asked)
    assert f"length    {length} STM" in found.output and "(optimal in STM)" in found.output
    listed = CliRunner().invoke(main, [*asked, "--all"])
    assert listed.exit_code == 0 and f"// {length} STM" in listed.output
