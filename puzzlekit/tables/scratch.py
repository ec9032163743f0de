"""A store that builds tables in memory and writes nothing to disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from puzzlekit.tables.npy import DTYPES
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableKey

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["ScratchStore"]


class ScratchStore(TableStore):
    """A store that reads the tables of another store, but writes no files.

    A table that the other store does not have is built and kept in memory.

    >>> import tempfile
    >>> key = TableKey("cube2", "powers", "2**n for n < 4", "u1", (4,), "Shows the store.")
    >>> with tempfile.TemporaryDirectory() as root:
    ...     kept = TableStore(root)
    ...     table = ScratchStore(kept).get(key, lambda: bytes([1, 2, 4, 8]))
    ...     print(table.source, table.data.tolist(), kept.entries())
    memory [1, 2, 4, 8] []
    """

    def __init__(self, lender: TableStore) -> None:
        super().__init__(lender.root)
        self._lender = lender

    def find(self, key: TableKey) -> Table | None:
        """Return the table if this store has built it or the other store has it, else None."""
        return self._tables.get(key) or self._lender.find(key)

    def check(self, tables: Iterable[Table], sparing: bool = False) -> list[Table]:
        """Let the other store check its tables. Tables in memory are not checked."""
        return self._lender.check(tables, sparing)

    def _make(self, key: TableKey, build: Callable[[], Buffer]) -> Table:
        return Table(key, self._build(key, build).cast(DTYPES[key.dtype]), "memory")
