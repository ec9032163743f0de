"""A pruning table for phases in which an answer needs some number of moves of one family."""

from __future__ import annotations

from math import prod

import attrs

from puzzlekit import DeclarationError, PruningTable, TableStore
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.move_table import is_tabulated
from puzzlekit.tables.pruning_table import Entries, TableText, Tell

VERSION = 1  # increase it when the same declaration gives other numbers


@attrs.frozen
class Counted(PruningTable):
    """The distance of the first coordinates with at least so many moves of a family.

    The value of the last coordinate says how many moves of this family every answer has at least.
    """

    #: The names of the coordinates, the most significant first. The last one counts moves.
    coordinates: str
    #: The family of the moves that are counted.
    family: str
    #: The number of moves for each value of the last coordinate, increasing from 0 on.
    counts: tuple[int, ...]
    bits: int = 4

    def check(self, graph: DistanceGraph) -> None:
        """Raise DeclarationError if the table cannot be built."""
        *first, last = graph.coordinates
        graph.check_even("a counted pruning table")
        if len(self.counts) != last.size or self.counts[0] or [*self.counts] != sorted(self.counts):
            raise DeclarationError(
                f"'counts' needs {last.size} increasing numbers from 0 on, one for each value of "
                f"{last.name}"
            )
        if graph.edges or graph.goal_moves or not first:
            raise DeclarationError(
                "a counted pruning table needs two or three coordinates, no goal moves, and a "
                "metric whose costs do not depend on earlier moves"
            )
        if graph.is_reduced or not all(is_tabulated(each, graph.moves) for each in first):
            raise DeclarationError(
                "a counted pruning table needs a move table of each coordinate but the last"
            )

    def entries_in(self, graph: DistanceGraph) -> int:
        """Return the number of entries."""
        return graph.values

    def seconds_in(self, graph: DistanceGraph) -> float:
        """Return about how many seconds the build takes."""
        return 7e-9 * graph.values * len(graph.moves)

    def text(self, graph: DistanceGraph) -> TableText:
        """Return the texts that name and identify the table."""
        return TableText(
            f"counted {self.family} {graph.metric}",
            f"counted {VERSION} {self.family} {self.counts} {graph.identity} {self.bits}",
            f"least cost ({graph.metric}) to the goal with so many turns of {self.family} for each "
            f"value of {graph.names}",
        )

    def build(self, graph: DistanceGraph, store: TableStore, tell: Tell) -> Entries:
        """Return the entries: distances in the product with an automaton that counts down."""
        import numpy as np

        from puzzlekit.tables.product_distances import fill_levels, undone
        from puzzlekit.tables.pruning_table import UNREACHED, pack

        first, most = graph.coordinates[:-1], self.counts[-1]
        distance = np.full((most + 1, prod(each.size for each in first)), UNREACHED, np.uint8)
        for state in graph.goal_states or (first[0].puzzle.solved,):
            rank = 0
            for each in first:
                rank = rank * each.size + each.rank(state)
            distance[0, rank] = 0
        edges = [
            [
                (number, max(0, left - (move.family == self.family)), 1)
                for number, move in enumerate(graph.moves)
            ]
            for left in range(most + 1)
        ]
        fill_levels(distance, [undone(store, each, graph.moves) for each in first], edges)
        return pack(np.ascontiguousarray(distance[[*self.counts]].T).reshape(-1), self.bits)
