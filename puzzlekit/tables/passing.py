"""Passing tables: those of goals, of which the cache keeps a limited amount.

Goals have no end: each goal, and each choice of allowed moves, has tables of its own. Beside the
file `x.npy` of such a table lies an empty file `x.npy.goal`, whose modification time says when the
table was requested last. If anything else requests the table, the table stays for good.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

MARK = ".goal"
_MARGIN = 2_000_000_000  # nanoseconds: some file systems round times to two seconds


def is_passing(path: str) -> bool:
    """Whether the table at a path is a passing one."""
    return os.path.exists(path + MARK)


def mark(path: str) -> None:
    """Make a table a passing one, which is used now."""
    with contextlib.suppress(OSError), open(path + MARK, "w"):
        pass


def note_use(path: str, for_goal: bool) -> None:
    """Note that a table was opened, for a goal or for something else."""
    with contextlib.suppress(OSError):  # usually: it is no passing table
        os.utime(path + MARK) if for_goal else os.unlink(path + MARK)


def unmark(path: str) -> None:
    """Remove what is noted of a table that was removed."""
    with contextlib.suppress(OSError):
        os.unlink(path + MARK)


def trim(directory: str, most: int, until: int) -> Iterator[str]:
    """Remove the passing tables that were not used for longest, until `most` bytes are left.

    Yields the path of each removed table. `directory` has a directory for each puzzle. Tables that
    were used after the time `until`, in nanoseconds, are not removed.
    """
    from glob import iglob

    found = []
    for path in iglob(os.path.join(directory, "*", f"*.npy{MARK}")):
        table = path.removesuffix(MARK)
        try:
            found.append((os.stat(path).st_mtime_ns, os.stat(table).st_size, table))
        except OSError:  # the table was removed in another way
            unmark(table)
    total = sum(size for _, size, _ in found)
    for used, size, table in sorted(found):
        if total <= most or used >= until - _MARGIN:
            return
        with contextlib.suppress(OSError):  # Windows cannot remove files that are open
            os.unlink(table)
            unmark(table)
            total -= size
            yield table
