"""Additive pruning tables: the sum of the distances of several tables is a lower bound."""

from __future__ import annotations

import attrs

from puzzlekit.errors import DeclarationError
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning_table import Entries, PruningTable, TableText, Tell
from puzzlekit.tables.store import TableStore

VERSION = 1  # increase it when the same declaration gives other numbers


@attrs.frozen
class Additive(PruningTable):
    """A pruning table that counts only the moves that change the values of its coordinates.

    An entry is the least number of such moves on a way to the goal. All other moves count 0. Tables
    with the same group name form a group, and the search adds their distances. The sum is a lower
    bound if no move changes the values of two tables of the group. A phase must list the tables of
    a group one after the other.

    >>> Additive("1 2 3", group="corner").group
    'corner'
    """

    #: The names of the coordinates, the most significant first. Each coordinate must have a move
    #: table.
    coordinates: str
    #: The name of the group. The search adds the distances of the tables of the same group.
    group: str
    #: Bits per entry: 4 or 8. With 4 bits, distances above 15 are stored as 15.
    bits: int = 4

    def __attrs_post_init__(self) -> None:
        if not self.group:
            raise self.refused(
                "an additive table must name its group: all tables whose distances are "
                "added must have the same 'group'"
            )
        if self.bits not in (4, 8):
            raise self.refused(f"entries must have 4 or 8 bits, not {self.bits}")

    def in_graph(self, graph: DistanceGraph) -> Additive:
        """Return this table. If distances may be large, return a copy with 8 bits per entry."""
        return attrs.evolve(self, bits=8) if graph.large else self

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        if set(graph.costs) != {1} or graph.goal_states:
            raise DeclarationError(
                "an additive pruning table needs moves that cost 1, and a single goal"
            )
        for each in graph.coordinates:
            if each.is_reduced or not is_tabulated(each, graph.moves):
                raise DeclarationError(
                    "an additive pruning table needs coordinates with move tables, but "
                    f"{each.name} has no move table"
                )

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""
        return graph.values

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
        guards = [(move.guard_before, move.guard_after) for move in graph.moves]
        parts = " ".join(each.identity for each in graph.coordinates)
        goals = goals_identity(graph.coordinates, graph.goal_moves)
        if graph.goal_places:
            goals += f" at {list(graph.goal_places)}"
        return TableText(
            f"additive distance {graph.metric}",
            f"pruning 1 additive {VERSION} {guards}: {parts} {goals} {list(graph.costs)} "
            f"{self.bits} {moves_identity(graph.moves)}",
            f"least cost of moves that change it ({graph.metric}) to the goal for each value of "
            f"{graph.names}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries, packed into bytes."""
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.additive_distances import additive_distances
        from puzzlekit.tables.entries import pack
        from puzzlekit.tables.product_distances import undone

        parts, moves = graph.coordinates, graph.moves
        at_goal = [
            goal_flags(store, each, graph.goal_moves).nonzero()[0].tolist() for each in parts
        ]
        backward = [undone(store, each, moves) for each in parts]
        distance = additive_distances(parts, at_goal, backward, moves, graph.goal_places, COMPILED)
        return pack(distance, self.bits)
