"""Distances of joint values of coordinates from the goals, as arrays with one byte per distance.

The search starts at the goals, uses inverse moves, and computes distances in increasing order. If
costs are unequal, this is Dijkstra's algorithm with a bucket for each distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.kinds import Combination, Covering, Permutation, Pieces
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import RankedMoves, build_move_table, is_tabulated, move_table
from puzzlekit.tables.pruning_table import STRETCH, UNREACHED, stretches
from puzzlekit.tables.store import TableStore

if TYPE_CHECKING:
    from puzzlekit.engine.automaton import Edge

__all__ = ["distances", "fill_levels", "three_tables", "undone"]


Values = npt.NDArray[np.int64]
Masks = npt.NDArray[np.uint64]
_KINDS = (Permutation, Pieces, Combination, Covering)
_PLACES = 64  # bits of a mask
_PART = 1 << 21  # entries that are filled between two beats
_AT_ONCE = 1 << 16  # values whose neighbours are computed at once
_ROOM = 1 << 26  # approximate bytes for them
_FULL = 1 << 27  # bytes for the neighbours of all values, at most


def distances(
    graph: DistanceGraph, store: TableStore, tell: Callable[[float], None] = lambda share: None
) -> npt.NDArray[np.uint8]:
    """Return the distance of each joint value of the coordinates from the nearest goal.

    The result is a flat array. In an index, the value of the first coordinate is the most
    significant digit. The distance is 255 if the joint value reaches no goal. If the graph has an
    automaton, the distance is the least over the states of the automaton. A long computation calls
    `tell` with its progress, a number from 0 to 1.
    """
    found = distances_by_state(store, graph, tell)
    least: npt.NDArray[np.uint8] = found.min(axis=0) if len(found) > 1 else found[0]
    return least


def distances_by_state(
    store: TableStore, graph: DistanceGraph, tell: Callable[[float], None] = lambda share: None
) -> npt.NDArray[np.uint8]:
    """Return the distance of each joint value of 1 to 3 coordinates, for each automaton state.

    The automaton says which moves are possible after each other. If the graph has goal states but
    no goal moves, the goals are the joint values of the goal states. Otherwise a joint value is a
    goal if the value of each coordinate is a goal of this coordinate (see
    `puzzlekit.tables.goals.goals`). Usually all states of the automaton have the same goals. If the
    graph has goal places, however, each state of the automaton is a place of the guarding piece,
    and only goal places have goals.

    If a coordinate is not closed under the moves, a move may lead from one value to several (see
    `Coordinate.passages`). The distances are then lower bounds of the true distances. A move
    changes such a distance by at most the cost of the move.

    Returns an array of shape (states of the automaton, joint values), dtype uint8. In an index, the
    value of the first coordinate is the most significant digit. The distance is 255 if the joint
    value reaches no goal. A long computation calls `tell` with its progress, a number from 0 to 1.

    Raises TableError, before it allocates memory, if there is not enough.
    """
    coordinates, moves, edges = graph.coordinates, graph.moves, graph.automaton
    if not 1 <= len(coordinates) <= 3:
        raise DeclarationError("a pruning table must be over 1 to 3 coordinates")
    check_memory(_memory(graph), f"a pruning table of {graph.names}, {graph.values:,} entries,")
    sizes = [coordinate.size for coordinate in coordinates]
    distance = np.full([len(edges), *sizes], UNREACHED, dtype=np.uint8)
    goal_places = graph.goal_places if graph.edges else ()
    at_goal = [distance[place] for place in goal_places] or distance
    if graph.goal_states and not graph.goal_moves:
        for state in graph.goal_states:
            for row in at_goal:
                row[tuple(each.rank(state) for each in coordinates)] = 0
    else:
        goals = graph.goal_moves, graph.goal_states
        flags = [goal_flags(store, each, *goals) for each in coordinates]
        for row in at_goal:
            row[np.ix_(*map(np.flatnonzero, flags))] = 0
    # With neither a guarding piece nor all move tables, use the least cost of each move.
    exact = goal_places or all(is_tabulated(coordinate, moves) for coordinate in coordinates)
    own = edges if exact else _least_costs(edges, len(moves))
    if all(can_be_followed(coordinate, moves) for coordinate in coordinates):
        _follow(store, distance[: len(own)].reshape(len(own), -1), graph, own, tell)
    else:
        _relax(distance[: len(own)], graph, own)
    distance[len(own) :] = distance[0]
    return distance.reshape(len(distance), -1)


def _memory(graph: DistanceGraph) -> int:
    """Return the approximate number of bytes that the computation of the distances takes."""
    entries, moves = graph.values * len(graph.automaton), graph.moves
    values = sum(each.size for each in graph.coordinates)
    ahead = values * (8 * len(moves) + 8)  # the values before and after the moves
    if all(is_tabulated(each, moves) for each in graph.coordinates):
        return entries + ahead
    if all(can_be_followed(each, moves) for each in graph.coordinates):
        large = len(graph.coordinates) == 1 and 4 * values * len(moves) > _FULL
        return entries + _ROOM + (0 if large else ahead)
    return 5 * entries + values * (12 * len(moves) + 40)


def _least_costs(edges: Sequence[Sequence[Edge]], moves: int) -> list[list[Edge]]:
    """Return an automaton with one state, in which each move has its least cost in any state."""
    least = [UNREACHED] * moves
    for own in edges:
        for move, _, cost in own:
            least[move] = min(cost, least[move])
    return [[(move, 0, cost) for move, cost in enumerate(least) if cost < UNREACHED]]


def _fill_both_ways(
    distance: npt.NDArray[np.uint8], backward: Sequence[npt.NDArray[np.uint32]], masks: list[Masks]
) -> None:
    """Fill in the distances if all moves cost 1.

    The function extends the entries at the current distance. As soon as fewer entries have no
    distance yet than are at the current distance, it scans the entries without a distance instead.
    """
    from puzzlekit.engine import fill

    moves = backward[0].shape[1]
    masks = [*masks, *[np.zeros(1, dtype=np.uint64)] * (3 - len(masks))]
    backward = three_tables(backward)
    forward = [_inverses(each) for each in backward]
    way = np.array([(move, 0, 1) for move in range(moves)], dtype=np.int32)
    sweep: Any = fill.sweep
    pull: Any = fill.pull
    left = possible(masks)
    for level in range(UNREACHED - 2):
        here = sum(int(np.count_nonzero(part == level)) for part in stretches(distance))
        left -= here
        if not here:
            return
        for part in _parts(backward):
            if left <= here:
                pull(distance, *forward, *masks, level, *part)
            else:
                sweep(distance.reshape(1, -1), 0, *backward, way, level, *part)
    raise DeclarationError("distances do not fit into a byte, which holds at most 254")


def _parts(tables: Sequence[npt.NDArray[np.uint32]]) -> Iterator[tuple[int, int]]:
    """Yield ranges of the values of the first coordinate, each of which takes a moment to fill."""
    first, *others = map(len, tables)
    step = max(1, _PART // prod(others))
    for begin in range(0, first, step):
        beat()
        yield begin, min(begin + step, first)


def three_tables(tables: Sequence[npt.NDArray[np.uint32]]) -> list[npt.NDArray[np.uint32]]:
    """Return three move tables for the engine.

    If fewer tables are given, tables of a coordinate with one value are appended.
    """
    moves = tables[0].shape[1]
    return [*tables, *[np.zeros((1, moves), dtype=np.uint32)] * (3 - len(tables))]


def _inverses(table: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return a table with the inverse of each column. Each column must be a permutation."""
    inverse = np.empty(table.shape, dtype=np.uint32)
    for column in range(table.shape[1]):
        inverse[table[:, column], column] = np.arange(len(table), dtype=np.uint32)
    return inverse


def _follow(
    store: TableStore,
    distance: npt.NDArray[np.uint8],
    graph: DistanceGraph,
    edges: Sequence[Sequence[Edge]],
    tell: Callable[[float], None],
) -> None:
    """Fill in the distances if each move permutes the values of each coordinate.

    The function computes the values before the moves in advance. For a single large coordinate
    without a move table, it computes them once for each entry, when it needs them (see
    `RankedMoves`).
    """
    from puzzlekit.engine.fill import COMPILED

    coordinates, moves = graph.coordinates, graph.moves
    first, *others = coordinates
    if others or is_tabulated(first, moves) or 4 * first.size * len(moves) <= _FULL:
        backward = [undone(store, coordinate, moves) for coordinate in coordinates]
        plain = len(edges) == 1 and len(edges[0]) == len(moves) and {e[2] for e in edges[0]} == {1}
        if COMPILED and plain:
            # With several goals, a goal may be a joint value that no state has. Then the search may
            # reach entries that `taken` excludes, so it must not exclude any.
            single = sum(int((part == 0).sum()) for part in stretches(distance[0])) == 1
            free = [np.zeros(each.size, dtype=np.uint64) for each in coordinates]
            _fill_both_ways(distance[0], backward, taken(coordinates) if single else free)
        else:
            fill_levels(distance, backward, edges)
        return
    before = RankedMoves(first, moves, back=True)
    done = 0

    def sweep(state: int, way: npt.NDArray[np.int32], level: int) -> int:
        nonlocal done
        reached = 0
        for start in range(0, first.size, STRETCH):
            here = np.flatnonzero(distance[state, start : start + STRETCH] == level) + start
            for at in range(0, len(here), _AT_ONCE):
                near = list(before.values(here[at : at + _AT_ONCE]))
                for move, source, cost in way.tolist():
                    farther = near[move][distance[source, near[move]] > level + cost]
                    distance[source, farther] = level + cost
                done += len(near[0])
                tell(done / distance.size)
            reached += len(here)
        return reached

    _by_levels(distance, edges, sweep)


def fill_levels(
    distance: npt.NDArray[np.uint8],
    backward: Sequence[npt.NDArray[np.uint32]],
    edges: Sequence[Sequence[Edge]],
) -> None:
    """Fill in the distances of the joint values of one to three coordinates, level by level.

    - `distance`: an array of shape (states of the automaton, joint values). In an index, the value
      of the first coordinate is the most significant digit. The caller sets goals to 0 and all
      other entries to 255. The function changes the array in place.
    - `backward`: for each coordinate a table of shape (size, moves). It maps each value after a
      move to the value before the move.
    - `edges`: the automaton of the possible moves. It has for each state a list of tuples (move,
      next state, cost).

    The algorithm is by E. W. Dijkstra (1959), with buckets.
    """
    from puzzlekit.engine import fill

    tables = three_tables(backward)
    step: Any = fill.sweep if fill.COMPILED else _sweep

    def sweep(state: int, way: npt.NDArray[np.int32], level: int) -> int:
        parts = _parts(tables)
        return sum(step(distance, state, *tables, way, level, *part) for part in parts)

    _by_levels(distance, edges, sweep)


def _by_levels(
    distance: npt.NDArray[np.uint8],
    edges: Sequence[Sequence[Edge]],
    sweep: Callable[[int, npt.NDArray[np.int32], int], int],
) -> None:
    """Compute one level after another.

    `sweep` gets a state of the automaton, the edges that lead to this state, and a level. For each
    value at this level, it fills in the distances of the neighbours. It returns the number of
    values at this level.
    """
    # The edges that lead to each state: (move, state that the edge comes from, cost).
    into: list[list[Edge]] = [[] for _ in edges]
    for state, own in enumerate(edges):
        for move, to, cost in own:
            into[to].append((move, state, cost))
    ways = [np.array(own, dtype=np.int32).reshape(-1, 3) for own in into]
    dearest = max(cost for own in edges for _, _, cost in own)
    level = 0
    empty = 0
    while empty < dearest and level + dearest < UNREACHED:
        found = sum(sweep(state, way, level) for state, way in enumerate(ways))
        empty = 0 if found else empty + 1
        level += 1
    most = UNREACHED - dearest
    if any(
        ((part >= most) & (part < UNREACHED)).any() for row in distance for part in stretches(row)
    ):
        raise DeclarationError(
            "distances do not fit into a byte, which holds at most 254: choose lower costs, or "
            "costs that differ less"
        )


def _relax(
    distance: npt.NDArray[np.uint8], graph: DistanceGraph, edges: Sequence[Sequence[Edge]]
) -> None:
    """Lower the distances until no move shortens a path. This works for all coordinates.

    `distance` has one axis for the states of the automaton and one for each coordinate.
    """
    moves = graph.moves
    alike = {move.effect: move for move in moves}  # some moves differ only in their guards
    columns = [
        [_MovePassage(*each) for each in coordinate.passages(alike.values())]
        for coordinate in graph.coordinates
    ]
    passages = dict(zip(alike, zip(*columns, strict=True), strict=True))
    stale = set(range(len(edges)))  # states whose distances fell since they were last processed
    while stale:
        fallen = set()
        for state, own in enumerate(edges):
            here = distance[state]
            for move, to, cost in own:
                if to not in stale and to not in fallen:
                    continue
                beat()
                near = distance[to]
                for axis, part in enumerate(passages[moves[move].effect]):
                    near = part.least(near, axis)
                near = np.where(near < UNREACHED - cost, near + np.uint8(cost), np.uint8(UNREACHED))
                if (near < here).any():
                    np.minimum(here, near, out=here)
                    fallen.add(state)
        stale = fallen


class _MovePassage:
    """The values to which one move may lead from each value: see `Coordinate.passages`."""

    def __init__(
        self, before: npt.NDArray[np.integer[Any]], after: npt.NDArray[np.integer[Any]]
    ) -> None:
        if (after == np.arange(len(after), dtype=after.dtype)).all():  # the usual case
            self._several = False
            self._order = before.astype(np.uint32)
            return
        groups, sizes = np.unique(after, return_counts=True)
        order = np.argsort(after, kind="stable").astype(np.uint32)
        group = np.searchsorted(groups, before).astype(np.uint32)
        # If each group has one value, the values themselves take half the memory.
        self._several = bool((sizes > 1).any())
        self._order = order if self._several else order[group]
        if self._several:
            self._group = group
            self._starts = np.cumsum(sizes) - sizes

    def least(self, distance: npt.NDArray[np.uint8], axis: int) -> npt.NDArray[np.uint8]:
        """Return for each value on an axis the least distance to which the move may lead."""
        ordered = distance.take(self._order, axis)
        if not self._several:
            return ordered
        return np.minimum.reduceat(ordered, self._starts, axis).take(self._group, axis)


def undone(
    store: TableStore, coordinate: Coordinate, moves: Sequence[Move]
) -> npt.NDArray[np.uint32]:
    """Return the value before each move, for each value after it: shape (size, moves).

    The values come from the move table if the coordinate has one.
    """
    if not is_tabulated(coordinate, moves):
        return build_move_table(coordinate, moves, back=True)
    table = np.asarray(move_table(store, coordinate, moves).data)
    return _inverses(table.reshape(coordinate.size, len(moves)))


def _sweep(
    distance: npt.NDArray[np.uint8],
    state: int,
    first: npt.NDArray[np.uint32],
    second: npt.NDArray[np.uint32],
    third: npt.NDArray[np.uint32],
    into: npt.NDArray[np.int32],
    level: int,
    begin: int,
    end: int,
) -> int:
    """Do the same as `puzzlekit.engine.fill.sweep`, in NumPy."""
    size = len(second) * len(third)
    here = np.flatnonzero(distance[state, begin * size : end * size] == level) + begin * size
    pair, c = np.divmod(here, len(third))
    a, b = np.divmod(pair, len(second))
    for move, source, cost in into.tolist():
        near = first[a, move].astype(np.int64) * len(second)
        near = (near + second[b, move]) * len(third) + third[c, move]
        farther = near[distance[source, near] > level + cost]
        distance[source, farther] = level + cost
    return len(here)


def can_be_followed(coordinate: Coordinate, moves: Sequence[Move]) -> bool:
    """Whether each move permutes the values of a coordinate."""
    own = type(coordinate).passages is not Coordinate.passages
    return is_tabulated(coordinate, moves) or (not own and coordinate.closed_under(moves))


def taken(coordinates: Sequence[Coordinate]) -> list[Masks]:
    """Return one array per coordinate. It lists the places that the pieces of each value occupy.

    An array has one mask per value of the coordinate: shape (size,), dtype uint64. Bit i of a mask
    is 1 if a piece of the coordinate is at place i. All masks of a coordinate are 0 in three cases:

    - The coordinate does not describe the places of pieces.
    - Its orbit is not the orbit of the first coordinate that describes places.
    - It shares a piece with an earlier coordinate.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> one, other = (Permutation(name, cube, "corners", name) for name in ("ULB", "UBR"))
    >>> [masks.tolist() for masks in taken([one, other])][1]
    [1, 2, 4, 8, 16, 32, 64, 128]
    """
    found = []
    seen: frozenset[int] | None = None  # the pieces of the coordinates so far
    for each in coordinates:
        masks = np.zeros(each.size, dtype=np.uint64)
        found.append(masks)
        orbit = each.orbit
        if type(each) not in _KINDS or orbit.size > _PLACES:
            continue
        if seen is None:
            seen, of = frozenset(), orbit
        if orbit is not of or seen & each.looks_at:
            continue
        seen |= each.looks_at
        start = each.puzzle.offsets[orbit.name]
        for part, vector in each.stretches():
            for place in range(orbit.size):
                if start + place in vector:
                    here = np.isin(vector[start + place], list(each.looks_at))
                    masks[part] |= here.astype(np.uint64) << np.uint64(place)
    return found


def possible(masks: Sequence[Masks]) -> int:
    """Return the number of joint values in which no two masks have a common place."""
    told = {0: 1}
    *others, largest = sorted(masks, key=len)
    for each in others:
        values, counts = (column.tolist() for column in np.unique(each, return_counts=True))
        after: dict[int, int] = {}
        for mask, ways in told.items():
            for value, count in zip(values, counts, strict=True):
                if not mask & value:
                    after[mask | value] = after.get(mask | value, 0) + ways * count
        told = after
    last, times = np.unique(largest, return_counts=True)
    return sum(ways * int(times[last & np.uint64(mask) == 0].sum()) for mask, ways in told.items())
