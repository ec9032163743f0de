"""Distances over coordinates where moves cost the same in every state, flat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlekit import Coordinate, Move, TableStore
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.product_distances import distances_by_state


def build_distances(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    costs: Sequence[int],
    goal_moves: Sequence[Move] = (),
    goal_states: Sequence[bytes] = (),
) -> npt.NDArray[np.uint8]:
    """The distance of every value of a product of 1 to 3 coordinates; 255 where no goal is reached.

    Without goal moves the goals are the values that the coordinates take together in one of the
    goal states. Flat, the first coordinate most significant, dtype uint8. Where a coordinate is not
    closed under the moves it is the distance in the graph of all that may happen (see
    `Coordinate.passages`): never more than the true one, and no more than a move's cost apart
    before and after the move.
    """
    graph = DistanceGraph(coordinates, moves, costs, "", goal_moves, goal_states)
    return distances_by_state(store, graph).reshape(-1)
