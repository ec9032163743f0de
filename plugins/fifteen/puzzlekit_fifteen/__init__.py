"""Sliding tiles: the 15-puzzle, the 8-puzzle, and others of m rows and n columns.

A state lists the tiles row by row, with 0 for the blank. In the solved state, the tiles are in
order and the blank is in the last place, as on the boards that shops sell. Boards of their own have
the blank in the first place, as in the literature on searches. Moves name the direction of the
blank: U, L, R and D.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from math import isqrt

from puzzlekit import (
    Heuristic,
    Metric,
    Orbit,
    Puzzle,
    PuzzleEntry,
    PuzzleFamily,
    UsageError,
    hookimpl,
)
from puzzlekit.puzzle.guard import Guard
from puzzlekit.puzzle.layout import Grid
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.orbit import GuardParity
from puzzlekit_fifteen import engine as engine  # so that it is compiled, or the plugin is refused
from puzzlekit_fifteen.phases import methods
from puzzlekit_fifteen.words import in_words

puzzlekit_api = 2

# Rows and columns that the blank moves down and to the right.
WAYS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}
LONGEST = 7  # most places in a row or column
FIRST = "-blank-first"  # at the end of a puzzle's name
SIZES = f"2 to {LONGEST} rows and columns"


def board(
    name: str, title: str, rows: int, columns: int, first: bool, aliases: tuple[str, ...] = ()
) -> PuzzleEntry:
    """Return the entry of a board. `first` says whether the solved board has the blank first."""
    names = name, name + FIRST
    if first:
        title += " with the blank first"
    return PuzzleEntry(
        names[first],
        title,
        partial(tiles, names, title, rows, columns, first),
        partial(methods, rows=rows, columns=columns, first=first),
        () if first else aliases,
    )


def tiles(names: tuple[str, str], title: str, rows: int, columns: int, first: bool) -> Puzzle:
    """Return the puzzle of rows * columns - 1 tiles and a blank, with (rows * columns)! / 2 states.

    `names` has two names of the puzzle. The first name is for boards whose solved state has the
    blank last, and the second name is for boards whose solved state has the blank first. `first`
    chooses one of the two.
    """
    size = rows * columns
    goals = [*range(1, size), 0], [*range(size)]
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
        name=names[first],
        title=title,
        orbits=(Orbit("tiles", "tile", written[first], solved=tuple(goals[first])),),
        turns={},
        metrics=(Metric("STM", "single tile moves", dict.fromkeys(WAYS, 1)),),
        constraints=(GuardParity("tiles"),),
        guard=Guard("tiles", "0", cases, "the blank"),
        grid=Grid(columns, other=(names[not first], written[not first])),
        move_words=in_words,
    )


def sized(name: str, first: bool) -> PuzzleEntry | None:
    """Return the entry of a name such as tiles-3x4."""
    tiles = re.fullmatch("(24|35|48)(-?puzzle)?", name)  # the squares without names of their own
    if tiles is not None:
        side = isqrt(int(tiles[1]) + 1)
        raise UsageError(f"there is no puzzle {name!r} (did you mean tiles-{side}x{side}?)")
    found = re.fullmatch("tiles-([1-9][0-9]{0,5})x([1-9][0-9]{0,5})" + FIRST * first, name)
    if found is None:
        return None
    rows, columns = map(int, found.groups())
    if not 2 <= min(rows, columns) <= max(rows, columns) <= LONGEST:
        raise UsageError(f"there is no puzzle {name!r}: tiles-MxN have {SIZES}")
    title = f"sliding tiles, {rows} rows and {columns} columns"
    if rows == columns:
        title = f"{rows * columns - 1}-puzzle"
    return board(name.removesuffix(FIRST), title, rows, columns, first)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry | PuzzleFamily]:
    """Register eight, fifteen and tiles-MxN, each with the blank last and with the blank first."""
    for first, end, where in ((False, "", ""), (True, FIRST, ", with the blank first")):
        yield board(
            "fifteen", "15-puzzle", 4, 4, first, ("15", "fifteen-puzzle", "fifteen-blank-last")
        )
        yield board("eight", "8-puzzle", 3, 3, first, ("8", "eight-puzzle", "eight-blank-last"))
        yield PuzzleFamily(
            f"tiles-MxN{end}",
            f"sliding tiles, M rows and N columns{where}",
            SIZES,
            f"tiles-3x4{end}",
            partial(sized, first=first),
            () if first else ("tiles-5x5", "tiles-6x6"),
        )


@hookimpl
def puzzlekit_heuristics() -> Iterator[type[Heuristic]]:
    """Add the heuristics that read a board."""
    from puzzlekit_fifteen.heuristics import LinearConflict, Manhattan, WalkingDistance

    yield from (Manhattan, LinearConflict, WalkingDistance)
