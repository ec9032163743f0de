"""Move tables: the value of a coordinate after each move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["MOST_ENTRIES", "build_move_table", "is_tabulated", "move_table", "moves_identity"]

VERSION = 1  # increase it when the same declaration gives other numbers
MOST_ENTRIES = 1 << 22  # of a move table; the engine ranks larger coordinates


def is_tabulated(coordinate: Coordinate, moves: Sequence[Move]) -> bool:
    """Whether a coordinate has a move table for some moves.

    It has one if it is closed under the moves and if the table has at most `MOST_ENTRIES` entries.
    The engine computes the value of any other coordinate from bytes that it stores at each node.
    """
    return coordinate.size * len(moves) <= MOST_ENTRIES and coordinate.closed_under(moves)


def moves_identity(moves: Sequence[Move]) -> str:
    """Return a string that identifies the effects of a list of moves, for the keys of tables."""
    return " ".join(
        (move.gather + move.add).hex() if isinstance(move.gather, bytes) else str(move.effect)
        for move in moves
    )


def move_table_key(coordinate: Coordinate, moves: Sequence[Move]) -> TableSpec:
    """Return the key of a move table: shape (size, moves), unsigned 16 or 32 bits."""
    return TableSpec(
        puzzle=coordinate.puzzle.name,
        name=f"{coordinate.name} moves",
        identity=f"moves {VERSION} {coordinate.identity} {moves_identity(moves)}",
        dtype="u2" if coordinate.size <= 1 << 16 else "u4",
        shape=(coordinate.size, len(moves)),
        purpose=f"value of {coordinate.name} after each of {len(moves)} moves",
    )


def move_table(store: TableStore, coordinate: Coordinate, moves: Sequence[Move]) -> Table:
    """Return the move table from the store; build it if it is missing."""
    key = move_table_key(coordinate, moves)

    def build() -> Any:
        return build_move_table(coordinate, moves, key.dtype)

    return store.get(key, build)


def moved_values(
    store: TableStore, coordinate: Coordinate, moves: Sequence[Move]
) -> npt.NDArray[np.unsignedinteger]:
    """Return the move table as an array of shape (size, moves), for a build that needs it once.

    If the table is not in the store, it is built, and not stored.
    """
    import numpy as np

    table = store.find(move_table_key(coordinate, moves))
    data = build_move_table(coordinate, moves) if table is None else table.data
    return np.asarray(data).reshape(coordinate.size, len(moves))


def build_move_table(
    coordinate: Coordinate, moves: Sequence[Move], dtype: str = "u4"
) -> npt.NDArray[np.unsignedinteger]:
    """Return the rank after each move, for each rank before it: shape (size, moves)."""
    import numpy as np

    if not coordinate.closed_under(moves):
        raise DeclarationError(
            f"coordinate {coordinate.name} is not closed under the moves "
            f"{' '.join(move.name for move in moves)}: the moves bring in pieces that the "
            "coordinate does not read"
        )
    size = coordinate.size
    check_memory(
        size * (len(moves) * np.dtype(dtype).itemsize + 1), f"a move table of {coordinate.name}"
    )
    table = np.empty((size, len(moves)), dtype=dtype)
    built: dict[Effect, int] = {}  # moves with different guards may have the same effect
    for column, move in enumerate(moves):
        built.setdefault(move.effect, column)
    wrong = set()
    for part, vector in coordinate.stretches():
        for column in built.values():
            beat()
            after = coordinate.rank(coordinate.after(vector, moves[column]))
            if after.min() < 0 or after.max() >= size:
                wrong.add(column)
            table[part, column] = after
    for column, move in enumerate(moves):
        beat()
        first = built[move.effect]
        if first < column:
            table[:, column] = table[:, first]
            continue
        reached = np.zeros(size, dtype=bool)
        if column not in wrong:
            reached[table[:, column]] = True
        if not reached.all():
            raise DeclarationError(
                f"coordinate {coordinate.name}: the move {move.name} does not permute the "
                f"values 0 to {size - 1}, so rank and unrank contradict each other"
            )
    return table
