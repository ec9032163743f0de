"""Find the joint values of several coordinates over one orbit that no state has.

Two pieces are never at the same place. Therefore two groups of pieces cannot have certain joint
values. The build of a pruning table can skip these joint values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.kinds import Combination, OrientedCombination, Permutation
from puzzlekit.coordinates.pieces import Covering, Pieces

Masks = npt.NDArray[np.uint64]

_KINDS = (Permutation, Pieces, Combination, OrientedCombination, Covering)
_PLACES = 64  # bits of a mask


def taken(coordinates: Sequence[Coordinate]) -> list[Masks]:
    """Return one array per coordinate. It lists the places that the pieces of each value occupy.

    An array has one mask per value of the coordinate: shape (size,), dtype uint64. Bit i of a mask
    is 1 if a piece of the coordinate is at place i. All masks of a coordinate are 0 in three cases:

    - The coordinate does not describe the places of pieces.
    - Its orbit is not the orbit of the first coordinate that describes places.
    - It shares a piece with an earlier coordinate.

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
    """Return the number of joint values in which no two masks have a common place."""
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
