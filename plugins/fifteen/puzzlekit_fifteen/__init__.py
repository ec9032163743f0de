"""Sliding tiles: the 15-puzzle, the 8-puzzle, and others of m rows and n columns.

A state lists the tiles row by row, with 0 for the blank. In the solved state, the tiles are in
order. The blank is in the first place, as in the literature, or in the last, as in shops. Moves
name the direction of the blank: U, L, R and D.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from puzzlekit import (
    Effect,
    Grid,
    Guard,
    GuardParity,
    Metric,
    Orbit,
    Puzzle,
    PuzzleEntry,
    PuzzleFamily,
    UsageError,
    hookimpl,
)
from puzzlekit_fifteen.phases import methods

puzzlekit_api = 2

# Rows and columns that the blank moves down and to the right.
WAYS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}
LARGEST, LONGEST = 16, 7  # most places in total, and in a row or column
LAST = "-blank-last"  # at the end of a puzzle's name
SIZES = f"2 to {LONGEST} rows and columns, {LARGEST} places at most"


def board(name: str, title: str, rows: int, columns: int, last: bool) -> PuzzleEntry:
    """Return the entry of a board. `last` says whether the solved board has the blank last."""
    names = name, name + LAST
    # "15-puzzle" may mean either goal. So both puzzles have this alias, and an error lists both.
    aliases = (title,) if rows == columns else ()
    title = f"{title} with the blank {'last' if last else 'first'}"
    return PuzzleEntry(
        names[last],
        title,
        partial(tiles, names, title, rows, columns, last),
        partial(methods, rows=rows, columns=columns, last=last),
        aliases,
    )


def tiles(names: tuple[str, str], title: str, rows: int, columns: int, last: bool) -> Puzzle:
    """Return the puzzle of rows * columns - 1 tiles and a blank, with (rows * columns)! / 2 states.

    `names` has two names of the puzzle. The first name is for boards whose solved state has the
    blank first, and the second name is for boards whose solved state has the blank last. `last`
    chooses one of the two.
    """
    size = rows * columns
    goals = [*range(size)], [*range(1, size), 0]
    written = [" ".join(map(str, goal)) for goal in goals]

    def slid(place: int, down: int, right: int) -> Effect | None:
        """Return the effect of moving the blank, or None if the blank would leave the board."""
        row, column = place // columns + down, place % columns + right
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        gather = bytearray(range(size))
        other = row * columns + column
        gather[place], gather[other] = other, place
        return bytes(gather), bytes(size)

    cases = {way: [slid(place, *step) for place in range(size)] for way, step in WAYS.items()}
    return Puzzle(
        name=names[last],
        title=title,
        orbits=(Orbit("tiles", "tile", written[last], solved=tuple(goals[last])),),
        turns={},
        metrics=(Metric("STM", "single tile moves", dict.fromkeys(WAYS, 1)),),
        constraints=(GuardParity("tiles"),),
        guard=Guard("tiles", "0", cases, "the blank"),
        grid=Grid(columns, other=(names[not last], written[not last])),
    )


def sized(name: str, last: bool) -> PuzzleEntry | None:
    """Return the entry of a name such as tiles-3x4."""
    found = re.fullmatch("tiles-([1-9][0-9]{0,5})x([1-9][0-9]{0,5})" + LAST * last, name)
    if found is None:
        return None
    rows, columns = map(int, found.groups())
    if not (
        min(rows, columns) >= 2 and max(rows, columns) <= LONGEST and rows * columns <= LARGEST
    ):
        raise UsageError(
            f"there is no puzzle {name!r}: tiles-MxN have {SIZES}, because shortest answers on "
            "larger boards take too long"
        )
    title = f"sliding tiles, {rows} rows and {columns} columns,"
    return board(name.removesuffix(LAST), title, rows, columns, last)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry | PuzzleFamily]:
    """Register eight, fifteen and tiles-MxN, each with the blank first and with the blank last."""
    for last, end, where in ((False, "", "first"), (True, LAST, "last")):
        yield board("fifteen", "15-puzzle", 4, 4, last)
        yield board("eight", "8-puzzle", 3, 3, last)
        yield PuzzleFamily(
            f"tiles-MxN{end}",
            f"sliding tiles, M rows and N columns, with the blank {where}",
            SIZES,
            f"tiles-3x4{end}",
            partial(sized, last=last),
        )
