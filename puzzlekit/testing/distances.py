"""Distances over coordinates in NumPy alone, for comparison with pruning tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit.tables.store import TableStore


def at_goal(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    goal_moves: Sequence[Move],
    goal_states: Sequence[bytes],
) -> Any:
    """Whether the goal is reached, for each value of a product: shape of sizes, dtype bool."""
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
    """The values to which moves may lead, over a product of coordinates."""

    def __init__(self, coordinates: Sequence[Coordinate], moves: Sequence[Move]) -> None:
        import numpy as np

        columns = [
            [
                (before, None if np.array_equal(after, np.arange(len(after))) else after)
                for before, after in each.passages(moves)
            ]
            for each in coordinates
        ]
        self._passages = list(zip(*columns, strict=True))

    def relaxed(self, grid: Any, costs: Sequence[int]) -> Any:
        """For each value the least of cost + distance over the moves; 255 where that is more.

        `grid`: distances with an axis for each coordinate, dtype uint8.
        """
        import numpy as np

        least = np.full(grid.shape, UNREACHED, dtype=np.uint8)
        for passages, cost in zip(self._passages, costs, strict=True):
            near = grid
            for axis, (before, after) in enumerate(passages):
                if after is None:
                    near = np.take(near, before, axis)
                    continue
                # The nearest of all values to which the move may lead, group by group.
                shape = (int(after.max()) + 1, *np.delete(grid.shape, axis))
                group = np.full(shape, UNREACHED, np.uint8)
                np.minimum.at(group, after, np.moveaxis(near, axis, 0))
                near = np.moveaxis(group[before], 0, axis)
            near = np.where(near < UNREACHED - cost, near + np.uint8(cost), np.uint8(UNREACHED))
            np.minimum(least, near, out=least)
        return least

    def distances(self, goals: Any, costs: Sequence[int]) -> Any:
        """The distances from all values to the goals: relaxed until nothing changes."""
        import numpy as np

        grid = np.where(goals, np.uint8(0), np.uint8(UNREACHED))
        while True:
            nearer = np.minimum(grid, self.relaxed(grid, costs))
            if np.array_equal(nearer, grid):
                return grid
            grid = nearer


def unpacked(data: memoryview, bits: int, entries: int) -> Any:
    """The entries of a table of 4 or 8 bits, flat, dtype uint8."""
    import numpy as np

    flat = np.asarray(data)
    if bits == 8:
        return flat[:entries]
    return np.stack([flat & 15, flat >> 4], axis=1).ravel()[:entries]
