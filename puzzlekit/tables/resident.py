"""Copies of large tables in anonymous memory."""

from __future__ import annotations

import contextlib
import mmap
import sys


def resident(data: memoryview) -> memoryview:
    """Return a copy of a mapped table in memory, for searches that read random entries.

    The copy begins at a page boundary. On Linux the function asks for memory pages of 2 MB. A
    mapped file has pages of 4 KB. Most of the time of a look-up would then go into finding the
    page.
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
