"""Compute the values of a coordinate before each of some moves.

This module serves coordinates that are too large for a move table. It unranks a part of the values,
undoes each move, and ranks the results. If the engine is compiled and can rank the coordinate, the
engine does the ranking.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.coordinates.programs import rebase
from puzzlekit.puzzle.move import Effect, Move, invert
from puzzlekit.tables.move_table import is_tabulated

Values = npt.NDArray[np.int64]


def can_be_followed(coordinate: Coordinate, moves: Sequence[Move]) -> bool:
    """Whether each move permutes the values of a coordinate."""
    own = type(coordinate).passages is not Coordinate.passages
    return is_tabulated(coordinate, moves) or (not own and coordinate.closed_under(moves))


class Before:
    """Computes the values of a coordinate before each of some moves, for a part of the values."""

    def __init__(self, coordinate: Coordinate, moves: Sequence[Move]) -> None:
        self._coordinate = coordinate
        self._moves = moves
        modulus = coordinate.puzzle.modulus
        self._effects: list[Effect] = [invert(move.effect, modulus) for move in moves]
        self._native = self._ranking()

    def values(self, after: Values) -> Iterator[Values]:
        """Yield for each move the values before the move. `after` holds the values after it."""
        vector = self._coordinate.unrank(after)
        ranked = self._native(vector, len(after)) if self._native else self._ranked(vector)
        for move, before in zip(self._moves, ranked, strict=True):
            yield self._coordinate.checked(move, before).astype(np.int64, copy=False)

    def _ranked(self, vector: dict[int, Any]) -> Iterator[Values]:
        for gather, add in self._effects:
            undone: Any = SimpleNamespace(gather=gather, add=add)  # `after` needs only these
            yield self._coordinate.rank(self._coordinate.after(vector, undone))

    def _ranking(self) -> Callable[[dict[int, Any], int], Iterator[Values]] | None:
        """Return the function of the engine that ranks states after each move.

        Returns None if the engine is not compiled or cannot rank the coordinate.
        """
        from puzzlekit.engine.fill import COMPILED
        from puzzlekit.engine.ranks import Carry, rank_after

        program, reads = self._coordinate.engine_program, self._coordinate.reads
        if not COMPILED or program is None or not 0 < len(reads) <= 256:
            return None
        byte_at = {j: i for i, j in enumerate(reads)}
        effects = [
            (bytes(byte_at[gather[j]] for j in reads), bytes(add[j] for j in reads))
            for gather, add in self._effects
        ]
        carry = Carry(effects, bytes(self._coordinate.puzzle.modulus[j] for j in reads))
        steps = array("i", rebase(program, byte_at))

        def ranked(vector: dict[int, Any], count: int) -> Iterator[Values]:
            rows = np.empty((count, len(reads)), dtype=np.uint8)
            for i, j in enumerate(reads):
                rows[:, i] = vector[j]
            flat = rows.reshape(-1)
            for number in range(len(effects)):
                found = np.empty(count, dtype=np.int64)
                rank_after(carry, number, steps, flat, found)
                yield found

        return ranked
