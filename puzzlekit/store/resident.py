"""Large tables in memory of their own."""

from __future__ import annotations

import contextlib
import mmap
import sys


def resident(data: memoryview) -> memoryview:
    """A copy of a table in memory, for searches that look up single entries all over it.

    It begins at a page. Linux is asked for pages of 2 MB: with those of 4 KB, a processor spends
    most of a look-up in the table of pages, and those of a file have no other.
    """
    if sys.platform == "win32":
        memory = mmap.mmap(-1, data.nbytes)
    else:
        memory = mmap.mmap(-1, data.nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with contextlib.suppress(OSError):  # a kernel without them
            memory.madvise(mmap.MADV_HUGEPAGE)
    view = memoryview(memory)
    view[:] = data.cast("B")
    return view
