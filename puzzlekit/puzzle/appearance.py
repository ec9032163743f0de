"""Appearance: the stickers that each piece shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["UNKNOWN", "appearance"]

# The result of operator.itemgetter: one letter, or a tuple of several.
Letters = str | tuple[str, ...]

UNKNOWN = "?"  # a sticker whose colour is not known


class OrbitLook:
    """The stickers of the pieces of one orbit.

    - `places`: for each place its facelets.
    - `at`: for each place a function. It takes the stickers of a state and returns the letters at
      this place.
    - `shown`: maps each pair (label, orientation) to the letters that the piece then shows.
    - `reading`: maps these letters back to the pair.
    """

    def __init__(self, orbit: Orbit, layout: FaceletLayout, solved: str) -> None:
        self.orbit = orbit
        self.places = layout.places[orbit.name]
        self.at: list[Callable[[str], Letters]] = [itemgetter(*place) for place in self.places]
        self.shown: dict[tuple[int, int], Letters] = {}
        self.reading: dict[Letters, tuple[int, int]] = {}
        around = len(self.places[0])
        in_order = itemgetter(*range(around))
        for label in dict.fromkeys(orbit.solved):
            letters = [solved[facelet] for facelet in self.places[orbit.solved.index(label)]]
            for turn in range(orbit.orientations):
                first = -turn % around
                seen = in_order(letters[first:] + letters[:first])
                self.shown[label, turn] = seen
                # If orientations show the same stickers, as with plain centers, the first counts.
                self.reading.setdefault(seen, (label, turn))

    def matching(self, letters: Letters) -> list[tuple[int, int]]:
        """Return the (label, orientation) pairs that match these letters.

        UNKNOWN matches any letter.
        """
        return [
            piece
            for shown, piece in self.reading.items()
            if all(seen in (own, UNKNOWN) for seen, own in zip(letters, shown, strict=True))
        ]


class Appearance:
    """The stickers of the pieces of a puzzle, orbit by orbit (see `appearance`).

    `solved` has the face letters of the solved puzzle. `fixed` lists the facelets that belong to no
    place, so that their stickers never change.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.layout is None:
            raise DeclarationError(f"{puzzle.name} has no facelets")
        self.layout = puzzle.layout
        self.solved = "".join(map(self.layout.faces.__getitem__, self.layout.colour_of))
        self.orbits = [OrbitLook(orbit, self.layout, self.solved) for orbit in puzzle.orbits]
        moving = {facelet for look in self.orbits for place in look.places for facelet in place}
        self.fixed = [i for i in range(len(self.solved)) if i not in moving]


@lru_cache(maxsize=16)
def appearance(puzzle: Puzzle) -> Appearance:
    """Return the appearance of a puzzle; raise DeclarationError if the puzzle has no layout."""
    return Appearance(puzzle)
