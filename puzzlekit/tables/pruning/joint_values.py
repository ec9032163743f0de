"""Which values of several coordinates can be had together, where they look at pieces of one orbit.

Two pieces are never at one place, so of all pairs of values of two groups of pieces many cannot be:
they need not be looked at while a pruning table is filled.
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
    """For each coordinate and each of its values the places that its pieces take, as bits.

    Shape (size,), uint64. It is 0 where that tells nothing of the others: for other kinds than
    pieces at places, other orbits than that of the first of that kind, or pieces that a coordinate
    before it looks at too.

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
    """How many entries there are of which no two coordinates take a place."""
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
