"""Parts of goals: pieces at home, how the puzzle is held, and coordinates with goal values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import attrs

from puzzlekit import Coordinate, Orbit, Product, Puzzle
from puzzlekit.puzzle.move import Effect
from puzzlekit.puzzle.symmetry import relabellings

__all__ = ["Aimed", "Need", "aimed", "carries_frame", "framed", "with_goals"]


class Need(NamedTuple):
    """A piece that must be at its home place, or untwisted, or both."""

    orbit: Orbit
    #: The number of the home place.
    home: int
    placed: bool
    turned: bool


@lru_cache(maxsize=64)
def _frame_bytes(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the bytes of the labels that show how the puzzle is held (see `Frame`)."""
    return tuple(
        puzzle.offsets[name] + place
        for name in puzzle.frames
        for place in range(puzzle.orbit(name).size)
    )


def carries_frame(puzzle: Puzzle, effects: Iterable[Effect]) -> bool:
    """Whether effects change how the puzzle is held, as an M of a 3x3x3 carries its centers.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3").puzzle
    >>> [carries_frame(cube, [move.effect]) for move in cube.moves("R M")]
    [False, True]
    """
    frame = _frame_bytes(puzzle)
    return any(gather[j] != j for gather, _ in effects for j in frame)


def framed(puzzle: Puzzle, state: bytes) -> bytes:
    """Return a state relabelled so that the frame of the puzzle is solved (see `Frame`).

    The state is returned unchanged if there is no frame, or if the frame shows no orientation.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube3")
    >>> framed(cube.puzzle, cube.state("M")) == cube.state("R L'")
    True
    """
    frame, solved = _frame_bytes(puzzle), puzzle.solved
    if all(state[j] == solved[j] for j in frame):
        return state
    return next((seen for _, seen in relabellings(puzzle, state, frame)), state)


@attrs.frozen(slots=False, eq=False, repr=False)
class Aimed(Product):
    """Several coordinates as one coordinate, with stated goal values.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> where = puzzlekit.Permutation("where", cube, "corners", "URF")
    >>> Aimed("top", cube, "corners", (where,), wanted=(0, 1, 2, 3)).goals
    (0, 1, 2, 3)
    """

    is_tested = True

    #: The values at the goal.
    wanted: tuple[int, ...] = ()

    @cached_property
    def goals(self) -> tuple[int, ...]:
        return self.wanted


def aimed(coordinate: Coordinate, fits: Callable[[Mapping[int, Any]], Any]) -> Aimed:
    """Return the coordinate with all values as goals whose bytes fit.

    `fits` gets a mapping from indices of bytes to arrays, as `Coordinate.unrank` returns it. It
    returns an array of truth values. Without NumPy, it gets numbers in place of arrays.
    """
    try:
        import numpy as np
    except ImportError:  # in an exported site
        values = range(coordinate.size)
        return with_goals(coordinate, tuple(i for i in values if fits(coordinate.unrank(i))))
    found: list[int] = []
    for part, vector in coordinate.stretches():
        flags = np.broadcast_to(fits(vector), part.stop - part.start)
        found += (np.flatnonzero(flags) + part.start).tolist()
    return with_goals(coordinate, tuple(found))


def with_goals(coordinate: Coordinate, wanted: tuple[int, ...]) -> Aimed:
    """Return the coordinate with other goal values."""
    given = coordinate.name, coordinate.puzzle, coordinate.orbit_name
    return Aimed(*given, coordinate.digits, wanted)
