"""Joint states of a hashed pruning table: the values of several coordinates, as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.hash_keys import layout
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.store import TableStore

Bytes = npt.NDArray[np.uint8]
Values = npt.NDArray[np.uint32]

_MOST_GOALS = 1 << 16


class JointBytes:
    """Where the bytes of each coordinate are in a joint state (see `hash_keys.layout`)."""

    def __init__(self, coordinates: Sequence[Coordinate]) -> None:
        owners = [owner for owner, _ in layout(coordinates)]
        self.width = len(owners)
        #: For each coordinate, the indices of its bytes.
        self.at = [
            [i for i, owner in enumerate(owners) if owner == number]
            for number in range(len(coordinates))
        ]

    def read(self, states: Bytes, number: int) -> Values:
        """Return the values of a coordinate in joint states, one joint state in each row."""
        at = self.at[number]
        values = states[:, at[0]].astype(np.uint32)
        for shift, i in enumerate(at[1:], 1):
            values |= states[:, i].astype(np.uint32) << np.uint32(8 * shift)
        return values

    def write(self, states: Bytes, number: int, values: npt.NDArray[Any]) -> None:
        """Write the values of a coordinate into joint states."""
        for shift, i in enumerate(self.at[number]):
            states[:, i] = (values >> (8 * shift)) & 255


def check_goals(count: int) -> None:
    """Raise DeclarationError if a hashed table would have too many goals."""
    if count > _MOST_GOALS:
        raise DeclarationError(f"a hashed pruning table takes at most {_MOST_GOALS:,} goals")


class JointStates:
    """Joint states of coordinates that are not reduced by symmetries, and the moves between them.

    At most one of the coordinates is a pairing. Its part of a joint state is its permutation.
    """

    def __init__(self, store: TableStore, graph: DistanceGraph) -> None:
        self._store, self._graph = store, graph
        self._coordinates = graph.coordinates
        self._bytes = JointBytes(graph.coordinates)
        self._moves = [self._changes(each, graph.moves) for each in graph.coordinates]

    def _changes(self, coordinate: Coordinate, moves: Sequence[Move]) -> Any:
        """Return the effects of the moves on a pairing, or else the columns of a move table."""
        if coordinate.carried:
            return [
                (list(gather), np.frombuffer(relabel, dtype=np.uint8))
                for gather, relabel in coordinate.effects(moves)
            ]
        table = np.asarray(move_table(self._store, coordinate, moves).data)
        return np.ascontiguousarray(table.reshape(-1, len(moves)).T)

    def after(self, states: Bytes, m: int) -> Bytes:
        """Return joint states after a move."""
        after = np.empty_like(states)
        for number, (changes, each) in enumerate(zip(self._moves, self._coordinates, strict=True)):
            if each.carried:
                at = self._bytes.at[number]
                gather, relabel = changes[m]
                for i, source in zip(at, gather, strict=True):
                    after[:, i] = relabel[states[:, at[source]]]
                continue
            self._bytes.write(after, number, changes[m][self._bytes.read(states, number)])
        return after

    def goals(self) -> Bytes:
        """Return the joint states at the goal. A pairing is the identity there."""
        if self._graph.goal_states:
            rows = [self._values(state) for state in self._graph.goal_states]
        else:
            flags = [
                [1] if each.carried else goal_flags(self._store, each, self._graph.goal_moves)
                for each in self._coordinates
            ]
            lists = [np.flatnonzero(each).tolist() for each in flags]
            check_goals(prod(map(len, lists)))
            rows = list(product(*lists))
        values = np.array(rows, dtype=np.int64).T
        states = np.zeros((len(rows), self._bytes.width), dtype=np.uint8)
        for number, (column, each) in enumerate(zip(values, self._coordinates, strict=True)):
            if each.carried:
                states[:, self._bytes.at[number]] = np.arange(each.carried)
            else:
                self._bytes.write(states, number, column)
        return states

    def _values(self, state: bytes) -> tuple[int, ...]:
        values = tuple(each.rank(state) for each in self._coordinates)
        for value, each in zip(values, self._coordinates, strict=True):
            if value < 0 or (each.carried and value):
                raise DeclarationError(
                    f"coordinate {each.name} is not at a goal in one of the goal states"
                )
        return values
