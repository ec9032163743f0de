"""Sliding tiles: the 15-puzzle, the 8-puzzle, and others of m rows and n columns.

A state is its tiles row by row, with 0 for the blank; solved the blank comes first and the tiles
follow in order. Moves name the way the blank goes: U, L, R and D.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from puzzlekit import (
    Effect,
    Guard,
    Metric,
    Orbit,
    Puzzle,
    PuzzleEntry,
    hookimpl,
)
from puzzlekit_fifteen.phases import methods

puzzlekit_api = 1

# How many rows and columns the blank goes down and to the right.
WAYS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}


def tiles(name: str, title: str, rows: int, columns: int) -> Puzzle:
    """The puzzle of rows * columns - 1 tiles and a blank: (rows * columns)! / 2 states."""
    size = rows * columns

    def slid(place: int, down: int, right: int) -> Effect | None:
        """What moving the blank from a place does; None where the frame is in the way."""
        row, column = place // columns + down, place % columns + right
        if not (0 <= row < rows and 0 <= column < columns):
            return None
        gather = bytearray(range(size))
        other = row * columns + column
        gather[place], gather[other] = other, place
        return bytes(gather), bytes(size)

    cases = {way: [slid(place, *step) for place in range(size)] for way, step in WAYS.items()}
    return Puzzle(
        name=name,
        title=title,
        orbits=(Orbit("tiles", "tile", " ".join(map(str, range(size)))),),
        turns={},
        metrics=(Metric("STM", "single tile moves", dict.fromkeys(WAYS, 1)),),
        guard=Guard("tiles", "0", cases, "the blank"),
    )


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register eight and fifteen."""
    for name, title, side in (("eight", "8-puzzle", 3), ("fifteen", "15-puzzle", 4)):
        yield PuzzleEntry(
            name,
            title,
            partial(tiles, name, title, side, side),
            partial(methods, rows=side, columns=side),
        )
