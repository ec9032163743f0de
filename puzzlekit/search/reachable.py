"""An upper bound on the number of states that some moves reach, without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial, prod

from puzzlekit.puzzle.groups import moved_parts
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.parity import Sign, reduced

__all__ = ["reachable"]


def reachable(puzzle: Puzzle, moves: Sequence[Move]) -> int:
    """Return an upper bound on the number of states that the moves reach.

    The bound is the number of arrangements that the parities allow. An arrangement is an order and
    orientation of the pieces within each part. A part is a set of places that exchange pieces.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> reachable(cube, cube.family_moves("URFDLB"))
    43252003274489856000
    """
    count = 1
    signs = []
    for part in moved_parts(puzzle, moves):
        size = len(part.homes)
        alike = Counter(part.orbit.solved[home] for home in part.homes)
        count *= factorial(size) // prod(map(factorial, alike.values()))
        if part.turned:
            count *= part.orbit.orientations ** (size - bool(part.summed))
        if len(alike) == size > 1:
            signs.append(Sign(part, turns=False))
    basis: list[int] = []
    for move in moves:
        row = sum(sign.of_effect(puzzle, move.effect) << i for i, sign in enumerate(signs))
        rest = reduced(row, basis)
        basis += [rest] if rest else []
    return count >> (len(signs) - len(basis))
