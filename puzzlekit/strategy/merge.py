"""Merging moves: R R2 becomes R', also across moves that commute."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


def merge(puzzle: Puzzle, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The sequence with moves of one family done at once wherever only commuting moves part them.

    The effect stays the same and the cost never grows. Of moves that are not always possible those
    are left out that undo one another.
    """
    merged: list[Move] = []
    if puzzle.guard is not None:
        for move in moves:
            if merged and puzzle.inverse(merged[-1]) is move:
                merged.pop()
            else:
                merged.append(move)
        return tuple(merged)
    for move in moves:
        at = len(merged) - 1
        while at >= 0 and merged[at].family != move.family and puzzle.commute(merged[at], move):
            at -= 1
        if at < 0 or merged[at].family != move.family:
            merged.append(move)
            continue
        amount = (merged[at].amount + move.amount) % move.order
        merged[at : at + 1] = [puzzle.move(move.family, amount)] if amount else []
    return tuple(merged)
