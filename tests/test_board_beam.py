"""Short answers on boards of sliding tiles, against breadth-first search and published lengths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from tiles import published

import puzzlekit
from puzzlekit_fifteen import WAYS
from puzzlekit_fifteen.boards import Boards


def carried(rows: int, columns: int, names: str = "DLRU") -> list[list[int]]:
    """The places to which moves carry the blank from each place; -1 off the board."""
    found = []
    for at in range(rows * columns):
        ends = [(at // columns + WAYS[name][0], at % columns + WAYS[name][1]) for name in names]
        inside = [0 <= row < rows and 0 <= column < columns for row, column in ends]
        found.append(
            [
                row * columns + column if here else -1
                for (row, column), here in zip(ends, inside, strict=True)
            ]
        )
    return found


def neighbours(board: bytes, there: Sequence[Sequence[int]]) -> list[bytes]:
    """The boards after each move of the blank, 0."""
    blank, found = board.index(0), []
    for to in there[blank]:
        if to >= 0:
            after = bytearray(board)
            after[blank], after[to] = after[to], 0
            found.append(bytes(after))
    return found


def distances(start: bytes, there: Sequence[Sequence[int]]) -> dict[bytes, int]:
    """The distance of each board from one of them, breadth first."""
    found = {start: 0}
    for board in (queue := [start]):
        for after in neighbours(board, there):
            if after not in found:
                found[after] = found[board] + 1
                queue.append(after)
    return found


@pytest.mark.parametrize("same_hashes", [False, True])
@pytest.mark.parametrize("names", ["DLRU", "LRU", "DR"])
@pytest.mark.parametrize(("rows", "columns", "step"), [(2, 2, 1), (2, 3, 7)])
def test_claims_of_a_beam(
    rows: int, columns: int, step: int, names: str, same_hashes: bool
) -> None:
    """With any width, limit and hashes: answers lead there, and proofs are right."""
    there = carried(rows, columns, names)
    boards = Boards(columns, there, 0)
    if same_hashes:
        boards._random = np.zeros_like(boards._random)
    solved = bytes([*range(1, rows * columns), 0])
    every = [*distances(solved, carried(rows, columns))]
    for number, start in enumerate(every[::step]):
        goal = Random(number).choice(every)
        known = distances(start, there).get(goal)
        assert known is None or boards.bound(start, goal) <= known
        for width, most in ((2, 30), (1000, 30), (1000, 5)):
            found = boards.beam(start, goal, width, most, lambda: False)
            if found.moves is not None:
                assert len(found.moves) <= most and known is not None
                assert boards.walk(start, found.moves)[-1] == goal
                assert len(found.moves) == known or not found.whole
            elif found.whole:
                assert known is None or known > most
            assert found.whole or width < 1000


def test_a_walk_lists_the_boards_between() -> None:
    there = carried(3, 4)
    start = bytes([*range(1, 12), 0])
    walk = Boards(4, there, 0).walk(start, [3, 1, 0, 2])
    assert walk[0] == start and len({*walk}) == 5
    assert all(other in neighbours(one, there) for one, other in pairwise(walk))


def test_few_moves_are_undone_by_no_more() -> None:
    solver = puzzlekit.load("tiles-4x6")
    assert solver.solve(solver.puzzle.solved).cost == 0
    for moves in ("U", "U L", "L U R", "U L U R", "L L U U R R D"):
        found = solver.solve(moves)
        assert found.optimal and found.cost <= len(moves.split())


def test_no_answer_is_longer_than_asked() -> None:
    solver = puzzlekit.load("tiles-5x5")
    with pytest.raises(puzzlekit.NoSolutionError):
        solver.solve("U L U L D R U L", max_length=6)
    state = solver.random_state(1)
    found = solver.solve(state, max_length=160, max_nodes=200_000)
    assert found.verified and found.cost <= 160
    assert found.nodes < 100_000  # it ends with the first answer


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("tiles-6x6", 260), ("tiles-3x7-blank-first", 150)])
def test_random_boards_are_solved(name: str, most: int) -> None:
    solver = puzzlekit.load(name)
    found = solver.solve(solver.random_state(2), max_nodes=300_000)
    assert found.verified and found.cost < most


@pytest.mark.slow
def test_answers_of_the_24_puzzle_are_near_the_published_lengths() -> None:
    solver = puzzlekit.load("tiles-5x5-blank-first")
    total = shortest = 0
    for board, (_, length, *_) in list(published("24-puzzle.txt").items())[:5]:
        found = solver.solve(board, max_nodes=200_000)
        assert found.verified and found.cost >= length and (found.cost - length) % 2 == 0
        total, shortest = total + found.cost, shortest + length
    assert total < 1.15 * shortest
