"""Graphs of values: those that moves reach, of one coordinate or of several together.

A phase with many coordinates has a product far larger than what its moves reach of it. Coordinates
that depend on each other are joined here: what is reached of them together is numbered anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.errors import UsageError
from puzzlekit.puzzle.move import Move
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import build_move_table, is_tabulated, move_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FACTORS = 3  # that distances are worked out over
_DENSE = 1 << 26  # values of two graphs together that may be looked at
_GAIN = 4  # two graphs are joined where they have no more than this many times the larger's values
_LARGEST_TABLE = 1 << 28  # bytes of the move table of one coordinate

_size = attrgetter("size")


@attrs.frozen(eq=False)
class Graph:
    """The values that moves reach from the solved state, of some coordinates together.

    `columns`: for each move the value after it, shape (moves, size), uint32. `goals`: which values
    are at a goal, shape (size,), bool. `roots`: the values of the solved state, and of the other
    whole states at the goal. `ranks`: for each of the `coordinates` its rank, shape (coordinates,
    size).
    """

    coordinates: tuple[Coordinate, ...]
    ranks: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint32]
    goals: npt.NDArray[np.bool_]
    roots: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.goals)

    def values_of(self, ranks: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """The values at which the coordinates have these ranks, one array for each of them."""
        import numpy as np

        # Values are numbered in the order of the ranks, the first coordinate most significant.
        found: npt.NDArray[np.int64] = np.searchsorted(self._key(self.ranks), self._key(ranks))
        return np.minimum(found, self.size - 1)

    def _key(self, ranks: Sequence[npt.NDArray[np.int64]] | npt.NDArray[np.int64]) -> Any:
        key: Any = 0
        for coordinate, rank in zip(self.coordinates, ranks, strict=True):
            key = key * coordinate.size + rank
        return key

    def undone(self, moves: int) -> npt.NDArray[np.uint32]:
        """The value before each of the first `moves` moves: shape (size, moves)."""
        import numpy as np

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
    """The graph of one coordinate, under the moves of the `wanted` numbers.

    A UsageError where its values do not follow from move to move, or are too many to be listed.
    """
    import numpy as np

    if not coordinate.closed_under(moves):
        raise UsageError(
            f"coordinate {coordinate.name} cannot be followed from move to move, so its states "
            "cannot be counted"
        )
    if coordinate.size * len(moves) * 4 > _LARGEST_TABLE:
        raise UsageError(
            f"coordinate {coordinate.name} has {coordinate.size:,} values, too many to be listed"
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
    # A single value: joined with it a graph loses what is not reached.
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
    """What is reached of two graphs together; None if these are more than `most` values."""
    import numpy as np

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
            near = near[~seen[near]]  # each once, as a move permutes the values
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
    """At most three graphs in place of these, those that depend on each other joined.

    A TooManyStates where their product, at this many bytes an entry, takes more than `memory`.
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
    """A space has more entries than there is memory for, at this many bytes each."""

    #: The space, in words; whoever knows it says so.
    where = ""

    def __init__(self, entries: int, memory: int, each: int = 1) -> None:
        taken = f" at {each} bytes each" if each > 1 else ""
        super().__init__(
            f"its coordinates take {entries:,} values together, whose distances do not "
            f"fit into the {memory / 1e6:,.0f} MB that are allowed{taken}"
        )

    def __str__(self) -> str:
        return f"{self.where}: {super().__str__()}"


def _join_some(graphs: list[Graph]) -> list[Graph] | None:
    """The graphs with two that depend on each other joined; None where no two do."""
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
