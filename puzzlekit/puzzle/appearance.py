"""Appearance: which stickers each piece shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle

# What operator.itemgetter gives: one letter, or a tuple of several.
Letters = str | tuple[str, ...]

UNKNOWN = "?"  # stands for a sticker whose colour is not known


class OrbitLook:
    """How the pieces of one orbit look.

    `places` gives the facelets of each place and `at` gets their letters out of a string; `shown`
    gives the letters that a (label, orientation) shows there, `reading` turns that round.
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
                # What the stickers do not show (the turn of a plain center) is read as the first.
                self.reading.setdefault(seen, (label, turn))

    def matching(self, letters: Letters) -> list[tuple[int, int]]:
        """What can be at a place with these letters, where UNKNOWN may turn out to be any."""
        return [
            piece
            for shown, piece in self.reading.items()
            if all(seen in (own, UNKNOWN) for seen, own in zip(letters, shown, strict=True))
        ]


class Appearance:
    """How the pieces of a puzzle look, orbit by orbit; made once for a puzzle by `appearance`.

    `solved` is how the solved puzzle looks; the facelets in `fixed`, which are in no place, always
    look so.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        if puzzle.layout is None:
            raise DeclarationError(f"{puzzle.name} has no facelets")
        self.layout = puzzle.layout
        self.solved = "".join(map(self.layout.faces.__getitem__, self.layout.face_of))
        self.orbits = [OrbitLook(orbit, self.layout, self.solved) for orbit in puzzle.orbits]
        moving = {facelet for look in self.orbits for place in look.places for facelet in place}
        self.fixed = [i for i in range(len(self.solved)) if i not in moving]


@lru_cache(maxsize=16)
def appearance(puzzle: Puzzle) -> Appearance:
    """How the pieces of a puzzle look; a DeclarationError if it has no layout."""
    return Appearance(puzzle)
