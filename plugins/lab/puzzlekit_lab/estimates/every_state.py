"""All states of a phase, with their true distances and the distances from its pruning tables."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any

from puzzlekit import PuzzlekitError, UsageError
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.distances.graph import TooManyStates
from puzzlekit_lab.distances.guarded_space import GuardedSpace
from puzzlekit_lab.distances.state_space import StateSpace
from puzzlekit_lab.estimates.judged_phase import JudgedPhase, Tell

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlekit import Coordinate
    from puzzlekit.engine.inputs import TableInput
    from puzzlekit_lab.experiment.case import Candidate

_CHUNK = 1 << 18  # entries processed at once
_MOST_VECTORS = 1 << 24


class States:
    """All states of a phase, each with its true distance and the distances from the tables.

    Parameters
    ----------
    judged_phase
        The phase.
    memory
        Number of bytes that the states may take.
    tell
        Function that is called with the share of the entries that are done.

    Attributes
    ----------
    numbers
        An array with one axis for each graph of the `StateSpace`. For each entry it has the index
        of the entry's combination of distances (see `judged_phase.Vectors`). The index is
        `len(vectors)` if the entry is not a state, or if it reaches no goal.
    counts
        Number of states with each combination, by index.
    farthest
        The largest true distance of a state.

    Raises
    ------
    UsageError
        If the states cannot be listed or do not fit into `memory`.
    """

    def __init__(self, judged_phase: JudgedPhase, memory: int, tell: Tell) -> None:
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
