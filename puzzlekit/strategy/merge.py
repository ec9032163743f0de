"""Merge moves: R R2 becomes R', and R L R becomes R2 L because R and L commute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


def merge(puzzle: Puzzle, phases: Sequence[Iterable[Move]]) -> list[tuple[Move, ...]]:
    """Merge two moves of one family if all moves between them commute with them.

    The effect stays the same and the cost never grows. If the puzzle has guards, only pairs of
    moves that undo each other are dropped.

    Returns the merged moves of each phase. If a move of a phase is merged with a move of a later
    phase, the states after it change. So the merged move and all moves after it are listed in the
    later phase. The same holds for all moves after a move that a later phase undoes.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> merged = merge(cube, [cube.moves("U R"), cube.moves("R F")])
    >>> [" ".join(move.name for move in own) for own in merged]
    ['U', 'R2 F']
    """
    merged: list[Move] = []
    begins: list[int] = []  # where the moves of each phase begin
    guarded = puzzle.guard is not None
    for phase in phases:
        begins.append(len(merged))
        for move in phase:
            at = len(merged) - 1
            if guarded:
                found = at >= 0 and puzzle.inverse(merged[at]) is move
                amount = 0
            else:
                family = move.family
                while at >= 0 and merged[at].family != family and puzzle.commute(merged[at], move):
                    at -= 1
                found = at >= 0 and merged[at].family == family
                amount = (merged[at].amount + move.amount) % move.order if found else 0
            if not found:
                merged.append(move)
                continue
            merged[at : at + 1] = [puzzle.move(move.family, amount)] if amount else []
            begins = [min(begin, at) for begin in begins]
    bounds = pairwise([*begins, len(merged)])
    return [tuple(merged[begin:end]) for begin, end in bounds]
