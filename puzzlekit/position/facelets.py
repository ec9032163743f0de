"""Facelets: the stickers of a state."""

from __future__ import annotations

from puzzlekit.errors import StateError
from puzzlekit.position.grid import write_grid
from puzzlekit.puzzle.appearance import appearance
from puzzlekit.puzzle.puzzle import Puzzle


def facelets(puzzle: Puzzle, state: bytes) -> str:
    """The face letter of each sticker, in the order of the layout; with a `Grid`, the numbers.

    Raises a StateError if there are no such pieces or orientations.
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
        from puzzlekit.diagnosis.diagnose import diagnose

        raise StateError(diagnose(puzzle, state)) from None
    return "".join(stickers)
