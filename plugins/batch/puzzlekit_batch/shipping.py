"""Send tables to machines of a cluster that lack them."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence

from puzzlekit import PuzzlekitError, TableStore
from puzzlekit.tables.table import TableKey
from puzzlekit_batch.clients import Client, lost

_PIECE = 16 << 20  # bytes in one message


def missing_tables(paths: Sequence[str]) -> tuple[str, list[str]]:
    """Return the host and cache of this worker, and which of the files its cache lacks.

    The paths are relative to the cache.
    """
    root = TableStore().root
    lacking = [path for path in paths if not os.path.exists(os.path.join(root, path))]
    return f"{socket.gethostname()}:{root}", lacking


def receive(path: str, piece: bytes, first: bool, last: bool, token: str) -> None:
    """Write a piece of a table into the cache of this worker.

    After the last piece, the file gets its name. Its time of change is new, so the store compares
    its checksum when it opens the file.
    """
    target = os.path.join(TableStore().root, path)
    temporary = f"{target}.{token}.tmp"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(temporary, "wb" if first else "ab") as file:
        file.write(piece)
    if last:
        os.replace(temporary, target)


def ship_tables(client: Client, store: TableStore, keys: Sequence[TableKey]) -> tuple[int, int]:
    """Send tables of this machine to each machine that lacks them.

    Workers with the same host and cache get each table once. Return the number of sent files and
    their total size in bytes. Raises a PuzzlekitError if a worker cannot write a table.
    """
    token = os.urandom(4).hex()
    paths = {os.path.relpath(store.path(key), store.root): store.path(key) for key in keys}
    paths = {path: full for path, full in paths.items() if os.path.exists(full)}
    try:
        asked = client.run(missing_tables, list(paths))
        caches = {cache: (worker, lacking) for worker, (cache, lacking) in asked.items()}
        count = nbytes = 0
        for worker, lacking in caches.values():
            for path in lacking:
                for first, piece, last in _pieces(paths[path]):
                    client.run(receive, path, piece, first, last, token, workers=[worker])
                    nbytes += len(piece)
                count += 1
    except OSError as error:
        if client.status != "running":
            raise lost(client) from None
        raise PuzzlekitError(f"a worker cannot store a table: {error}") from None
    return count, nbytes


def _pieces(path: str) -> Iterator[tuple[bool, bytes, bool]]:
    """Yield the content of a file in pieces, with whether each is the first and the last one."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        for begin in range(0, size, _PIECE):
            yield begin == 0, file.read(_PIECE), begin + _PIECE >= size
