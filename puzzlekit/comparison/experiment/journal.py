"""The journal of an experiment: a file to which each finished run is appended at once."""

from __future__ import annotations

import contextlib
import os
from contextlib import AbstractContextManager

from puzzlekit.comparison.experiment.record import Record, record_of
from puzzlekit.errors import PuzzlekitError, UsageError

NAME = "runs.jsonl"


class Journal(AbstractContextManager["Journal"]):
    """The file `runs.jsonl` in a directory.

    The directory and the file are created if they do not exist. `records` is the list of all
    records in the file. A crash may leave an incomplete last line, which is removed. Raises
    UsageError if a line is not a record, or if another process writes to the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory, Journal(directory) as journal:
    ...     len(journal.records)
    0
    """

    def __init__(self, directory: str) -> None:
        from filelock import FileLock, Timeout

        self.path = os.path.join(directory, NAME)
        self.records: list[Record] = []
        with contextlib.ExitStack() as stack:
            try:
                os.makedirs(directory, exist_ok=True)
                stack.enter_context(FileLock(f"{self.path}.lock", timeout=0))
                stack.callback(self._unlock)
                if os.path.exists(self.path) and not os.path.isfile(self.path):
                    raise UsageError(f"{self.path}: not a file")
                self._file = stack.enter_context(open(self.path, "a+b", buffering=0))
                self._read()
            except Timeout:
                raise UsageError(f"another process writes to {self.path}") from None
            except OSError as error:
                raise UsageError(f"{error.filename or directory}: {error.strerror}") from None
            self._stack = stack.pop_all()

    def _unlock(self) -> None:
        """Remove the lock file, if the system allows it while the lock is held."""
        with contextlib.suppress(OSError):
            os.unlink(f"{self.path}.lock")

    def _read(self) -> None:
        self._file.seek(0)
        *whole, rest = self._file.read().split(b"\n")
        if rest:
            self._file.truncate(self._file.seek(0, os.SEEK_END) - len(rest))
        for number, line in enumerate(whole, 1):
            try:
                self.records.append(record_of(line.decode()))
            except (UsageError, ValueError, TypeError) as error:
                raise UsageError(f"{self.path}: line {number}: {error}") from None

    def append(self, record: Record) -> None:
        """Write a record to the file at once. Raises PuzzlekitError if writing fails."""
        rest = record.line().encode() + b"\n"
        try:
            while rest:  # a full disk may take only a part of the line
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise PuzzlekitError(f"{self.path}: {error.strerror}") from None
        self.records.append(record)

    def __exit__(self, *_: object) -> None:
        self._stack.close()
