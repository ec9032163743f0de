"""How sliding tiles are solved: by one exact table on small boards, else by sums of distances.

The tiles are parted into patterns. The table of a pattern counts only the moves of its own tiles,
so that the distances of all patterns may be added: R. E. Korf and A. Felner, "Disjoint pattern
database heuristics" (2002). With patterns of one tile that is the Manhattan distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import perm

from puzzlekit import Method, Permutation, Phase, PruningTable, Puzzle

MOVES = "U L R D"
MOST_EXACT = 9  # places of a board for which there is a table of all its states
MOST_ENTRIES = 1 << 24  # of the table of a pattern
MOST_MOVED = 1 << 22  # entries of a move table
MOST_PARTS = 16  # coordinates of a phase
FIFTEEN = ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14))

Part = tuple[int, ...]  # tiles whose places are one coordinate
Partition = Sequence[Sequence[Part]]  # patterns, of up to three parts


def methods(puzzle: Puzzle, rows: int, columns: int) -> list[Method]:
    """The methods of a board: `optimal` and `manhattan`, as far as there is room for its tiles."""
    size = rows * columns
    if size <= MOST_EXACT:
        order = Permutation("order", puzzle, "tiles")
        phase = Phase("solve", "every tile at home", MOVES, (order,), ("order",), bits=8)
        found = [Method("optimal", "shortest answers from one exact table", (phase,))]
    else:
        phase = _added(puzzle, partitions(rows, columns))
        found = [Method("optimal", "shortest answers from sums of patterns", (phase,))]
    if size <= MOST_PARTS + 1:
        phase = _added(puzzle, [[((tile,),) for tile in range(1, size)]])
        found.append(Method("manhattan", "shortest answers from Manhattan distance", (phase,)))
    return found


def partitions(rows: int, columns: int) -> list[Partition]:
    """The tiles in patterns: on the 15-puzzle twice, the second time reflected on the diagonal."""
    if rows == columns == 4:
        reflected = [[4 * (tile % 4) + tile // 4 for tile in pattern] for pattern in FIFTEEN]
        return [[_thirds(pattern) for pattern in each] for each in (FIFTEEN, reflected)]
    size = rows * columns
    moves = 2 * (rows * (columns - 1) + columns * (rows - 1))
    left = list(range(1, size))
    patterns = []
    while left:
        parts: list[Part] = []
        entries = 1
        for _ in range(3):
            fitting = [
                count
                for count in range(1, min(3, len(left)) + 1)
                if perm(size, count) <= min(MOST_MOVED // moves, MOST_ENTRIES // entries)
            ]
            if fitting:
                parts.append(tuple(left[: fitting[-1]]))
                entries *= perm(size, fitting[-1])
                del left[: fitting[-1]]
        patterns.append(parts)
    return [patterns]


def _thirds(pattern: Sequence[int]) -> list[Part]:
    """A pattern in parts of three tiles."""
    return [tuple(pattern[begin : begin + 3]) for begin in range(0, len(pattern), 3)]


def _added(puzzle: Puzzle, several: Sequence[Partition]) -> Phase:
    """A phase with a table for each pattern, those of a partition in one group."""
    coordinates: dict[str, Permutation] = {}
    tables = []
    for number, partition in enumerate(several, 1):
        for pattern in partition:
            names = []
            for part in pattern:
                name = "-".join(map(str, part))
                tiles = " ".join(map(str, part))
                names.append(name)
                coordinates[name] = Permutation(name, puzzle, "tiles", tiles)
            tables.append(PruningTable(" ".join(names), 8, additive=f"partition {number}"))
    goal = "every tile at home"
    return Phase("solve", goal, MOVES, tuple(coordinates.values()), tuple(tables))
