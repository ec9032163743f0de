"""Faces that were scanned another way up: which quarter turns make the pieces fit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from puzzlekit import FaceletLayout
from puzzlekit_colours.legal import Pieces
from puzzlekit_colours.model import Floats

__all__ = ["likely_turns", "quarter_turns", "turned_back"]

Turns = tuple[int, ...]  # of each face, in quarters

_MOST_FACES = 6
_TRIED = 12  # combinations of turns that are compared


@lru_cache(maxsize=8)
def quarter_turns(layout: FaceletLayout) -> npt.NDArray[np.intp] | None:
    """Return the sticker at each place after every image of a face is turned clockwise once.

    None if the faces are not squares of rows and columns.
    """
    found = np.arange(len(layout.face_of))
    for face in range(len(layout.faces)):
        rows = [
            [each for each in row if each is not None and layout.face_of[each] == face]
            for row in layout.net
        ]
        rows = [row for row in rows if row]
        if not rows or any(len(row) != len(rows) for row in rows):
            return None
        grid = np.array(rows)
        found[grid] = np.rot90(grid, -1)
    return found if len(layout.faces) <= _MOST_FACES else None


def turned_back(
    layout: FaceletLayout, quarter: npt.NDArray[np.intp], turns: Turns
) -> npt.NDArray[np.intp]:
    """Return which scanned sticker belongs at each place, if faces are turned by `turns`."""
    times = np.array(turns)[np.array(layout.face_of)]
    found = np.arange(len(times))
    for _ in range(3):
        found = np.where(times > 0, quarter[found], found)
        times = times - 1
    return found


def likely_turns(
    pieces: Pieces, layout: FaceletLayout, quarter: npt.NDArray[np.intp], costs: Floats
) -> Iterator[tuple[float, Turns]]:
    """Yield the likely turns of the faces, with what the pieces then cost at least.

    All combinations are rated at once: the look of a piece depends on its two or three faces only.
    """
    number = len(layout.faces)
    by_turn = [costs[turned_back(layout, quarter, (k,) * number)] for k in range(4)]
    total = np.zeros((4,) * number)
    for facelets, faces in pieces.places():
        on = [layout.face_of[each] for each in facelets]
        least = np.zeros((4,) * len(on))
        for turns in product(range(4), repeat=len(on)):
            each = zip(facelets, faces.T, turns, strict=True)
            least[turns] = sum(by_turn[k][facelet][shown] for facelet, shown, k in each).min()
        order = np.argsort(on)
        shape = [4 if face in on else 1 for face in range(number)]
        total = total + least.transpose(order).reshape(shape)
    ranked = sorted(
        (round(float(total.flat[index]), 3), sum(1 for k in turns if k), turns)
        for index in np.argsort(total, axis=None)[: 4 * _TRIED]
        for turns in [tuple(int(k) for k in np.unravel_index(index, total.shape))]
    )
    for cost, _, turns in ranked[:_TRIED]:
        yield cost, turns
