"""Merge moves: R R2 becomes R', and R L R becomes R2 L because R and L commute."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["merge"]


def merge(
    puzzle: Puzzle, phases: Sequence[Iterable[Move]], allowed: Sequence[Collection[Move]] = ()
) -> list[tuple[Move, ...]]:
    """Merge two moves of one family if all moves between them commute with them.

    The effect stays the same and the cost never grows. If moves of the puzzle are not always
    possible, only neighbours are merged; if it has a guard, only neighbours that undo each other.

    `allowed` lists the moves of each phase. Two moves become one only if one of their phases has
    that move. By default, every power of a family is allowed.

    Returns the merged moves of each phase. If a move of a phase is merged with a move of a later
    phase, the states after it change. So the merged move and all moves after it are listed in the
    later phase. The same holds for all moves after a move that a later phase undoes.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> merged = merge(cube, [cube.moves("U R"), cube.moves("R F")])
    >>> [" ".join(move.name for move in own) for own in merged]
    ['U', 'R2 F']
    >>> merge(cube, [cube.moves("R R")], [cube.moves("R")])
    [(Move('R'), Move('R'))]
    """
    merged: list[tuple[Move, tuple[int, ...]]] = []  # each move with the phases that it is from
    begins: list[int] = []  # where the moves of each phase begin
    for number, phase in enumerate(phases):
        begins.append(len(merged))
        for move in phase:
            for at in reversed(range(len(merged))):
                other, origin = merged[at]
                joined, origin = _joined(puzzle, other, move), (*origin, number)
                if joined is not None and all(
                    not allowed or any(each in allowed[own] for own in origin) for each in joined
                ):
                    merged[at : at + 1] = [(each, origin) for each in joined]
                    begins = [min(begin, at) for begin in begins]
                    break
                if puzzle.restricted or not puzzle.commute(other, move):
                    merged.append((move, (number,)))
                    break
            else:
                merged.append((move, (number,)))
    bounds = pairwise([*begins, len(merged)])
    return [tuple(move for move, _ in merged[begin:end]) for begin, end in bounds]


def _joined(puzzle: Puzzle, one: Move, other: Move) -> tuple[Move, ...] | None:
    """Return one move, or none, with the effect of two moves; None if they cannot be merged."""
    if puzzle.guard is not None:
        return () if puzzle.inverse(one) is other else None
    if one.family != other.family or one.parts:
        return None
    amount = (one.amount + other.amount) % one.order
    return (puzzle.move(one.family, amount),) if amount else ()
