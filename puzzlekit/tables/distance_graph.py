"""The graph whose distances a pruning table holds."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.engine.automaton import Edge
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move, invert
from puzzlekit.tables.goals import goals_identity
from puzzlekit.tables.move_table import moves_identity

if TYPE_CHECKING:
    from puzzlekit.tables.classes import SymNeeds

__all__ = ["DistanceGraph"]


@attrs.frozen(slots=False, eq=False, repr=False)
class DistanceGraph:
    """The graph of a pruning table: joint values of its coordinates, and moves between them.

    Each pruning table of a phase has such a graph for each metric.
    """

    #: The coordinates, the most significant first.
    coordinates: Sequence[Coordinate]
    #: The moves of the phase.
    moves: Sequence[Move]
    #: The length of the edge of each move: at least 1, and at most the cost of the move.
    costs: Sequence[int]
    #: The unit of distances: the name of the metric, or "steps". It is part of the name of a table.
    metric: str
    #: Moves that lead from each goal to a goal.
    goal_moves: Sequence[Move] = ()
    #: The goal states. Empty: the solved state is the only goal state.
    goal_states: Sequence[bytes] = ()
    #: For each coordinate the inputs for its classes if it is a sym coordinate, otherwise None.
    #: Empty if no coordinate is a sym coordinate.
    syms: Sequence[SymNeeds | None] = ()
    #: An automaton (see `puzzlekit.engine.automaton`), if costs depend on earlier moves or if
    #: moves have guards. A sequence may end in any state of the automaton.
    edges: Sequence[Sequence[Edge]] = ()
    #: The places of the guarding piece at the goal: the piece whose place determines which moves
    #: are possible. Empty if there is no such piece.
    goal_places: Sequence[int] = ()
    #: Whether distances may be too large for 4 bits, as in a metric with steps of unequal cost.
    large: bool = False

    @property
    def sym(self) -> SymNeeds | None:
        """The inputs for the classes of the first coordinate, if it is a sym coordinate."""
        return self.syms[0] if self.syms else None

    @property
    def numbered(self) -> list[Coordinate]:
        """The coordinates. Those of sym coordinates have the numbers of classes and symmetries."""
        needs = self.syms or [None] * len(self.coordinates)
        return [
            each if own is None else own.coordinate
            for each, own in zip(self.coordinates, needs, strict=True)
        ]

    @property
    def names(self) -> str:
        """The names of the coordinates, as shown to users."""
        return " x ".join(each.name for each in self.coordinates)

    @property
    def values(self) -> int:
        """The number of joint values of the coordinates."""
        return prod(each.size for each in self.coordinates)

    @property
    def automaton(self) -> Sequence[Sequence[Edge]]:
        """The automaton `edges`. If `edges` is empty, an automaton with one state and all moves."""
        return self.edges or [[(move, 0, cost) for move, cost in enumerate(self.costs)]]

    @property
    def identity(self) -> str:
        """A string that identifies the distances of the graph, for the keys of tables."""
        parts = " ".join(each.identity for each in self.coordinates)
        goals = goals_identity(self.coordinates, self.goal_moves, self.goal_states)
        costs = list(self.edges or self.costs)
        places = list(self.goal_places)
        return f"{parts} {goals} {places} {costs} {moves_identity(self.moves)}"

    @property
    def is_reduced(self) -> bool:
        """Whether the engine represents the values of some coordinate by their classes."""
        return any(each.is_reduced for each in self.coordinates)

    @property
    def is_undone(self) -> bool:
        """Whether each move has an inverse of the same cost among the moves."""
        priced = list(zip(self.moves, self.costs, strict=True))
        there = {(move.family, move.amount, cost) for move, cost in priced}
        odd = [
            (move, cost)
            for move, cost in priced
            if move.parts or (move.family, move.order - move.amount, cost) not in there
        ]
        if not odd:  # the usual case
            return True
        modulus = self.coordinates[0].puzzle.modulus
        effects = {(move.effect, cost) for move, cost in priced}
        return all((invert(move.effect, modulus), cost) in effects for move, cost in odd)

    @property
    def is_guarded(self) -> bool:
        """Whether the place of a guarding piece determines which moves are possible."""
        return self.moves[0].guard_before >= 0

    def check_even(self, kind: str) -> None:
        """Raise DeclarationError unless each move costs 1, is always possible and has an inverse.

        `kind` is the subject of the message, such as "a hashed pruning table".
        """
        if set(self.costs) != {1} or self.large or self.is_guarded or not self.is_undone:
            raise DeclarationError(
                f"{kind} needs moves that cost 1 and are always possible, and an inverse move for "
                "each move"
            )
