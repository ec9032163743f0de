"""The distances of a hashed pruning table, computed level by level from the goal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from puzzlekit.store.beats import beat
from puzzlekit.store.memory import check_memory
from puzzlekit.store.store import TableStore
from puzzlekit.tables.pruning.distance_graph import DistanceGraph
from puzzlekit.tables.pruning.hash_keys import hash_keys
from puzzlekit.tables.pruning.joint_classes import JointClasses
from puzzlekit.tables.pruning.joint_states import Bytes, JointStates

Keys = npt.NDArray[np.int64]

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
                    beat()
                    near = self._joint.after(part, m)
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
                listed += len(first) * (frontier.shape[1] + 32)
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

    def _hash(self, states: Bytes) -> Keys:
        """Return the hashes of joint states."""
        mixed = np.zeros(len(states), dtype=np.int64)
        for i, keys in enumerate(self._keys):
            mixed ^= keys[states[:, i]]
        return mixed


def _among(keys: Keys, known: Keys) -> npt.NDArray[np.bool_]:
    """Return a flag for each key: whether it is among the sorted keys `known`."""
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    at = np.searchsorted(known, keys)
    at[at == len(known)] = 0
    return np.asarray(known[at] == keys)
