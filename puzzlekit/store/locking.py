"""One process builds a table, others wait: who holds its lock, how waiting is told and how it ends.

Beside the table `x.npy` lie `x.npy.lock`, which the operating system locks for the process that
builds, and `x.npy.owner`, which says to the others which process that is.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator

from puzzlekit.store.files import files
from puzzlekit.store.npy import open_file

_POLL = 0.05  # seconds
_MOST_FOR_STOPPED = 10.0  # seconds that a process is waited for which is stopped

Waiting = Callable[[str, float], None]


class LockTimeout(OSError):
    """Another process keeps the lock for too long."""


@contextlib.contextmanager
def build_lock(path: str, timeout: float, waiting: Waiting) -> Iterator[None]:
    """Hold the lock of the table at `path`.

    While another process holds it, `waiting` is called again and again with the words for that
    process and the seconds waited; it may raise to end that. A stopped process is not waited for
    longer than some seconds.

    Raises LockTimeout after `timeout` seconds, OSError where files cannot be locked.
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
                raise LockTimeout(f"{owner} holds its lock since {waited:.0f} s") from None
            waiting(owner, waited)
            time.sleep(_POLL)
    try:
        _remove(path + ".owner")  # of a process that was killed
        with contextlib.suppress(OSError), open(path + ".owner", "x") as file:
            file.write(f"{os.getpid()} {_host()}\n")
        yield
    finally:
        _remove(path + ".owner")
        lock.release()


def check_locks(path: str) -> None:
    """Raise OSError where the file system has no locks.

    Some versions of filelock poll for a lock there until their time is over, others make files in
    place of locks, which stay when their process is killed.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where every file system has locks
        return
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # somebody holds it
        pass
    finally:
        os.close(number)


def sweep(root: str, directory: str | None) -> None:
    """Remove temporary and lock files, except where a process holds the lock.

    Of one directory below that of the format, or of all.
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
            os.unlink(table + ".lock")  # after its release: Windows removes no open file


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _owner(path: str) -> tuple[str, bool]:
    """The process that builds a table, in words, and whether it is known to be stopped."""
    try:
        with open_file(path + ".owner") as file:
            pid, host = file.read(300).decode("ascii", "replace").split()
        process = int(pid)
    except (OSError, ValueError):  # it is just being written
        return "another process", False
    if host != _host():
        return f"process {process} on {host}", False
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/stat") as file:
        if file.read().rpartition(")")[2].split()[0] in "Tt":
            return f"process {process}, which is stopped,", True
    return f"process {process}", False


def _host() -> str:
    """The name of this computer, without blanks: processes elsewhere may share the directory."""
    import socket

    return "-".join(socket.gethostname().split()) or "-"
