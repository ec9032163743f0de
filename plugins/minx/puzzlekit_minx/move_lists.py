"""The moves of the first phase of a Kilominx that lead to its goal, and its last moves."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import comb
from typing import Any

from puzzlekit import TableStore
from puzzlekit.tables.table import TableSpec

#: A move: its face, whether it turns within a half, and triples (place, place from which the corner
#: comes, twist).
Turn = tuple[int, int, list[tuple[int, int, int]]]

_HALF = 10
_PLACES = 1 << 20  # after so many sets, a number has the sum of twists
_NONE = 99  # no face: before the first move
_FAR = 56  # a row has the distance from this bit on
_GOAL = (1 << _HALF) - 1  # the places of the first half


class MoveLists:
    """Which moves to try in the first phase, and all sequences of its three last moves.

    Sets of moves have a bit for each move.

    - `follow`, `ending`: for each face that was turned before, the moves that may follow, and those
      of them that may be the last one. The last move does not turn a half by itself. It commutes
      with no such move before it, since that one can be done in the second phase.
    - `first`, `index`: numbers for sets of ten places. The number of a set is the entry of `first`
      for its places 0 to 9 plus the entry of `index` for its places 10 to 19.
    - `rows`: for each set of places, and each sum of twists, two sets of moves: those that lead
      nearer to the goal, and those that keep the distance. The first one also has the distance.
    - `endings`: for each set and sum the number of its first sequence of last moves.
    - `words`: the moves of these sequences.
    - `source`, `placed`: for each place after a sequence the place from which its corner comes; and
      180 times the place, plus 60 times the twist.
    """

    def __init__(
        self,
        moves: Sequence[Turn],
        refused: Sequence[Sequence[int]],
        masks: Sequence[array[int]],
        split: bytes,
        store: TableStore,
        puzzle: str,
    ) -> None:
        import numpy as np

        self._moves = moves
        self.follow, self.ending = _followers(moves, refused)
        counts = np.array([bits.bit_count() for bits in range(1 << _HALF)])
        index = np.zeros(1 << _HALF, dtype=np.int32)
        for count in range(_HALF + 1):
            own = np.flatnonzero(counts == count)
            index[own] = np.arange(len(own))
        sizes = np.array([comb(_HALF, count) for count in range(_HALF + 1)])
        starts = np.cumsum([0, *(sizes * sizes[::-1])])
        first = starts[counts] + index * sizes[_HALF - counts]
        self._numbers = first, index
        self.first = array("i", first.astype(np.int32).tobytes())
        self.index = array("i", index.tobytes())
        self._after = [np.array(part).reshape(len(moves), -1) for part in masks]
        key = TableSpec(
            puzzle,
            "moves towards halves",
            f"moves towards halves 1; {moves}; {refused}",
            "u4",
            (2 * 2 * 3 * comb(2 * _HALF, _HALF),),
            "Has the moves that lead nearer to the goal, and those that keep the distance.",
        )
        distances = np.frombuffer(split, dtype=np.uint8).reshape(-1, 3)
        data = store.get(key, lambda: self._rows(distances).view(np.uint32)).data
        self.rows = array("q", data.tobytes())
        self._end()

    def _number(self, mask: Any, twist: Any) -> Any:
        """Return the numbers of sets of places with sums of twists."""
        first, index = self._numbers
        return 3 * (first[mask & _GOAL] + index[mask >> _HALF]) + twist

    def _moved(self, mask: Any, twist: Any, move: Any) -> tuple[Any, Any]:
        """Return sets of places and sums of twists after a move."""
        low, high = self._after
        value = low[move, mask & _GOAL] + high[move, mask >> _HALF]
        return value % _PLACES, (twist + value // _PLACES) % 3

    def _rows(self, distance: Any) -> Any:
        import numpy as np

        (sets,) = np.nonzero(distance[:, 0] < 255)
        rows = np.zeros((3 * len(sets), 2), dtype=np.int64)
        for twist in range(3):
            here = distance[sets, twist].astype(np.int64)
            nearer, same = here << _FAR, np.zeros(len(sets), dtype=np.int64)
            for move in range(len(self._moves)):
                there = distance[self._moved(sets, twist, move)]
                nearer |= (there < here).astype(np.int64) << move
                same |= (there == here).astype(np.int64) << move
            rows[self._number(sets, twist)] = np.stack([nearer, same], axis=1)
        return rows.ravel()

    def _end(self) -> None:
        """List the last moves, backwards from the goal."""
        import numpy as np

        count = len(self._moves)
        source = np.tile(np.arange(2 * _HALF), (count, 1))
        twist = np.zeros_like(source)
        for move, (_, _, triples) in enumerate(self._moves):
            for place, other, turn in triples:
                source[move, place], twist[move, place] = other, turn
        back = np.argsort(source, axis=1)
        turned = -np.take_along_axis(twist, back, axis=1) % 3
        undo = [
            next(
                n
                for n in range(count)
                if (source[n] == back[move]).all() and (twist[n] == turned[move]).all()
            )
            for move in range(count)
        ]
        face = [each[0] for each in self._moves]
        may = {
            name: np.array(
                [[row[face[one]] >> move & 1 for move in range(count)] for one in range(count)]
            )
            for name, row in (("follow", self.follow), ("ending", self.ending))
        }
        triple = may["follow"][:, :, None] & may["ending"][None]
        words = np.argwhere(triple)
        mask, twists = np.full(len(words), _GOAL), np.zeros(len(words), dtype=np.int64)
        for moves in words.T[::-1]:
            mask, twists = self._moved(mask, twists, np.array(undo)[moves])
        at = self._number(mask, twists)
        order = np.argsort(at, kind="stable")
        words = words[order]
        counts = np.bincount(at, minlength=len(self.rows) // 2)
        self.endings = array("i", np.cumsum([0, *counts]).astype(np.int32).tobytes())
        self.words = bytearray(words.astype(np.uint8).tobytes())
        places = np.tile(np.arange(2 * _HALF), (len(words), 1))
        turns = np.zeros_like(places)
        for moves in words.T:
            own = source[moves]
            turns = (np.take_along_axis(turns, own, axis=1) + twist[moves]) % 3
            places = np.take_along_axis(places, own, axis=1)
        self.source = bytearray(places.astype(np.uint8).tobytes())
        placed = (180 * np.arange(2 * _HALF) + 60 * turns).astype(np.uint16)
        self.placed = array("H", placed.tobytes())


def _followers(
    moves: Sequence[Turn], refused: Sequence[Sequence[int]]
) -> tuple[array[int], array[int]]:
    inside = {face for face, one_half, _ in moves if one_half}
    follow, ending = array("q"), array("q")
    for before in range(_NONE + 1):
        every = own = 0
        for move, (face, one_half, _) in enumerate(moves):
            if before < len(refused) and face in refused[before]:
                continue
            every |= 1 << move
            if not one_half and not (before in inside and before in refused[face]):
                own |= 1 << move
        follow.append(every)
        ending.append(own)
    return follow, ending
