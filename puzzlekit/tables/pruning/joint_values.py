"""Which values of several coordinates over one orbit are possible together.

Two pieces are never at the same place. This excludes many pairs of values of two groups of pieces,
and the build of a pruning table can skip them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.coordinate.kinds import Combination, OrientedCombination, Permutation
from puzzlekit.coordinate.pieces import Covering, Pieces

Masks = npt.NDArray[np.uint64]

_KINDS = (Permutation, Pieces, Combination, OrientedCombination, Covering)
_PLACES = 64  # bits of a mask


def taken(coordinates: Sequence[Coordinate]) -> list[Masks]:
    """Return for each coordinate a mask of the places that its pieces take, for each value.

    The masks have shape (size,), uint64. All masks of a coordinate are 0 if it is not over pieces
    at places, or not over the orbit of the first such coordinate. The same holds if it shares a
    piece with an earlier one.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> one, other = (Permutation(name, cube, "corners", name) for name in ("ULB", "UBR"))
    >>> [masks.tolist() for masks in taken([one, other])][1]
    [1, 2, 4, 8, 16, 32, 64, 128]
    """
    found = []
    seen: frozenset[int] | None = None  # the pieces of the coordinates so far
    for each in coordinates:
        masks = np.zeros(each.size, dtype=np.uint64)
        found.append(masks)
        orbit = each.orbit
        if type(each) not in _KINDS or orbit.size > _PLACES:
            continue
        if seen is None:
            seen, of = frozenset(), orbit
        if orbit is not of or seen & each.looks_at:
            continue
        seen |= each.looks_at
        start = each.puzzle.offsets[orbit.name]
        for part, vector in each.stretches():
            for place in range(orbit.size):
                if start + place in vector:
                    here = np.isin(vector[start + place], list(each.looks_at))
                    masks[part] |= here.astype(np.uint64) << np.uint64(place)
    return found


def possible(masks: Sequence[Masks]) -> int:
    """Return the number of entries in which no two coordinates take the same place."""
    told = {0: 1}
    for each in masks:
        values, counts = (column.tolist() for column in np.unique(each, return_counts=True))
        after: dict[int, int] = {}
        for mask, ways in told.items():
            for value, count in zip(values, counts, strict=True):
                if not mask & value:
                    after[mask | value] = after.get(mask | value, 0) + ways * count
        told = after
    return sum(told.values())
