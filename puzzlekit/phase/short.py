"""Answers of a few moves, found in the full state.

For methods that do not find them by themselves, so that a short scramble never gets a long answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.puzzle.metric import Metric
from puzzlekit.puzzle.move import Move
from puzzlekit.puzzle.puzzle import Puzzle


def short_answer(
    puzzle: Puzzle, state: bytes, moves: Sequence[Move], metric: Metric
) -> tuple[Move, ...] | None:
    """The cheapest answer of at most three moves; None if there is none.

    Two moves from the state meet one move back from solved, in any holding.
    """
    last: dict[bytes, tuple[Move, ...]] = {}
    for solved in puzzle.solved_states:
        for move in moves:
            last[puzzle.apply(solved, [puzzle.inverse(move)])] = (move,)
    for solved in puzzle.solved_states:
        last[solved] = ()
    layer: list[tuple[bytes, tuple[Move, ...]]] = [(state, ())]
    best: tuple[int, tuple[Move, ...]] | None = None
    for depth in range(3):
        for reached, path in layer:
            if reached in last:
                answer = path + last[reached]
                cost = sum(map(metric.cost, answer))
                if best is None or cost < best[0]:
                    best = cost, answer
        if depth < 2:
            layer = [
                (puzzle.apply(reached, [move]), (*path, move))
                for reached, path in layer
                for move in moves
                if not path or path[-1].family != move.family
            ]
    return None if best is None else best[1]
