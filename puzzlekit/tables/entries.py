"""Functions that pack distances into the entries of a pruning table, several per byte."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["UNREACHED"]

UNREACHED = 255  # the distance of a value that reaches no goal
STRETCH = 1 << 22  # entries packed at once


def pack(distance: npt.NDArray[np.uint8], bits: int) -> npt.NDArray[np.uint8]:
    """Pack distances of one byte each into entries of 2, 4 or 8 bits.

    The lowest bits of a byte hold the first entry. With 4 bits, distances above 15 become 15, which
    is still a lower bound. With 2 bits, an entry is the distance modulo 3. A distance of 255 means
    that no goal can be reached. The entry is then 3.

    >>> import numpy as np
    >>> pack(np.array([1, 2, 99], dtype=np.uint8), 4).tolist()
    [33, 15]
    >>> pack(np.array([0, 1, 5, 255, 1], dtype=np.uint8), 2).tolist()
    [228, 1]
    """
    import numpy as np

    if bits == 8:
        return distance
    if bits == 4:
        return pack_codes(distance, bits, lambda part: np.minimum(part, 15))
    code = (np.arange(256) % 3).astype(np.uint8)
    code[UNREACHED] = 3
    return pack_codes(distance, bits, lambda part: code[part])


def pack_codes(
    numbers: npt.NDArray[np.uint8], bits: int, code: Callable[[Any], Any] = lambda part: part
) -> npt.NDArray[np.uint8]:
    """Apply the function `code` to an array, and pack the results into entries of 2 or 4 bits."""
    import numpy as np

    each = 8 // bits
    packed = np.empty(-(-len(numbers) // each), dtype=np.uint8)
    for number, part in enumerate(stretches(numbers)):
        codes = code(part)
        into = packed[number * (STRETCH // each) :][: -(-len(part) // each)]
        into[:] = codes[::each]
        for i in range(1, each):
            into[: len(codes[i::each])] |= codes[i::each] << np.uint8(bits * i)
    return packed


def stretches(array: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.uint8]]:
    """Split a flat array into parts of at most `STRETCH` entries.

    A caller that handles one part after the other needs little memory.
    """
    return [array[at : at + STRETCH] for at in range(0, len(array), STRETCH)]
