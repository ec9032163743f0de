"""The journal of an experiment: every finished run is appended to a file at once."""

from __future__ import annotations

import contextlib
import os
from contextlib import AbstractContextManager

from puzzlekit import UsageError
from puzzlekit_batch.appended import AppendedFile
from puzzlekit_lab.experiment.record import Record, record_of

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
        self.path = os.path.join(directory, NAME)
        self.records: list[Record] = []
        with contextlib.ExitStack() as stack:
            self._file = stack.enter_context(AppendedFile(self.path))
            for number, line in enumerate(self._file.lines(), 1):
                try:
                    self.records.append(record_of(line.decode()))
                except (UsageError, ValueError, TypeError) as error:
                    raise UsageError(f"{self.path}: line {number}: {error}") from None
            self._stack = stack.pop_all()

    def append(self, record: Record) -> None:
        """Write a record to the file at once. Raises PuzzlekitError if writing fails."""
        self._file.append(record.line())
        self.records.append(record)

    def __exit__(self, *_: object) -> None:
        self._stack.close()
