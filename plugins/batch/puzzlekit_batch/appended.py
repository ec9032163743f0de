"""Append-only files of lines: one writer at a time, and no line lost in a crash."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager

from puzzlekit import PuzzlekitError, UsageError

__all__ = ["AppendedFile"]


class AppendedFile(AbstractContextManager["AppendedFile"]):
    """A text file that this process alone appends to. It is created if it does not exist.

    Raises a UsageError if the file cannot be opened, or if another process writes to it.
    """

    def __init__(self, path: str) -> None:
        from filelock import FileLock, Timeout

        self.path = path
        with contextlib.ExitStack() as stack:
            try:
                os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
                stack.enter_context(FileLock(f"{path}.lock", timeout=0))
                stack.callback(self._unlock)
                if os.path.exists(path) and not os.path.isfile(path):
                    raise UsageError(f"{path}: not a file")
                self._file = stack.enter_context(open(path, "a+b", buffering=0))
            except Timeout:
                raise UsageError(f"another process writes to {path}") from None
            except OSError as error:
                raise UsageError(f"{error.filename or path}: {error.strerror}") from None
            self._stack = stack.pop_all()

    def _unlock(self) -> None:
        """Remove the lock file, if the system allows it while the lock is held."""
        with contextlib.suppress(OSError):
            os.unlink(f"{self.path}.lock")

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file. At the end, remove an incomplete last line.

        A crash or a full disk may leave an incomplete line.
        """
        whole = 0
        with open(self.path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    self._file.truncate(whole)
                    return
                whole += len(line)
                yield line[:-1]

    def append(self, line: str) -> None:
        """Write a line to the file at once. Raises a PuzzlekitError if writing fails."""
        rest = line.encode() + b"\n"
        try:
            while rest:  # a full disk may take only a part of the line
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise PuzzlekitError(f"{self.path}: {error.strerror}") from None

    def clear(self) -> None:
        """Remove all lines."""
        self._file.truncate(0)

    def sync(self) -> None:
        """Wait until the lines are on disk, where a power failure does not lose them."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise PuzzlekitError(f"{self.path}: {error.strerror}") from None

    def __exit__(self, *_: object) -> None:
        self._stack.close()
