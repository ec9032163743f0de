"""Metrics: what a move costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.puzzle.move import Move


class Step(NamedTuple):
    """What is done at once: one move, or several, and its cost.

    >>> str(Step((Move("R'", "R", 3, 4, b"", b""), Move("L2", "L", 2, 4, b"", b"")), 3))
    "R' + L2"
    """

    moves: tuple[Move, ...]
    cost: int

    def __str__(self) -> str:
        """The names of the moves."""
        return " + ".join(move.name for move in self.moves)


@attrs.frozen(eq=False, repr=False)
class Metric:
    """The cost of moves, by family, whatever was done before (others are a `Machine`).

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
    _costs: dict[Move, int] = attrs.field(init=False, factory=dict)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @property
    def counts(self) -> bool:
        """Whether each move has its cost, whatever is done before or with it."""
        return True

    def cost(self, move: Move) -> int:
        """The cost of one move; 0 for a rotation of the whole puzzle."""
        several = self.per_turn and move.order
        turns = min(move.amount, move.order - move.amount) if several else 1
        return self.weights[move.family] * turns

    def total(self, moves: Iterable[Move]) -> int:
        """The cost of several moves."""
        costs = self._costs
        listed = tuple(moves)
        for move in listed:
            if move not in costs:
                costs[move] = self.cost(move)
        return sum([costs[move] for move in listed])

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """The moves as they are done, each step with its cost; here one after the other."""
        return tuple(Step((move,), self.cost(move)) for move in moves)
