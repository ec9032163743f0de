"""Goals: the values of a coordinate that the goal of a phase allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.engine.beats import beat
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import moves_identity
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec, fingerprint

__all__ = ["goal_flags", "goals_identity"]


def goals_identity(
    coordinates: Sequence[Coordinate], goal_moves: Sequence[Move], goal_states: Sequence[bytes] = ()
) -> str:
    """Return a string that identifies the goals of some coordinates, for the keys of tables."""
    turned = "".join(f" {state.hex()}" for state in goal_states)
    if goal_moves:
        return f"under {moves_identity(goal_moves)}{turned}"
    return " ".join(fingerprint(repr(coordinate.goals)) for coordinate in coordinates) + turned


def goals_key(
    coordinate: Coordinate, goal_moves: Sequence[Move], goal_states: Sequence[bytes] = ()
) -> TableSpec:
    """Return the key of a table with one byte for each value. The byte is not 0 at a goal."""
    identity = goals_identity([coordinate], goal_moves, goal_states)
    return TableSpec(
        puzzle=coordinate.puzzle.name,
        name=f"{coordinate.name} goals",
        identity=f"goals 1 {coordinate.identity} {identity}",
        dtype="u1",
        shape=(coordinate.size,),
        purpose=f"values of {coordinate.name} that {len(goal_moves)} moves make of the solved one",
    )


def goals(
    store: TableStore,
    coordinate: Coordinate,
    goal_moves: Sequence[Move],
    goal_states: Sequence[bytes] = (),
) -> Any:
    """Return the goals of a coordinate for the engine.

    - Without `goal_moves`, the goals are the values of the `goal_states`. If there are no
      `goal_states`, the goals are `Coordinate.goals`. The result is a tuple of values.
    - With `goal_moves`, the goals are all values that these moves reach from the `goal_states`, or
      from the solved state if there are none. The result has a byte for each value. The byte is not
      0 at a goal.
    """
    if not goal_moves:
        found = coordinate.goals
        if goal_states:
            found = tuple(sorted({coordinate.rank(state) for state in goal_states}))
        _check(coordinate, found)
        return found
    key = goals_key(coordinate, goal_moves, goal_states)
    roots = goal_states or (coordinate.puzzle.solved,)
    return store.get(key, lambda: _spread(coordinate, goal_moves, roots)).data


def _check(coordinate: Coordinate, values: Sequence[int]) -> None:
    if not all(0 <= value < coordinate.size for value in values):
        raise DeclarationError(f"coordinate {coordinate.name} is not defined at its own goal")


def goal_flags(
    store: TableStore,
    coordinate: Coordinate,
    goal_moves: Sequence[Move],
    goal_states: Sequence[bytes] = (),
) -> Any:
    """Return an array with a byte for each value of a coordinate. The byte is not 0 at a goal."""
    import numpy as np

    found = goals(store, coordinate, goal_moves, goal_states)
    if not isinstance(found, tuple):
        return np.asarray(found)
    flags = np.zeros(coordinate.size, dtype=np.uint8)
    flags[list(found)] = 1
    return flags


def _spread(coordinate: Coordinate, goal_moves: Sequence[Move], roots: Sequence[bytes]) -> Any:
    """Return a flag for each value: 1 if the goal moves reach it from the values of `roots`."""
    import numpy as np

    values = [coordinate.rank(state) for state in roots]
    _check(coordinate, values)
    flags = np.zeros(coordinate.size, dtype=np.uint8)
    if coordinate.closed_under(goal_moves) and type(coordinate).passages is Coordinate.passages:
        found = np.array(values)
        while len(found):
            beat()
            flags[found] = 1
            vector = coordinate.unrank(found)
            after = [coordinate.rank(coordinate.after(vector, move)) for move in goal_moves]
            found = np.unique(np.hstack(after))  # a coordinate of one value has no arrays
            found = found[flags[found] == 0]
        return flags
    nbytes = coordinate.size * (12 * len(goal_moves) + 16)
    check_memory(nbytes, f"the goals of {coordinate.name}")
    passages = list(coordinate.passages(goal_moves))
    flags[values] = 1
    reached = 0
    while reached < (reached := int(flags.sum())):
        for before, after in passages:
            beat()
            flags |= np.isin(after, before[flags > 0])
    return flags
