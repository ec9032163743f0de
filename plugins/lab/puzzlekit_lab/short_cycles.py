"""All short sequences of moves that change only a few pieces, such as cycles of three corners.

A sequence x z changes few pieces if x and the inverse of z have nearly the same effect. So all
first halves x and all second halves z are made, and pairs with nearly the same effect are looked
up. Suppose that two effects differ at k places at most, and that all places are split into k + 2
blocks. Then the effects are equal on at least two of these blocks. So it is enough to compare
effects that are equal on two blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from puzzlekit import Move, Puzzle, UsageError
from puzzlekit.engine.automaton import canonical_sequences, redundancy_automaton
from puzzlekit.puzzle.move import Effect
from puzzlekit.search.budget import Budget
from puzzlekit.search.move_order import pairs_of

_MOST_HALVES = 700_000  # halves of sequences; each takes some hundred bytes
_SEED = 1  # of the numbers that mix effects to keys


class _Halfway(NamedTuple):
    """Sequences of one length, one row for each."""

    gather: Any
    add: Any
    #: The numbers of the moves.
    moves: Any
    #: The state of the automaton of canonical sequences after the moves.
    ends: Any


class ShortCycles:
    """Short sequences that change only a few pieces.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> cycles = ShortCycles(cube, cube.family_moves("RUF"), length=3, pieces=4)
    >>> len(cycles.words), [" ".join(names) for names in cycles.named()][9:11]
    (63, ["U R U'", 'U2 R U2'])
    """

    def __init__(
        self,
        puzzle: Puzzle,
        moves: Sequence[Move],
        length: int,
        pieces: int,
        budget: Budget | None = None,
    ) -> None:
        """Find the sequences of at most `length` moves that change 1 to `pieces` pieces.

        When the budget has no time left, the longer sequences are left out. Raises UsageError if
        there are too many sequences of half of this length.
        """
        self.puzzle = puzzle
        self.moves = tuple(moves)
        self.length = length
        self.pieces = pieces
        self._modulus = np.frombuffer(puzzle.modulus, np.uint8)
        self._labels, self._turns = _places(puzzle, moves)
        automaton = redundancy_automaton(pairs_of(puzzle, moves, [1] * len(moves)))
        self._next = np.full((len(automaton), len(moves)), -1, np.int64)
        for state, row in enumerate(automaton):
            for move, reached in row:
                self._next[state, move] = reached
        counts = canonical_sequences(automaton, (length + 1) // 2)
        if counts[-1] > _MOST_HALVES:
            fitting = 2 * sum(count <= _MOST_HALVES for count in counts[1:])
            raise UsageError(
                f"there are too many sequences of {length} moves: look for cycles of at most "
                f"{fitting} moves, or allow fewer moves"
            )
        levels = self._levels((length + 1) // 2)
        words: dict[tuple[int, ...], Any] = {}
        for total in range(1, length + 1):
            if budget is not None and budget.left <= 0:
                break
            for word, row in self._joined(levels[(total + 1) // 2], levels[total // 2]):
                words[word] = row
        #: The sequences, as numbers of moves, the shortest first.
        self.words: list[tuple[int, ...]] = list(words)
        #: The effect of each sequence at each place that moves change; see `row_of`.
        self.rows = np.array([*words.values()]).reshape(-1, len(self._labels))
        self._by_effect: dict[bytes, list[int]] = {}
        for number, effect in enumerate(self.rows):
            self._by_effect.setdefault(effect.tobytes(), []).append(number)

    def named(self) -> Iterator[list[str]]:
        """Yield the names of the moves of each sequence."""
        for word in self.words:
            yield [self.moves[number].name for number in word]

    def with_effect(self, row: Any) -> Sequence[int]:
        """Return the numbers of the sequences with an effect, given as a row."""
        return self._by_effect.get(row.tobytes(), ())

    def row_of(self, effect: Effect) -> Any:
        """Return an effect as a row of numbers, one for each place that moves change."""
        gather, add = _arrays(effect)
        return self._rows(gather[None], add[None])[0]

    def is_possible(self, effect: Effect) -> bool:
        """Whether an effect changes only places that the moves change."""
        row, _ = _arrays(effect)
        rest = np.setdiff1d(np.arange(len(row)), [*self._labels, *self._turns])
        return bool((row[rest] == rest).all())

    def _levels(self, longest: int) -> list[_Halfway]:
        """Return all canonical sequences of each length from 0 to `longest`."""
        n = len(self._modulus)
        one = np.zeros((1, n), np.uint8)
        whole = np.arange(n, dtype=np.uint16)[None]
        levels = [_Halfway(whole, one, np.zeros((1, 0), np.uint8), np.zeros(1, np.int64))]
        for _ in range(longest):
            before = levels[-1]
            found = []
            for number, move in enumerate(self.moves):
                ends = self._next[before.ends, number]
                kept = np.flatnonzero(ends >= 0)
                gather, add = _arrays(move.effect)
                turned = before.add[kept][:, gather] + add
                named = np.full((len(kept), 1), number, np.uint8)
                found.append(
                    _Halfway(
                        before.gather[kept][:, gather],
                        self._wrapped(turned),
                        np.concatenate([before.moves[kept], named], 1),
                        ends[kept],
                    )
                )
            levels.append(_Halfway(*map(np.concatenate, zip(*found, strict=True))))
        return levels

    def _wrapped(self, turns: Any) -> Any:
        return np.where(self._modulus, turns % np.maximum(self._modulus, 1), 0).astype(np.uint8)

    def _inverse(self, halves: _Halfway) -> _Halfway:
        back = np.argsort(halves.gather, 1).astype(np.uint16)
        turned = np.take_along_axis(halves.add, back.astype(np.int64), 1)
        undone = self._wrapped(self._modulus.astype(np.int64) - turned)
        return halves._replace(gather=back, add=undone)

    def _rows(self, gather: Any, add: Any) -> Any:
        turned = np.where(self._turns >= 0, add[:, self._turns], 0).astype(np.uint32)
        return gather[:, self._labels] | (turned << 16)

    def _joined(self, first: _Halfway, second: _Halfway) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Yield each sequence of a first and a second half that changes few pieces."""
        undone = self._inverse(second)
        left = self._rows(first.gather, first.add)
        right = self._rows(undone.gather, undone.add)
        one, other = self._pairs(left, right)
        state = first.ends[one]
        for column in range(second.moves.shape[1]):  # only canonical sequences
            state = np.where(state < 0, -1, self._next[state, second.moves[other, column]])
        one, other = one[state >= 0], other[state >= 0]
        moves = np.concatenate([first.moves[one], second.moves[other]], 1)
        after = second.gather[other].astype(np.int64)
        gather = np.take_along_axis(first.gather[one], after, 1)
        turned = np.take_along_axis(first.add[one], after, 1) + second.add[other]
        rows = self._rows(gather, self._wrapped(turned))
        yield from zip(map(tuple, moves.tolist()), rows, strict=True)

    def _pairs(self, left: Any, right: Any) -> tuple[Any, Any]:
        """Return the numbers of all rows that differ at 1 to `pieces` places."""
        places = left.shape[1]
        count = min(self.pieces + 2, places)
        blocks = [range(start, places, count) for start in range(count)]
        mixed = np.random.default_rng(_SEED).integers(1, 2**63, places, dtype=np.uint64)
        keys = [
            (_key(left[:, block], mixed[block]), _key(right[:, block], mixed[block]))
            for block in blocks
        ]
        if places <= self.pieces + 2:  # compare every pair
            keys = [(0 * own, 0 * others) for own, others in keys[:2]]
        found = []
        for (own, others), (further, more) in combinations(keys, 2):
            own, others = own + further, others + more
            order = np.argsort(others, kind="stable")
            sorted_keys = others[order]
            begin = np.searchsorted(sorted_keys, own, "left")
            size = np.searchsorted(sorted_keys, own, "right") - begin
            one = np.repeat(np.arange(len(own)), size)
            within = np.arange(len(one)) - np.repeat(np.cumsum(size) - size, size)
            other = order[np.repeat(begin, size) + within]
            differing = (left[one] != right[other]).sum(1)
            kept = (differing >= 1) & (differing <= self.pieces)
            found.append(one[kept] * len(right) + other[kept])
        pairs = np.unique(np.concatenate(found))
        return pairs // len(right), pairs % len(right)


def _arrays(effect: Effect) -> tuple[Any, Any]:
    """Return the lists of an effect as arrays."""
    return np.array([*effect[0]], np.uint16), np.frombuffer(effect[1], np.uint8)


def _key(rows: Any, mixed: Any) -> Any:
    """Return a number for each row. Equal rows have equal numbers."""
    total = np.zeros(len(rows), np.uint64)
    for column, factor in enumerate(mixed):
        total += rows[:, column].astype(np.uint64) * factor
    return total


def _places(puzzle: Puzzle, moves: Sequence[Move]) -> tuple[Any, Any]:
    """Return the bytes of the labels that moves change, and those of their orientations.

    The byte of an orientation is -1 if the piece has none.
    """
    labels, turns = [], []
    for orbit in puzzle.orbits:
        start = puzzle.offsets[orbit.name]
        turned = orbit.orientations > 1
        for label in range(start, start + orbit.size):
            turn = label + orbit.size if turned else -1
            if any(move.gather[label] != label or (turned and move.add[turn]) for move in moves):
                labels.append(label)
                turns.append(turn)
    return np.array(labels), np.array(turns)
