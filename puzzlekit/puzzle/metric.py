"""Metrics: the costs of moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import attrs

from puzzlekit.puzzle.move import Move


class Step(NamedTuple):
    """One move or several simultaneous moves, with their cost.

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
    """The costs of moves. The cost of a move does not depend on the moves before.

    A `Machine` is a metric in which the cost of a step may depend on the step before.

    >>> half = Move("R2", "R", 2, 4, b"", b"")
    >>> Metric("HTM", "half turns", {"R": 1}).cost(half)
    1
    >>> Metric("QTM", "quarter turns", {"R": 1}, per_turn=True).cost(half)
    2
    """

    #: The short name, such as "HTM".
    name: str
    #: A description in words.
    title: str
    #: The cost of the base move of each family.
    weights: Mapping[str, int]
    #: If True, the cost of the base move is multiplied by the number of base moves in the shorter
    #: direction. R2 then costs twice as much as R. If False, all powers of a base move cost the
    #: same.
    per_turn: bool = False
    _costs: dict[Move, int] = attrs.field(init=False, factory=dict)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @property
    def counts(self) -> bool:
        """Whether each move has a cost of its own. False only for machines."""
        return True

    def cost(self, move: Move) -> int:
        """Return the cost of one move; 0 for a rotation of the whole puzzle."""
        several = self.per_turn and move.order
        turns = min(move.amount, move.order - move.amount) if several else 1
        return self.weights[move.family] * turns

    def total(self, moves: Iterable[Move]) -> int:
        """Return the total cost of several moves."""
        costs = self._costs
        listed = tuple(moves)
        for move in listed:
            if move not in costs:
                costs[move] = self.cost(move)
        return sum([costs[move] for move in listed])

    def steps(self, moves: Sequence[Move]) -> tuple[Step, ...]:
        """Return the moves as steps with their costs. Each step has one move."""
        return tuple(Step((move,), self.cost(move)) for move in moves)
