"""The home facelets of the stickers of a state."""

from __future__ import annotations

from puzzlekit.errors import StateError
from puzzlekit.puzzle.appearance import appearance
from puzzlekit.puzzle.diagnose import diagnose
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["origins"]


def origins(puzzle: Puzzle, state: bytes) -> list[int]:
    """Return, for each facelet of a state, the home facelet of the sticker that it shows.

    For a puzzle with a `Grid`, the result is the home place of the piece at each place. If pieces
    are alike, the home of the first such piece is returned. Raises a StateError if the state has
    pieces or orientations that do not exist.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2")
    >>> origins(cube.puzzle, cube.state("U"))[:8]
    [2, 0, 3, 1, 20, 21, 6, 7]
    """
    try:
        if puzzle.grid is not None:
            (orbit,) = puzzle.orbits
            return [orbit.solved.index(label) for label in puzzle.labels(state, orbit)]
        found = list(range(len(appearance(puzzle).solved)))
        for look in appearance(puzzle).orbits:
            labels = puzzle.labels(state, look.orbit)
            turns = puzzle.orientations(state, look.orbit)
            for place, label, turn in zip(look.places, labels, turns, strict=True):
                home = look.places[look.orbit.solved.index(label)]
                if turn >= look.orbit.orientations:
                    raise ValueError(turn)
                for k, facelet in enumerate(place):
                    found[facelet] = home[(k - turn) % len(home)]
    except ValueError:
        raise StateError(diagnose(puzzle, state)) from None
    return found
