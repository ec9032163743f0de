"""Pruning tables over a sym coordinate and its partners.

A build proceeds level by level from the goals. In each level it processes one class after the other
and one move after the other. So it reads one row of entries and writes one row, and both rows fit
into the cache of the processor. In late levels it is faster to start at the entries without a
distance.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit.coordinates.coordinate import Coordinate
from puzzlekit.errors import DeclarationError, TableError
from puzzlekit.tables.classes import Classes, SymNeeds
from puzzlekit.tables.goals import goal_flags
from puzzlekit.tables.memory import check_memory
from puzzlekit.tables.move_table import move_table, moved_values
from puzzlekit.tables.pruning_table import UNREACHED, pack, stretches
from puzzlekit.tables.store import TableStore

__all__ = ["SymDistances"]

_CHUNK = 1 << 21  # entries processed at once without a compiler
_PART = 1 << 25  # entries processed at once with a compiler


class SymDistances:
    """Computes the distances of a pruning table over a sym coordinate and its partners.

    Partners are the other coordinates of the table. The attribute `codes` has 2 bits for each
    entry: the distance modulo 3, or 3 if no distance was computed. If `keep`, the attribute
    `nearest` has a byte for each group of `fold` neighbouring values of the last partner: the least
    distance of the group. Distances above `farthest` are not computed. They are stored as
    `farthest` + 1.
    """

    def __init__(
        self,
        store: TableStore,
        needs: SymNeeds,
        partners: Sequence[Coordinate],
        fold: int,
        farthest: int | None,
        keep: bool,
        rest: int = 0,
    ) -> None:
        self._needs = needs
        self._rest = rest
        self._fold = fold
        self._farthest = farthest
        classes = Classes(store, needs)
        coordinate, moves = needs.coordinate, needs.moves
        self._class_moves = np.asarray(classes.class_moves, dtype=np.uint32)
        self._keepers = classes.keepers
        self._costs = np.array(needs.costs, dtype=np.int32)
        alone = (
            1,
            np.zeros((len(moves), 1), dtype=np.uint16),
            np.zeros((coordinate.symmetries, 1), dtype=np.uint16),
        )
        self._partners = [alone] * (2 - len(partners)) + [
            self._partner(store, classes, partner) for partner in partners
        ]
        # See `LevelFill`: the values of the last partner with the second digit 0.
        self._before = np.zeros(coordinate.classes, dtype=np.uint32)
        self._after = np.zeros((coordinate.classes, len(moves)), dtype=np.uint32)
        if rest:
            self._share(store, classes, partners[-1])
        size_a, size_b = self._partners[0][0], self._partners[1][0]
        rows = coordinate.classes * size_a
        self.groups = -(-size_b // fold)
        self._check(rows, size_b, keep)
        self.codes = np.full((rows, (size_b + 3) // 4), 0xFF, dtype=np.uint8)
        self.nearest = np.full((rows, self.groups) if keep else 1, UNREACHED, dtype=np.uint8)
        self._keep = keep
        self._set_goals(store, classes, partners)

    def _check(self, rows: int, size_b: int, keep: bool) -> None:
        """Raise TableError if memory does not suffice, or if an input table is damaged."""
        coordinate = self._needs.coordinate
        names = f"a table of {coordinate.name} and {rows * size_b:,} entries"
        # `nearest` takes two more bytes per entry when it is padded and then packed.
        check_memory(rows * (-(-size_b // 4) + (3 * self.groups if keep else 0)), names)
        mask = (1 << coordinate.shift) - 1
        sound = int(self._class_moves.max()) >> coordinate.shift < coordinate.classes
        sound &= int((self._class_moves & mask).max()) < coordinate.symmetries
        sound &= int(self._keepers.max()) < 1 << coordinate.symmetries
        for size, moved, image in self._partners:
            sound &= int(max(moved.max(), image.max())) < size
        if not sound:  # compiled code would write outside of the table
            raise TableError(
                f"the tables of {coordinate.name} are damaged: remove these tables, and "
                "puzzlekit builds new tables"
            )

    def _partner(
        self, store: TableStore, classes: Classes, partner: Coordinate
    ) -> tuple[int, npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
        """Return the size of a partner, and its values after each move and symmetry."""
        moved = np.asarray(move_table(store, partner, self._needs.moves).data)
        images = classes.carried(partner)
        if self._rest:
            moved, images = moved % self._rest, images % self._rest
        return (
            partner.size,
            np.ascontiguousarray(moved.reshape(partner.size, -1).T, dtype=np.uint16),
            images.astype(np.uint16),
        )

    def _share(self, store: TableStore, classes: Classes, partner: Coordinate) -> None:
        """Keep only the second digits of the last partner, and find its first digits."""
        needs, rest = self._needs, self._rest
        coordinate, moves = needs.coordinate, needs.moves
        digits = partner.size // rest
        own_rest = coordinate.size // digits
        own = moved_values(store, coordinate.parts[0], moves)
        other = np.asarray(move_table(store, partner, moves).data)
        first = own.reshape(digits, own_rest, -1) // own_rest
        if (
            digits * rest != partner.size
            or digits * own_rest != coordinate.size
            or (first != first[:, :1]).any()
            or (other.reshape(digits, rest, -1) // rest != first[:, :1]).any()
        ):
            raise DeclarationError(
                f"coordinates {coordinate.name} and {partner.name} do not share their first digit"
            )
        mask = (1 << coordinate.shift) - 1
        class_of = np.asarray(classes.class_of)
        chosen = np.flatnonzero((class_of & mask) == 0)
        representatives = np.empty(coordinate.classes, dtype=np.int64)
        representatives[class_of[chosen] >> coordinate.shift] = chosen
        self._before = (representatives // own_rest * rest).astype(np.uint32)
        self._after = (own.reshape(-1, len(moves))[representatives] // own_rest * rest).astype("u4")
        self._partners[1] = (rest, *self._partners[1][1:])

    def _set_goals(
        self, store: TableStore, classes: Classes, partners: Sequence[Coordinate]
    ) -> None:
        needs, shift = self._needs, self._needs.coordinate.shift
        flags = goal_flags(store, needs.coordinate, needs.goal_moves)
        found = np.unique(np.asarray(classes.class_of)[np.flatnonzero(flags)] >> shift)
        for partner in partners:
            goals = np.flatnonzero(goal_flags(store, partner, needs.goal_moves))
            if self._rest:
                at = (found[:, None] * self._rest).astype(np.int64)
                first = self._before[found][:, None] == goals // self._rest * self._rest
                found = (at + goals % self._rest)[first]
                continue
            found = (found[:, None].astype(np.int64) * partner.size + goals).reshape(-1)
        self.remaining = needs.coordinate.classes * prod(size for size, _, _ in self._partners)
        self.remaining -= self._mark(found, 0)

    def _mark(self, entries: npt.NDArray[np.integer[Any]], level: int) -> int:
        """Give a distance to the entries that have none; return how many got it."""
        size_b = self._partners[1][0]
        row, b = np.divmod(np.unique(entries), size_b)
        bits = ((b & 3) << 1).astype(np.uint8)
        fresh = (self.codes[row, b >> 2] >> bits) & 3 == 3
        row, b, bits = row[fresh], b[fresh], bits[fresh]
        change = np.left_shift(np.uint8(3 ^ level % 3), bits)
        np.bitwise_xor.at(self.codes, (row, b >> 2), change)
        if self._keep:
            np.minimum.at(self.nearest, (row, b // self._fold), np.uint8(level))
        return len(row)

    def fill(self, compiled: bool, tell: Callable[[float], None] = lambda share: None) -> None:
        """Compute all distances up to `farthest`. Call `tell` with the share done (0-1)."""
        dearest = max(self._needs.costs)
        reach: Callable[..., Iterator[int]] = self._compiled() if compiled else self._reach
        total = self.remaining
        last = self._farthest or UNREACHED - 1
        level = empty = reached = 0
        while empty < dearest and self.remaining and level < last:
            level += 1
            before = self.remaining
            for found in reach(level, self.remaining < 4 * reached):
                self.remaining -= found
                tell(1 - self.remaining / total)
            earlier, reached = reached, before - self.remaining
            empty = 0 if reached else empty + 1
            if compiled and self._keep and self._fold > 1:
                left = sum(int(np.count_nonzero(p == UNREACHED)) for p in stretches(self.nearest))
                work = self._fold * (2 if reached > 2 * earlier else len(self._costs))
                # Few groups are left: search from each, and leave the next levels incomplete.
                steps = 0
                while left * work < self.remaining:
                    if not left or level + steps == last:
                        return
                    steps += 1
                    work *= len(self._costs)
                    left -= sum(reach(level + steps, True, steps))

    def packed(self, bits: int, stride: int) -> npt.NDArray[np.uint8]:
        """Return the table with entries of 2, 4 or 8 bits. A row is padded to `stride` entries."""
        if bits == 2:
            return self.codes.reshape(-1)
        most = (1 << bits) - 1
        if self._farthest is not None:
            most = min(most, self._farthest + 1)
        padded = np.zeros((len(self.codes), stride), dtype=np.uint8)
        np.minimum(self.nearest, most, out=padded[:, : self.groups])
        return pack(padded.reshape(-1), bits)

    def _compiled(self) -> Callable[..., Iterator[int]]:
        """Return the engine's function that fills one level (see `LevelFill.reach`)."""
        from concurrent.futures import ThreadPoolExecutor

        from puzzlekit.engine.fill import LevelFill

        classes, size_b = self._needs.coordinate.classes, self._partners[1][0]
        filling = LevelFill(
            self._needs.coordinate.shift,
            self._class_moves,
            self._keepers,
            [(size, moved.reshape(-1), image.reshape(-1)) for size, moved, image in self._partners],
            self._costs,
            self.codes.reshape(-1),
            self.nearest.reshape(-1),
            self._fold if self._keep else 0,
            self.groups,
            (len(self._partners[1][1][0]), self._before, self._after.reshape(-1))
            if self._rest
            else None,
        )
        parts = min(classes, 1 + len(self.codes) * size_b // _PART)
        ends = [classes * i // parts for i in range(parts + 1)]

        def reach(level: int, backward: bool, steps: int = 0) -> Iterator[int]:
            def part(first: int, last: int) -> int:
                room = np.zeros(size_b, dtype=np.uint32)
                return filling.reach(level, backward, first, last, room, steps)

            if not backward:  # it may mark entries of any class, so parts run one at a time
                yield from map(part, ends[:-1], ends[1:])
                return
            pool = ThreadPoolExecutor(os.cpu_count() or 1)
            try:
                yield from pool.map(part, ends[:-1], ends[1:])
            finally:  # after Ctrl-C, start no further part
                pool.shutdown(cancel_futures=True)

        return reach

    def _reach(self, level: int, backward: bool) -> Iterator[int]:
        """Do the same in NumPy, always forward."""
        for cost in range(1, min(level, max(self._needs.costs)) + 1):
            code = (level - cost) % 3
            rows = np.arange(0, len(self.codes), max(1, _CHUNK // (4 * self.codes.shape[1])))
            for first, last in zip(rows, [*rows[1:], len(self.codes)], strict=True):
                part = self.codes[first:last]
                codes = np.stack([(part >> shift) & 3 for shift in (0, 2, 4, 6)], axis=-1)
                row, b = np.nonzero(codes.reshape(len(part), -1) == code)
                inside = b < self._partners[1][0]
                yield self._push(row[inside] + first, b[inside], cost, level)

    def _push(
        self, row: npt.NDArray[np.intp], b: npt.NDArray[np.intp], cost: int, level: int
    ) -> int:
        (size_a, moved_a, image_a), (size_b, moved_b, image_b) = self._partners
        shift, order = self._needs.coordinate.shift, self._needs.coordinate.symmetries
        table = self._class_moves.reshape(-1, len(self._costs))
        c, a = np.divmod(row, size_a)
        reached = 0
        for m in np.flatnonzero(self._costs == cost):
            word = table[c, m]
            symmetry = word & np.uint32((1 << shift) - 1)
            near = (word >> np.uint32(shift)).astype(np.int64)
            near_a = image_a[symmetry, moved_a[m, a]]
            moved = moved_b[m, self._before[c] + b]
            near_b = image_b[symmetry, self._after[c, m] + moved]
            reached += self._mark((near * size_a + near_a) * size_b + near_b, level)
            several = np.flatnonzero(self._keepers[near] > 1)
            near, near_a, near_b = near[several], near_a[several], near_b[several]
            for s in range(1, order if len(near) else 1):
                kept = np.flatnonzero((self._keepers[near] >> np.uint64(s)) & np.uint64(1))
                alike = near[kept] * size_a + image_a[s, near_a[kept]]
                images = image_b[s, self._before[near[kept]] + near_b[kept]]
                reached += self._mark(alike * size_b + images, level)
        return reached
