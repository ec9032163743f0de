"""Views: a puzzle seen as another one, such as a reduced 4x4x4 cube as a 3x3x3."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.facelets import appearance, facelets
from puzzlekit.puzzle.puzzle import Puzzle


class View:
    """Another puzzle in the stickers of this one.

    `puzzle` is what is seen. Its facelet i is the facelet `picked[i]` of the puzzle that is looked
    at; the stickers of one piece are to be picked from one piece. Moves of the same name have to do
    the same to both.
    """

    def __init__(self, puzzle: Puzzle, picked: Sequence[int]) -> None:
        self.puzzle = puzzle
        self.picked = tuple(picked)
        if len(self.picked) != len(appearance(puzzle).solved):
            raise DeclarationError(
                f"to be seen as {puzzle.name} takes {len(appearance(puzzle).solved)} stickers, not "
                f"{len(self.picked)}"
            )

    def see(self, puzzle: Puzzle, state: bytes) -> bytes:
        """The state of `self.puzzle` that a state of `puzzle` shows.

        A DeclarationError if it shows pieces that do not exist there: an earlier phase has to see
        to that.
        """
        letters = facelets(puzzle, state)
        shown = "".join([letters[i] for i in self.picked])
        seen = bytearray()
        for look in appearance(self.puzzle).orbits:
            try:
                pieces = [look.reading[at(shown)] for at in look.at]
            except KeyError:
                raise DeclarationError(
                    f"{puzzle.name} cannot be seen as {self.puzzle.name}: it shows "
                    f"{look.orbit.piece}s that do not exist there"
                ) from None
            seen += bytes(label for label, _ in pieces)
            if look.orbit.orientations > 1:
                seen += bytes(turn for _, turn in pieces)
        return bytes(seen)
