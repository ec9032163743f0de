"""Measure the quality of heuristics over all states of a phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import prod
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Coordinate, Max, PuzzlekitError, UsageError
from puzzlekit.engine.inputs import TableInput
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.case import Candidate
from puzzlekit_lab.distances import MEMORY
from puzzlekit_lab.graph import TooManyStates
from puzzlekit_lab.judged_phase import JudgedPhase, Tell
from puzzlekit_lab.record import BrokenEdge, Quality, Witness
from puzzlekit_lab.state_space import GuardedSpace, StateSpace

_CHUNK = 1 << 18  # entries processed at once
_MOST_VECTORS = 1 << 24

# The work to number the combinations of distances of all states, and the work to estimate all
# states. The unit is the work to follow one move from all states.
_NUMBERING, _ESTIMATING = 10, 4


class States:
    """All states of a phase, each with its true distance and the distances from the tables.

    - `numbers`: an array with one axis for each graph of the `StateSpace`. For each entry it has
      the index of the entry's combination of distances (see `judged_phase.Vectors`). The index is
      `len(vectors)` if the entry is not a state, or if it reaches no goal.
    - `counts`: the number of states with each combination, by index.
    - `farthest`: the largest true distance of a state.

    `tell` is called with the share of the entries that are done. Raises UsageError if the states
    cannot be listed or do not fit into `memory` bytes.
    """

    def __init__(self, judged_phase: JudgedPhase, memory: int, tell: Tell) -> None:
        _check(judged_phase)
        self.judged_phase = judged_phase
        kind = np.min_scalar_type(len(judged_phase.vectors))
        # Bytes per entry: a distance, the number of a combination, and an estimate (mostly a byte).
        self.space = _space(judged_phase, memory, 1 + kind.itemsize + 1)
        if not self.space.located:
            raise UsageError(
                f"{_where(judged_phase)}: no coordinate determines the place of the guarding piece"
            )
        self._row = prod(self.space.sizes[1:])
        self.farthest = len(self.space.counts()) - 1
        self.counts = np.zeros(len(judged_phase.vectors) + 1, dtype=np.int64)
        self.numbers = np.empty(self.space.sizes, dtype=kind)
        for rows in self.slices():
            self._number(rows)
            tell(self.share(rows))

    def __len__(self) -> int:
        """Return the number of states."""
        return int(self.counts[:-1].sum())

    def slices(self) -> Iterator[slice]:
        """Yield slices of the values of the first graph. A slice has few entries."""
        step = max(1, _CHUNK // self._row)
        for begin in range(0, self.space.sizes[0], step):
            yield slice(begin, min(begin + step, self.space.sizes[0]))

    def share(self, rows: slice) -> float:
        """Return the share of the entries before the end of a slice."""
        return float(rows.stop / self.space.sizes[0])

    def of(self, array: npt.NDArray[Any], rows: slice) -> npt.NDArray[Any]:
        """Return the entries of an array for some values of the first graph, as a flat view."""
        found: npt.NDArray[Any] = array.reshape(self.space.sizes)[rows].reshape(-1)
        return found

    def entry(self, rows: slice, index: int) -> int:
        """Return the entry at an index of the view that `of` returns."""
        return int(rows.start) * self._row + index

    def state(self, candidate: Candidate, entry: int, h: int) -> bytes:
        """Return a state of the puzzle with the coordinates of an entry.

        Moves of the phase lead from the solved state to this state. Raises PuzzlekitError if the
        search with this candidate gives the state another estimate than `h`.
        """
        puzzle = self.judged_phase.puzzle
        moves = self.space.way(entry)
        if self.space.puzzle is not puzzle:
            moves = tuple(puzzle.move(move.family, move.amount) for move in moves)
        state = puzzle.apply(puzzle.solved, moves)
        found = self.judged_phase.ready(candidate).estimate(puzzle, state)
        if found != h:
            raise PuzzlekitError(
                f"internal error: {_where(self.judged_phase)}: {candidate.text} estimates {found}, "
                f"not {h}, in the state {state.hex()}"
            )
        return state

    def _number(self, rows: slice) -> None:
        vectors = self.judged_phase.vectors
        tables = iter(self.judged_phase.max.tables)
        number: Any = np.zeros((1,) * len(self.space.sizes), dtype=np.uint32)
        for size, own in zip(vectors.sizes, vectors.groups, strict=True):
            total: Any = 0
            for _ in range(own):
                total = total + self._distances(next(tables), rows).astype(np.uint32)
            number = number * np.uint32(size) + total
        self.numbers[rows] = number
        part = self.of(self.numbers, rows)
        part[self.of(self.space.distance, rows) == UNREACHED] = len(vectors)
        self.counts += np.bincount(part, minlength=len(self.counts))

    def _distances(self, table: TableInput, rows: slice) -> npt.NDArray[np.uint8]:
        """Return the distances from a table, for some values of the first graph.

        The array has an axis for each graph. If the table does not read a graph, its axis has
        length 1.
        """
        index: Any = 0
        coordinates = self.judged_phase.phase.coordinates
        for number in table.coordinates:
            for part in coordinates[number].digits:
                index = index * part.size + self._ranks(part, rows)
        entries = np.asarray(table.data)
        found: npt.NDArray[np.uint8]
        if table.bits == 8:
            found = entries[index]
        else:
            found = (entries[index >> 1] >> ((index & 1) << 2).astype(np.uint8)) & 15
        return found

    def _ranks(self, coordinate: Coordinate, rows: slice) -> npt.NDArray[np.int64]:
        """Return the ranks of a plain coordinate, along the axis of its graph."""
        for axis, graph in enumerate(self.space.graphs):
            for each, ranks in zip(graph.coordinates, graph.ranks, strict=True):
                if each.identity == coordinate.identity:
                    shape = [1] * len(self.space.graphs)
                    shape[axis] = -1
                    return np.asarray(ranks[rows] if axis == 0 else ranks).reshape(shape)
        raise AssertionError(coordinate.name)


def _where(judged_phase: JudgedPhase) -> str:
    return f"{judged_phase.case.name}, phase {judged_phase.phase.name}"


def _check(judged_phase: JudgedPhase) -> None:
    """Raise UsageError if not all states of the phase can be checked."""
    where = _where(judged_phase)
    if judged_phase.needs.remembers:
        raise UsageError(f"{where}: the cost of a move depends on the moves before it")
    tables = judged_phase.max.tables
    special = any(table.images is not None or table.bits == 2 for table in tables)
    if special or judged_phase.max.hashed is not None or judged_phase.phase.turned:
        raise UsageError(
            f"{where}: not all states can be checked, because the phase has turned=True, a sym "
            "coordinate, a hashed table or a table with entries of 2 bits: choose another phase"
        )
    if len(judged_phase.vectors) > _MOST_VECTORS:
        raise UsageError(
            f"{where}: the pruning tables have {len(judged_phase.vectors):,} combinations of "
            f"distances, more than {_MOST_VECTORS:,}: choose a phase with fewer tables"
        )


def _space(judged_phase: JudgedPhase, memory: int, per_entry: int) -> StateSpace:
    kind = GuardedSpace if judged_phase.needs.places else StateSpace
    numbers = range(len(judged_phase.needs.moves))
    try:
        return kind(judged_phase.case.solver.store, judged_phase.needs, numbers, memory, per_entry)
    except TooManyStates as error:
        error.where = _where(judged_phase)
        raise


def exhaustive(
    judged_phase: JudgedPhase, memory: int = MEMORY, tell: Tell = lambda share: None
) -> list[Quality]:
    """Return the quality of each heuristic over all states of a phase.

    `tell` is called with the share of the work that is done. Raises UsageError if the states cannot
    be listed or do not fit into `memory` bytes.

    >>> import puzzlekit
    >>> from puzzlekit_lab.case import Case
    >>> phase = JudgedPhase(Case(puzzlekit.load("cube2")), "solve", ["max", "euclid"])
    >>> one, other = exhaustive(phase)
    >>> one.states, one.edges, one.over, one.broken, one.differ
    (3674160, 33067440, 0, 0, 0)
    >>> other.over > 0, other.worst.h > other.worst.distance
    (True, True)
    """
    each = _ESTIMATING + len(judged_phase.needs.moves)
    whole = _NUMBERING + each * len(judged_phase.candidates)

    def tell_after(before: float, done: float) -> None:
        tell((before + done) / whole)

    started = perf_counter()
    states = States(judged_phase, memory, lambda share: tell_after(0, _NUMBERING * share))
    shared = (perf_counter() - started) / len(judged_phase.candidates)
    found = []
    for number, candidate in enumerate(judged_phase.candidates):
        started = perf_counter()
        judged = _Judged(states, candidate, partial(tell_after, _NUMBERING + each * number))
        values = {**judged.accuracy(), **judged.consistency()}
        seconds = shared + perf_counter() - started
        found.append(
            judged_phase.record(
                candidate, how="exhaustive", sample="all states", seconds=seconds, **values
            )
        )
    return found


class _Judged:
    """The estimates of a candidate in all states. `tell` is called with the work done so far."""

    def __init__(self, states: States, candidate: Candidate, tell: Callable[[float], Any]) -> None:
        self._states, self._space = states, states.space
        self._candidate = candidate
        self._tell = tell
        judged_phase = states.judged_phase
        joined = judged_phase.vectors.estimates(candidate.heuristics[judged_phase.number])
        self._differing = joined != judged_phase.vectors.estimates(Max())
        # An entry that is not a state has the estimate 0.
        by_number = np.append(joined * judged_phase.needs.unit, 0)
        self._most = int(by_number.max())
        self._by_number = by_number.astype(np.min_scalar_type(self._most))
        self._estimates = np.empty(len(self._space), dtype=self._by_number.dtype)

    def accuracy(self) -> dict[str, Any]:
        """Estimate all states and return the fields of a `Quality` about the estimates."""
        pairs = self._pairs()
        distance, h = np.nonzero(pairs)
        count = pairs[distance, h]
        above = h - distance
        worst = int(np.argmax(above))
        witness = None
        if above[worst] > 0:
            witness = self._witness(int(distance[worst]), int(h[worst]))
        return {
            "pairs": tuple(zip(distance.tolist(), h.tolist(), count.tolist(), strict=True)),
            "worst": witness,
            "differ": int(self._states.counts[:-1][self._differing].sum()),
        }

    def _pairs(self) -> npt.NDArray[np.int64]:
        """Estimate all states. Return the number of states by distance and estimate."""
        states, width = self._states, self._most + 1
        pairs = np.zeros((states.farthest + 2) * width, dtype=np.int64)
        for rows in states.slices():
            here = self._by_number[states.of(states.numbers, rows)]
            states.of(self._estimates, rows)[:] = here
            # The last row counts the entries that are not states. It is removed below.
            distance = np.minimum(states.of(self._space.distance, rows), states.farthest + 1)
            pairs += np.bincount(distance.astype(np.int64) * width + here, minlength=len(pairs))
            self._tell(_ESTIMATING * states.share(rows))
        return pairs.reshape(-1, width)[:-1]

    def _witness(self, distance: int, h: int) -> Witness:
        """Return a state with this distance and this estimate."""
        states = self._states
        entries = (
            states.entry(rows, int(index))
            for rows in states.slices()
            for index in np.flatnonzero(
                (states.of(self._space.distance, rows) == distance)
                & (states.of(self._estimates, rows) == h)
            )[:1]
        )
        return Witness(self._state(next(entries)), h, distance)

    def consistency(self) -> dict[str, Any]:
        """Return the fields of a `Quality` about moves. Call `accuracy` first."""
        states = self._states
        grid = self._estimates.reshape(self._space.sizes)
        edges = broken = 0
        worst = 0, 0, 0  # largest fall beyond the cost of the move, entry, move
        for move, cost in enumerate(self._space.costs):
            columns = [graph.columns[move] for graph in self._space.graphs]
            allowed = self._space.allowed(move)
            edges += len(states) if allowed is None else int(allowed.sum())
            for rows in states.slices():
                after = grid.take(columns[0][rows], axis=0)
                for axis, column in enumerate(columns[1:], 1):
                    after = after.take(column, axis=axis)
                fall = (np.maximum(grid[rows], after) - after).reshape(-1)
                if allowed is not None:
                    fall[~states.of(allowed, rows)] = 0
                most = int(fall.max()) - cost
                if most > 0:
                    broken += int(np.count_nonzero(fall > cost))
                if most > worst[0]:
                    worst = most, states.entry(rows, int(fall.argmax())), move
                self._tell(_ESTIMATING + move + states.share(rows))
        _, entry, move = worst
        edge = self._edge(entry, move) if broken else None
        return {"edges": edges, "broken": broken, "worst_edge": edge}

    def _edge(self, entry: int, move: int) -> BrokenEdge:
        after = int(self._space.after(self._space.split(entry), move))
        self._state(after)  # checks the estimate after the move
        h, h_after = int(self._estimates[entry]), int(self._estimates[after])
        name, cost = self._space.moves[move].name, self._space.costs[move]
        return BrokenEdge(self._state(entry), name, h, h_after, cost)

    def _state(self, entry: int) -> str:
        return self._states.state(self._candidate, entry, int(self._estimates[entry])).hex()
