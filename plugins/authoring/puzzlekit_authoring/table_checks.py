"""Checks of the pruning tables of a phase, against distances computed with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from puzzlekit import Coordinate, Method, Metric, Move, TableStore
from puzzlekit.engine.fill import COMPILED
from puzzlekit.search.compiled_phase import CompiledPhase
from puzzlekit.search.options import table_keys
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.search.strategies.bounds import BoundSearch
from puzzlekit.search.strategies.single_phase import SinglePhase
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.pruning_table import UNREACHED, ResolvedTable
from puzzlekit_authoring.checks import PHASE, Target, check, fail, skip
from puzzlekit_authoring.coordinate_checks import CLOSED, MOVED, RANKS, own_phase
from puzzlekit_authoring.move_checks import COUNTED

if TYPE_CHECKING:
    from puzzlekit.engine.automaton import Edge
    from puzzlekit.tables.table import TableSpec

EXACT = "pruning tables are exact"


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


def method_at_hand(
    target: Target, method: Method | None = None, metric: Metric | None = None
) -> None:
    """Skip the check if the tables of a method take too long to build.

    Default: the method of the target.
    """
    choice = target.solver.choose(target.search_options(method, metric))
    at_hand(target, table_keys(choice))


def at_hand(target: Target, keys: list[TableSpec]) -> None:
    """Skip a check if its missing tables take too long to build for this effort."""
    if target.method.heavy and not COMPILED:
        skip("its tables take minutes to build without the compiled engine")
    store = target.solver.store
    missing = [key for key in dict.fromkeys(keys) if not store.has(key)]
    wanted = sum(key.nbytes for key in missing)
    if wanted > target.effort.build:
        skip(
            f"its tables of {wanted / 1e6:,.0f} MB are missing: run 'puzzlekit tables build'; "
            f"{target.effort.name} checks build up to {target.effort.build / 1e6:,.0f} MB"
        )


def needs_of(target: Target, metric: Metric) -> ResolvedPhase:
    """Return the resolved phase in a metric. Skip the check if building its tables takes long."""
    needs = target.plan(metric).resolved(target.phase)
    simple, tables = needs.table_keys()
    at_hand(target, simple + tables)
    return needs


@check(EXACT, PHASE, needs=(COUNTED, RANKS, CLOSED, MOVED))
def exact(target: Target) -> None:
    """Each entry is 0 at goals, and elsewhere the least sum of a move's cost and the next entry.

    An entry away from the goals is never 0. So all entries are the true distances.
    """
    own_phase(target)
    if not target.method.strategy.needs_coordinates:
        skip("its strategy searches without coordinates")
    looked_at = 0
    too_large = []
    for metric in target.metrics:
        needs = needs_of(target, metric)
        for table in needs.tables:
            if table.graph.is_reduced or not table.kind.is_exact or table.kind.bits == 2:
                continue
            if table.entries * len(table.graph.automaton) > target.effort.entries:
                too_large.append(f"{table.kind.coordinates} ({table.entries:,} entries)")
                continue
            check_exact(target.solver.store, table)
            looked_at += 1
    if not looked_at:
        why = (
            f"; larger ones are sampled: {', '.join(dict.fromkeys(too_large))}" if too_large else ""
        )
        skip(f"it has no plain table of up to {target.effort.entries:,} entries{why}")


def check_exact(store: TableStore, table: ResolvedTable) -> None:
    """Fail if a table of 4 or 8 bits does not hold exact distances."""
    import numpy as np

    graph, bits = table.graph, table.kind.bits
    parts, edges = graph.coordinates, graph.automaton
    name = f"pruning table {' '.join(each.name for each in parts)} in {graph.metric}"
    goals = at_goal(store, parts, graph.goal_moves, graph.goal_states)
    grid = unpacked(table.get(store).data, bits, table.entries).reshape(goals.shape)
    if not np.array_equal(grid == 0, goals):
        at = tuple(np.argwhere((grid == 0) != goals)[0].tolist())
        fail(
            f"{name}: the values {at} {'are' if goals[at] else 'are not'} at a goal, but the "
            f"table gives the distance {grid[at]}"
        )
    if len(edges) > 1:  # an entry is the least over the states of an automaton
        near = distances_of(store, graph)
    else:
        near = Neighbours(parts, graph.moves).relaxed(grid[None], edges)[0]
    near = np.minimum(near, (1 << bits) - 1)
    if (wrong := np.argwhere((near != grid) & ~goals)).size:
        at = tuple(wrong[0].tolist())
        fail(
            f"{name}: the values {at} have the distance {grid[at]}, but their neighbours give "
            f"{near[at]}"
        )


def assembled_phase(target: Target, metric: Metric) -> CompiledPhase:
    """Return the phase with its tables, ready to be searched by the engine that is in use."""
    return CompiledPhase(target.plan(metric), target.phase)


def make_search(target: Target, metric: Metric) -> Callable[[bytes], BoundSearch] | None:
    """Return a function that makes the search of a state, if only this search reads its table.

    Return None if the engine reads the tables of the phase.
    """
    if not any(table.reads_more for table in target.phase.pruning_tables):
        return None
    ready = target.method.strategy.prepared(target.plan(metric))
    assert isinstance(ready, SinglePhase)
    return lambda state: ready.tree_search([state])


@check("pruning tables never overestimate", PHASE, needs=(COUNTED, RANKS, CLOSED, MOVED))
def admissible(target: Target) -> None:
    """The estimate is 0 at goals, and moves change it by at most their cost.

    So the estimate is never more than the cost of the way back to the goal. If a table is small, a
    second computation of its distances is compared with the estimates. If entries of a table are
    shared or limited, a move may change the estimate by more than its cost.
    """
    phase, puzzle, moves = own_phase(target)
    kept = phase.kept(puzzle)
    if not phase.tables:
        skip("it has no pruning tables")
    for metric in target.metrics:
        needs = needs_of(target, metric)
        look = _Looking(target, metric, needs)
        for start in target.states(kept, 4) if kept else [puzzle.solved]:
            for number in range(max(2, target.effort.samples // 10)):
                look.along([move for move, _ in target.walk(moves, 3 + number % 20, start)], start)


class _Looking:
    """Compares the estimates of a phase along sequences of moves."""

    def __init__(self, target: Target, metric: Metric, needs: ResolvedPhase) -> None:
        self._puzzle = target.puzzle
        self._metric = metric
        self._moves, tables = set(needs.moves), needs.tables
        self._estimate: Callable[[bytes], int]
        if make := make_search(target, metric):
            self._estimate = lambda state: make(state).estimate()
        else:
            self._estimate = partial(assembled_phase(target, metric).estimate, target.puzzle)
        self._steady = all(
            table.kind.is_exact and len(table.graph.automaton) == 1 for table in tables
        )
        known = [table for table in tables if _is_small(table, target.effort.entries >> 4)]
        self._complete = len(known) == len(tables)
        store = target.solver.store
        self._known = [(table, distances_of(store, table.graph)) for table in known]
        for table, distances in self._known:
            if not table.kind.is_exact:  # others have a check of their own
                _check_bounds(store, table, distances)

    def along(self, path: Sequence[Move], state: bytes) -> None:
        """Check the estimate after each move of a path from a state at the goal."""
        puzzle, metric = self._puzzle, self._metric
        before = self._estimate(state)
        if before:
            fail(f"in {metric.name} the estimate of a state at the goal is {before}, not 0")
        for number, move in enumerate(path, 1):
            done = path[:number]
            state = puzzle.apply(state, [move])
            estimate = self._estimate(state)
            words = f"in {metric.name} the estimate after {' '.join(each.name for each in done)}"
            if self._steady and abs(estimate - before) > metric.cost(move):
                fail(
                    f"{words} is {estimate}, and before {move.name} it is {before}: "
                    "the move costs less than the change"
                )
            undone = [puzzle.inverse(each) for each in done]
            if set(undone) <= self._moves and estimate > metric.total(undone):
                fail(f"{words} is {estimate}, but undoing that costs {metric.total(undone)}")
            self._compare(estimate, state, words)
            before = estimate

    def _compare(self, estimate: int, state: bytes, words: str) -> None:
        most = 0
        for table, distances in self._known:
            parts = table.graph.coordinates
            distance = int(distances[tuple(each.rank(state) for each in parts)])
            most = max(most, distance)
            cap = 15 if table.kind.bits == 4 else UNREACHED
            if table.kind.is_exact and distance < UNREACHED and estimate < min(distance, cap):
                names = " ".join(each.name for each in parts)
                fail(f"{words} is {estimate}, but the distance over {names} is {distance}")
        if self._complete and estimate > most:
            fail(f"{words} is {estimate}, but the largest distance of its tables is {most}")


def _check_bounds(store: TableStore, table: ResolvedTable, distances: Any) -> None:
    """Fail if an entry is more than the distance, where the table has an entry for each value."""
    import numpy as np

    bits, parts = table.kind.bits, table.graph.coordinates
    if bits not in (4, 8) or table.graph.is_reduced or table.entries != distances.size:
        return
    grid = unpacked(table.get(store).data, bits, table.entries).reshape(distances.shape)
    if (wrong := np.argwhere(grid > distances)).size:
        at = tuple(wrong[0].tolist())
        fail(
            f"pruning table {' '.join(each.name for each in parts)} in {table.graph.metric}: the "
            f"values {at} have the entry {grid[at]}, but the distance {distances[at]}"
        )


def _is_small(table: ResolvedTable, most: int) -> bool:
    """Whether all distances of the table can be computed quickly."""
    kind, parts = table.kind, table.graph.coordinates
    if kind.reads_more:
        return False
    carried = any(each.carried for each in parts)
    entries = table.graph.values * len(table.graph.automaton)
    return kind.in_estimate and not (carried or kind.group) and entries <= most


@check("additive tables count different moves", PHASE, needs=(RANKS, CLOSED))
def additive(target: Target) -> None:
    """No move changes the entries of two tables of a group, so adding their distances is right."""
    phase, puzzle, moves = own_phase(target)
    groups = [group for group in phase.groups if group[0].group]
    if not groups:
        skip("it has no additive tables")
    for state in target.states(moves, target.effort.samples):
        for move in target.possible(moves, state):
            after = puzzle.apply(state, [move])
            for group in groups:
                changed = [
                    table.coordinates
                    for table in group
                    if any(
                        each.rank(state) != each.rank(after) for each in phase.coordinates_of(table)
                    )
                ]
                if len(changed) > 1:
                    fail(
                        f"{move.name} changes the entries of {' and of '.join(changed)}, whose "
                        f"distances are added in the group {group[0].group}"
                    )
