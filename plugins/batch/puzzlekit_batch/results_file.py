"""Result files, which a repeated command continues."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import islice
from time import monotonic
from typing import Any

import attrs

from puzzlekit import PuzzlekitError, UsageError
from puzzlekit.search.solution import as_json

__all__ = ["AppendedFile", "ResultsFile", "ResultsLayout", "check_name"]

#: The types of columns, with the JSON Schema of their values.
FORMS = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "truth": {"type": "boolean"},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "bytes": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
}

_ROWS = 50_000  # of a group, which takes some tens of megabytes while it is written
_NAME = b"puzzlekit"  # the key of the schema in the metadata of the file
_SYNC = 2.0  # seconds; a power failure loses at most these
#: The ends of the names of files.
ENDINGS = (".jsonl", ".parquet")


@attrs.frozen
class DataColumn:
    """A field of JSON lines, and a column of a Parquet file. A value may be missing.

    >>> DataColumn("length", "integer", "the number of moves").form
    'integer'
    """

    #: The name.
    name: str
    #: The type: integer, number, truth, text, texts (a list) or bytes (a list of small integers).
    form: str = attrs.field(validator=attrs.validators.in_(FORMS))
    #: The meaning of the values.
    words: str


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


def check_pyarrow() -> None:
    """Raise a UsageError if pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError(
            "Parquet files need pyarrow: pip install 'permutation-puzzlekit[dataset]'"
        ) from None


def rows_of(path: str, schema: str, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the named columns of each row of a file that `write_parquet` has written.

    Raises a UsageError if the file is of another schema.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            found = (file.schema_arrow.metadata or {}).get(_NAME, b"").decode()
            if found != schema:
                raise UsageError(f"{path}: its schema is {found or 'unknown'}, not {schema}")
            for part in file.iter_batches(columns=list(names)):
                yield from part.to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise UsageError(f"{path}: not a Parquet file that can be continued: {error}") from None


def write_parquet(path: str, lines: str, schema: str, columns: Sequence[DataColumn]) -> None:
    """Add the objects of a file of JSON lines to a Parquet file, which need not exist.

    The file is replaced as a whole at the end. Raises a PuzzlekitError if writing fails.
    """
    from pyarrow import Table, parquet

    form = _schema(schema, columns)
    temporary = f"{path}.tmp"
    try:
        with parquet.ParquetWriter(temporary, form, compression="zstd") as writer:
            if os.path.exists(path):
                with parquet.ParquetFile(path) as before:
                    for number in range(before.num_row_groups):
                        writer.write_table(before.read_row_group(number).cast(form))
            with open(lines, "rb") as file:
                while part := [*map(json.loads, islice(file, _ROWS))]:
                    writer.write_table(Table.from_pylist(part, schema=form))
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise PuzzlekitError(f"{path}: {error.strerror or error}") from None


def _schema(name: str, columns: Sequence[DataColumn]) -> Any:
    import pyarrow

    types = {
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "truth": pyarrow.bool_(),
        "text": pyarrow.string(),
        "texts": pyarrow.list_(pyarrow.string()),
        "bytes": pyarrow.list_(pyarrow.uint8()),
    }
    fields = [pyarrow.field(each.name, types[each.form]) for each in columns]
    return pyarrow.schema(fields, metadata={_NAME: name.encode()})


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
