"""Write Parquet files from JSON Lines."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from puzzlekit import PuzzlekitError, UsageError
from puzzlekit_batch.column import DataColumn

_ROWS = 50_000  # of a group, which takes some tens of megabytes while it is written
_NAME = b"puzzlekit"  # the key of the schema in the metadata of the file


def check_pyarrow() -> None:
    """Raise a UsageError if pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError("Parquet files need pyarrow: pip install 'puzzlekit[dataset]'") from None


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
