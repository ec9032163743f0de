"""Operations that Python lacks: prefetching memory, and changing a byte atomically.

`intrinsics.pxd` maps them to the intrinsics of compilers.
"""

from __future__ import annotations

from typing import Any

__all__ = ["clear_bits", "fetch"]


def fetch(table: Any, at: int) -> None:
    """Prefetch the cache line of a byte."""


def clear_bits(table: Any, at: int, bits: int) -> None:
    """Clear some bits of a byte atomically."""
    table[at] &= 255 ^ bits
