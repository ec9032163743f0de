"""Goals: the values of a coordinate that the goal of a phase allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from puzzlekit.coordinate.base import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.store import TableKey, TableStore


def goals_identity(coordinates: Sequence[Coordinate], goal_moves: Sequence[Move]) -> str:
    """Text that differs wherever the goals do."""
    if goal_moves:
        return f"under {moves_identity(goal_moves)}"
    return str([crc32(repr(coordinate.goals).encode()) for coordinate in coordinates])


def goals_key(coordinate: Coordinate, goal_moves: Sequence[Move]) -> TableKey:
    """The name under which the goals are kept; one byte for each value, not 0 at goals."""
    return TableKey(
        puzzle=coordinate.puzzle.name,
        name=f"{coordinate.name} goals",
        identity=f"goals 1 {coordinate.identity} {goals_identity([coordinate], goal_moves)}",
        dtype="u1",
        shape=(coordinate.size,),
        purpose=f"values of {coordinate.name} that {len(goal_moves)} moves make of the solved one",
    )


def goals(store: TableStore, coordinate: Coordinate, goal_moves: Sequence[Move]) -> Any:
    """The goals as the engine takes them: a tuple of values, or a byte for each value.

    They are the coordinate's own or, with `goal_moves`, all that these moves make of the solved
    state.
    """
    if not goal_moves:
        _check(coordinate, coordinate.goals)
        return coordinate.goals
    key = goals_key(coordinate, goal_moves)
    return store.get(key, lambda: _spread(coordinate, goal_moves)).data


def _check(coordinate: Coordinate, values: Sequence[int]) -> None:
    if not all(0 <= value < coordinate.size for value in values):
        raise DeclarationError(f"coordinate {coordinate.name} is not defined at its own goal")


def goal_flags(store: TableStore, coordinate: Coordinate, goal_moves: Sequence[Move]) -> Any:
    """A byte for each value of a coordinate, not 0 at goals, as an array."""
    import numpy as np

    found = goals(store, coordinate, goal_moves)
    if not isinstance(found, tuple):
        return np.asarray(found)
    flags = np.zeros(coordinate.size, dtype=np.uint8)
    flags[list(found)] = 1
    return flags


def _spread(coordinate: Coordinate, goal_moves: Sequence[Move]) -> Any:
    """All values to which the goal moves may lead from the solved one."""
    import numpy as np

    passages = list(coordinate.passages(goal_moves))
    flags = np.zeros(coordinate.size, dtype=np.uint8)
    solved = coordinate.rank(coordinate.puzzle.solved)
    _check(coordinate, [solved])
    flags[solved] = 1
    reached = 0
    while reached < (reached := int(flags.sum())):
        for before, after in passages:
            flags |= np.isin(after, before[flags > 0])
    return flags
