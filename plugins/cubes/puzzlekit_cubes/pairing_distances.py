"""The entries of `Thresholds` tables over a pairing.

The build proceeds level by level from the goal. Each entry starts with the code for "at least the
last threshold". So the build computes only the levels below the last threshold. It does not store
the states of the last of these levels. Each state that the build reaches marks its entry. If
symmetries map the class of the state to itself, the images of the state mark their entries too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import TableStore
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import move_table
from puzzlekit_cubes.pairing_classes import PairingClasses, PairingNeeds

Bytes = npt.NDArray[np.uint8]

_CHUNK = 1 << 15  # states whose neighbours are computed at once
FAR = 3  # the code of distances not below the last threshold


class PairingDistances:
    """Computes the entries of a `Thresholds` table over a `SymPairing`.

    The pairing may have a partner: one more coordinate of the table. Distances are then distances
    of joint values, and `goals` are the values of the partner at the goal. The attribute `entries`
    has a byte for each joint value: the number of thresholds that its distance reaches. The
    attribute `counts` lists the number of pairings at each level. It counts each pairing, not only
    one of each class under symmetry.
    """

    def __init__(
        self,
        store: TableStore,
        needs: PairingNeeds,
        thresholds: Sequence[int],
        goals: Sequence[int] = (0,),
    ) -> None:
        self._coordinate = needs.coordinate
        self._thresholds = thresholds
        self._classes = PairingClasses(store, needs)
        self._ranking = _Ranking(needs.coordinate, self._classes)
        self._effects = needs.coordinate.effects(needs.moves)
        self._carry = needs.carry()
        self._keepers = self._classes.keepers()
        self._goals = goals
        self._size = 1 if needs.partner is None else needs.partner.size
        # The partner's value after each move, from each value.
        self._moved = np.zeros((len(needs.moves), self._size), dtype=np.uint8)
        if needs.partner is not None:
            table = np.asarray(move_table(store, needs.partner, needs.moves).data)
            self._moved[:] = table.reshape(self._size, len(needs.moves)).T
        values = needs.coordinate.values * self._size
        check_memory(4 * values, f"a table of {needs.coordinate.name}")
        self.entries = np.full(values, FAR, dtype=np.uint8)
        self.counts: list[int] = []

    def fill(self, compiled: bool, tell: Callable[[float], None] = lambda share: None) -> None:
        """Compute all distances below the last threshold. Call `tell` with the share done (0-1)."""
        n, last = self._coordinate.n, self._thresholds[-1] - 1
        reach = self._compiled() if compiled else self._reach
        # Each row is a state: the pairing, then the value of the partner.
        frontier = np.zeros((len(self._goals), n + 1), dtype=np.uint8)
        frontier[:, :n] = np.arange(n)
        frontier[:, n] = self._goals
        values, words = self._values(frontier)
        self.counts = [self._mark(frontier, values, words, self._code(0))]
        reached, before = 0, 1  # states of the levels before, and of the last of these
        for level in range(1, last + 1):
            found = [frontier[:0]]
            count = listed = 0
            # Assume that each further level grows like the last one.
            growth = max(2.0, len(frontier) / before)
            total = reached + sum(len(frontier) * growth**i for i in range(last - level + 1))
            for first in range(0, len(frontier), _CHUNK):
                states, more = reach(frontier[first : first + _CHUNK], self._code(level))
                count += more
                if level < last:
                    found.append(states)
                    listed += states.nbytes
                    check_memory(listed, f"level {level} of {self._coordinate.name}")
                tell((reached + first) / total)
            reached, before = reached + len(frontier), max(1, len(frontier))
            frontier = np.concatenate(found)
            self.counts.append(count)

    def _code(self, level: int) -> int:
        return sum(level >= threshold for threshold in self._thresholds)

    def _compiled(self) -> Callable[[Bytes, int], tuple[Bytes, int]]:
        """Return the engine's function from states to their new neighbours."""
        from puzzlekit_cubes.engine.pairing import PairFill

        n, moves = self._coordinate.n, len(self._effects)
        # The engine as plain Python needs plain numbers, because NumPy's would overflow.
        keepers, sizes = self._keepers.view(np.int64).data, self._sizes.data
        entries = self.entries.data
        moved = self._moved.reshape(-1).data
        filling = PairFill(self._classes.engine_rank, self._carry, keepers, sizes, moved, entries)
        states = min(_CHUNK, self._coordinate.size * self._size)
        room = np.empty((states * moves, n + 1), dtype=np.uint8)
        written = room.reshape(-1).data

        def reach(states: Bytes, code: int) -> tuple[Bytes, int]:
            flat = np.ascontiguousarray(states).reshape(-1)
            new, count = filling.reach(flat.data, code, written)
            return room[:new].copy(), count

        return reach

    @cached_property
    def _sizes(self) -> npt.NDArray[np.int32]:
        """For each class, how many images of the head places it represents."""
        keepers = np.array([int(bits).bit_count() for bits in self._keepers], dtype=np.int32)
        return np.asarray(self._coordinate.symmetries // keepers, dtype=np.int32)

    def _reach(self, states: Bytes, code: int) -> tuple[Bytes, int]:
        """Do the same in NumPy: return the new neighbours, and how many pairings they stand for."""
        n = self._coordinate.n
        found = []
        count = 0
        for (gather, relabel), moved in zip(self._effects, self._moved, strict=True):
            near = np.empty_like(states)
            near[:, :n] = np.frombuffer(relabel, "u1")[states[:, list(gather)]]
            near[:, n] = moved[states[:, n]]
            values, words = self._values(near)
            _, first = np.unique(values, return_index=True)
            first = first[self.entries[values[first]] == FAR]
            near = near[first]
            count += self._mark(near, values[first], words[first], code)
            found.append(near)
        return np.concatenate(found), count

    def _values(self, states: Bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the entry of each state, and the class and symmetry of its head."""
        values, words = self._ranking.values(states)
        return values * self._size + states[:, self._coordinate.n], words

    def _mark(
        self, states: Bytes, values: npt.NDArray[Any], words: npt.NDArray[Any], code: int
    ) -> int:
        """Give a code to the entries of states, and of their images under the class's keepers."""
        coordinate, ranking, sizes = self._coordinate, self._ranking, self._sizes
        symmetry = words & ((1 << coordinate.shift) - 1)
        head = words >> coordinate.shift
        self.entries[values] = code
        count = int(sizes[head].sum())
        for t in range(1, coordinate.symmetries):
            kept = np.flatnonzero((self._keepers[head] >> np.uint64(t)) & np.uint64(1))
            if len(kept):
                by = ranking.products[symmetry[kept], t]
                alike = head[kept] * coordinate.tails + ranking.tails(states[kept], by)
                alike = np.unique(alike * self._size + states[kept, coordinate.n])
                alike = alike[self.entries[alike] == FAR]
                self.entries[alike] = code
                count += int(sizes[alike // (coordinate.tails * self._size)].sum())
        return count


class _Ranking:
    """Ranks many pairings at once; `puzzlekit_cubes.engine.pairing.PairRank` ranks one."""

    def __init__(self, coordinate: Any, classes: PairingClasses) -> None:
        self._n, self._k, self._tails = coordinate.n, coordinate.k, coordinate.tails
        self._shift = coordinate.shift
        self._heads = np.asarray(classes.heads)
        rows = np.frombuffer(classes.symmetries, "u1").reshape(coordinate.symmetries, -1)
        self._s, self._back = rows[:, : self._n], rows[:, self._n : 2 * self._n]
        self.products = rows[:, 2 * self._n :]

    def values(self, states: Bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the value of each state, and the class and symmetry of its head."""
        head = np.zeros(len(states), dtype=np.int64)
        for i in range(self._k):
            head = head * self._n + states[:, i]
        words = self._heads[head].astype(np.int64)
        symmetry = words & ((1 << self._shift) - 1)
        return (words >> self._shift) * self._tails + self.tails(states, symmetry), words

    def tails(self, states: Bytes, symmetry: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Return the rank of the images after the head, in each state mapped by a symmetry."""
        every = np.arange(len(states))
        rank = np.zeros(len(states), dtype=np.int64)
        used = np.zeros(len(states), dtype=np.int64)
        below = np.array([i.bit_count() for i in range(1 << self._n)], dtype=np.int64)
        for i in range(self._n - 2):
            value = self._s[symmetry, states[every, self._back[symmetry, i]]].astype(np.int64)
            if i >= self._k:
                rank = rank * (self._n - i) + value - below[used & ((1 << value) - 1)]
            used |= 1 << value
        return rank
