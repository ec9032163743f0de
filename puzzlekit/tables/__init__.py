"""Move tables, pruning tables, and the store that keeps them on disk."""

from puzzlekit.tables.store import TableKey, TableStore, TableWarning

__all__ = ["TableKey", "TableStore", "TableWarning"]
