"""Distances as entries of a pruning table: several to a byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

UNREACHED = 255  # the distance where no goal is reached
STRETCH = 1 << 22  # entries


def pack(distance: npt.NDArray[np.uint8], bits: int) -> npt.NDArray[np.uint8]:
    """Distances, a byte each, as entries of 2 bits (modulo 3), 4 bits or 8 bits, the first lowest.

    >>> import numpy as np
    >>> pack(np.array([1, 2, 99], dtype=np.uint8), 4).tolist()
    [33, 15]
    """
    if bits == 8:
        return distance
    return pack_nibbles(distance) if bits == 4 else pack_codes(distance)


def pack_codes(distance: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Four entries a byte, the first in the lowest bits: distances modulo 3, or 3 if unreached.

    >>> import numpy as np
    >>> pack_codes(np.array([0, 1, 5, 255, 1], dtype=np.uint8)).tolist()
    [228, 1]
    """
    import numpy as np

    code = (np.arange(256) % 3).astype(np.uint8)
    code[UNREACHED] = 3
    packed = np.empty(-(-len(distance) // 4), dtype=np.uint8)
    for part, into in zip(stretches(distance), _packed(packed, 4), strict=True):
        codes = code[part]
        codes = np.append(codes, np.zeros(-len(codes) % 4, dtype=np.uint8)).reshape(-1, 4)
        np.bitwise_or.reduce(codes << np.array([0, 2, 4, 6], "u1"), 1, out=into)
    return packed


def _packed(packed: npt.NDArray[np.uint8], entries: int) -> list[npt.NDArray[np.uint8]]:
    """What each of the `stretches` is packed into, with this many entries a byte."""
    step = STRETCH // entries
    return [packed[at : at + step] for at in range(0, len(packed), step)]


def pack_nibbles(distance: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Two entries a byte, the even one in the low half; larger distances become 15 (still bounds).

    >>> import numpy as np
    >>> pack_nibbles(np.array([1, 2, 99], dtype=np.uint8)).tolist()
    [33, 15]
    """
    import numpy as np

    packed = np.empty(-(-len(distance) // 2), dtype=np.uint8)
    for part, into in zip(stretches(distance), _packed(packed, 2), strict=True):
        clipped = np.minimum(part, 15)
        into[:] = clipped[::2]
        into[: len(clipped) // 2] |= clipped[1::2] << 4
    return packed


def stretches(array: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
    """A flat array in stretches, so that work on one of them takes little memory."""
    return [array[at : at + STRETCH] for at in range(0, len(array), STRETCH)]
