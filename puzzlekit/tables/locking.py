"""Locks of tables: one process builds a table, and other processes wait for it.

During a build, two more files are in the directory of the table `x.npy`. The operating system locks
`x.npy.lock` for the process that builds the table. `x.npy.owner` contains the number of this
process, for the messages of other processes.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator

from puzzlekit.tables.files import files
from puzzlekit.tables.npy import open_file

_POLL = 0.05  # seconds
_MOST_FOR_STOPPED = 10.0  # seconds to wait for a stopped process

Waiting = Callable[[str, float], None]


class LockTimeout(OSError):
    """Another process has held the lock for longer than the timeout."""


@contextlib.contextmanager
def build_lock(path: str, timeout: float, waiting: Waiting) -> Iterator[None]:
    """Hold the lock of the table at `path` inside the `with` block.

    While another process holds the lock, the function repeatedly calls `waiting`. The arguments are
    a description of that process and the number of seconds waited so far. `waiting` may raise an
    exception to stop waiting.

    Raises LockTimeout after `timeout` seconds. If the other process is stopped (SIGSTOP), it raises
    LockTimeout after 10 seconds. Raises OSError if the file system has no locks.
    """
    from filelock import FileLock, Timeout

    started = time.monotonic()
    lock = FileLock(path + ".lock")
    while True:
        check_locks(path + ".lock")
        try:
            lock.acquire(timeout=0)
            break
        except Timeout:
            waited = time.monotonic() - started
            owner, stopped = _owner(path)
            if waited >= (min(timeout, _MOST_FOR_STOPPED) if stopped else timeout):
                raise LockTimeout(f"{owner} has held its lock for {waited:.0f} s") from None
            waiting(owner, waited)
            time.sleep(_POLL)
    try:
        _remove(path + ".owner")  # a killed process may have left this file
        with contextlib.suppress(OSError), open(path + ".owner", "x") as file:
            file.write(f"{os.getpid()} {_host()}\n")
        yield
    finally:
        _remove(path + ".owner")
        lock.release()


def check_locks(path: str) -> None:
    """Raise OSError if the file system has no locks.

    On such a file system, some versions of filelock poll for a lock until they time out. Other
    versions use the existence of a file as the lock. If the process is killed, the file remains.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where every file system has locks
        return
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # another process holds the lock
        pass
    finally:
        os.close(number)


def sweep(root: str, directory: str | None) -> None:
    """Remove temporary files and lock files, except files of running builds.

    `directory` names the directory of one puzzle, without its path. None means the directories of
    all puzzles.
    """
    left_over: dict[str, list[str]] = {}
    for path, place in files(root):
        if place[6] and directory in (None, place[2]):
            table = os.path.join(os.path.dirname(path), place[3])
            left_over.setdefault(table, []).append(path)
    if not left_over:
        return
    from filelock import FileLock

    for table, paths in left_over.items():
        with contextlib.suppress(OSError, NotImplementedError):
            check_locks(table + ".lock")
            with FileLock(table + ".lock", timeout=0):
                for path in paths:
                    if not path.endswith(".lock"):
                        os.unlink(path)
            os.unlink(table + ".lock")  # after the release: Windows cannot remove open files


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _owner(path: str) -> tuple[str, bool]:
    """Return a description of the process that builds a table, and whether it is stopped.

    The second value is False if this is not known.
    """
    try:
        with open_file(path + ".owner") as file:
            pid, host = file.read(300).decode("ascii", "replace").split()
        process = int(pid)
    except (OSError, ValueError):  # the file is being written right now
        return "another process", False
    if host != _host():
        return f"process {process} on {host}", False
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/stat") as file:
        if file.read().rpartition(")")[2].split()[0] in "Tt":
            return f"process {process}, which is stopped,", True
    return f"process {process}", False


def _host() -> str:
    """Return the name of this computer without blanks. Computers may share the directory."""
    import socket

    return "-".join(socket.gethostname().split()) or "-"
