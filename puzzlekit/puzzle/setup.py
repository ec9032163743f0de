"""Compute the moves that lead to a state from the moves that solve it."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.puzzle.move import Move, act
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["setup_moves"]


def setup_moves(puzzle: Puzzle, state: bytes, moves: Sequence[Move]) -> tuple[Move, ...] | None:
    """Return moves that lead from the solved puzzle, held in the standard way, to `state`.

    `moves` must solve `state`. The result first turns the whole solved puzzle, so that it is held
    as it is after `moves`. Then it undoes `moves`. The result is None if `moves` do not solve
    `state`.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> [move.name for move in setup_moves(cube.puzzle, cube.state("R y"), cube.puzzle.moves("F'"))]
    ['y', 'F']
    """
    end = puzzle.apply(state, moves)
    for held in puzzle.holdings:
        if act(puzzle.solved, *held, puzzle.modulus) == end:
            break
    else:
        return None
    turns: list[Move] = []
    step = puzzle.holding_steps[held]
    while step:
        held, family = step
        turns.append(puzzle.move(family))
        step = puzzle.holding_steps[held]
    return *reversed(turns), *puzzle.undo(moves)
