"""Heuristics of sliding tiles: Manhattan distance, linear conflicts and walking distance.

All read the state and estimate the distance to `puzzle.solved`, whichever board that is. So a
search from both ends can estimate the distance from its start, too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import attrs

from puzzlekit import Heuristic, Puzzle, UsageError

__all__ = ["LinearConflict", "Manhattan", "WalkingDistance"]

WALKS = 5, 20  # most lines and places of a board with walking distances


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

        away = tables_to(puzzle.solved, _columns(puzzle, self.name), _blank(puzzle))[0]
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
        away, in_row, in_column = tables_to(puzzle.solved, columns, _blank(puzzle))
        places = np.arange(states.shape[1])
        found = away[states, places].sum(axis=1)
        board = len(states), states.shape[1] // columns, columns
        lines = in_row[states, places].reshape(board).sum(axis=2)
        found += conflicts_of(columns)[lines].sum(axis=1)
        lines = in_column[states, places].reshape(board).sum(axis=1)
        return found + conflicts_of(board[1])[lines].sum(axis=1)


@attrs.frozen
class WalkingDistance(Heuristic):
    """Moves that carry all tiles to their rows, plus those that carry them to their columns.

    K. Takahashi's estimate for the 15-puzzle. For the rows, it counts how many tiles of each row
    are in each row; a move carries any tile from the row above or below to the row of the blank. A
    table has the least number of such moves for all counts, 24,964 on a board of 4x4. Each move of
    the puzzle is one for the rows or one for the columns, so the estimate is admissible and
    consistent. It is at least the Manhattan distance, which leaves out where the blank is.

    For boards of up to 20 places and 5 rows or columns: the tables of others are too large.
    """

    name = "walking-distance"
    admissible = True
    is_tested = True
    uses_distances = False
    consistent = True

    def estimate(self, puzzle: Puzzle, states: Any, distances: Any) -> Any:
        """Return the walking distances of some boards."""
        import numpy as np

        columns = _columns(puzzle, self.name)
        size = states.shape[1]
        rows = size // columns
        if max(rows, columns) > WALKS[0] or size > WALKS[1]:
            raise UsageError(
                f"the heuristic {self.name} is for boards of up to {WALKS[1]} places and "
                f"{WALKS[0]} rows or columns: its tables for {puzzle.name} are too large"
            )
        blank = _blank(puzzle)
        home = np.argsort(np.frombuffer(puzzle.solved, dtype=np.uint8))
        places = np.arange(size)
        total = np.zeros(len(states), dtype=np.int64)
        for lines, line in ((rows, places // columns), (columns, places % columns)):
            own = line[home]  # the line of each tile at the goal
            counts, walks = _walks(lines, size // lines, int(own[blank]))
            weight = _weights(lines, size // lines)[line, own[:, None]]
            weight[blank] = 0
            key = weight[states, places].sum(axis=1)
            total += walks[np.searchsorted(counts, key)]
        return total


def _weights(lines: int, length: int) -> Any:
    """Return what a tile of a line (column) in a line (row) adds to the counts as a number."""
    import numpy as np

    return (length + 1) ** np.arange(lines * lines, dtype=np.int64).reshape(lines, lines)


@lru_cache(maxsize=16)
def _walks(lines: int, length: int, blank: int) -> tuple[Any, Any]:
    """Return all counts of tiles as numbers in order, and the least number of moves of each.

    - `lines`, `length`: the number of lines, and the places in each.
    - `blank`: the line in which the blank is at the goal.
    """
    import numpy as np

    base, weights = length + 1, _weights(lines, length)
    goal = length * weights.diagonal().sum() - weights[blank, blank]
    none = np.empty(0, dtype=np.int64)
    here = {blank: np.array([goal])}  # the counts at this distance, by the line of the blank
    before: dict[int, Any] = {}
    counts, walks = [], []
    moves = 0
    while here:
        level = np.concatenate([*here.values()])
        counts.append(level)
        walks.append(np.full(len(level), moves, dtype=np.uint8))
        found: dict[int, list[Any]] = {}
        for at, own in here.items():
            for to in (at - 1, at + 1):
                if not 0 <= to < lines:
                    continue
                for tile in range(lines):
                    some = own[own // weights[to, tile] % base > 0]
                    moved = some - weights[to, tile] + weights[at, tile]
                    found.setdefault(to, []).append(moved)
        # A move changes the parity of the blank's line, so a neighbour is one level away.
        after = {}
        for at, near in found.items():
            fresh = np.setdiff1d(np.concatenate(near), before.get(at, none))
            if len(fresh):
                after[at] = fresh
        before, here = here, after
        moves += 1
    every = np.concatenate(counts)
    order = np.argsort(every)
    return every[order], np.concatenate(walks)[order]


def _columns(puzzle: Puzzle, name: str) -> int:
    if puzzle.guard is None or puzzle.guard.orbit != "tiles" or puzzle.grid is None:
        raise UsageError(f"the heuristic {name} is for sliding tiles, not for {puzzle.name}")
    return puzzle.grid.columns


def _blank(puzzle: Puzzle) -> int:
    assert puzzle.guarded is not None
    return puzzle.guarded.label


@lru_cache(maxsize=64)
def tables_to(solved: bytes, columns: int, blank: int) -> tuple[Any, Any, Any]:
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
def conflicts_of(length: int) -> Any:
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
