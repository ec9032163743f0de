"""How sliding tiles are solved: by one exact table on small boards, else by sums of distances.

The tiles are parted into patterns. The table of a pattern counts only the moves of its own tiles,
so that the distances of all patterns may be added: R. E. Korf and A. Felner, "Disjoint pattern
database heuristics" (2002). With patterns of one tile that is the Manhattan distance.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Additive, Method, Permutation, Phase, Puzzle

SOLVED = "every tile in its place"
MOVES = "U L R D"
EXACT = 9  # places of a board up to which there is one table of all its states
PATTERN = 6  # tiles; a table of 16 places then has 11 million entries
FIFTEEN = ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14))

Partition = Sequence[Sequence[int]]  # all tiles, in patterns


def methods(puzzle: Puzzle, rows: int, columns: int, last: bool) -> list[Method]:
    """`optimal` as fits the size of the board, and `manhattan`."""
    size = rows * columns
    single = [[tile] for tile in range(1, size)]
    return [
        Method("optimal", "shortest answers", (_best(puzzle, rows, columns, last),)),
        Method(
            "manhattan",
            "shortest answers with no more than the Manhattan distance",
            (_added(puzzle, [single]),),
        ),
    ]


def _best(puzzle: Puzzle, rows: int, columns: int, last: bool) -> Phase:
    """One exact table, or two partitions."""
    size = rows * columns
    if size <= EXACT:
        order = Permutation("order", puzzle, "tiles")
        return Phase("solve", SOLVED, MOVES, (order,), ("order",), bits=8)
    partitions: list[Partition]
    if rows == columns == 4:  # the other one reflected on the diagonal
        partitions = [FIFTEEN, [[4 * (n % 4) + n // 4 for n in own] for own in FIFTEEN]]
    else:
        by_rows = list(range(1, size))
        by_columns = sorted(by_rows, key=lambda tile: (tile % columns, tile))
        partitions = [_cut(by_rows, PATTERN), _cut(by_columns, PATTERN)]
    if last:  # the board turned by a half, which tile n is at home in where size - n is
        partitions = [[[size - n for n in own] for own in each] for each in partitions]
    return _added(puzzle, partitions)


def _added(puzzle: Puzzle, partitions: Sequence[Partition]) -> Phase:
    """A phase with a table for each pattern, those of a partition in one group."""
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
    """Tiles in pieces of one length, the last one maybe shorter."""
    return [tiles[begin : begin + length] for begin in range(0, len(tiles), length)]
