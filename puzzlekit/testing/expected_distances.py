"""Compute distances over coordinates with NumPy alone, for comparison with pruning tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.engine.automaton import Edge


def at_goal(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    goal_moves: Sequence[Move],
    goal_states: Sequence[bytes],
) -> Any:
    """Return a boolean array, with one axis for each coordinate: whether a value is a goal."""
    import numpy as np

    goals = np.zeros([each.size for each in coordinates], dtype=bool)
    if goal_states and not goal_moves:  # all of them in one holding
        for state in goal_states:
            goals[tuple(each.rank(state) for each in coordinates)] = True
        return goals
    flags = [goal_flags(store, each, goal_moves, goal_states) > 0 for each in coordinates]
    goals[np.ix_(*map(np.flatnonzero, flags))] = True
    return goals


class Neighbours:
    """For each value of a product of coordinates: the values to which each move may lead."""

    def __init__(self, coordinates: Sequence[Coordinate], moves: Sequence[Move]) -> None:
        import numpy as np

        def numbered(before: Any, after: Any) -> tuple[Any, Any]:
            if np.array_equal(after, np.arange(len(after))):
                return before, None
            # Known outcomes of a move are numbered without gaps; the last number is for the rest.
            known, after = np.unique(after, return_inverse=True)
            place = np.searchsorted(known, before)
            place[known.take(place, mode="clip") != before] = len(known)
            return place, after

        columns = [[numbered(*each) for each in part.passages(moves)] for part in coordinates]
        self._passages = list(zip(*columns, strict=True))

    def relaxed(self, grid: Any, edges: Sequence[Sequence[Edge]]) -> Any:
        """Return, for each value, the least sum of a move's cost and the distance after the move.

        A sum above 255 becomes 255. `grid` has the distance of each value for each state of the
        automaton: shape (states, sizes ...), dtype uint8.
        """
        import numpy as np

        least = np.full(grid.shape, UNREACHED, dtype=np.uint8)
        for state, own in enumerate(edges):
            for move, to, cost in own:
                near = self._nearest(grid[to], move)
                near = np.where(near < UNREACHED - cost, near + np.uint8(cost), np.uint8(UNREACHED))
                np.minimum(least[state], near, out=least[state])
        return least

    def _nearest(self, grid: Any, move: int) -> Any:
        """Return for each value the least distance of the values that a move may lead to."""
        import numpy as np

        for axis, (before, after) in enumerate(self._passages[move]):
            if after is None:
                grid = np.take(grid, before, axis)
                continue
            # The least distance over all values that the move may lead to, group by group.
            shape = (int(after.max()) + 2, *np.delete(grid.shape, axis))
            group = np.full(shape, UNREACHED, np.uint8)
            np.minimum.at(group, after, np.moveaxis(grid, axis, 0))
            grid = np.moveaxis(group[before], 0, axis)
        return grid

    def distances(self, grid: Any, edges: Sequence[Sequence[Edge]]) -> Any:
        """Return all distances, from a `grid` that is 0 at goals and 255 elsewhere."""
        import numpy as np

        while True:
            nearer = np.minimum(grid, self.relaxed(grid, edges))
            if np.array_equal(nearer, grid):
                return grid
            grid = nearer


def distances_of(store: TableStore, graph: DistanceGraph) -> Any:
    """Return all distances of a graph, computed without the engine.

    The array has one axis for each coordinate and the dtype uint8.
    """
    import numpy as np

    parts, edges = graph.coordinates, graph.automaton
    goals = at_goal(store, parts, graph.goal_moves, graph.goal_states)
    grid = np.full((len(edges), *goals.shape), UNREACHED, dtype=np.uint8)
    places = graph.goal_places if graph.edges else ()
    for state in places or range(len(edges)):
        grid[state][goals] = 0
    return Neighbours(parts, graph.moves).distances(grid, edges).min(axis=0)


def unpacked(data: memoryview, bits: int, entries: int) -> Any:
    """Return the entries of a table of 4 or 8 bits as a flat array of dtype uint8."""
    import numpy as np

    flat = np.asarray(data)
    if bits == 8:
        return flat[:entries]
    return np.stack([flat & 15, flat >> 4], axis=1).ravel()[:entries]
