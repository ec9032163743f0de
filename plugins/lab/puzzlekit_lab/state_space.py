"""The space of a phase: all states that its coordinates distinguish, with their distances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Coordinate, Move, TableStore, UsageError
from puzzlekit.coordinates.products import plain_coordinates
from puzzlekit.engine.automaton import Edge
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.product_distances import fill_levels
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.graph import Graph, coordinate_graph, joined

Entries = npt.NDArray[np.int64]

_CHUNK = 1 << 18  # entries processed at once


def distances(
    graphs: Sequence[Graph], edges: Sequence[Sequence[Edge]], goals: Entries, start: int = 0
) -> npt.NDArray[np.uint8]:
    """Return the least cost from each entry to one of the `goals`.

    An entry is a combination of values, one from each graph. The array is flat. In an index, the
    value of the first graph is the most significant digit. The cost is 255 if no goal can be
    reached.

    The cost of a move may depend on the moves before it. The automaton `edges` describes this: for
    each of its states it lists the possible moves with their costs (see
    `puzzlekit.engine.automaton`). Moves are numbered as in the graphs. `start` is the state of
    the automaton before the first move.
    """
    distance = np.full((len(edges), prod(graph.size for graph in graphs)), UNREACHED, np.uint8)
    distance[:, goals] = 0
    fill_rows(graphs, edges, distance)
    found: npt.NDArray[np.uint8] = distance[start]
    return found


def fill_rows(
    graphs: Sequence[Graph], edges: Sequence[Sequence[Edge]], distance: npt.NDArray[np.uint8]
) -> None:
    """Fill in the distances of all entries, for each state of the automaton `edges`.

    `distance` has the shape (states of the automaton, entries). Before the call it has 0 at goals
    and 255 elsewhere. The array is changed in place. For entries and `edges` see `distances`.
    """
    moves = 1 + max(move for own in edges for move, _, _ in own)
    fill_levels(distance, [graph.undone(moves) for graph in graphs], edges)


def without_memory(costs: Sequence[int]) -> list[list[Edge]]:
    """Return an automaton for moves whose costs do not depend on the moves before."""
    return [[(move, 0, cost) for move, cost in enumerate(costs)]]


def histogram(distance: npt.NDArray[np.uint8]) -> Any:
    """Return how often each byte from 0 to 255 occurs."""
    return np.bincount(distance.reshape(-1), minlength=UNREACHED + 1)


def listed(found: Any) -> list[int]:
    """Return a histogram as a list that ends at the largest distance with entries."""
    reached: list[int] = np.trim_zeros(found[:UNREACHED], "b").tolist()
    return reached


class StateSpace:
    """The states of a phase, and their distances from the goal.

    The coordinates of the phase are covered by at most three graphs. An entry is a combination of
    values, one from each graph. It is a state if moves reach it from the solved state or from
    another goal state that the phase lists. The moves of the phase and its goal moves may be used.
    All other entries contradict themselves: no state has these values together.

    - `moves`, `costs`: the moves that lead to the goal, and their costs.
    - `known`: these moves, and the goal moves.
    - `distance`: uint8, the least cost from each entry to a goal. It is 255 if the entry is not a
      state or reaches no goal. If the cost of a move depends on the moves before it, no move comes
      before the first move.

    An entry takes `per_entry` bytes. Raises UsageError if all entries take more than `memory`
    bytes.
    """

    def __init__(
        self,
        store: TableStore,
        needs: ResolvedPhase,
        numbers: Sequence[int],
        memory: int,
        per_entry: int,
    ) -> None:
        self.puzzle = needs.puzzle
        self.moves = [needs.moves[number] for number in numbers]
        self.costs = [needs.costs[number] for number in numbers]
        every = list(dict.fromkeys([*needs.moves, *needs.goal_moves]))
        self.known = list(dict.fromkeys([*self.moves, *needs.goal_moves]))
        wanted = [every.index(move) for move in self.known]
        coordinates = plain_coordinates(needs.phase.coordinates)
        self.values = prod(each.size for each in coordinates)
        of = (every, wanted, needs.goal_moves, needs.goal_states)
        per_entry += len(needs.goal_moves) > 0 or len(needs.goal_states) > 1
        edges, start = self._edges(needs)
        per_entry += len(edges) - 1
        graphs = [coordinate_graph(store, each, *of) for each in coordinates]
        self.graphs = joined(graphs, memory, per_entry)
        self.sizes = tuple(graph.size for graph in self.graphs)
        check_memory(per_entry * prod(self.sizes), f"the space of the phase {needs.phase.name}")
        roots = np.ravel_multi_index([graph.roots for graph in self.graphs], self.sizes)
        self.root = int(roots[0])
        goals = self._goals(roots, listed=bool(needs.goal_states) and not needs.goal_moves)
        self._measure(needs, edges, start, goals)

    def __len__(self) -> int:
        """Return the number of entries."""
        return prod(self.sizes)

    def _measure(
        self, needs: ResolvedPhase, edges: Sequence[Sequence[Edge]], start: int, goals: Entries
    ) -> None:
        """Compute the distances to a goal, and from the solved entry by known moves."""
        self.home_costs = self.costs
        alone = goals.tolist() == [self.root] and len(self.known) == len(self.moves)
        if alone and not self.remembers:
            self.home = self.distance = distances(self.graphs, edges, goals)
            return
        self.home_costs = [1] * len(self.known)
        self.home = distances(self.graphs, without_memory(self.home_costs), np.array([self.root]))
        goals = goals[self.home[goals] < UNREACHED]
        self.distance = distances(self.graphs, edges, goals, start)

    def _edges(self, needs: ResolvedPhase) -> tuple[Sequence[Sequence[Edge]], int]:
        """Return the automaton of the metric and its first state."""
        self.remembers = needs.remembers
        if needs.steps is None or not needs.remembers:
            return without_memory(self.costs), 0
        steps = needs.steps.only(self.moves)
        return steps.edges, steps.start

    def _goals(self, roots: Entries, listed: bool) -> Entries:
        """Return the entries at which every coordinate is at a goal."""
        if listed:
            return np.unique(roots)
        found = np.zeros(1, dtype=np.int64)
        for graph in self.graphs:
            found = (found[:, None] * graph.size + np.flatnonzero(graph.goals)).reshape(-1)
        return found

    def split(self, entries: Any) -> list[Any]:
        """Return one array for each of the `graphs`: the values of the graph in the entries."""
        values: list[Any] = []
        for size in reversed(self.sizes[1:]):  # np.unravel_index takes twice as long
            left = entries // size
            values.insert(0, entries - left * size)
            entries = left
        return [entries, *values]

    def after(self, values: Sequence[Entries], move: int) -> Entries:
        """Return the entries to which a move leads.

        `values` describes the entries before the move, as `split` returns them: an array for each
        graph. `move` is the index of the move in `known`.
        """
        return _moved(values, [graph.columns[move] for graph in self.graphs])

    def before(self, values: Sequence[Entries], move: int) -> Entries:
        """Return the entries from which a move comes.

        `values` describes the entries after the move, as `split` returns them: an array for each
        graph. `move` is the index of the move in `known`.
        """
        return _moved(values, [undone[:, move] for undone in self._undone])

    @cached_property
    def _undone(self) -> list[npt.NDArray[np.uint32]]:
        return [graph.undone(len(self.known)) for graph in self.graphs]

    @property
    def coordinates(self) -> list[Coordinate]:
        """The coordinates of all graphs, graph by graph."""
        return [each for graph in self.graphs for each in graph.coordinates]

    def ranks(self, entries: Entries) -> list[Entries]:
        """Return the ranks of each of the `coordinates` for some entries."""
        return [
            rank
            for graph, own in zip(self.graphs, self.split(entries), strict=True)
            for rank in graph.ranks[:, own]
        ]

    def entries_of(self, ranks: Sequence[Entries]) -> Entries:
        """Return the entries in which the `coordinates` have these ranks."""
        left = list(ranks)
        entries: Any = 0
        for graph in self.graphs:
            own, left = left[: len(graph.coordinates)], left[len(graph.coordinates) :]
            entries = entries * graph.size + graph.values_of(own)
        found: Entries = entries
        return found

    @property
    def located(self) -> bool:
        """Whether every entry determines which moves are possible."""
        return True

    def allowed(self, move: int) -> npt.NDArray[np.bool_] | None:
        """Return for each entry whether a move is possible; None if it always is."""
        return None

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        starts = range(0, len(self.distance), _CHUNK)
        return listed(sum(histogram(self.distance[at : at + _CHUNK]) for at in starts))

    def chunks(self) -> Iterator[Entries]:
        """Yield all entries that are states, in chunks."""
        for start in range(0, len(self.home), _CHUNK):
            part = self.home[start : start + _CHUNK]
            yield np.flatnonzero(part < UNREACHED) + start

    def farthest(self) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to one of the farthest states."""
        most = len(self.counts()) - 1
        # If there are several goals, take the state nearest to the solved state, because its
        # scramble is short.
        entries = np.concatenate([each[self.distance[each] == most] for each in self.chunks()])
        return self.way(int(entries[np.argmin(self.home[entries])]))

    def way(self, entry: int) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to the state of an entry."""
        done: list[Move] = []
        while entry != self.root:
            values = self.split(entry)
            near = [int(self.after(values, m)) for m in range(len(self.known))]
            # Prefer a costly move: in QTM, U2 rather than U twice.
            number = max(
                (
                    m
                    for m, cost in enumerate(self.home_costs)
                    if int(self.home[near[m]]) == int(self.home[entry]) - cost
                ),
                key=self.home_costs.__getitem__,
            )
            entry = near[number]
            done.append(self.known[number])
        return self.puzzle.undo(done)


def _moved(
    values: Sequence[npt.NDArray[np.int64]], tables: Sequence[npt.NDArray[np.uint32]]
) -> npt.NDArray[np.int64]:
    """Return the entries after a move. Each of the `tables` has the new value of one graph."""
    found = tables[0][values[0]].astype(np.int64)
    for table, own in zip(tables[1:], values[1:], strict=True):
        found = found * len(table) + table[own]
    return found


class GuardedSpace(StateSpace):
    """A space for puzzles in which the place of a guarding piece determines the possible moves.

    The space stores one distance for each entry and each place of the guarding piece, such as the
    blank of a sliding puzzle. The distance of an entry is the least of them. The inverse of each
    move must be among the moves, so that exactly the reachable states are solvable. Otherwise
    UsageError is raised.
    """

    def _edges(self, needs: ResolvedPhase) -> tuple[Sequence[Sequence[Edge]], int]:
        """Return the moves from each place with the place after each, and the solved place."""
        self.remembers = False
        for move in self.moves:
            if self.puzzle.inverse(move) not in self.moves:
                raise UsageError(
                    f"the inverse of {move.name} is not among the moves: add the inverse move "
                    "to count states"
                )
        edges = [
            [
                (number, move.guard_after, cost)
                for number, (move, cost) in enumerate(zip(self.moves, self.costs, strict=True))
                if move.guard_before == place
            ]
            for place in range(len(needs.places))
        ]
        return edges, self.puzzle.place_of_guard(self.puzzle.solved)

    def _measure(
        self, needs: ResolvedPhase, edges: Sequence[Sequence[Edge]], start: int, goals: Entries
    ) -> None:
        self._steps = edges
        self._rows = np.full((len(edges), len(self)), UNREACHED, np.uint8)
        self._rows[start, self.root] = 0
        fill_rows(self.graphs, edges, self._rows)
        self.home = self.distance = self._rows.min(axis=0)
        places = np.array(needs.goal_places)
        if places.tolist() == [start] and goals.tolist() == [self.root]:
            return
        rows = np.full_like(self._rows, UNREACHED)
        at_goal = np.ix_(places, goals)
        rows[at_goal] = np.where(self._rows[at_goal] < UNREACHED, 0, UNREACHED)
        fill_rows(self.graphs, edges, rows)
        self.distance = rows.min(axis=0)

    def allowed(self, move: int) -> npt.NDArray[np.bool_]:
        """Return for each entry whether a move is possible at some place of the guarding piece."""
        found: npt.NDArray[np.bool_] = self._rows[self.moves[move].guard_before] < UNREACHED
        return found

    @cached_property
    def located(self) -> bool:
        """Whether every entry determines the place of the guarding piece."""
        return not ((self._rows < UNREACHED).sum(axis=0, dtype="u1") > 1).any()

    def way(self, entry: int) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to the state of an entry."""
        place = int(self._rows[:, entry].argmin())
        done: list[Move] = []
        while left := int(self._rows[place, entry]):
            values = self.split(entry)
            for number, to, cost in self._steps[place]:
                near = int(self.after(values, number))
                if int(self._rows[to, near]) == left - cost:
                    break
            entry, place = near, to
            done.append(self.moves[number])
        return self.puzzle.undo(done)
