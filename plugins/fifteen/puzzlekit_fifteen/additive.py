"""Additive pruning tables: the sum of the distances of several tables is a lower bound.

An additive table counts only the moves that change the joint value of its coordinates. The sum of
the distances of several tables is a lower bound if no move changes joint values of two tables. In
some puzzles the place of a guarding piece, such as the blank of a sliding puzzle, determines which
moves are possible. The build then computes a distance for each joint value and each place of the
guarding piece. The table stores the least distance over these places.

R. E. Korf and A. Felner, "Disjoint pattern database heuristics" (2002).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import attrs

from puzzlekit import Coordinate, DeclarationError, Move, PruningTable, TableStore
from puzzlekit.engine.beats import beat
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags, goals_identity
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import is_tabulated, moves_identity
from puzzlekit.tables.pruning_table import UNREACHED, Entries, TableText, Tell, pack

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Additive"]

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
    #: Other coordinates over which the table is built and stored, in place of its own. Their joint
    #: values have the same distances, number by number, as on a board and its reflection. Tables
    #: that are like one another are stored once. Empty: the table is stored for itself.
    like: tuple[Coordinate, ...] = ()

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

    def stored(self, graph: DistanceGraph) -> DistanceGraph:
        """Return the graph of the coordinates `like`, if there are any."""
        if not self.like:
            return graph
        if [each.size for each in self.like] != [each.size for each in graph.coordinates]:
            raise self.refused("the coordinates 'like' must have as many values as its own")
        return attrs.evolve(graph, coordinates=self.like)

    def check(self, graph: DistanceGraph) -> None:
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
        return graph.values

    def text(self, graph: DistanceGraph) -> TableText:
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
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.tables.product_distances import undone
        from puzzlekit_fifteen.pattern import sliding_distances

        parts, moves = graph.coordinates, graph.moves
        if COMPILED:
            found = sliding_distances(parts, moves, graph.goal_places, tell)
            if found is not None:
                return pack(found, self.bits)
        at_goal = [
            goal_flags(store, each, graph.goal_moves).nonzero()[0].tolist() for each in parts
        ]
        backward = [undone(store, each, moves) for each in parts]
        distance = additive_distances(parts, at_goal, backward, moves, graph.goal_places, COMPILED)
        return pack(distance, self.bits)


MOST_PLACES = 64  # of a guarding piece, one bit each


def may_be_at(coordinate: Coordinate, value: int, place: int) -> bool:
    """Whether the guarding piece may be at a place if a coordinate has this value."""
    guarded = coordinate.puzzle.guarded
    assert guarded is not None
    labels = coordinate.possible(value).get(guarded.byte + place)
    return labels is None or guarded.label in labels


def additive_distances(
    coordinates: Sequence[Coordinate],
    at_goal: Sequence[Sequence[int]],
    backward: Sequence[npt.NDArray[np.uint32]],
    moves: Sequence[Move],
    goal_places: Sequence[int],
    compiled: bool,
) -> npt.NDArray[np.uint8]:
    """Return the distance of each joint value of an additive table.

    A joint value consists of one value of each coordinate. The result is a flat array. In an index,
    the value of the first coordinate is the most significant digit. The distance is 255 if the
    joint value reaches no goal.

    - `at_goal`: for each coordinate its values at the goals.
    - `backward`: for each coordinate a table of shape (size, moves). It maps each value after a
      move to the value before the move.
    - `moves`: the moves. A move costs 1 if it changes the joint value, else 0.
    - `goal_places`: the places of the guarding piece at a goal. This is the piece whose place
      determines which moves are possible, such as the blank of a sliding puzzle. Empty if there is
      no such piece.
    - `compiled`: whether to run the loop of the engine instead of NumPy.
    """
    import numpy as np

    from puzzlekit.tables.product_distances import three_tables
    from puzzlekit_fifteen.engine import additive_fill

    sizes = [len(table) for table in backward]
    guarded = coordinates[0].puzzle.guarded
    places = 1 if guarded is None else guarded.size
    if places > MOST_PLACES:
        raise DeclarationError(
            f"the guarding piece has {places} places, but an additive pruning table allows at most "
            f"{MOST_PLACES}: use another kind of table"
        )
    kind = np.uint16 if places <= 16 else np.uint64
    entries = prod(sizes)
    check_memory(
        entries * (3 * np.dtype(kind).itemsize + 1), f"an additive table of {entries:,} entries"
    )
    masks: Iterator[Any] = (np.zeros(entries, dtype=kind) for _ in range(3))
    seen, here, there = masks
    for place in goal_places or (0,):
        goals = [
            [value for value in values if guarded is None or may_be_at(each, value, place)]
            for each, values in zip(coordinates, at_goal, strict=True)
        ]
        here.reshape(sizes)[np.ix_(*goals)] |= kind(1 << place)
    # Moves, grouped by the place of the guarding piece after the move. A move without a guard
    # leads from place 0 to place 0.
    into: list[list[tuple[int, int]]] = [[] for _ in range(places)]
    for number, move in enumerate(moves):
        into[max(move.guard_after, 0)].append((number, max(move.guard_before, 0)))
    ways = np.array([edge for own in into for edge in own], dtype=np.int32).reshape(-1, 2)
    begin = np.cumsum([0, *map(len, into)], dtype=np.int32)
    tables = three_tables(backward)
    distance = np.full(len(seen), UNREACHED, dtype=np.uint8)
    step: Any = additive_fill.additive_level if compiled else _level
    number = 0
    while step(distance, seen, here, there, *tables, ways, begin, number):
        beat()
        here, there = there, here
        number += 1
        if number == UNREACHED:
            raise DeclarationError("distances do not fit into a byte, which holds at most 254")
    return distance


def _level(
    distance: npt.NDArray[np.uint8],
    seen: npt.NDArray[np.unsignedinteger],
    here: npt.NDArray[np.unsignedinteger],
    there: npt.NDArray[np.unsignedinteger],
    first: npt.NDArray[np.uint32],
    second: npt.NDArray[np.uint32],
    third: npt.NDArray[np.uint32],
    into: npt.NDArray[np.int32],
    begin: npt.NDArray[np.int32],
    number: int,
) -> int:
    """Do the same as `additive_fill.additive_level`, in NumPy."""
    import numpy as np

    fresh = np.flatnonzero(here & ~seen)
    distance[fresh] = np.minimum(distance[fresh], number)
    reached = 0
    while len(fresh):
        bits = here[fresh] & ~seen[fresh]
        seen[fresh] |= bits
        pair, c = np.divmod(fresh, len(third))
        a, b = np.divmod(pair, len(second))
        for after in range(len(begin) - 1):
            at = np.flatnonzero((bits >> bits.dtype.type(after)) & bits.dtype.type(1))
            reached += len(at)
            for move, before in into[begin[after] : begin[after + 1]].tolist():
                near = first[a[at], move].astype(np.int64) * len(second)
                near = (near + second[b[at], move]) * len(third) + third[c[at], move]
                stays = near == fresh[at]
                here[near[stays]] |= bits.dtype.type(1 << before)
                there[near[~stays]] |= bits.dtype.type(1 << before)
        fresh = fresh[(here[fresh] & ~seen[fresh]) != 0]
    here[:] = 0
    return reached
