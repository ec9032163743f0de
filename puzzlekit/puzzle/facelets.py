"""Facelets: the stickers of a state."""

from __future__ import annotations

from puzzlekit.errors import StateError
from puzzlekit.puzzle.appearance import appearance
from puzzlekit.puzzle.grid import write_grid
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["facelets"]


def facelets(puzzle: Puzzle, state: bytes) -> str:
    """Return the face letter of each sticker, in the order of the layout.

    If the puzzle has a `Grid`, the result has the numbers of the state instead. Raises a StateError
    if the state has unknown pieces or orientations.
    """
    if puzzle.grid is not None:
        return write_grid(puzzle, state)
    look = appearance(puzzle)
    stickers = list(look.solved)
    try:
        for pieces in look.orbits:
            for place, label, turn in zip(
                pieces.places,
                puzzle.labels(state, pieces.orbit),
                puzzle.orientations(state, pieces.orbit),
                strict=True,
            ):
                for facelet, letter in zip(place, pieces.shown[label, turn], strict=True):
                    stickers[facelet] = letter
    except (KeyError, ValueError):
        from puzzlekit.puzzle.diagnose import diagnose

        raise StateError(diagnose(puzzle, state)) from None
    return "".join(stickers)
