"""A chain of stabilisers of the group that the moves of a puzzle generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["StabiliserLevels", "keeping"]

_MOST_ELEMENTS = 100_000  # elements that `keeping` follows at once


@attrs.frozen(eq=False)
class StabiliserLevels:
    """A chain of stabilisers of a group of permutations.

    - `base`: the base points.
    - `carriers`: for each base point, the elements of the stabiliser of the base points before it
      that carry it to each point of its orbit. The shape is (orbit, points). The first element is
      the identity.
    - `images`: for each move, the point to which the move carries each point.
    - `solved`: the numbers of the elements that look like the solved state. If no pieces are alike,
      this is only the identity, which has the number 0.

    The digits of the number of an element are the indices of its carriers. The first base point has
    the first digit.
    """

    base: tuple[int, ...]
    carriers: tuple[npt.NDArray[np.uint16], ...]
    images: Mapping[str, npt.NDArray[np.uint16]]
    solved: tuple[int, ...] = (0,)

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return prod(len(each) for each in self.carriers)

    def image(self, family: str, amount: int) -> npt.NDArray[np.uint16]:
        """Return the point to which a move, done `amount` times, carries each point."""
        import numpy as np

        base = self.images[family]
        image = np.arange(len(base), dtype=np.uint16)
        for _ in range(amount):
            image = base[image]
        return image


def keeping(
    base: Sequence[int], carriers: Sequence[npt.NDArray[np.uint16]], colours: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the numbers of the elements that carry each point to a point of the same colour.

    The elements are found base point by base point. Return None if there are too many of them.
    """
    import numpy as np

    colour = np.asarray(colours)
    elements = np.arange(len(colour), dtype=np.uint16)[np.newaxis]
    numbers = np.zeros(1, dtype=object)  # integers of any size
    for point, level in zip(base, carriers, strict=True):
        rows, digits = np.nonzero(colour[elements[:, level[:, point]]] == colour[point])
        if len(rows) > _MOST_ELEMENTS:
            return None
        elements = elements[rows[:, np.newaxis], level[digits]]
        numbers = numbers[rows] * len(level) + digits
    return tuple(sorted(map(int, numbers[(colour[elements] == colour).all(axis=1)])))
