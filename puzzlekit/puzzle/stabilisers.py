"""A chain of stabilisers of the group that the moves of a puzzle generate."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@attrs.frozen(eq=False)
class StabiliserLevels:
    """A chain of stabilisers of a group of permutations.

    - `base`: the base points.
    - `carriers`: for each base point, the elements of the stabiliser of the base points before it
      that carry it to each point of its orbit. The shape is (orbit, points). The first element is
      the identity.
    - `images`: for each move, the point to which the move carries each point.
    """

    base: tuple[int, ...]
    carriers: tuple[npt.NDArray[np.uint16], ...]
    images: Mapping[str, npt.NDArray[np.uint16]]

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
