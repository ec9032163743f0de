"""The results of a batch in a file of JSON lines, which a repeated command continues."""

from __future__ import annotations

import json
import zlib
from array import array
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from time import monotonic
from typing import Any

from puzzlekit.appended import AppendedFile
from puzzlekit.errors import UsageError
from puzzlekit.solve.choice import Choice
from puzzlekit.solve.json_records import SCHEMA, as_json
from puzzlekit.solve.solver import Solver

_SYNC = 2.0  # seconds; a power failure loses at most these


class ResultsFile(AbstractContextManager["ResultsFile"]):
    """A file with one JSON object for each finished line of the input.

    If the file has results already, they are read, and `is_done` knows their lines. An incomplete
    last line is removed. Raises a UsageError if the file has anything else, or results of another
    puzzle or search.
    """

    def __init__(self, path: str, solver: Solver, choice: Choice) -> None:
        #: Number of results that were in the file at the beginning.
        self.found = 0
        #: The kinds of their errors (see `json_records.error_kind`).
        self.kinds: Counter[str] = Counter()
        self._wanted = {
            "puzzle": solver.puzzle.name,
            "method": choice.method.name,
            "metric": choice.metric.name,
            "profile": choice.method.profile,
        }
        # For each finished line of the input a checksum of its text, which is never 0. An array of
        # numbers takes far less memory than a set.
        self._done = array("I")
        self._synced = monotonic()
        with ExitStack() as stack:
            self._file = stack.enter_context(AppendedFile(path))
            for number, line in enumerate(self._file.lines(), 1):
                try:
                    self._read(json.loads(line))
                except (ValueError, KeyError, TypeError) as error:
                    raise UsageError(
                        f"{path}: line {number} is not a result of 'solve --input': {error}"
                    ) from None
            self._stack = stack.pop_all()

    def _read(self, record: dict[str, Any]) -> None:
        if record["schema"] != SCHEMA:
            raise ValueError(f"its schema is {record['schema']}")
        for name, wanted in self._wanted.items():
            if name in record and record[name] != wanted:
                raise ValueError(f"its {name} is {record[name] or 'none'}, not {wanted or 'none'}")
        self._note(record["line"], record["text"])
        self.found += 1
        if "kind" in record:
            self.kinds[record["kind"]] += 1

    def _note(self, number: int, text: str) -> None:
        if number >= len(self._done):
            self._done.frombytes(bytes((number + 1024 - len(self._done)) * self._done.itemsize))
        self._done[number] = _checksum(text)

    def is_done(self, number: int, text: str) -> bool:
        """Whether the file has the result of a line of the input.

        Raises a UsageError if the result is of another text.
        """
        there = self._done[number] if number < len(self._done) else 0
        if there and there != _checksum(text):
            raise UsageError(
                f"{self._file.path} has a result for line {number}, but of another text than the "
                "input: choose another --output"
            )
        return bool(there)

    def append(self, record: dict[str, Any]) -> None:
        """Write the result of a line. Raises a PuzzlekitError if writing fails."""
        self._file.append(as_json(record))
        if monotonic() - self._synced > _SYNC:
            self._file.sync()
            self._synced = monotonic()

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode(errors="replace")) or 1
