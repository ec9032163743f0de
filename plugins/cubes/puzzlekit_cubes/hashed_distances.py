"""The distances of a hashed pruning table, computed level by level from the goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Coordinate, DeclarationError, Move, TableStore
from puzzlekit.engine.beats import beat
from puzzlekit.tables.classes import Classes
from puzzlekit.tables.distance_graph import DistanceGraph
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import move_table
from puzzlekit.tables.pruning_table import Tell
from puzzlekit_cubes.hash_keys import hash_keys, layout

Bytes = npt.NDArray[np.uint8]
Values = npt.NDArray[np.uint32]
Keys = npt.NDArray[np.int64]

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

    def hashes_after(self, states: Bytes, m: int, keys: Keys) -> Keys:
        """Return the hashes of the joint states after a move, without these joint states."""
        mixed = np.zeros(len(states), dtype=np.int64)
        for number, (changes, each) in enumerate(zip(self._moves, self._coordinates, strict=True)):
            at = self._bytes.at[number]
            if each.carried:
                gather, relabel = changes[m]
                for i, source in zip(at, gather, strict=True):
                    mixed ^= keys[i, relabel].take(states[:, at[source]])
                continue
            after = np.zeros(each.size, dtype=np.int64)
            for shift, i in enumerate(at):
                after ^= keys[i, (changes[m] >> (8 * shift)) & 255]
            mixed ^= after.take(self._bytes.read(states, number))
        return mixed

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


class JointClasses:
    """Reduced joint states of sym coordinates, in all their forms, and the moves between them."""

    def __init__(self, store: TableStore, graph: DistanceGraph) -> None:
        self._store, self._graph = store, graph
        self._bytes = JointBytes(graph.numbered)
        self._tables = [Classes(store, sym) for sym in graph.syms if sym is not None]
        first = self._tables[0]
        if any(each.move_images != first.move_images for each in self._tables):
            raise DeclarationError(
                "the sym coordinates of a hashed pruning table must have the same symmetries"
            )
        assert graph.sym is not None
        order, self._shift = graph.sym.coordinate.symmetries, graph.sym.coordinate.shift
        self._low = np.uint32((1 << self._shift) - 1)
        self._images = np.frombuffer(first.move_images, dtype=np.uint8).reshape(order, -1)
        self._products = np.frombuffer(first.products, dtype=np.uint8).reshape(order, order)
        self._inverses = np.argmin(self._products, axis=1)  # symmetry 0 is the identity
        self._class_moves = [
            np.asarray(each.class_moves).reshape(-1, len(graph.moves)) for each in self._tables
        ]
        self._keepers = [each.keepers for each in self._tables]

    def goals(self) -> Bytes:
        """Return all forms of the joint states at the goal."""
        lists = []
        for each, classes in zip(self._graph.coordinates, self._tables, strict=True):
            flags = np.asarray(goal_flags(self._store, each, self._graph.goal_moves))
            lists.append(np.asarray(classes.class_of)[flags > 0].tolist())
        check_goals(prod(map(len, lists)))
        return self._written(list(np.array(list(product(*lists)), dtype=np.uint32).T))

    def after(self, states: Bytes, m: int) -> Bytes:
        """Return joint states after a move, in all their forms."""
        values = []
        for number, class_moves in enumerate(self._class_moves):
            before = self._bytes.read(states, number)
            symmetry = before & self._low
            after = class_moves[before >> self._shift, self._images[symmetry, m]]
            values.append((after & ~self._low) | self._products[symmetry, after & self._low])
        return self._written(values)

    def hashes_after(self, states: Bytes, m: int, keys: Keys) -> Keys:
        """Return the hashes of the joint states after a move, in all their forms."""
        return hashes(self.after(states, m), keys)

    def _written(self, values: Sequence[Values]) -> Bytes:
        """Return all forms of joint states with these values of the coordinates, as bytes."""
        undo = self._inverses[values[0] & self._low]
        reduced = [self._then(undo, each) for each in values]
        for number in range(len(reduced)):
            reduced = self._forms(reduced, number)
        states = np.zeros((len(reduced[0]), self._bytes.width), dtype=np.uint8)
        for number, each in enumerate(reduced):
            self._bytes.write(states, number, each)
        return states

    def _forms(self, values: Sequence[Values], number: int) -> list[Values]:
        """Return reduced joint states in all forms that the symmetries of one value allow.

        A symmetry that keeps the class of the first value may come before all other symmetries. A
        symmetry that keeps the class of another value may follow the symmetry of this value.
        """
        keepers = self._keepers[number][values[number] >> self._shift]
        found = [values]
        for s in range(1, len(self._products)):
            kept = (keepers >> np.uint64(s)) & np.uint64(1) > 0
            rows = [each[kept] for each in values]
            if number == 0:
                rows[1:] = [self._then(s, each) for each in rows[1:]]
            else:
                after = self._products[rows[number] & self._low, s]
                rows[number] = (rows[number] & ~self._low) | after
            found.append(rows)
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _then(self, symmetry: npt.NDArray[np.intp] | int, values: Values) -> Values:
        """Return values whose symmetries follow another symmetry."""
        after: Values = (values & ~self._low) | self._products[symmetry, values & self._low]
        return after


_CHUNK = 1 << 16  # states whose neighbours are computed at once


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
        self._hashed, self._farthest = hashed, farthest
        keys = hash_keys(store, graph)
        self._keys: Keys = np.array(keys, dtype=np.int64).reshape(-1, 256)
        check_memory(3 * hashed, f"a hashed table of {hashed:,} entries")
        self._joint = JointClasses(store, graph) if any(graph.syms) else JointStates(store, graph)
        self._count = len(graph.moves)
        self._goals = self._joint.goals()
        self.entries: Bytes = np.full(hashed, farthest + 1, dtype=np.uint8)
        self.counts: list[int] = []

    def fill(self, tell: Tell = lambda share: None) -> None:
        """Compute all levels, and call `tell` with the progress."""
        frontier = self._goals
        keys, first = np.unique(hashes(frontier, self._keys), return_index=True)
        frontier = frontier[first]
        self.entries[self._index(keys)] = 0
        self.counts = [len(keys)]
        before = np.empty(0, dtype=np.int64)
        for level in range(1, self._farthest + 1):
            last = level == self._farthest
            found, found_keys = [frontier[:0]], [keys[:0]]
            listed = 0
            for at in range(0, len(frontier), _CHUNK):
                tell(self._share(level, at / len(frontier)))
                part = frontier[at : at + _CHUNK]
                near_found, near_found_keys = [frontier[:0]], [keys[:0]]
                for m in range(self._count):
                    beat()
                    if last:
                        near_keys = self._joint.hashes_after(part, m, self._keys)
                    else:
                        near = self._joint.after(part, m)
                        near_keys = hashes(near, self._keys)
                    entries = self._index(near_keys)
                    new = self.entries.take(entries) > level
                    self.entries[entries[new]] = level
                    if not last:
                        # Others may have the entry of another joint state. A joint state of this
                        # level or of the level before it is not new. No neighbour is in an older
                        # level, because each move has an inverse move.
                        old = np.flatnonzero(~new)
                        known = near_keys[old]
                        new[old] = ~(_among(known, keys) | _among(known, before))
                        near_found.append(near[new])
                        near_found_keys.append(near_keys[new])
                # Drop duplicates now, to save memory.
                part_keys, first = np.unique(np.concatenate(near_found_keys), return_index=True)
                found_keys.append(part_keys)
                found.append(np.concatenate(near_found)[first])
                # At the end all states are sorted, with 64-bit numbers beside them.
                listed += len(first) * (frontier.shape[1] + 32)
                check_memory(listed, f"level {level} of a hashed table")
            if last:
                break
            before = keys
            keys, first = np.unique(np.concatenate(found_keys), return_index=True)
            frontier = np.concatenate(found)[first]
            self.counts.append(len(keys))

    def _share(self, level: int, part: float) -> float:
        """Return the finished share of the build, if the levels go on growing as they did."""
        *before, now = self.counts
        growth = max(1.0, now / before[-1]) if before else float(self._count)
        later = sum(now * growth**ahead for ahead in range(1, self._farthest - level + 1))
        return (sum(before) + part * now) / (sum(before) + now + later)

    def _index(self, keys: Keys) -> Keys:
        """Return the entry indices of hashes."""
        return ((keys & 0x7FFFFFFF) * self._hashed) >> 31


def hashes(states: Bytes, keys: Keys) -> Keys:
    """Return the hashes of joint states: `keys` has a row for each of their bytes."""
    mixed = np.zeros(len(states), dtype=np.int64)
    for i, own in enumerate(keys):
        mixed ^= own.take(states[:, i])
    return mixed


def _among(keys: Keys, known: Keys) -> npt.NDArray[np.bool_]:
    """Return a flag for each key: whether it is among the sorted keys `known`."""
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    at = np.searchsorted(known, keys)
    at[at == len(known)] = 0
    return np.asarray(known[at] == keys)
