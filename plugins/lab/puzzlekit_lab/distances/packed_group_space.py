"""States of a known group, in 2 bits each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from puzzlekit import Move
from puzzlekit.engine.group_fill import MOST_BASE, GroupFill
from puzzlekit.puzzle.groups import StabiliserLevels
from puzzlekit.search.resolved import ResolvedPhase
from puzzlekit_lab.distances.graph import TooManyStates

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_CHUNK = 1 << 20  # states of one call of the engine, so that Ctrl-C ends the count soon


class PackedGroupSpace:
    """The reachable states of a puzzle, and their distances from the solved state, modulo 3.

    States are numbered as in `GroupSpace`. Every move costs 1, and its inverse is a move.
    """

    def __init__(
        self, levels: StabiliserLevels, needs: ResolvedPhase, numbers: Sequence[int], memory: int
    ) -> None:
        import numpy as np

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
            starts = range(0, self.values, _CHUNK)
            ends = (min(start + _CHUNK, self.values) for start in starts)
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
    import numpy as np

    return np.concatenate([np.asarray(row, np.uint16).reshape(-1) for row in rows])
