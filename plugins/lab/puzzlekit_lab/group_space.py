"""The states of a puzzle whose moves generate a known group, numbered by a chain of stabilisers.

The number of a state is a number in a mixed radix. Its first digit says where the first base point
is. The second digit says where the second base point is after the first one has been brought home,
and so on (Sims 1970). So there is a number for each element of the group and for nothing else.

If pieces are alike, some elements look like the solved state. All of them have the distance 0, and
each state has as many numbers as there are such elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlekit import Move
from puzzlekit.puzzle.groups import StabiliserLevels
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit.tables.pruning_table import UNREACHED
from puzzlekit_lab.engine.group_fill import MOST_BASE, GroupFill
from puzzlekit_lab.graph import TooManyStates
from puzzlekit_lab.state_space import histogram, listed

_CHUNK = 1 << 18  # states processed at once

_CALL = 1 << 20  # states of one call of the engine, so that Ctrl-C ends the count soon


class GroupSpace:
    """The reachable states of a puzzle, and their distances from the solved state.

    `distance` has a byte for each state. `PackedGroupSpace` takes less memory and time, but needs
    moves that cost 1.
    """

    def __init__(
        self, levels: StabiliserLevels, needs: ResolvedPhase, numbers: Sequence[int], memory: int
    ) -> None:
        self.puzzle = needs.puzzle
        self.values = levels.order
        if self.values > memory:
            raise TooManyStates(self.values, memory, what="its moves generate {:,} permutations")
        self.moves = [needs.moves[number] for number in numbers]
        self.costs = [needs.costs[number] for number in numbers]
        self._levels = levels
        self._images = [levels.image(move.family, move.amount) for move in self.moves]
        self._digit = []
        self._back = []
        for point, carriers in zip(levels.base, levels.carriers, strict=True):
            digit = np.zeros(carriers.shape[1], dtype=np.int64)
            digit[carriers[:, point]] = np.arange(len(carriers))
            self._digit.append(digit)
            self._back.append(np.argsort(carriers, axis=1).astype(np.uint16).reshape(-1))
        self.distance = np.full(self.values, UNREACHED, dtype=np.uint8)
        self._fill()

    def _fill(self) -> None:
        self.distance[list(self._levels.solved)] = 0
        depth, last = 0, 0
        while depth <= last:
            for start in range(0, self.values, 1 << 24):
                part = self.distance[start : start + (1 << 24)]
                own = np.flatnonzero(part == depth) + start
                for at in range(0, len(own), _CHUNK):
                    points = self._points(own[at : at + _CHUNK])
                    for image, cost in zip(self._images, self.costs, strict=True):
                        entries = self._entries([image[each] for each in points])
                        fresh = entries[self.distance[entries] > depth + cost]
                        self.distance[fresh] = depth + cost
                        last = max(last, depth + cost) if len(fresh) else last
            depth += 1

    def _points(self, entries: Any) -> list[Any]:
        """Return where each base point is in the states with these numbers."""
        digits: list[Any] = []
        for carriers in reversed(self._levels.carriers):
            entries, digit = np.divmod(entries, len(carriers))
            digits.insert(0, digit)
        found = []
        for number, point in enumerate(self._levels.base):
            at: Any = point
            for k in range(number, -1, -1):
                carriers = self._levels.carriers[k]
                at = carriers.reshape(-1)[digits[k] * carriers.shape[1] + at]
            found.append(at)
        return found

    def _entries(self, points: Sequence[Any]) -> Any:
        """Return the numbers of the states in which the base points are at these points."""
        left = list(points)
        entries: Any = 0
        for k, carriers in enumerate(self._levels.carriers):
            digit = self._digit[k][left[k]]
            entries = entries * len(carriers) + digit
            row = digit * carriers.shape[1]
            for j in range(k + 1, len(left)):
                left[j] = self._back[k][row + left[j]]
        return entries

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        found = sum(
            histogram(self.distance[start : start + (1 << 24)])
            for start in range(0, self.values, 1 << 24)
        )
        return [count // len(self._levels.solved) for count in listed(found)]

    def farthest(self) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to one of the farthest states."""
        entry = np.array([int(np.argmax(self.distance == len(self.counts()) - 1))])
        found: list[Move] = []
        while (depth := int(self.distance[entry][0])) > 0:
            points = self._points(entry)
            for move, image, cost in zip(self.moves, self._images, self.costs, strict=True):
                near = self._entries([image[each] for each in points])
                if int(self.distance[near][0]) == depth - cost:
                    entry = near
                    found.append(move)
                    break
        return self.puzzle.undo(found)


class PackedGroupSpace:
    """The reachable states of a puzzle, and their distances from the solved state, modulo 3.

    States are numbered as in `GroupSpace`. Every move costs 1, and its inverse is a move.
    """

    def __init__(
        self, levels: StabiliserLevels, needs: ResolvedPhase, numbers: Sequence[int], memory: int
    ) -> None:
        self.puzzle = needs.puzzle
        self.values = levels.order
        self.moves = [needs.moves[number] for number in numbers]
        if self.values // 4 > memory:
            raise TooManyStates(self.values, memory, what="its moves generate {:,} permutations")
        digits = np.zeros((len(levels.base), len(next(iter(levels.images.values())))), np.uint16)
        for row, point, carriers in zip(digits, levels.base, levels.carriers, strict=True):
            row[carriers[:, point]] = np.arange(len(carriers))
        data = np.full(self.values // 4 + 1, 0xFF, np.uint8)
        for entry in levels.solved:
            data[entry // 4] ^= 3 << entry % 4 * 2  # the distance 0
        self._fill = GroupFill(
            np.array(levels.base, np.int32),
            np.array([len(each) for each in levels.carriers], np.int64),
            _flat(levels.carriers),
            _flat([np.argsort(each, axis=1) for each in levels.carriers]),
            digits.reshape(-1),
            _flat([levels.image(move.family, move.amount) for move in self.moves]),
            data,
        )
        alike = len(levels.solved)
        self._counts = [count // alike for count in self._counted(alike)]

    @staticmethod
    def suits(levels: StabiliserLevels, needs: ResolvedPhase, numbers: Sequence[int]) -> bool:
        """Whether all moves cost 1, each has its inverse, and the engine takes the chain."""
        moves = [needs.moves[number] for number in numbers]
        return (
            all(needs.costs[number] == 1 for number in numbers)
            and all(needs.puzzle.inverse(move) in moves for move in moves)
            and 0 < len(levels.base) <= MOST_BASE
        )

    def _counted(self, solved: int) -> list[int]:
        found = [solved]
        while (left := self.values - sum(found)) > 0:
            backward = left < found[-1]
            starts = range(0, self.values, _CALL)
            ends = (min(start + _CALL, self.values) for start in starts)
            depth = len(found) - 1
            fresh = sum(
                self._fill.spread(depth, start, end, backward)
                for start, end in zip(starts, ends, strict=True)
            )
            if not fresh:
                break
            found.append(fresh)
        return found

    def counts(self) -> list[int]:
        """Return the number of states at each distance."""
        return self._counts

    def farthest(self) -> tuple[Move, ...]:
        """Return moves that lead from the solved state to one of the farthest states."""
        entry = self._fill.last
        found: list[Move] = []
        for depth in range(len(self._counts) - 2, -1, -1):
            codes = zip(self.moves, self._fill.near(entry), strict=True)
            move, entry = next((move, near) for move, (near, code) in codes if code == depth % 3)
            found.append(move)
        return self.puzzle.undo(found)


def _flat(rows: Sequence[npt.NDArray[np.integer]]) -> npt.NDArray[np.uint16]:
    return np.concatenate([np.asarray(row, np.uint16).reshape(-1) for row in rows])
