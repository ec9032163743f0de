"""Graphs of the values that moves reach, for one coordinate or for several coordinates together.

Moves reach only a small part of all combinations of the values of many coordinates. Therefore
coordinates that depend on each other are joined: only the combinations that can be reached get a
number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import attrgetter
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from puzzlekit import Coordinate, Move, TableStore, UsageError
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import build_move_table, is_tabulated, move_table

_FACTORS = 3  # largest number of graphs whose product is searched
_DENSE = 1 << 26  # largest product of two graphs that is examined
_GAIN = 4  # graphs are joined if the result is at most this many times as large as the larger one
_LARGEST_TABLE = 1 << 28  # bytes of the move table of one coordinate

_size = attrgetter("size")


@attrs.frozen(eq=False)
class Graph:
    """The combinations of coordinate values that can be reached from the solved state by moves.

    The combinations are numbered from 0 to `size` - 1. The number of a combination is called a
    value of the graph.

    - `columns[m, v]`: the value after move m from value v. The shape is (moves, size), the dtype
      uint32.
    - `goals[v]`: whether value v is at a goal.
    - `roots`: the values of the solved state and of the other goal states that the phase lists.
    - `ranks[c, v]`: the rank of coordinate c in value v. The shape is (coordinates, size).
    """

    coordinates: tuple[Coordinate, ...]
    ranks: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint32]
    goals: npt.NDArray[np.bool_]
    roots: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.goals)

    def values_of(self, ranks: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Convert ranks of the coordinates to values of the graph.

        `ranks` has one array for each coordinate, all of the same shape. Item i of the result is
        the number of the combination of the items i of these arrays. The item has no meaning if the
        graph does not have this combination.
        """
        # Values are in the order of the ranks, with the first coordinate most significant.
        found: npt.NDArray[np.int64] = np.searchsorted(self._key(self.ranks), self._key(ranks))
        return np.minimum(found, self.size - 1)

    def _key(self, ranks: Sequence[npt.NDArray[np.int64]] | npt.NDArray[np.int64]) -> Any:
        key: Any = 0
        for coordinate, rank in zip(self.coordinates, ranks, strict=True):
            key = key * coordinate.size + rank
        return key

    def undone(self, moves: int) -> npt.NDArray[np.uint32]:
        """Return the value before each of the first `moves` moves, shape (size, moves)."""
        before = np.empty((self.size, moves), dtype=np.uint32)
        for number in range(moves):
            before[self.columns[number], number] = np.arange(self.size, dtype=np.uint32)
        return before


def coordinate_graph(
    store: TableStore,
    coordinate: Coordinate,
    moves: Sequence[Move],
    wanted: Sequence[int],
    goal_moves: Sequence[Move],
    goal_states: Sequence[bytes],
) -> Graph:
    """Return the graph of one coordinate under the moves whose indices are in `wanted`.

    Raises UsageError if the coordinate is not closed under the moves or has too many values.
    """
    if not coordinate.closed_under(moves):
        raise UsageError(
            f"coordinate {coordinate.name} is not closed under the moves, so the values at "
            "each distance cannot be counted: choose another coordinate"
        )
    if coordinate.size * len(moves) * 4 > _LARGEST_TABLE:
        raise UsageError(
            f"coordinate {coordinate.name} has {coordinate.size:,} values, too many for a list"
        )
    if is_tabulated(coordinate, moves):
        table = np.asarray(move_table(store, coordinate, moves).data)
    else:
        table = build_move_table(coordinate, moves)
    columns = table.reshape(coordinate.size, len(moves))[:, list(wanted)].T
    whole = Graph(
        (coordinate,),
        np.arange(coordinate.size)[None],
        np.ascontiguousarray(columns, dtype=np.uint32),
        goal_flags(store, coordinate, goal_moves, goal_states) > 0,
        tuple(int(coordinate.rank(state)) for state in goal_states or (coordinate.puzzle.solved,)),
    )
    # A graph with a single value. Joining it with another graph drops unreachable values.
    point = Graph(
        (),
        np.zeros((0, 1), dtype=np.int64),
        np.zeros((len(wanted), 1), dtype=np.uint32),
        np.ones(1, dtype=bool),
        (0,) * len(whole.roots),
    )
    reached = join(whole, point, whole.size)
    assert reached is not None
    return reached


def join(one: Graph, other: Graph, most: int) -> Graph | None:
    """Return the graph of all pairs of values of two graphs that can be reached together.

    The result is None if there are more than `most` pairs.
    """
    width = other.size
    roots = [a * width + b for a, b in zip(one.roots, other.roots, strict=True)]
    seen = np.zeros(one.size * width, dtype=bool)
    fresh = np.unique(roots)
    seen[fresh] = True
    count = 0
    while len(fresh):
        count += len(fresh)
        if count > most:
            return None
        a, b = np.divmod(fresh, width)
        found = [fresh[:0]]
        for first, second in zip(one.columns, other.columns, strict=True):
            near = first[a].astype(np.int64) * width + second[b]
            near = near[~seen[near]]  # without duplicates, since a move permutes the values
            seen[near] = True
            found.append(near)
        fresh = np.concatenate(found)
    values = np.flatnonzero(seen)
    number = np.cumsum(seen, dtype=np.uint32) - np.uint32(1)
    a, b = np.divmod(values, width)
    columns = np.empty((len(one.columns), len(values)), dtype=np.uint32)
    for column, first, second in zip(columns, one.columns, other.columns, strict=True):
        column[:] = number[first[a].astype(np.int64) * width + second[b]]
    return Graph(
        one.coordinates + other.coordinates,
        np.concatenate([one.ranks[:, a], other.ranks[:, b]]),
        columns,
        one.goals[a] & other.goals[b],
        tuple(int(number[root]) for root in roots),
    )


def joined(graphs: Sequence[Graph], memory: int, per_entry: int) -> list[Graph]:
    """Join graphs that depend on each other, until at most three graphs are left.

    An entry is a combination of values of the graphs that are left, and takes `per_entry` bytes.
    Raises TooManyStates if all entries take more than `memory` bytes.
    """
    left = sorted(graphs, key=_size)
    while (made := _join_some(left)) is not None:
        left = made
    entries = prod(map(_size, left))
    if entries * per_entry > memory:
        raise TooManyStates(entries, memory, per_entry)
    while len(left) > _FACTORS:
        one, other, *left = left
        both = join(one, other, one.size * other.size)
        assert both is not None
        left = sorted([both, *left], key=_size)
    return left[::-1]


class TooManyStates(UsageError):
    """The distances of a space do not fit into the memory."""

    #: The name of the space, for the message. The caller sets it.
    where = ""

    def __init__(
        self,
        entries: int,
        memory: int,
        each: int = 1,
        what: str = "its coordinates have {:,} values together",
    ) -> None:
        taken = f" at {each} bytes each" if each > 1 else ""
        limit = f"{memory / 1e6:,.0f} MB" if memory >= 1e6 else f"{memory / 1e3:,.0f} kB"
        super().__init__(
            f"{what.format(entries)}; their distances do not fit into the allowed {limit}{taken}"
        )

    def __str__(self) -> str:
        return f"{self.where}: {super().__str__()}"


def _join_some(graphs: list[Graph]) -> list[Graph] | None:
    """Join two graphs that depend on each other; return None if there are no such graphs."""
    for j, other in enumerate(graphs):
        for i, one in enumerate(graphs[:j]):
            both = one.size * other.size
            if both > _DENSE:
                continue
            found = join(one, other, min(_GAIN * other.size, both // 2 if one.size > 1 else both))
            if found is not None:
                rest = [each for k, each in enumerate(graphs) if k not in (i, j)]
                return sorted([*rest, found], key=_size)
    return None
