"""The estimates of a heuristic for every vector of distances of a phase's tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from puzzlekit.engine.inputs import TableInput
from puzzlekit.errors import DeclarationError
from puzzlekit.heuristic.heuristic import Heuristic
from puzzlekit.puzzle.puzzle import Puzzle
from puzzlekit.store.store import TableStore
from puzzlekit.store.table import Table, TableKey

_JOIN_LIMIT = 1 << 22  # entries of a table of joined estimates


def joined_estimates(
    puzzle: Puzzle, heuristic: Heuristic, radix: list[int], store: TableStore
) -> Table:
    """The estimates for all vectors of distances, the first table most significant.

    The store does not keep them open: parameters of heuristics have no end.
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
                f"the heuristic {heuristic} joins some distances to less than 0 or more than 65,535"
            )
        return estimates.astype("u2")

    key = joined_key(puzzle, heuristic, radix)
    table = store.get(key, build)
    store.forget(key)
    return table


def fixed_radix(bits: Sequence[int]) -> list[int] | None:
    """How many distances to tell apart in each pruning table, where that does not take its entries.

    16 where it has 4 bits, and for 2 bits as many as there is room for; None with 8 bits, or where
    there is no room for that many.
    """
    for most in (256, 128, 64, 32):
        radix = [most if each == 2 else 16 for each in bits]
        if 8 not in bits and prod(radix) <= _JOIN_LIMIT:
            return radix
    return None


def join_radix(tables: Sequence[TableInput]) -> list[int]:
    """How many distances to tell apart in each pruning table."""
    if (fixed := fixed_radix([table.bits for table in tables])) is not None:
        return fixed
    import numpy as np

    radix = []
    for table in tables:
        data = np.asarray(table.data)
        halves = [data & 15, data >> 4] if table.bits == 4 else [data]
        radix.append(32 if table.bits == 2 else max(int(half.max()) for half in halves) + 1)
    return radix


def group_radix(radix: Sequence[int], groups: Sequence[int]) -> list[int]:
    """How many sums to tell apart in each group, of this many tables, given it for each table.

    >>> group_radix([16, 16, 16], [2, 1])
    [31, 16]
    """
    own = iter(radix)
    return [1 + sum(next(own) - 1 for _ in range(size)) for size in groups]


def joined_key(puzzle: Puzzle, heuristic: Heuristic, radix: Sequence[int]) -> TableKey:
    """The name under which the estimates of a heuristic are kept; 16 bits an entry."""
    entries = prod(radix)
    if entries > _JOIN_LIMIT:
        raise DeclarationError(
            f"{len(radix)} tables are too many for the heuristic {heuristic.name}"
        )
    return TableKey(
        puzzle=puzzle.name,
        name=f"{heuristic.name} of {len(radix)} distances",
        identity=f"join 1 {heuristic.identity} {radix}",
        dtype="u2",
        shape=(entries,),
        purpose=f"estimate of the heuristic {heuristic!r} for every vector of distances",
    )
