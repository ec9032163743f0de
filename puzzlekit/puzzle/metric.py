"""Metrics: what a move costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from puzzlekit.puzzle.move import Move


@attrs.frozen(eq=False)
class Metric:
    """The cost of moves, by family.

    `weights` gives the cost of the base move of each family. With `per_turn` a move that is the
    base move done k times costs k times as much (or as many times as the other way round, if that
    is shorter), else every amount costs the same.

    >>> half = Move("R2", "R", 2, 4, b"", b"")
    >>> Metric("HTM", "half turns", {"R": 1}).cost(half)
    1
    >>> Metric("QTM", "quarter turns", {"R": 1}, per_turn=True).cost(half)
    2
    """

    name: str
    title: str
    weights: Mapping[str, int]
    per_turn: bool = False
    _costs: dict[Move, int] = attrs.field(init=False, factory=dict, repr=False)

    def cost(self, move: Move) -> int:
        """The cost of one move; 0 for a rotation of the whole puzzle."""
        turns = min(move.amount, move.order - move.amount) if self.per_turn else 1
        return self.weights[move.family] * turns

    def total(self, moves: Iterable[Move]) -> int:
        """The cost of several moves."""
        costs = self._costs
        listed = tuple(moves)
        for move in listed:
            if move not in costs:
                costs[move] = self.cost(move)
        return sum([costs[move] for move in listed])
