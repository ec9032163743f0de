"""A graph of joint values of some coordinates, and the moves between them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.puzzle.move import Move

if TYPE_CHECKING:
    from puzzlekit.engine.transitions import Edge
    from puzzlekit.tables.classes import SymNeeds
    from puzzlekit.tables.pairing_classes import PairingNeeds


@attrs.frozen(slots=False, eq=False, repr=False)
class ProductGraph:
    """The joint values of some coordinates, the moves between them, and the goals."""

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
    #: The inputs for the classes of the first coordinate, if it is a `SymPairing`. One more
    #: coordinate may follow.
    pairing: PairingNeeds | None = None
    #: An automaton (see `puzzlekit.engine.transitions`), if costs depend on earlier moves or if
    #: moves have guards. A sequence may end in any state of the automaton.
    edges: Sequence[Sequence[Edge]] = ()
    #: The places of the guarding piece at the goal: the piece whose place determines which moves
    #: are possible. Empty if there is no such piece.
    goal_places: Sequence[int] = ()
    #: Whether distances may be too large for 4 bits, as for a machine with steps of unequal cost.
    large: bool = False

    @property
    def sym(self) -> SymNeeds | None:
        """The inputs for the classes of the first coordinate, if it is a sym coordinate."""
        return self.syms[0] if self.syms else None

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
