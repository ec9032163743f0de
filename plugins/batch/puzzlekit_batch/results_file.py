"""Result files, which a repeated command continues."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from time import monotonic
from typing import Any

import attrs

from puzzlekit import UsageError
from puzzlekit.search.solution import as_json
from puzzlekit_batch.appended import AppendedFile
from puzzlekit_batch.column import DataColumn

__all__ = ["ResultsFile", "ResultsLayout", "check_name"]

_SYNC = 2.0  # seconds; a power failure loses at most these
#: The ends of the names of files.
ENDINGS = (".jsonl", ".parquet")


@attrs.frozen
class ResultsLayout:
    """The facts that all results in a file have in common."""

    #: The command that writes the file.
    command: str
    #: The name of the JSON Schema.
    schema: str
    #: Fields that are equal in all results.
    wanted: Mapping[str, Any]
    #: The field that numbers the results.
    number: str
    #: The columns of a Parquet file.
    columns: Sequence[DataColumn]
    #: The field with the text of a line of the input; empty if there is no input.
    text: str = ""
    #: A function that replays the answer in a result, and raises a ValueError if it is wrong.
    check: Callable[[Mapping[str, Any]], None] = lambda record: None


def check_name(path: str) -> None:
    """Raise a UsageError if results cannot be written to a file of this name."""
    if not path.endswith(ENDINGS):
        raise UsageError("the name of the --output file has to end in .jsonl or .parquet")
    if path.endswith(".parquet"):
        from puzzlekit_batch.parquet import check_pyarrow

        check_pyarrow()


class ResultsFile(AbstractContextManager["ResultsFile"]):
    """A file with one JSON object for each finished item, or a Parquet file of such objects.

    If the file has results already, they are read and replayed, and `is_done` knows their numbers.
    An incomplete last line is removed. The objects of a file `NAME.parquet` are collected in a file
    `NAME.parquet.jsonl`, and `finish` adds them to the Parquet file. Raises a UsageError if the
    file has anything else, or results of another kind.
    """

    def __init__(self, path: str, layout: ResultsLayout) -> None:
        #: Number of results that were in the file at the beginning.
        self.found = 0
        #: The kinds of their errors (see `json_records.error_kind`).
        self.kinds: Counter[str] = Counter()
        self._path = path
        self._layout = layout
        self._is_parquet = path.endswith(".parquet")
        # For each finished item a checksum of its text, which is never 0. An array of numbers takes
        # far less memory than a set.
        self._done = array("I")
        self._synced = monotonic()
        # Whether the Parquet file has the lines already: the last command ended before it could
        # remove them.
        self._is_stale = False
        if self._is_parquet:
            self._read_parquet()
        with ExitStack() as stack:
            lines = f"{path}.jsonl" if self._is_parquet else path
            self._file = stack.enter_context(AppendedFile(lines))
            for number, line in enumerate(self._file.lines(), 1):
                try:
                    record = json.loads(line)
                    if record["schema"] != layout.schema:
                        raise ValueError(f"its schema is {record['schema']}")
                    self._read(record)
                except (ValueError, KeyError, TypeError) as error:
                    raise UsageError(
                        f"{lines}: line {number} is not a result of '{layout.command}': {error}"
                    ) from None
            if self._is_stale:
                self._file.clear()
            self._stack = stack.pop_all()

    def _read_parquet(self) -> None:
        from puzzlekit_batch.parquet import rows_of

        layout = self._layout
        if not os.path.exists(self._path):
            return
        names = [each.name for each in layout.columns]
        for row in rows_of(self._path, layout.schema, names):
            try:
                self._read({name: value for name, value in row.items() if value is not None})
            except ValueError as error:
                raise UsageError(
                    f"{self._path} has other results than '{layout.command}' gives: {error}"
                ) from None

    def _read(self, record: dict[str, Any]) -> None:
        layout = self._layout
        for name, wanted in layout.wanted.items():
            if name in record and record[name] != wanted:
                raise ValueError(f"its {name} is {record[name] or 'none'}, not {wanted or 'none'}")
        layout.check(record)
        number, text = record[layout.number], record[layout.text] if layout.text else ""
        if self._is_parquet and self.is_done(number, text):
            self._is_stale = True
            return
        self._note(number, text)
        self.found += 1
        if "kind" in record:
            self.kinds[record["kind"]] += 1

    def _note(self, number: int, text: str) -> None:
        if number >= len(self._done):
            self._done.frombytes(bytes((number + 1024 - len(self._done)) * self._done.itemsize))
        self._done[number] = _checksum(text)

    def is_done(self, number: int, text: str = "") -> bool:
        """Whether the file has the result of an item.

        Raises a UsageError if the result is of another text.
        """
        there = self._done[number] if number < len(self._done) else 0
        if there and there != _checksum(text):
            raise UsageError(
                f"{self._path} has a result for line {number}, but of another text than the "
                "input: choose another --output"
            )
        return bool(there)

    def append(self, record: dict[str, Any]) -> None:
        """Write the result of an item. Raises a PuzzlekitError if writing fails."""
        self._file.append(as_json(record))
        if monotonic() - self._synced > _SYNC:
            self._file.sync()
            self._synced = monotonic()

    def finish(self) -> None:
        """Make the Parquet file, once all items are finished. Other files need nothing.

        Raises a PuzzlekitError if writing fails.
        """
        if not self._is_parquet:
            return
        from puzzlekit_batch.parquet import write_parquet

        lines, layout = self._file.path, self._layout
        if os.path.getsize(lines) or not os.path.exists(self._path):
            write_parquet(self._path, lines, layout.schema, layout.columns)
        self._file.clear()
        with contextlib.suppress(OSError):  # the system may not allow it while the file is open
            os.unlink(lines)

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode(errors="replace")) or 1
