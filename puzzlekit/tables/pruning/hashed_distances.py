"""The distances of a hashed pruning table, computed level by level from the goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinate.coordinate import Coordinate
from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.move import Move
from puzzlekit.store.memory import check_memory
from puzzlekit.store.store import TableStore
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.hash_keys import hash_keys, layout

Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.int64]

_CHUNK = 1 << 16  # states whose neighbours are computed at once
_MOST_GOALS = 1 << 16


class HashedDistances:
    """Computes the entries of a hashed table, level by level from the goal.

    A level consists of the joint states at one distance. If the graph lists no goal states, the
    goals are all joint states whose values are goals of their coordinates.

    The attribute `entries` has one byte per entry, and `hashed` is the number of entries. The byte
    is the least distance of the joint states with this hash, or `farthest` + 1 if this distance is
    above `farthest`. The attribute `counts` lists the number of joint states of each level except
    the last one. The build may find joint states of the last level twice.
    """

    def __init__(self, store: TableStore, graph: DistanceGraph, hashed: int, farthest: int) -> None:
        coordinates, moves = graph.coordinates, graph.moves
        self._coordinates = coordinates
        self._hashed, self._farthest = hashed, farthest
        self._layout = layout(coordinates)
        keys = hash_keys(store, graph)
        self._keys: Keys = np.array(keys, dtype=np.int64).reshape(-1, 256)
        check_memory(3 * hashed, f"a hashed table of {hashed:,} entries")
        # For each coordinate, the indices of its bytes in a joint state, and the effects of moves.
        self._bytes = [
            [i for i, (owner, _) in enumerate(self._layout) if owner == number]
            for number in range(len(coordinates))
        ]
        self._moves = [self._changes(store, each, moves) for each in coordinates]
        self._count = len(moves)
        self._goals = self._joint_goals(store, graph)
        self.entries: Bytes = np.full(hashed, farthest + 1, dtype=np.uint8)
        self.counts: list[int] = []

    def fill(self) -> None:
        """Compute all levels."""
        frontier = self._goals
        keys, first = np.unique(self._hash(frontier), return_index=True)
        frontier = frontier[first]
        self.entries[self._index(keys)] = 0
        self.counts = [len(keys)]
        before = np.empty(0, dtype=np.int64)
        for level in range(1, self._farthest + 1):
            last = level == self._farthest
            found, found_keys = [frontier[:0]], [keys[:0]]
            listed = 0
            for at in range(0, len(frontier), _CHUNK):
                part = frontier[at : at + _CHUNK]
                near_found, near_found_keys = [frontier[:0]], [keys[:0]]
                for m in range(self._count):
                    near = self._after(part, m)
                    near_keys = self._hash(near)
                    entries = self._index(near_keys)
                    fresh = self.entries[entries] > level
                    self.entries[entries[fresh]] = level
                    if not last:
                        # A joint state of this level or of the level before it is not new. No
                        # neighbour is in an older level, because each move has an inverse move.
                        new = ~(_among(near_keys, keys) | _among(near_keys, before))
                        near_found.append(near[new])
                        near_found_keys.append(near_keys[new])
                # Drop duplicates now, to save memory.
                part_keys, first = np.unique(np.concatenate(near_found_keys), return_index=True)
                found_keys.append(part_keys)
                found.append(np.concatenate(near_found)[first])
                # At the end all states are sorted, with 64-bit numbers beside them.
                listed += len(first) * (len(self._layout) + 32)
                check_memory(listed, f"level {level} of a hashed table")
            if last:
                break
            before = keys
            keys, first = np.unique(np.concatenate(found_keys), return_index=True)
            frontier = np.concatenate(found)[first]
            self.counts.append(len(keys))

    def _index(self, keys: Keys) -> Keys:
        """Return the entry indices of hashes."""
        return ((keys & 0x7FFFFFFF) * self._hashed) >> 31

    def _changes(self, store: TableStore, coordinate: Coordinate, moves: Sequence[Move]) -> Any:
        """Return the effects of the moves on a pairing, or else the columns of a move table."""
        if coordinate.carried:
            return [
                (list(gather), np.frombuffer(relabel, dtype=np.uint8))
                for gather, relabel in coordinate.effects(moves)
            ]
        table = np.asarray(move_table(store, coordinate, moves).data)
        return np.ascontiguousarray(table.reshape(-1, len(moves)).T)

    def _after(self, states: Bytes, m: int) -> Bytes:
        """Return joint states after a move."""
        after = np.empty_like(states)
        for at, changes, each in zip(self._bytes, self._moves, self._coordinates, strict=True):
            if each.carried:
                gather, relabel = changes[m]
                for i, source in zip(at, gather, strict=True):
                    after[:, i] = relabel[states[:, at[source]]]
                continue
            value = states[:, at[0]].astype(np.uint32)
            for shift, i in enumerate(at[1:], 1):
                value |= states[:, i].astype(np.uint32) << np.uint32(8 * shift)
            self._write(after, at, changes[m][value])
        return after

    def _write(self, states: Bytes, at: Sequence[int], values: npt.NDArray[Any]) -> None:
        """Write the values of one coordinate into joint states."""
        for shift, i in enumerate(at):
            states[:, i] = (values >> (8 * shift)) & 255

    def _hash(self, states: Bytes) -> Keys:
        """Return the hashes of joint states."""
        mixed = np.zeros(len(states), dtype=np.int64)
        for i, keys in enumerate(self._keys):
            mixed ^= keys[states[:, i]]
        return mixed

    def _joint_goals(self, store: TableStore, graph: DistanceGraph) -> Bytes:
        """Return the joint states at the goal. A pairing is the identity there."""
        if graph.goal_states:
            rows = [self._values(state) for state in graph.goal_states]
        else:
            flags = [
                [1] if each.carried else goal_flags(store, each, graph.goal_moves)
                for each in self._coordinates
            ]
            lists = [np.flatnonzero(each).tolist() for each in flags]
            if prod(map(len, lists)) > _MOST_GOALS:
                raise DeclarationError(
                    f"a hashed pruning table takes at most {_MOST_GOALS:,} goals"
                )
            rows = list(product(*lists))
        values = np.array(rows, dtype=np.int64).T
        states = np.zeros((len(rows), len(self._layout)), dtype=np.uint8)
        for column, at, each in zip(values, self._bytes, self._coordinates, strict=True):
            if each.carried:
                states[:, at] = np.arange(each.carried)
            else:
                self._write(states, at, column)
        return states

    def _values(self, state: bytes) -> tuple[int, ...]:
        values = tuple(each.rank(state) for each in self._coordinates)
        for value, each in zip(values, self._coordinates, strict=True):
            if value < 0 or (each.carried and value):
                raise DeclarationError(
                    f"coordinate {each.name} is not at a goal in one of the goal states"
                )
        return values


def _among(keys: Keys, known: Keys) -> npt.NDArray[np.bool_]:
    """Return a flag for each key: whether it is among the sorted keys `known`."""
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    at = np.searchsorted(known, keys)
    at[at == len(known)] = 0
    return np.asarray(known[at] == keys)
