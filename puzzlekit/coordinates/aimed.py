"""A coordinate with stated goal values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import attrs

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.joint import Product


@attrs.frozen(slots=False, eq=False, repr=False)
class Aimed(Product):
    """Several coordinates as one coordinate, with stated goal values.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> where = puzzlekit.Permutation("where", cube, "corners", "URF")
    >>> Aimed("top", cube, "corners", (where,), wanted=(0, 1, 2, 3)).goals
    (0, 1, 2, 3)
    """

    #: The values at the goal.
    wanted: tuple[int, ...] = ()

    @cached_property
    def goals(self) -> tuple[int, ...]:
        """The values at the goal."""
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
