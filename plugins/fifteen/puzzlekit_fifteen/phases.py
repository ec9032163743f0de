"""Methods for sliding tiles: one exact table for small boards, additive tables or beams for others.

The tiles are divided into patterns. The table of a pattern counts only the moves of its own tiles,
so the distances of all patterns may be added: R. E. Korf and A. Felner, "Disjoint pattern database
heuristics" (2002). With patterns of one tile, the sum is the Manhattan distance. A pattern that is
another one turned or reflected shares its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import attrs

from puzzlekit import Method, Permutation, Phase, Puzzle
from puzzlekit.engine.space import MAX_TABLES
from puzzlekit.search.method import Profile
from puzzlekit_fifteen.additive import Additive
from puzzlekit_fifteen.beam import BoardBeam
from puzzlekit_fifteen.sliding import Sliding

SOLVED = "every tile in its place"
MOVES = "U L R D"
PROVEN = 25  # most places of a board with the method `optimal`
SOON = 16  # most places of a board on which `optimal` takes seconds at most
EXACT = 9  # most places of a board with one table of all its states
PATTERN = 6  # tiles; a table of 16 places then has 5.8 million entries
LARGE = 5  # tiles of patterns of more than 16 places; a table of 25 places has 6.4 million entries
FIFTEEN = ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14))
TWENTY_FOUR = (  # Korf and Felner (2002)
    (17, 18, 19, 22, 23, 24),
    (1, 2, 5, 6, 7, 12),
    (3, 4, 8, 9, 13, 14),
    (10, 11, 15, 16, 20, 21),
)

Partition = Sequence[Sequence[int]]  # all tiles, in patterns


def methods(puzzle: Puzzle, rows: int, columns: int, first: bool) -> list[Method]:
    """Return `optimal` for boards of up to 25 places, `manhattan` up to 17, and `beam` for all.

    Shortest answers on boards of more than 16 places can take hours, so `beam` comes first there.
    A phase has at most 16 tables, and `manhattan` has one for each tile.
    """
    size = rows * columns
    solve = Phase("solve", SOLVED, MOVES, (), ())
    beam = Method("beam", "short answers soon, without tables", (solve,), BoardBeam())
    if size > PROVEN:
        return [beam]
    best = _best(puzzle, rows, columns, first)
    profile, larger = "", tuple[Profile, ...]()
    if rows == columns == 5:
        phase = _added(puzzle, rows, _turned(_reflected(TWENTY_FOUR, columns), size, first))
        brings = "takes about 16 s to build; patterns of six tiles, and their reflections"
        fewer = Sliding(duplicates=12)  # takes 2 s to prepare
        profile, larger = "small", (Profile("large", (phase,), strategy=fewer, brings=brings),)
    found = [
        Method("optimal", "shortest answers", (best,), Sliding(), profile=profile, larger=larger)
    ]
    if size - 1 <= MAX_TABLES:
        title = "shortest answers with no more than the Manhattan distance"
        single = [[tile] for tile in range(1, size)]
        found.append(Method("manhattan", title, (_added(puzzle, rows, [single]),), Sliding()))
    return [beam, *found] if size > SOON else [*found, beam]


def _best(puzzle: Puzzle, rows: int, columns: int, first: bool) -> Phase:
    """Return a phase with one exact table, or for larger boards with two partitions."""
    size = rows * columns
    if size <= EXACT:
        order = Permutation("order", puzzle, "tiles")
        return Phase("solve", SOLVED, MOVES, (order,), ("order",), bits=8)
    partitions: Sequence[Partition]
    if rows == columns == 4:
        partitions = _reflected(FIFTEEN, columns)
    else:
        by_rows = list(range(1, size))
        by_columns = sorted(by_rows, key=lambda tile: (tile % columns, tile))
        length = PATTERN if size <= 16 else LARGE
        partitions = [_cut(by_rows, length), _cut(by_columns, length)]
        if size > 21:  # a phase has no more than 16 coordinates
            del partitions[1]
    return _added(puzzle, rows, _turned(partitions, size, first))


def _reflected(partition: Partition, columns: int) -> list[Partition]:
    """Return a partition of a square board and its reflection on the diagonal."""
    side = columns
    return [partition, [[side * (n % side) + n // side for n in own] for own in partition]]


def _turned(partitions: Sequence[Partition], size: int, first: bool) -> Sequence[Partition]:
    """Return partitions, or those of the board turned by a half turn: tile n is tile size - n."""
    if first:
        return partitions
    return [[[size - n for n in own] for own in each] for each in partitions]


def _added(puzzle: Puzzle, rows: int, partitions: Sequence[Partition]) -> Phase:
    """Return a phase with a table for each pattern. The tables of a partition form a group."""
    names = puzzle.orbit("tiles").places
    coordinates: dict[str, Permutation] = {}
    tables = []
    stored: list[list[int]] = []  # the places of tiles in patterns with tables of their own
    for number, partition in enumerate(partitions, 1):
        for pattern in partition:
            own = [names.index(str(tile)) for tile in sorted(pattern)]
            turned = [
                (source, turn)
                for source in stored
                for turn in _turns(rows, len(names) // rows)
                if _is_image(source, turn, own, rows, names.index("0"))
            ]
            if not turned:
                stored.append(own)
                turned = [(own, range(len(names)))]
            source, turn = turned[0]
            parts, like = [], []
            for part in _cut(source, 3):
                like.append(_places(puzzle, part, range(len(names))))
                made = _places(puzzle, part, turn)
                while coordinates.setdefault(made.name, made).places != made.places:
                    made = attrs.evolve(made, name=made.name + "'")
                parts.append(made.name)
            alike = () if turn == range(len(names)) else tuple(like)
            tables.append(Additive(" ".join(parts), f"partition {number}", bits=8, like=alike))
    return Phase("solve", SOLVED, MOVES, tuple(coordinates.values()), tuple(tables))


def _places(puzzle: Puzzle, part: Sequence[int], turn: Sequence[int]) -> Permutation:
    """Return the coordinate of the tiles of some places, all turned with the board."""
    names = puzzle.orbit("tiles").places
    pieces = [names[turn[place]] for place in part]
    places = [] if turn == range(len(names)) else [names[place] for place in turn]
    return Permutation("-".join(pieces), puzzle, "tiles", " ".join(pieces), " ".join(places))


def _turns(rows: int, columns: int) -> Iterator[Sequence[int]]:
    """Yield the place to which each place comes by each symmetry of the board, first by none."""
    yield range(rows * columns)
    for across, up, left in product((False, True), repeat=3):
        ways = [divmod(place, columns) for place in range(rows * columns)]
        ways = [(rows - 1 - row if up else row, column) for row, column in ways]
        ways = [(row, columns - 1 - column if left else column) for row, column in ways]
        if across and rows == columns:
            ways = [(column, row) for row, column in ways]
        if across <= (rows == columns):
            yield [row * columns + column for row, column in ways]


def _is_image(
    source: Sequence[int], turn: Sequence[int], own: Sequence[int], rows: int, blank: int
) -> bool:
    """Whether places turn into others, and the blank at home reaches the same others, too.

    So the tables of their tiles have the same distances.
    """
    if {turn[place] for place in source} != set(own):
        return False
    columns = len(turn) // rows
    return {turn[place] for place in _reached(source, rows, columns, blank)} == _reached(
        own, rows, columns, blank
    )


def _reached(taken: Sequence[int], rows: int, columns: int, blank: int) -> set[int]:
    """Return the places that the blank reaches without moving a tile from its place."""
    found, waiting = {blank}, [blank]
    while waiting:
        row, column = divmod(waiting.pop(), columns)
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            place = near[0] * columns + near[1]
            inside = 0 <= near[0] < rows and 0 <= near[1] < columns
            if inside and place not in taken and place not in found:
                found.add(place)
                waiting.append(place)
    return found


def _cut(tiles: Sequence[int], length: int) -> list[Sequence[int]]:
    """Return patterns of tiles of the same length. The last pattern may be shorter."""
    return [tiles[begin : begin + length] for begin in range(0, len(tiles), length)]
