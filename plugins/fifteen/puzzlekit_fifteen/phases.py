"""Methods for sliding tiles: one exact table for small boards, additive tables for others.

The tiles are divided into patterns. The table of a pattern counts only the moves of its own tiles,
so the distances of all patterns may be added: R. E. Korf and A. Felner, "Disjoint pattern database
heuristics" (2002). With patterns of one tile, the sum is the Manhattan distance.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Method, Permutation, Phase, Puzzle
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit_fifteen.additive import Additive
from puzzlekit_fifteen.sliding import Sliding

SOLVED = "every tile in its place"
MOVES = "U L R D"
EXACT = 9  # most places of a board with one table of all its states
PATTERN = 6  # tiles; a table of 16 places then has 5.8 million entries
LARGE = 5  # tiles of patterns of more than 16 places; a table of 25 places has 6.4 million entries
FIFTEEN = ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14))

Partition = Sequence[Sequence[int]]  # all tiles, in patterns


def methods(puzzle: Puzzle, rows: int, columns: int, first: bool) -> list[Method]:
    """Return `optimal`, which depends on the size of the board, and `manhattan`.

    Boards of more than 17 places have no `manhattan`: a phase has at most 16 tables.
    """
    size = rows * columns
    best = _best(puzzle, rows, columns, first)
    found = [Method("optimal", "shortest answers", (best,), Sliding())]
    if size - 1 <= MAX_TABLES:
        title = "shortest answers with no more than the Manhattan distance"
        single = [[tile] for tile in range(1, size)]
        found.append(Method("manhattan", title, (_added(puzzle, [single]),), Sliding()))
    return found


def _best(puzzle: Puzzle, rows: int, columns: int, first: bool) -> Phase:
    """Return a phase with one exact table, or for larger boards with two partitions."""
    size = rows * columns
    if size <= EXACT:
        order = Permutation("order", puzzle, "tiles")
        return Phase("solve", SOLVED, MOVES, (order,), ("order",), bits=8)
    partitions: list[Partition]
    if rows == columns == 4:  # the second partition is the first, reflected on the diagonal
        partitions = [FIFTEEN, [[4 * (n % 4) + n // 4 for n in own] for own in FIFTEEN]]
    else:
        by_rows = list(range(1, size))
        by_columns = sorted(by_rows, key=lambda tile: (tile % columns, tile))
        length = PATTERN if size <= 16 else LARGE
        partitions = [_cut(by_rows, length), _cut(by_columns, length)]
        if size > 21:  # a phase has no more than 16 coordinates
            del partitions[1]
    if not first:  # the board turned by a half turn: tile n becomes tile size - n
        partitions = [[[size - n for n in own] for own in each] for each in partitions]
    return _added(puzzle, partitions)


def _added(puzzle: Puzzle, partitions: Sequence[Partition]) -> Phase:
    """Return a phase with a table for each pattern. The tables of a partition form a group."""
    coordinates: dict[str, Permutation] = {}
    tables = []
    for number, partition in enumerate(partitions, 1):
        for pattern in partition:
            names = []
            for part in _cut(sorted(pattern), 3):
                names.append("-".join(map(str, part)))
                places = " ".join(map(str, part))
                coordinates[names[-1]] = Permutation(names[-1], puzzle, "tiles", places)
            tables.append(Additive(" ".join(names), f"partition {number}", bits=8))
    return Phase("solve", SOLVED, MOVES, tuple(coordinates.values()), tuple(tables))


def _cut(tiles: Sequence[int], length: int) -> list[Sequence[int]]:
    """Return patterns of tiles of the same length. The last pattern may be shorter."""
    return [tiles[begin : begin + length] for begin in range(0, len(tiles), length)]
