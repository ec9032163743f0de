"""What Python has no words for: fetching memory early, and changing a byte in one step.

`intrinsics.pxd` tells Cython how compilers say it.
"""

from __future__ import annotations

from typing import Any


def fetch(table: Any, at: int) -> None:
    """Have the line of memory with that byte fetched before it is needed."""


def clear_bits(table: Any, at: int, bits: int) -> None:
    """Clear some bits of a byte, whatever other threads clear in it meanwhile."""
    table[at] &= 255 ^ bits
