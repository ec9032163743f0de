"""The journal of an experiment: a file to which each finished run is appended at once."""

from __future__ import annotations

import contextlib
import os
from contextlib import AbstractContextManager

from puzzlekit.comparison.experiment.record import Record, record_of
from puzzlekit.errors import PuzzlekitError, UsageError

NAME = "runs.jsonl"


class Journal(AbstractContextManager["Journal"]):
    """The file `runs.jsonl` of a directory, both of which are made where they do not exist.

    `records` are those that it holds, in their order. A last line that was only half-written,
    which is what a crash leaves, is dropped. A UsageError names the line that is no record, or says
    that another process writes to the file.

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
                    raise UsageError(f"{self.path}: this is no file")
                self._file = stack.enter_context(open(self.path, "a+b", buffering=0))
                self._read()
            except Timeout:
                raise UsageError(f"another process writes to {self.path}") from None
            except OSError as error:
                raise UsageError(f"{error.filename or directory}: {error.strerror}") from None
            self._stack = stack.pop_all()

    def _unlock(self) -> None:
        """Leave no lock file behind, where the system allows to remove it while it is held."""
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
        """Write a record as a line of its own, at once; a PuzzlekitError where it cannot be."""
        rest = record.line().encode() + b"\n"
        try:
            while rest:  # of a line that does not fit on the disk only a part may be written
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise PuzzlekitError(f"{self.path}: {error.strerror}") from None
        self.records.append(record)

    def __exit__(self, *_: object) -> None:
        self._stack.close()
