"""Copies of large tables in anonymous memory."""

from __future__ import annotations

import contextlib
import mmap
import sys


def resident(data: memoryview) -> memoryview:
    """Return a copy of a table in memory, for searches with random access to the table.

    The copy begins at a page boundary. On Linux the function asks for pages of 2 MB. With pages of
    4 KB, most of the time of a look-up goes into the page table. A mapped file always has pages of
    4 KB.
    """
    if sys.platform == "win32":
        memory = mmap.mmap(-1, data.nbytes)
    else:
        memory = mmap.mmap(-1, data.nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # the kernel has no large pages
            memory.madvise(mmap.MADV_HUGEPAGE)
    view = memoryview(memory)
    view[:] = data.cast("B")
    return view
