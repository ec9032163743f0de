"""Move tables: the value of a coordinate after each move."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.programs import rebase
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Effect, Move, compose, invert
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import Table, TableSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "MOST_ENTRIES",
    "RankedMoves",
    "build_move_table",
    "is_tabulated",
    "move_table",
    "moves_identity",
]

VERSION = 1  # increase it when the same declaration gives other numbers
MOST_ENTRIES = 1 << 22  # of a move table; the engine ranks larger coordinates
_AT_ONCE = 1 << 16  # values whose neighbours are ranked at once


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
        seconds=3e-8 * coordinate.size * len(moves),
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
    if table is None:
        return _move_rows(coordinate, moves, "u4").T
    return np.asarray(table.data).reshape(coordinate.size, len(moves))


def build_move_table(
    coordinate: Coordinate, moves: Sequence[Move], dtype: str = "u4", back: bool = False
) -> npt.NDArray[np.unsignedinteger]:
    """Return the rank after each move, for each rank before it: shape (size, moves).

    If `back` is true, return the rank before each move, for each rank after it.
    """
    import numpy as np

    return np.ascontiguousarray(_move_rows(coordinate, moves, dtype, back).T)


def _move_rows(
    coordinate: Coordinate, moves: Sequence[Move], dtype: str, back: bool = False
) -> npt.NDArray[np.unsignedinteger]:
    """Return the transpose of `build_move_table`.

    States are ranked after a few moves only. The ranks after powers of these moves follow.
    """
    import numpy as np

    if not coordinate.closed_under(moves):
        raise DeclarationError(
            f"coordinate {coordinate.name} is not closed under the moves "
            f"{' '.join(move.name for move in moves)}: the moves bring in pieces that the "
            "coordinate does not read"
        )
    size, modulus = coordinate.size, coordinate.puzzle.modulus
    check_memory(
        size * (len(moves) * np.dtype(dtype).itemsize + 1), f"a move table of {coordinate.name}"
    )
    # Rows of known powers of each base move. Products of two follow; the second is undone first.
    known: dict[tuple[str, int], dict[Effect, int]] = {}
    same: dict[tuple[tuple[int, int], ...], int] = {}  # the rows by what the coordinate reads
    ranked, products = [], []
    for row, move in enumerate(moves):
        own = known.setdefault((move.family, move.guard_before), {})
        pairs = ((one, other) for one in own for other in own)
        read = tuple((move.gather[j], move.add[j]) for j in coordinate.reads)
        if read in same:
            products.append((row, same[read], -1))
        elif found := next((two for two in pairs if compose(*two, modulus) == move.effect), None):
            products.append((row, own[found[back]], own[found[not back]]))
        else:
            ranked.append(row)
        same.setdefault(read, row)
        own.setdefault(move.effect, row)
    # A large table is written as a table, so that it is not copied at the end.
    rows = np.empty((len(moves), size), dtype, "C" if is_tabulated(coordinate, moves) else "F")
    ranks = RankedMoves(coordinate, [moves[row] for row in ranked], back)
    for first in range(0, size, _AT_ONCE):
        part = np.arange(first, min(first + _AT_ONCE, size))
        for row, after in zip(ranked, ranks.values(part), strict=True):
            rows[row, part[0] : part[-1] + 1] = after
    for row in ranked:
        beat()
        reached = np.zeros(size, dtype=bool)
        reached[rows[row]] = True
        if not reached.all():
            raise DeclarationError(
                f"coordinate {coordinate.name}: the move {moves[row].name} does not permute the "
                f"values 0 to {size - 1}, so rank and unrank contradict each other"
            )
    for row, one, other in products:
        beat()
        rows[row] = rows[one] if other < 0 else rows[other][rows[one]]
    return rows


class RankedMoves:
    """Computes the values of a coordinate after each of some moves, for a part of the values.

    If `back` is true, the moves are undone: the values are those before the moves.
    """

    def __init__(self, coordinate: Coordinate, moves: Sequence[Move], back: bool = False) -> None:
        self._coordinate = coordinate
        self._moves = moves
        modulus = coordinate.puzzle.modulus
        self._effects = [invert(move.effect, modulus) if back else move.effect for move in moves]
        self._native = self._ranking()

    def values(self, known: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
        """Yield for each move the values that it leads to from the values `known`."""
        vector = self._coordinate.unrank(known)
        ranked = self._native(vector, len(known)) if self._native else self._ranked(vector)
        for move, near in zip(self._moves, ranked, strict=True):
            beat()
            yield self._coordinate.checked(move, near).astype("i8", copy=False)

    def _ranked(self, vector: dict[int, Any]) -> Iterator[npt.NDArray[np.int64]]:
        for gather, add in self._effects:
            step: Any = SimpleNamespace(gather=gather, add=add)  # `after` needs only these
            yield self._coordinate.rank(self._coordinate.after(vector, step))

    def _ranking(self) -> Callable[[dict[int, Any], int], Iterator[npt.NDArray[np.int64]]] | None:
        """Return the function of the engine that ranks states after each move.

        Returns None if the engine is not compiled or cannot rank the coordinate.
        """
        import numpy as np

        from puzzlekit.engine import fill
        from puzzlekit.engine.ranks import Carry, rank_after

        program, reads = self._coordinate.engine_program, self._coordinate.reads
        if not fill.COMPILED or program is None or not 0 < len(reads) <= 256:
            return None
        byte_at = {j: i for i, j in enumerate(reads)}
        effects = [
            (bytes(byte_at[gather[j]] for j in reads), bytes(add[j] for j in reads))
            for gather, add in self._effects
        ]
        carry = Carry(effects, bytes(self._coordinate.puzzle.modulus[j] for j in reads))
        steps = array("i", rebase(program, byte_at))

        def ranked(vector: dict[int, Any], count: int) -> Iterator[npt.NDArray[np.int64]]:
            rows = np.empty((count, len(reads)), dtype=np.uint8)
            for i, j in enumerate(reads):
                rows[:, i] = vector[j]
            flat = rows.reshape(-1)
            for number in range(len(effects)):
                found = np.empty(count, dtype=np.int64)
                rank_after(carry, number, steps, flat, found)
                yield found

        return ranked
