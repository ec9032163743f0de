"""The states of a puzzle whose moves are not always possible, listed level by level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from puzzlekit import Move, Solver, UsageError
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit_lab.arrays import StateArrays, States

_MOST = 2_000_000  # states, which take about a minute
_PIECE = 20_000  # states whose neighbours are found at once

Rows = NDArray[np.void]  # a state as one value, which can be sorted


class ListedSpace:
    """The states from which moves solve a puzzle, and their least costs.

    The states are those of the whole puzzle, and no coordinates number them. Raises UsageError if
    there are more than two million, or if they take more than `memory` bytes.
    """

    def __init__(
        self, solver: Solver, needs: ResolvedPhase, numbers: Sequence[int], memory: int
    ) -> None:
        self.puzzle = needs.puzzle
        self.moves = [needs.moves[number] for number in numbers]
        self.costs = [needs.costs[number] for number in numbers]
        self._arrays = StateArrays(solver)
        self._modulus = np.frombuffer(self.puzzle.modulus, dtype=np.uint8)
        undone = map(self.puzzle.inverse, self.moves)
        self._back = [(self._arrays.names.index(move.name), move) for move in undone]
        most = min(_MOST, memory // (4 * self._arrays.width))
        solved = self._rows(self._arrays.solved(1))
        self._levels: dict[int, Rows] = {}
        seen, waiting = solved[:0], {0: [solved]}
        while waiting:
            cost = min(waiting)
            level = _without(np.unique(np.concatenate(waiting.pop(cost))), seen)
            if not len(level):
                continue
            self._levels[cost] = level
            seen = np.sort(np.concatenate([seen, level]))
            if len(seen) > most:
                raise UsageError(
                    f"{self.puzzle.name}: moves reach more than {most:,} states, too many to list"
                )
            for start in range(0, len(level), _PIECE):
                for number, after in self._near(level[start : start + _PIECE]):
                    cost_after = cost + self.costs[number]
                    waiting.setdefault(cost_after, []).append(_without(after, seen))
        self.values = len(seen)

    def _rows(self, states: States) -> Rows:
        rows: Rows = np.ascontiguousarray(states).view(f"V{self._arrays.width}").reshape(-1)
        return rows

    def _near(self, rows: Rows) -> Iterator[tuple[int, Rows]]:
        """Yield for each move the states from which it leads to some of these."""
        states = rows.view(np.uint8).reshape(-1, self._arrays.width)
        possible = self._arrays.possible(states)
        for number, (action, move) in enumerate(self._back):
            after = states[possible[:, action]][:, list(move.gather)]
            after += np.frombuffer(move.add, dtype=np.uint8)
            np.minimum(after, after - self._modulus, out=after)
            yield number, self._rows(after)

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        return [len(self._levels.get(cost, ())) for cost in range(max(self._levels) + 1)]

    def farthest(self) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to one of the farthest states."""
        cost = max(self._levels)
        state = self._levels[cost][:1].tobytes()
        found: list[Move] = []
        while cost:
            for move, more in zip(self.moves, self.costs, strict=True):
                if cost - more in self._levels and not self.puzzle.obstacle(state, move):
                    near = self.puzzle.apply(state, [move])
                    if len(
                        _without(self._rows(self._arrays.of([near])), self._levels[cost - more])
                    ):
                        continue
                    found.append(move)
                    state, cost = near, cost - more
                    break
        return self.puzzle.undo(found)


def _without(rows: Rows, others: Rows) -> Rows:
    """Return the rows that are not among others, which are sorted."""
    if not len(others):
        return rows
    at = np.searchsorted(others, rows)
    at[at == len(others)] = 0
    new: Rows = rows[others[at] != rows]
    return new
