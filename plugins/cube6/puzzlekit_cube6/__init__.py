"""The 6x6x6 cube."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import Method, Puzzle, PuzzleEntry, hookimpl, universal_method
from puzzlekit_cubes import cube_puzzle

if TYPE_CHECKING:
    from puzzlekit import Event

puzzlekit_api = 2


def puzzle() -> Puzzle:
    """Make the 6x6x6 cube."""
    return cube_puzzle("cube6", 6)


def methods(cube: Puzzle) -> list[Method]:
    """Make the method `universal`."""
    return [universal_method(cube)]


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register cube6."""
    aliases = ("6x6x6", "6x6", "6x6 cube", "V-CUBE 6")
    yield PuzzleEntry("cube6", "6x6x6 cube", puzzle, methods, aliases)


@hookimpl
def puzzlekit_events() -> Iterator[Event]:
    """Register the event 666."""
    from puzzlekit import Event, RandomMoves
    from puzzlekit_cubes import HELD, outer_blocks

    moves = RandomMoves(80, outer_blocks(6))
    yield Event("666", "6x6x6 Cube", "cube6", least=2, moves=moves, held=HELD)
