"""A beam search from one board of sliding tiles to another one, without tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlekit_fifteen.heuristics import conflicts_of, tables_to

__all__ = ["Boards", "Found"]

_MORE = 2  # so many times as many boards as the beam is wide are made, before equal ones go
_CONFLICT = 4  # in a rating, for each move that linear conflicts add to a lower bound
_LONGEST = 20  # moves of a beam for each place of the board

Numbers = NDArray[np.int64]


class Found(NamedTuple):
    """The moves that a beam found, if any; `whole` if it left out no board for its width."""

    moves: list[int] | None
    whole: bool


class Layer(NamedTuple):
    """The boards of a beam after some moves, with the parent and the last move of each.

    `lines` has a number for each row, and after them for each column: where its own tiles are in
    it. `left` has lower bounds on the moves that are left, and `ratings` are smaller for better
    boards.
    """

    tiles: NDArray[np.uint8]
    blanks: Numbers
    lines: Numbers
    left: Numbers
    ratings: Numbers
    hashes: NDArray[np.uint64]
    parents: Numbers
    moves: Numbers


class Boards:
    """The boards of some rows and columns.

    - `there`: for each place of the blank the places to which the moves carry it; -1 off the board.
    - `blank`: the label of the blank.
    """

    def __init__(self, columns: int, there: Sequence[Sequence[int]], blank: int) -> None:
        self.size, self.blank = len(there), blank
        self.generated = self.expanded = 0
        self._shape = rows, columns = self.size // columns, columns
        line = np.divmod(np.arange(self.size), columns)
        self._line = line[0], rows + line[1]
        self._there = np.array(there)
        #: The move that undoes each move, or -1; and -1 for the last move, before the first one.
        self.undone = [*(self._inverse(move) for move in range(len(there[0]))), -1]
        rng = np.random.default_rng(1)
        self._random = rng.integers(1 << 63, size=(self.size, self.size), dtype=np.uint64)

    def _inverse(self, move: int) -> int:
        (places,) = np.nonzero(self._there[:, move] >= 0)
        back = self._there[self._there[places, move]] == places[:, None]
        return next((number for number, each in enumerate(back.T) if each.all()), -1)

    def beam(
        self, start: bytes, goal: bytes, width: int, most: int, stop: Callable[[], bool]
    ) -> Found:
        """Search for at most `most` moves, and keep the `width` best boards after each move.

        One tile far away is worse than several that are near, so ratings add squares of distances:
        on the 24-puzzle, answers are 7 % shorter than with Manhattan distances.
        """
        self._aim(goal)
        left = longest = min(most, _LONGEST * self.size)
        before, layer, whole = None, self._first(start), True
        path: list[tuple[Any, Any]] = []
        while not stop():
            there = np.flatnonzero(layer.left == 0)
            if len(there):
                return Found(_moves(path, int(there[0])), whole)
            if left == 0 or not len(layer.left):
                return Found(None, whole and longest == most)
            left -= 1
            after, cut = self._after(layer, before, width, left)
            path.append((after.parents.astype(np.int32), after.moves.astype(np.uint8)))
            before, layer, whole = layer, after, whole and not cut
        return Found(None, False)

    def bound(self, start: bytes, goal: bytes) -> int:
        """Return a lower bound on the moves from one board to another one."""
        self._aim(goal)
        return int(self._first(start).left[0])

    def walk(self, start: bytes, moves: Sequence[int]) -> list[bytes]:
        """Return the boards on the way of some moves: one more than there are moves."""
        board, blank, found = bytearray(start), start.index(self.blank), [start]
        for move in moves:
            there = int(self._there[blank, move])
            board[blank], board[there] = board[there], board[blank]
            blank = there
            found.append(bytes(board))
        return found

    def _aim(self, goal: bytes) -> None:
        self._away, *self._digits = tables_to(goal, self._shape[1], self.blank)
        self._rating = self._away * (self._away + 2)

    def _first(self, start: bytes) -> Layer:
        tiles, places = np.frombuffer(start, np.uint8), np.arange(self.size)
        lines = np.zeros((1, sum(self._shape)), np.int64)
        for digits, line in zip(self._digits, self._line, strict=True):
            np.add.at(lines[0], line, digits[tiles, places])
        conflicts = self._conflicts(lines)
        left = self._away[tiles, places].sum() + conflicts
        ratings = self._rating[tiles, places].sum() + _CONFLICT * conflicts
        hashes = np.bitwise_xor.reduce(self._random[tiles, places])[None]
        none = np.array([-1])
        blanks = np.array([start.index(self.blank)])
        return Layer(tiles[None], blanks, lines, left, ratings, hashes, none, none)

    def _conflicts(self, lines: Numbers) -> Any:
        rows, columns = self._shape
        found = conflicts_of(columns)[lines[:, :rows]].sum(axis=1)
        return found + conflicts_of(rows)[lines[:, rows:]].sum(axis=1)

    def _after(
        self, layer: Layer, before: Layer | None, width: int, most: int
    ) -> tuple[Layer, bool]:
        """Return the boards one move further, and whether there are more than `width`.

        - `before`: boards to leave out.
        - `most`: the largest number of moves that may be left.
        """
        there = self._there[layer.blanks]
        undone = np.array(self.undone)[layer.moves]
        parents, moves = np.nonzero((there >= 0) & (np.arange(there.shape[1]) != undone[:, None]))
        self.expanded += len(there)
        self.generated += len(parents)
        to, at = layer.blanks[parents], there[parents, moves]
        tiles = layer.tiles[parents, at]
        lines, each = layer.lines[parents], np.arange(len(parents))
        conflicts = -self._conflicts(layer.lines)[parents]
        for digits, line in zip(self._digits, self._line, strict=True):
            lines[each, line[at]] -= digits[tiles, at]
            lines[each, line[to]] += digits[tiles, to]
        conflicts += self._conflicts(lines)
        left = layer.left[parents] + conflicts
        left += self._away[tiles, to] - self._away[tiles, at]
        ratings = layer.ratings[parents] + _CONFLICT * conflicts
        ratings += self._rating[tiles, to] - self._rating[tiles, at]
        hashes = layer.hashes[parents] ^ self._random[tiles, at] ^ self._random[tiles, to]
        hashes ^= self._random[self.blank, at] ^ self._random[self.blank, to]
        chosen = np.flatnonzero(left <= most)
        wanted = _MORE * width
        cut = len(chosen) > wanted
        if cut:
            chosen = chosen[np.argpartition(ratings[chosen], wanted - 1)[:wanted]]
        chosen = chosen[np.argsort(ratings[chosen], kind="stable")]
        boards, each = layer.tiles[parents[chosen]], np.arange(len(chosen))
        boards[each, to[chosen]], boards[each, at[chosen]] = tiles[chosen], self.blank
        kept = _distinct(boards, hashes[chosen], before)
        cut = cut or len(kept) > width
        kept = kept[:width]
        chosen = chosen[kept]
        return (
            Layer(
                boards[kept],
                at[chosen],
                lines[chosen],
                left[chosen],
                ratings[chosen],
                hashes[chosen],
                parents[chosen],
                moves[chosen],
            ),
            cut,
        )


def _distinct(boards: Any, hashes: Any, before: Layer | None) -> Any:
    """Return the numbers of some boards in order, without those that are there twice or before.

    Boards with the same hash are compared, so that none is left out for its hash.
    """
    order = hashes.argsort(kind="stable")
    one, other = order[1:], order[:-1]
    again = np.flatnonzero(hashes[one] == hashes[other])
    equal = (boards[one[again]] == boards[other[again]]).all(axis=1)
    kept = np.ones(len(boards), dtype=bool)
    kept[one[again[equal]]] = False
    if before is not None and len(before.hashes):
        order = before.hashes.argsort()
        sorted_ = before.hashes[order]
        near = order[np.minimum(np.searchsorted(sorted_, hashes), len(order) - 1)]
        again = np.flatnonzero(before.hashes[near] == hashes)
        kept[again[(boards[again] == before.tiles[near[again]]).all(axis=1)]] = False
    return np.flatnonzero(kept)


def _moves(path: Sequence[tuple[Any, Any]], at: int) -> list[int]:
    """Return the moves to a board of the last layer, from the parents and moves of all layers."""
    found = []
    for parents, moves in reversed(path):
        found.append(int(moves[at]))
        at = int(parents[at])
    return found[::-1]
