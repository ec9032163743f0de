"""A kind of pruning table that puzzlekit does not have: only distances near the goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from puzzlekit import DeclarationError, PruningTable, TableStore
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.pruning_table import TableText

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@attrs.frozen
class Near(PruningTable):
    """Distances up to `most`; all others are stored as one more."""

    #: The names of the coordinates.
    coordinates: str
    #: The largest distance that is worked out, up to 14.
    most: int

    bits = 4

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.most <= 14:
            raise self.refused(f"distances from 1 to 14 are near, not {self.most}")

    def check(self, graph: DistanceGraph) -> None:
        """Raise a DeclarationError where it cannot be built."""
        graph.check_even("a near table")
        closed = all(each.closed_under(graph.moves) for each in graph.coordinates)
        if graph.is_reduced or graph.goal_moves or graph.goal_states or not closed:
            raise DeclarationError("a near table is over closed coordinates, with one goal")

    def entries_in(self, graph: DistanceGraph) -> int:
        """How many entries it has."""
        return graph.values

    def text(self, graph: DistanceGraph) -> TableText:
        """How it is named and told apart from other tables."""
        purpose = f"distances up to {self.most} for each value of {graph.names}"
        return TableText(f"near {graph.metric}", f"near 1 {self.most} {graph.identity}", purpose)

    def build(
        self, graph: DistanceGraph, store: TableStore, tell: Callable[[float], None]
    ) -> npt.NDArray[np.uint8]:
        """Breadth-first from the solved state; two entries a byte."""
        import numpy as np

        puzzle = graph.coordinates[0].puzzle
        entries = np.full(graph.values + graph.values % 2, self.most + 1, dtype=np.uint8)

        def index(state: bytes) -> int:
            found = 0
            for each in graph.coordinates:
                found = found * each.size + int(each.rank(state))
            return found

        reached = [puzzle.solved]
        entries[index(puzzle.solved)] = 0
        for level in range(1, self.most + 1):
            before, reached = reached, []
            for state in before:
                for move in graph.moves:
                    after = puzzle.apply(state, [move])
                    if entries[at := index(after)] > level:
                        entries[at] = level
                        reached.append(after)
        packed: npt.NDArray[np.uint8] = entries[::2] | entries[1::2] << 4
        return packed
