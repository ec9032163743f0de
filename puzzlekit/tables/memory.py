"""How much memory is free."""

from __future__ import annotations

import contextlib
import os

from puzzlekit.errors import TableError

__all__ = ["available_memory", "check_memory"]


def available_memory() -> int | None:
    """Return the number of bytes that are free without swapping; None if it is unknown.

    The number respects the memory limits of the container and of the process (`ulimit -v`).
    """
    found = []
    with contextlib.suppress(ImportError, OSError, ValueError, IndexError):
        found += _left_to_the_process()
    with contextlib.suppress(OSError, ValueError, StopIteration), open("/proc/meminfo") as file:
        line = next(line for line in file if line.startswith("MemAvailable:"))
        found.append(int(line.split()[1]) * 1024)
    with contextlib.suppress(OSError, ValueError):
        limit = _number("/sys/fs/cgroup/memory.max")
        found.append(limit - _number("/sys/fs/cgroup/memory.current"))
    if not found:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return max(min(found), 0) if found else None


def check_memory(nbytes: int, what: str) -> None:
    """Raise TableError if a build takes more memory than is free."""
    free = available_memory()
    if free is not None and nbytes > free:
        raise TableError(
            f"{what} takes {nbytes / 1e6:,.0f} MB of memory to build, and only "
            f"{free / 1e6:,.0f} MB are free"
        )


def _left_to_the_process() -> list[int]:
    """Return the number of bytes below the address space limit, in a list; [] without a limit."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return []
    with open("/proc/self/statm") as file:
        return [limit - int(file.read().split()[0]) * resource.getpagesize()]


def _number(path: str) -> int:
    with open(path) as file:
        return int(file.read())
