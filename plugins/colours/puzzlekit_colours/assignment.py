"""The assignment of rows to columns of a matrix at the least total cost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["assign"]


def assign(costs: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    """Return the column of each row, each column once, so that the sum of their costs is least.

    The matrix is square. Shortest augmenting paths find the optimum in O(n³).

    >>> assign(np.array([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]])).tolist()
    [1, 0, 2]
    """
    size = len(costs)
    row_of = np.full(size + 1, -1)  # of each column; column number `size` is a root
    rows, columns = np.zeros(size), np.zeros(size + 1)  # dual variables
    for row in range(size):
        row_of[size] = row
        least = np.full(size, np.inf)
        before = np.full(size, size)
        used = np.zeros(size + 1, dtype=bool)
        column = size
        while row_of[column] >= 0:
            used[column] = True
            at = row_of[column]
            reduced = costs[at] - rows[at] - columns[:size]
            open_ = ~used[:size]
            nearer = open_ & (reduced < least)
            least[nearer] = reduced[nearer]
            before[nearer] = column
            column = int(np.where(open_, least, np.inf).argmin())
            step = least[column]
            rows[row_of[used]] += step
            columns[used] -= step
            least[open_] -= step
        while column != size:
            row_of[column] = row_of[before[column]]
            column = before[column]
    found = np.empty(size, dtype=np.intp)
    found[row_of[:size]] = np.arange(size)
    return found
