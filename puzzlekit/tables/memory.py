"""How much memory there is to take."""

from __future__ import annotations

import contextlib
import os


def available_memory() -> int | None:
    """How many bytes can be taken without swapping; None where the system does not say.

    Within a container no more than its limit leaves.
    """
    found = []
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


def _number(path: str) -> int:
    with open(path) as file:
        return int(file.read())
