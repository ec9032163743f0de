"""Heuristics of sliding tiles that read the state: Manhattan distance and linear conflicts.

Both estimate the distance to `puzzle.solved`, whichever board that is. So a search from both ends
can estimate the distance from its start, too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import attrs

from puzzlekit import Heuristic, Puzzle, UsageError

__all__ = ["LinearConflict", "Manhattan"]


@attrs.frozen
class Manhattan(Heuristic):
    """The sum of the rows and columns by which each tile is away from its place.

    A move carries one tile by one place, so the sum is admissible and consistent.
    """

    name = "manhattan"
    admissible = True
    is_tested = True
    uses_distances = False
    consistent = True

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the Manhattan distances of some boards."""
        import numpy as np

        away = _tables(puzzle.solved, _columns(puzzle, self.name), _blank(puzzle))[0]
        return away[states, np.arange(states.shape[1])].sum(axis=1)


@attrs.frozen
class LinearConflict(Heuristic):
    """Manhattan distance, and two moves for each tile that has to leave its row or column.

    O. Hansson, A. Mayer and M. Yung, "Criticizing solutions to relaxed models yields powerful
    admissible heuristics" (1992). Tiles that are in the row of their place, but in the wrong order,
    cannot all stay in the row: all but the longest sequence in order leave it and return. The
    estimate is admissible and consistent.
    """

    name = "linear-conflict"
    admissible = True
    is_tested = True
    uses_distances = False
    consistent = True

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the Manhattan distances of some boards, with their conflicts."""
        import numpy as np

        columns = _columns(puzzle, self.name)
        away, in_row, in_column = _tables(puzzle.solved, columns, _blank(puzzle))
        places = np.arange(states.shape[1])
        found = away[states, places].sum(axis=1)
        board = len(states), states.shape[1] // columns, columns
        lines = in_row[states, places].reshape(board).sum(axis=2)
        found += _conflicts(columns)[lines].sum(axis=1)
        lines = in_column[states, places].reshape(board).sum(axis=1)
        return found + _conflicts(board[1])[lines].sum(axis=1)


def _columns(puzzle: Puzzle, name: str) -> int:
    if puzzle.guard is None or puzzle.guard.orbit != "tiles" or puzzle.grid is None:
        raise UsageError(f"the heuristic {name} is for sliding tiles, not for {puzzle.name}")
    return puzzle.grid.columns


def _blank(puzzle: Puzzle) -> int:
    assert puzzle.guarded is not None
    return puzzle.guarded.label


@lru_cache(maxsize=64)
def _tables(solved: bytes, columns: int, blank: int) -> tuple[Any, Any, Any]:
    """Return three tables with a row for each tile and a column for each place.

    The first has the distance of the place from the tile's own. The second has a digit of the
    tile's line if the place is in its row, else 0: its column, from 1, to the base of one more than
    the columns, with the exponent of the place's column. The third has the same by columns.
    """
    import numpy as np

    size = len(solved)
    home = np.empty(size, dtype=np.int64)
    home[list(solved)] = np.arange(size)
    places = np.arange(size)
    (row, column), (to_row, to_column) = (divmod(each, columns) for each in (places, home))
    away = abs(row - to_row[:, None]) + abs(column - to_column[:, None])
    in_row = (row == to_row[:, None]) * (to_column[:, None] + 1) * (columns + 1) ** column
    rows = size // columns
    in_column = (column == to_column[:, None]) * (to_row[:, None] + 1) * (rows + 1) ** row
    for table in (away, in_row, in_column):
        table[blank] = 0
    return away, in_row, in_column


@lru_cache(maxsize=8)
def _conflicts(length: int) -> Any:
    """Return twice the number of tiles that leave a line, for each line as a number."""
    import numpy as np

    base = length + 1
    numbers = np.arange(base**length)
    digits = [numbers // base**at % base for at in range(length)]
    longest: list[Any] = []  # sequence in order that ends at this place
    for at, own in enumerate(digits):
        best = np.zeros_like(numbers)
        for before in range(at):
            follows = (digits[before] > 0) & (digits[before] < own)
            best = np.maximum(best, longest[before] * follows)
        longest.append((best + 1) * (own > 0))
    tiles = sum((own > 0).astype(np.int64) for own in digits)
    return (2 * (tiles - np.max(longest, axis=0))).astype(np.int64)
