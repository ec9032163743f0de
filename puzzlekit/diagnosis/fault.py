"""Faults: what is wrong with a state, in words, and where."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlekit.puzzle.orbit import Orbit
from puzzlekit.puzzle.puzzle import Puzzle


class Fault(str):
    """A fault in words, which also knows the facelets that it is about.

    `facelets` are indices of the puzzle's layout, in ascending order: those of the places, or the
    stickers, that the words name. There are none where the words name no place, such as for a
    missing piece or a parity, and none where the puzzle has no layout.

    >>> fault = Fault("edge UF is flipped", [19, 7])
    >>> fault == "edge UF is flipped", fault.facelets
    (True, (7, 19))
    """

    facelets: tuple[int, ...]

    def __new__(cls, words: str, facelets: Iterable[int] = ()) -> Fault:
        """The words, with the facelets that they are about."""
        fault = super().__new__(cls, words)
        fault.facelets = tuple(sorted(facelets))
        return fault

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the facelets."""
        return type(self), (str(self), self.facelets)


def fault_at(puzzle: Puzzle, orbit: Orbit, places: Iterable[int], words: str) -> Fault:
    """A fault about some places of an orbit, each by its number."""
    if puzzle.layout is None:
        return Fault(words)
    shown = puzzle.layout.places[orbit.name]
    return Fault(words, (facelet for place in places for facelet in shown[place]))
