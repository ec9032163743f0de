"""Moves as they are after rotations of the whole puzzle."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit import Move, Puzzle
from puzzlekit.puzzle.move import Effect, invert
from puzzlekit.puzzle.symmetry import image_of
from puzzlekit.search.directions import Direction, images_after

__all__ = ["on_all_sides", "seen_after"]


def seen_after(
    puzzle: Puzzle, moves: Sequence[Move], rotations: Sequence[Effect]
) -> list[Direction | None]:
    """Return the direction of each rotation, with a move of the image for each of the moves.

    The direction is None if one of the moves has no name after the rotation.
    """
    every = images_after(puzzle, moves)
    found: list[Direction | None] = []
    for rotation in rotations:
        unrotation = invert(rotation, puzzle.modulus)
        images = every[unrotation]
        if images is None:
            found.append(None)
        else:
            back = {image_of(puzzle, images, move): move for move in moves}
            found.append(Direction(rotation, unrotation, back, False))
    return found


def on_all_sides(puzzle: Puzzle, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return moves and their images after each rotation of the whole puzzle that gives all a name.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> sorted(move.name for move in on_all_sides(cube, cube.moves("U2")))
    ['B2', 'D2', 'F2', 'L2', 'R2', 'U2']
    """
    found = dict.fromkeys(moves)
    for direction in seen_after(puzzle, moves, puzzle.whole_rotations):
        if direction is not None:
            found |= dict.fromkeys(direction.back)
    return tuple(found)
