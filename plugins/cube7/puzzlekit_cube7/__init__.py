"""The 7x7x7 cube."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import Method, Puzzle, PuzzleEntry, hookimpl, universal_method
from puzzlekit_cubes import cube_puzzle

if TYPE_CHECKING:
    from puzzlekit import Event

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 7x7x7 cube."""
    return cube_puzzle("cube7", 7)


def methods(cube: Puzzle) -> list[Method]:
    """Make the method `universal`."""
    return [universal_method(cube)]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube7."""
    aliases = ("7x7x7", "7x7", "7x7 cube", "V-CUBE 7")
    yield PuzzleEntry("cube7", "7x7x7 cube", puzzle, methods, aliases)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the event 777."""
    from puzzlekit import Event, RandomMoves
    from puzzlekit_cubes import HELD, outer_blocks

    moves = RandomMoves(100, outer_blocks(7))
    yield Event("777", "7x7x7 Cube", "cube7", least=2, moves=moves, held=HELD)
