"""Choose the best pruning tables for a puzzle, with a limit on their entries.

A part of the puzzle is a set of places that exchange pieces (see `puzzlekit.puzzle.groups`). A part
gets one table over all its pieces if this table fits. Otherwise the part gets several tables over
groups of its pieces. The groups are as large as possible, because larger tables have larger
distances. Then small tables are replaced by one table over all their coordinates, as long as it
fits. If only one table is left, its distances are exact.

R. E. Korf, "Finding optimal solutions to Rubik's Cube using pattern databases" (1997).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain
from math import factorial, perm, prod
from typing import NamedTuple

from puzzlekit import Combination, Coordinate, Orientation, Permutation, Pieces, Product, Puzzle
from puzzlekit.coordinates.kinds import Covering
from puzzlekit.puzzle.groups import Part
from puzzlekit.tables.move_table import MOST_ENTRIES
from puzzlekit_definitions.grouping import groups, shared, some_pieces, titled

_COLUMNS = 3  # largest number of coordinates of a table
_QUICK = 1 << 16  # up to this many values, a move table has entries of 16 bits

Table = tuple[Coordinate, ...]


class Layout(NamedTuple):
    """Pruning tables over one to three coordinates each, and coordinates without a table."""

    tables: list[Table]
    alone: list[Coordinate]

    @property
    def coordinates(self) -> list[Coordinate]:
        """All coordinates. The puzzle is solved exactly if all coordinates are at their goals."""
        read = [each for table in self.tables for each in table]
        return list(dict.fromkeys([*read, *self.alone]))

    @property
    def is_exact(self) -> bool:
        """Whether one table covers the whole puzzle."""
        return len(self.tables) == 1 and not self.alone


def layout(puzzle: Puzzle, parts: Sequence[Part], entries: int, most: int) -> Layout:
    """Return tables of at most `entries` entries each, which together cover the `parts`.

    A coordinate in a table has at most `most` values. A coordinate with more values is in no table,
    unless it is the only one: the engine ranks it without a move table.
    """
    if len(parts) == 1 and not parts[0].turned:
        (only,) = parts
        size = factorial(len(only.homes)) // (1 + only.even)
        alike = len({only.orbit.solved[home] for home in only.homes}) < len(only.homes)
        if most < size <= min(entries, MOST_ENTRIES) and not (only.still or alike):
            homes = only.homes[:-2] if only.even else only.homes
            return Layout([(some_pieces(Permutation, puzzle, only, homes),)], [])
    drafts = [draft for part in parts for draft in _of_part(puzzle, part, entries, most)]
    if not drafts:  # all moving pieces are equal: one value, always at the goal
        drafts = [(Combination("anything", puzzle, puzzle.orbits[0].name),)]
    fitting = [d for d in drafts if entries_of(d) <= entries and max(e.size for e in d) <= most]
    alone = [each for draft in drafts if draft not in fitting for each in draft]
    tables = [_columns(draft, most) or draft for draft in _multiplied(fitting, entries, most)]
    return Layout(tables, alone)


def entries_of(table: Table) -> int:
    """Return the number of entries of a table."""
    return prod(each.size for each in table)


def _of_part(puzzle: Puzzle, part: Part, entries: int, most: int) -> Iterator[Table]:
    """Yield tables that cover a part. Some of them may exceed the limits."""
    orbit = part.orbit
    colours: dict[int, list[int]] = {}
    for home in part.homes:
        colours.setdefault(orbit.solved[home], []).append(home)
    turns: Table = ()
    if part.turned:
        name = titled(part, "orientation", part.homes)
        turns = (Orientation(name, puzzle, orbit.name, part.names, part.summed),)
    if part.still or len(colours) == 1:
        yield from [turns] if turns else []
    elif len(colours) == len(part.homes):
        yield from _distinct(puzzle, part, turns, entries, most)
    else:
        yield from _alike(puzzle, part, list(colours.values()), turns, most)


def _distinct(puzzle: Puzzle, part: Part, turns: Table, entries: int, most: int) -> Iterator[Table]:
    """Yield one table, or several over groups of pieces."""
    n = len(part.homes)
    if factorial(n) // (1 + part.even) <= most and all(each.size <= most for each in turns):
        # If all permutations are even, the last two pieces follow from the others.
        homes = part.homes[:-2] if part.even else part.homes
        whole = (some_pieces(Permutation, puzzle, part, homes), *turns)
        if entries_of(whole) <= entries:
            yield whole
            return
    kind = Pieces if turns else Permutation
    pieces, columns = _most_pieces(n, part.orbit.orientations if turns else 1, entries, most)
    tables = -(-n // pieces)
    made: dict[tuple[int, ...], Coordinate] = {}
    for first in (i * n // tables for i in range(tables)):
        # The last tables have room for some pieces of other tables.
        own = [part.homes[(first + i) % n] for i in range(pieces)]
        among = [tuple(sorted(group)) for group in shared(own, columns)]
        for group in among:
            made.setdefault(group, some_pieces(kind, puzzle, part, group))
        yield tuple(made[group] for group in among)


def _most_pieces(n: int, base: int, entries: int, most: int) -> tuple[int, int]:
    """Return how many of n pieces fit into a table, and the number of coordinates of this table.

    The number of pieces is as large as possible. If several numbers of coordinates are possible,
    small move tables are preferred first, and few coordinates second.
    """
    found = (1, False, -1)
    for pieces in range(1, n + 1):
        for columns in range(1, min(pieces, _COLUMNS) + 1):
            sizes = [
                perm(n, len(group)) * int(base ** len(group))
                for group in shared(range(pieces), columns)
            ]
            if prod(sizes) <= entries and max(sizes) <= most:
                found = max(found, (pieces, max(sizes) <= _QUICK, -columns))
    return found[0], -found[2]


def _alike(
    puzzle: Puzzle, part: Part, colours: Sequence[Sequence[int]], turns: Table, most: int
) -> Iterator[Table]:
    """Yield tables for orientations, for each colour of equal pieces, and for single pieces.

    Single pieces are those without an equal piece. They are divided into groups.
    """
    orbit = part.orbit
    if turns:
        yield turns
    several = sorted((each for each in colours if len(each) > 1), key=len)
    for homes in several[:-1]:  # the last colour follows from the others
        name, first = titled(part, "like", homes[:1]), orbit.places[homes[0]]
        yield (Covering(name, puzzle, orbit.name, first, part.names, part.named(homes)),)
    single = [each[0] for each in colours if len(each) == 1]
    for group in groups(single, len(part.homes), 1, most):
        yield (some_pieces(Permutation, puzzle, part, group),)


def _multiplied(drafts: Sequence[Table], entries: int, most: int) -> list[Table]:
    """Multiply tables while the products fit, the smallest products first."""
    tables = dict(enumerate(drafts))
    products: list[tuple[int, int, int]] = []  # entries, and the numbers of both tables
    for other in range(len(drafts)):
        _add_products(products, tables, other, entries)
    while products:
        _, *both = heappop(products)
        if not all(number in tables for number in both):
            continue
        least = tuple(dict.fromkeys(chain(*(tables[number] for number in both))))
        if _columns(least, most):
            new = max(tables) + 1
            tables = {i: each for i, each in tables.items() if not set(each) <= set(least)}
            tables[new] = least
            _add_products(products, tables, new, entries)
    return list(tables.values())


def _add_products(
    products: list[tuple[int, int, int]], tables: Mapping[int, Table], other: int, entries: int
) -> None:
    """Push the products of a table and the earlier ones on a heap, if they fit."""
    for number, one in tables.items():
        if number < other:
            size = entries_of(tuple({*one, *tables[other]}))
            if size <= entries:
                heappush(products, (size, number, other))


def _columns(table: Table, most: int) -> Table | None:
    """Return the same table over at most three coordinates; None if these get too large."""
    if len(table) <= _COLUMNS:
        return table
    columns: list[Table] = [()] * _COLUMNS
    for each in sorted(table, key=lambda each: -each.size):
        fitting = [
            k
            for k, column in enumerate(columns)
            if entries_of((*column, each)) <= most and _is_separate(each, column)
        ]
        if not fitting:
            return None
        # An even distribution keeps the move tables small.
        least = min(fitting, key=lambda k: entries_of(columns[k]))
        columns[least] = (*columns[least], each)
    return tuple(
        Product("+".join(each.name for each in own), own[0].puzzle, own[0].orbit_name, own)
        if len(own) > 1
        else own[0]
        for own in columns
    )


def _is_separate(coordinate: Coordinate, others: Table) -> bool:
    """Whether a coordinate reads no byte that others read. Only then can they be multiplied."""
    return not set(coordinate.reads) & {j for each in others for j in each.reads}
