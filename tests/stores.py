"""A table for the tests of the store, too large to share a file, and what may happen to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from puzzlekit.tables.table import TableSpec

PURPOSE = "Tests the store; \u2192 not Latin-1, 'quoted' # and\nbroken."


def make_key(
    name: str = "twist x slice distance HTM",
    identity: str = "source",
    dtype: str = "u2",
    shape: tuple[int, ...] = (300_000,),
    puzzle: str = "cube3",
) -> TableSpec:
    return TableSpec(puzzle, name, identity, dtype, shape, PURPOSE)


def content(key: TableSpec) -> np.ndarray:
    """Numbers that use every byte of the dtype."""
    count = np.prod(key.shape)
    numbers = np.arange(count, dtype="u8") * 2654435761
    return numbers.astype("<" + key.dtype).reshape(key.shape)


def must_not_build() -> bytes:
    raise AssertionError("built again")


KEY = make_key()


def rewrite(path: Path, change: Callable[[bytearray], object], keep_time: bool = False) -> None:
    status = path.stat()
    contents = bytearray(path.read_bytes())
    change(contents)
    path.write_bytes(contents)
    if keep_time:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def raising(code: int) -> Callable[..., None]:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail
