"""Pruning tables (pattern databases): the least cost from each value of a product of coordinates.

Filled from the goals outwards by increasing distance, with the moves undone; with moves of unequal
cost this is Dijkstra's algorithm with a bucket for each distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.move_table import is_tabulated, move_table, moves_identity
from puzzlekit.tables.store import Table, TableKey, TableStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


VERSION = 1  # count up when the same declaration gives other numbers
UNREACHED = 255


class PruningNeeds(NamedTuple):
    """What a pruning table is built from.

    `coordinates`: one to three, the first most significant in an entry's index. `moves` with their
    `costs` in the metric named `metric`. `bits` an entry, 4 or 8. `goal_moves`: see `goals`.
    """

    coordinates: Sequence[Coordinate]
    moves: Sequence[Move]
    costs: Sequence[int]
    metric: str
    bits: int = 4
    goal_moves: Sequence[Move] = ()


def pruning_table_key(needs: PruningNeeds) -> TableKey:
    """The name under which a pruning table is kept; bytes, of one entry (8 bits) or two (4)."""
    coordinates, moves, costs, metric, bits, goal_moves = needs
    names = " x ".join(coordinate.name for coordinate in coordinates)
    entries = prod(coordinate.size for coordinate in coordinates)
    goals = goals_identity(coordinates, goal_moves)
    parts = " ".join(coordinate.identity for coordinate in coordinates)
    return TableKey(
        puzzle=coordinates[0].puzzle.name,
        name=f"{names} distance {metric}",
        identity=f"pruning {VERSION} {parts} {goals} {list(costs)} {bits} {moves_identity(moves)}",
        dtype="u1",
        shape=((entries * bits + 7) // 8,),
        purpose=f"least cost ({metric}) to the goal for each value of {names}, "
        f"{entries:,} entries of {bits} bits",
    )


def pruning_table(store: TableStore, needs: PruningNeeds) -> Table:
    """The pruning table from the store, built if need be."""

    def build() -> Any:
        parts, moves, costs, _, bits, goal_moves = needs
        distance = build_distances(store, parts, moves, costs, goal_moves)
        return distance if bits == 8 else pack_nibbles(distance)

    return store.get(pruning_table_key(needs), build)


def pack_nibbles(distance: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Two entries a byte, the even one in the low half; larger distances become 15 (still bounds).

    >>> import numpy as np
    >>> pack_nibbles(np.array([1, 2, 99], dtype=np.uint8)).tolist()
    [33, 15]
    """
    import numpy as np

    clipped = np.minimum(distance, 15)
    if len(clipped) % 2:
        clipped = np.append(clipped, np.uint8(0))
    packed: npt.NDArray[np.uint8] = clipped[::2] | (clipped[1::2] << 4)
    return packed


def build_distances(
    store: TableStore,
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    costs: Sequence[int],
    goal_moves: Sequence[Move] = (),
) -> npt.NDArray[np.uint8]:
    """The distance of every value of a product of 1 to 3 coordinates; 255 where no goal is reached.

    Flat, the first coordinate most significant, dtype uint8. Where a coordinate is not closed under
    the moves it is the distance in the graph of all that may happen (see `Coordinate.passages`):
    never more than the true one, and no more than a move's cost apart before and after the move.
    """
    import numpy as np

    if not 1 <= len(coordinates) <= 3:
        raise DeclarationError("a pruning table reads 1 to 3 coordinates")
    sizes = [coordinate.size for coordinate in coordinates]
    distance = np.full(sizes, UNREACHED, dtype=np.uint8)
    goals = [np.flatnonzero(goal_flags(store, each, goal_moves)) for each in coordinates]
    distance[np.ix_(*goals)] = 0
    if all(is_tabulated(coordinate, moves) for coordinate in coordinates):
        _fill(store, distance.reshape(-1), coordinates, moves, costs)
    else:
        _relax(distance, coordinates, moves, costs)
    if ((distance > UNREACHED - 1 - max(costs)) & (distance < UNREACHED)).any():
        raise DeclarationError("distances do not fit into a byte")
    return distance.reshape(-1)


def _fill(
    store: TableStore,
    distance: npt.NDArray[np.uint8],
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    costs: Sequence[int],
) -> None:
    """Fill in distances from the goals outwards, over coordinates that have move tables."""
    import numpy as np

    from puzzlekit.engine import fill

    backward = [_undone(store, coordinate, moves) for coordinate in coordinates]
    while len(backward) < 3:
        backward.append(np.zeros((1, len(moves)), dtype=np.uint32))
    prices = np.array(costs, dtype=np.int32)
    sweep: Any = fill.sweep if fill.COMPILED else _sweep
    level = 0
    empty = 0
    while empty < max(costs) and level + max(costs) < UNREACHED:
        empty = 0 if sweep(distance, *backward, prices, level) else empty + 1
        level += 1


def _relax(
    distance: npt.NDArray[np.uint8],
    coordinates: Sequence[Coordinate],
    moves: Sequence[Move],
    costs: Sequence[int],
) -> None:
    """Lower distances, over coordinates of any kind, until no move leads anywhere nearer.

    `distance` has one axis for each coordinate.
    """
    import numpy as np

    columns = [[_Passage(*each) for each in part.passages(moves)] for part in coordinates]
    passages = list(zip(*columns, strict=True))
    changed = True
    while changed:
        changed = False
        for parts, cost in zip(passages, costs, strict=True):
            near = distance
            for axis, part in enumerate(parts):
                near = part.least(near, axis)
            near = np.where(near < UNREACHED - cost, near + np.uint8(cost), np.uint8(UNREACHED))
            changed |= bool((near < distance).any())
            np.minimum(distance, near, out=distance)


class _Passage:
    """Where one move may lead from each value of a coordinate: see `Coordinate.passages`."""

    def __init__(
        self, before: npt.NDArray[np.integer[Any]], after: npt.NDArray[np.integer[Any]]
    ) -> None:
        import numpy as np

        groups, sizes = np.unique(after, return_counts=True)
        order = np.argsort(after, kind="stable").astype(np.uint32)
        group = np.searchsorted(groups, before).astype(np.uint32)
        # Where each group has one value, the values themselves take half the memory.
        self._several = bool((sizes > 1).any())
        self._order = order if self._several else order[group]
        if self._several:
            self._group = group
            self._starts = np.cumsum(sizes) - sizes

    def least(self, distance: npt.NDArray[np.uint8], axis: int) -> npt.NDArray[np.uint8]:
        """For each value along an axis, the least distance of those to which it may lead."""
        import numpy as np

        ordered = distance.take(self._order, axis)
        if not self._several:
            return ordered
        return np.minimum.reduceat(ordered, self._starts, axis).take(self._group, axis)


def _undone(
    store: TableStore, coordinate: Coordinate, moves: Sequence[Move]
) -> npt.NDArray[np.uint32]:
    """The move table of the moves undone: shape (size, moves)."""
    import numpy as np

    table = np.asarray(move_table(store, coordinate, moves).data)
    table = table.reshape(coordinate.size, len(moves))
    undone = np.empty(table.shape, dtype=np.uint32)
    for column in range(len(moves)):
        undone[table[:, column], column] = np.arange(coordinate.size, dtype=np.uint32)
    return undone


def _sweep(
    distance: npt.NDArray[np.uint8],
    first: npt.NDArray[np.uint32],
    second: npt.NDArray[np.uint32],
    third: npt.NDArray[np.uint32],
    costs: npt.NDArray[np.int32],
    level: int,
) -> int:
    """What `puzzlekit.engine.fill.sweep` does, in NumPy."""
    import numpy as np

    here = np.flatnonzero(distance == level)
    pair, c = np.divmod(here, len(third))
    a, b = np.divmod(pair, len(second))
    for column, cost in enumerate(costs.tolist()):
        near = first[a, column].astype(np.int64) * len(second)
        near = (near + second[b, column]) * len(third) + third[c, column]
        farther = near[distance[near] > level + cost]
        distance[farther] = level + cost
    return len(here)
