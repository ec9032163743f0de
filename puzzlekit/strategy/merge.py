"""Merging moves: R R2 becomes R', also across moves that commute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


def merge(puzzle: Puzzle, phases: Sequence[Iterable[Move]]) -> list[tuple[Move, ...]]:
    """The moves of several phases, merged wherever only commuting moves are in between.

    The effect stays the same and the cost never grows. Of moves that are not always possible those
    are left out that undo one another.

    Returns the merged moves of each phase. A move that is merged over a seam belongs to the later
    phase, and so do all moves after it: from there on the puzzle no longer looks as it did in the
    earlier phase. The same holds for what comes after a move that a later phase has undone.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> merged = merge(cube, [cube.moves("U R"), cube.moves("R F")])
    >>> [" ".join(move.name for move in own) for own in merged]
    ['U', 'R2 F']
    """
    merged: list[Move] = []
    begins: list[int] = []  # where the moves of each phase begin
    for phase in phases:
        begins.append(len(merged))
        for move in phase:
            at = _partner(puzzle, merged, move)
            if at is None:
                merged.append(move)
                continue
            amount = (merged[at].amount + move.amount) % move.order if move.order else 0
            merged[at : at + 1] = [puzzle.move(move.family, amount)] if amount else []
            begins = [min(begin, at) for begin in begins]
    bounds = pairwise([*begins, len(merged)])
    return [tuple(merged[begin:end]) for begin, end in bounds]


def _partner(puzzle: Puzzle, before: Sequence[Move], move: Move) -> int | None:
    """Which of the moves before a move can be merged with it; None if none can."""
    if puzzle.guard is not None:
        last = len(before) - 1
        return last if before and puzzle.inverse(before[-1]) is move else None
    for at in range(len(before) - 1, -1, -1):
        if before[at].family == move.family:
            return at
        if not puzzle.commute(before[at], move):
            break
    return None
