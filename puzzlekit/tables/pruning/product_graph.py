"""A graph of values: some coordinates, and the moves between what they take together."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.puzzle.move import Move

if TYPE_CHECKING:
    from puzzlekit.engine.transitions import Edge
    from puzzlekit.tables.symmetry.classes import SymNeeds
    from puzzlekit.tables.symmetry.pairing_classes import PairingNeeds


@attrs.frozen(slots=False, eq=False, repr=False)
class ProductGraph:
    """Values of some coordinates and the moves between them, with what is at the goal."""

    #: The coordinates that the table names, in its order.
    coordinates: Sequence[Coordinate]
    #: The moves of the phase.
    moves: Sequence[Move]
    #: How much each move adds to a distance: at least 1, and never more than the move costs.
    costs: Sequence[int]
    #: What is counted: the name of the metric, or "steps". It is part of the table's name.
    metric: str
    #: Moves that lead from every goal to another goal.
    goal_moves: Sequence[Move] = ()
    #: The states at the goal, where there are more than the solved one.
    goal_states: Sequence[bytes] = ()
    #: What the classes of the first coordinate are built from, where it is a sym coordinate.
    sym: SymNeeds | None = None
    #: The same of a pairing that comes first, and has one partner at most.
    pairing: PairingNeeds | None = None
    #: An automaton (see `puzzlekit.engine.transitions`), where costs depend on earlier moves or
    #: where moves are not always possible. Any of its states may be the last one.
    edges: Sequence[Sequence[Edge]] = ()
    #: Where the guarding piece may be at the goal; empty where moves are always possible.
    goal_places: Sequence[int] = ()
    #: Whether distances may be too large for 4 bits, as they are for a machine whose steps differ.
    large: bool = False

    @property
    def names(self) -> str:
        """The names of the coordinates, for people."""
        return " x ".join(each.name for each in self.coordinates)

    @property
    def values(self) -> int:
        """How many values the coordinates have together."""
        return prod(each.size for each in self.coordinates)

    @property
    def automaton(self) -> Sequence[Sequence[Edge]]:
        """`edges`; where there are none, one state in which each move has its cost."""
        return self.edges or [[(move, 0, cost) for move, cost in enumerate(self.costs)]]
