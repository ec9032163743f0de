"""The estimates of a heuristic for every combination of distances of a phase's tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from puzzlekit.engine.inputs import TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.search.heuristic import Heuristic
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableKey

__all__ = ["group_radix", "join_radix", "joined_estimates"]

_PART = 1 << 16  # bytes of a table that are unpacked at once
_JOIN_LIMIT = 1 << 22  # most entries of a table of joined estimates


def joined_estimates(
    puzzle: Puzzle, heuristic: Heuristic, radix: list[int], store: TableStore
) -> Table:
    """Return the table of a heuristic's estimates, one for each combination of distances.

    A combination has one distance from each group of pruning tables. `radix` has the number of
    distances that are distinguished in each group. In an index, the distance of the first group is
    the most significant digit. The store does not keep the table in memory: each set of parameters
    of a heuristic has its own table, and there may be many sets.
    """

    def build() -> Any:
        import numpy as np

        vectors = np.indices(radix).reshape(len(radix), -1)
        try:
            estimates = np.asarray(heuristic.join(list(vectors)))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise DeclarationError(f"the heuristic {heuristic} fails: {what}") from error
        if not ((estimates >= 0) & (estimates < 1 << 16)).all():
            raise DeclarationError(
                f"the heuristic {heuristic} gives an estimate below 0 or above 65,535 for some "
                "distances"
            )
        return estimates.astype("u2")

    key = joined_key(puzzle, heuristic, radix)
    table = store.get(key, build)
    store.forget(key)
    return table


def fixed_radix(bits: Sequence[int]) -> list[int] | None:
    """Return for each pruning table how many distances to distinguish in an estimate.

    `bits` has the number of bits per entry of each table. The result is 16 for entries of 4 bits.
    For entries of 2 bits it is the largest number for which the table of estimates is small enough.
    The result is None if a table has entries of 8 bits, or if the table of estimates is too large.
    """
    for most in (256, 128, 64, 32):
        radix = [most if each == 2 else 16 for each in bits]
        if 8 not in bits and prod(radix) <= _JOIN_LIMIT:
            return radix
    return None


def join_radix(tables: Sequence[TableInput]) -> list[int]:
    """Return how many distances to distinguish in each pruning table."""
    if (fixed := fixed_radix([table.bits for table in tables])) is not None:
        return fixed
    return [32 if table.bits == 2 else _largest(table) + 1 for table in tables]


def _largest(table: TableInput) -> int:
    """Return the largest entry of 4 or 8 bits. The entries are unpacked part by part."""
    import numpy as np

    data = np.asarray(table.data).reshape(-1)
    largest = 0
    for begin in range(0, len(data), _PART):
        part = data[begin : begin + _PART]
        halves = [part & 15, part >> 4] if table.bits == 4 else [part]
        largest = max(largest, *(int(half.max()) for half in halves))
    return largest


def group_radix(radix: Sequence[int], groups: Sequence[int]) -> list[int]:
    """Return how many sums of distances are possible in each group of pruning tables.

    `radix` has the number of possible distances of each table. `groups` has the number of tables in
    each group.

    >>> group_radix([16, 16, 16], [2, 1])
    [31, 16]
    """
    own = iter(radix)
    return [1 + sum(next(own) - 1 for _ in range(size)) for size in groups]


def joined_key(puzzle: Puzzle, heuristic: Heuristic, radix: Sequence[int]) -> TableKey:
    """Return the key of the table of a heuristic's estimates, with 16 bits per entry."""
    entries = prod(radix)
    if entries > _JOIN_LIMIT:
        raise DeclarationError(
            f"{len(radix)} pruning tables are too many for the heuristic {heuristic.name}: its "
            f"table of estimates would have more than {_JOIN_LIMIT:,} entries"
        )
    return TableKey(
        puzzle=puzzle.name,
        name=f"{heuristic.name} of {len(radix)} distances",
        identity=f"join 1 {heuristic.identity} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {heuristic!r} for every vector of distances",
    )
