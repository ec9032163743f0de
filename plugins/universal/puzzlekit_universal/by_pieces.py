"""Solve one kind of pieces after the other, by words that permute three pieces.

The first moves solve many pieces of the first kind. Then a word is inserted anywhere in the answer
so far, where most of its moves join others. It may change pieces of the kinds that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from random import Random
from typing import Any

import attrs
import numpy as np

from puzzlekit_universal.engine.approach import Approach
from puzzlekit_universal.engine.piece_beam import PieceBeam, PieceWords
from puzzlekit_universal.few_states import FewStates
from puzzlekit_universal.piece_cycles import FAR, STATES, Kind
from puzzlekit_universal.places import Places

__all__ = ["PieceSearch"]

_WIDTH = 10  # of the beams for all kinds but the last
_LAST_WIDTH = 50  # of the beam for the last kind
_GROWTH, _WIDEST = 1.15, 4.0  # of these widths in each round, and at most
_KEPT = 300  # words that solve a kind and promise most, from which the next beam begins
_TRIES = 4  # searches without any answer, at most
_DETOURS = 3  # words of an answer that solve nothing, for a kind
_STARTS = 100  # first words of a search, at most
_LONGEST_START = 8  # moves of a random first word, at most
_APPROACH = 200_000  # places in all words of a level of the beam for first words
_PLACES = 5  # places that a move changes, as insertions: both take about as long
_LEVELS = 20  # moves of the longest of these words
_BEAM, _SHARE = 4_000_000, 4  # insertions of a beam, and the share of those before it, at most
_LEAST_WIDTH = 2  # of a beam that takes longer
_BUDGET = 200_000  # insertions that are compared before the time is tested


@attrs.frozen(eq=False)
class _Sums:
    """The product of the poses of all pieces, as far as no word of a kind changes it."""

    #: For each pose the least one that differs from it by what words of the kind can change.
    least: Any
    #: The product of two of these, and that of all pieces after each move.
    product: Any
    moves: Sequence[int]

    @classmethod
    def of(cls, kind: Kind) -> _Sums | None:
        """Return the products of a kind; None if its words can change them in any way."""
        k, product = kind.poses, kind.product
        one, other = np.indices((k, k)).reshape(2, -1)
        swapped = product[kind.inverse[product[other, one]], product[one, other]]
        # In a product of twists, the order of the pieces does not matter.
        own = np.flatnonzero(kind.cost[kind.twists :] < FAR) % (k * k)
        free = {0, *swapped.tolist(), *product[own // k, own % k].tolist()}
        while len(more := {int(product[a, b]) for a in free for b in free} - free):
            free |= more
        least = product[:, sorted(free)].min(axis=1)
        if not least.any():
            return None
        found = cls(least, product, [])
        return cls(least, product, [found._of(row) for row in kind.turn.tolist()])

    def _of(self, poses: Iterable[int]) -> int:
        total = 0
        for pose in poses:
            total = int(self.least[self.product[total, pose]])
        return total

    def after(self, state: bytes, word: bytes) -> int:
        """Return the product after a word; 0 if words of the kind may solve all pieces."""
        return self._of([*state[len(state) // 2 :], *map(self.moves.__getitem__, word)])


class PieceSearch:
    """Searches for answers of one puzzle with the words of its kinds of pieces.

    `work` is the number of insertions that were compared. A copy counts its own, and shares the
    words: each search of a solver takes one.
    """

    def __init__(self, places: Places, kinds: Sequence[Kind]) -> None:
        self.work = 0
        self._places = places
        self._kinds = kinds
        # A price takes milliseconds, and is asked for with each word.
        self._prices = list(map(_price, kinds))
        # The places of the stickers of each kind.
        ends = np.cumsum(places.modulus)
        self._parts = [
            list(dict.fromkeys(np.searchsorted(ends, np.ravel(kind.homes), "right").tolist()))
            for kind in kinds
        ]
        self._sums = list(map(_Sums.of, kinds))
        labels = [kind.labels(places) for kind in kinds]
        self.words = list(map(_engine, kinds, self._prices, labels))
        # The number of kinds without words, and the table that solves them.
        self._first = next((n for n, kind in enumerate(kinds) if kind.has_words), len(kinds))
        self._few = FewStates(kinds[: self._first], labels[: self._first])
        if self._first:
            self._few.fill(STATES)

    def seen(self, state: bytes) -> list[bytes] | None:
        """Return the pieces and then the poses of each kind in a state.

        A sticker is at the place where its label is. Pieces that are alike get different names, and
        those at home keep theirs. The result is None if no moves reach the state: a piece is in
        parts or in an impossible pose, or at a place of another kind, or a sticker that no move
        changes is away from home.
        """
        places = self._places
        labels, turns = places.seen(state)
        home = list(range(len(labels)))
        still = {*home}.difference(*self._parts)
        if any(labels[place] != places.wanted[place] or turns[place] for place in still):
            return None
        for part in self._parts:
            free: dict[int, list[int]] = {}  # homes of pieces by label
            for place in part:
                if labels[place] != places.wanted[place]:
                    free.setdefault(places.wanted[place], []).append(place)
            for place in part:
                if labels[place] != places.wanted[place]:
                    if not free.get(labels[place]):
                        return None
                    home[place] = free[labels[place]].pop()
        first = np.cumsum([0, *places.modulus]).tolist()
        # The home of the sticker at each sticker of the state.
        origin = {}
        for place, (own, turn) in enumerate(zip(home, turns, strict=True)):
            width = places.modulus[place]
            for i in range(width):
                origin[first[place] + (i + turn) % width] = first[own] + i
        found = []
        for kind in self._kinds:
            owner = {sticker: n for n, stickers in enumerate(kind.homes) for sticker in stickers}
            by = []
            try:
                at = [owner[origin[stickers[0]]] for stickers in kind.homes]
                for piece, stickers in zip(at, kind.homes, strict=True):
                    there = {origin[sticker]: i for i, sticker in enumerate(stickers)}
                    by.append(kind.pose[tuple(there[sticker] for sticker in kind.homes[piece])])
            except KeyError:
                return None
            found.append(bytes([*at, *by]))
        return found

    def answers(self, shown: bytes, over: Callable[[], bool]) -> Iterator[bytes]:
        """Yield ever cheaper answers of a state until time is over; none if it is impossible."""
        state = self.seen(shown)
        if state is None:
            return
        rng, best = Random(1), inf
        moves = range(len(self._places.costs))
        firsts = [b"", *(bytes([move]) for move in moves)]
        starts, length = list[bytes](), 2
        while not starts and length <= _LONGEST_START:
            firsts += [bytes(rng.choices(moves, k=length)) for _ in range(_STARTS)]
            starts, length = self._even(state, firsts, rng)[:_STARTS], length + 1
        for tried, words in enumerate(self._rounds(shown, state, starts, rng, over), 1):
            if words and self._cost(words[0]) < best:
                best = self._cost(words[0])
                yield words[0]
            if over() or not starts or not best or (tried >= _TRIES and best == inf):
                return

    def _rounds(
        self,
        shown: bytes,
        state: Sequence[bytes],
        starts: list[bytes],
        rng: Random,
        over: Callable[[], bool],
    ) -> Iterator[list[bytes]]:
        """Yield lists of answers, each with the best one first: from starts, then from other words.

        The words that solve all kinds but the last are gathered until the beam for the last kind
        has compared no more insertions than all other beams. If beams take long, they are narrow:
        answers gain more from many first words.
        """
        last, moves = len(self._kinds) - 1, range(len(self._places.costs))
        words, narrow = starts, list[int]()  # the work of beams of one word
        for number in range(self._first, last + 1):
            began = self.work
            words = self.solved(number, state, words, 1, 0, over)
            narrow.append(1 + self.work - began)
        yield words

        def solved(number: int, words: list[bytes], width: int, more: int) -> list[bytes]:
            fits = (_BEAM + self.work // _SHARE) // narrow[number - self._first]
            width = max(_LEAST_WIDTH, min(round(growth * width), fits))
            return self.solved(number, state, words, width, more, over)

        spent, first, gathered, growth = 0, b"", dict[bytes, float](), 1.0
        while True:
            began = self.work
            words = self._approached(shown, state, first, rng, over)
            for number in range(self._first, last):
                words = solved(number, words, _WIDTH, _KEPT)[:_KEPT]
            gathered |= {word: self._promise([last], state, word) for word in words}
            spent += self.work - began
            first = bytes(rng.choices(moves, k=rng.randint(1, 2)))
            growth = min(_WIDEST, _GROWTH * growth)
            if over() or spent >= 0:
                began = self.work
                words = sorted(gathered, key=gathered.__getitem__)[:_KEPT]
                yield solved(last, words, _LAST_WIDTH, 0)
                spent -= self.work - began
                gathered = {word: gathered[word] for word in words}

    def _approached(
        self,
        shown: bytes,
        state: Sequence[bytes],
        first: bytes,
        rng: Random,
        over: Callable[[], bool],
    ) -> list[bytes]:
        """Return even words that begin with some moves and solve many pieces of the first kind.

        Those that begin with no given moves solve many pieces of all kinds: the state may be near
        the solved one.
        """
        places = self._places
        kinds = self._kinds[: self._first + 1] if first else self._kinds
        begin = np.cumsum([0, *places.modulus])[:-1].tolist()
        stickers = {sticker for kind in kinds for home in kind.homes for sticker in home}
        wanted = [
            label if sticker in stickers else -1
            for label, sticker in zip(places.wanted, begin, strict=True)
        ]
        moved = places.puzzle.apply(shown, places.named(first))
        width = max(1, _APPROACH // len(wanted))
        beam = Approach(places.engine, *places.seen(moved), wanted, width, _LEVELS)
        found = {first: None}
        while not over() and beam.deepen():
            found |= dict.fromkeys(first + word for word in beam.best(_STARTS))
            self.work += _PLACES * width * len(places.costs)
        words = list(dict.fromkeys(map(places.engine.shortened, found)))
        words = self._even(state, words, rng)
        numbers = range(len(kinds))
        return sorted(words, key=lambda word: self._promise(numbers, state, word))[:_STARTS]

    def _even(self, state: Sequence[bytes], words: Sequence[bytes], rng: Random) -> list[bytes]:
        """Return the words after which insertions can solve the pieces of each kind.

        The pieces must be permuted evenly, and their poses together must be nothing. Kinds without
        words are solved by more moves.
        """
        if self._first:
            words = list(map(self._places.engine.shortened, self._few.solved(state, words, rng)))
        pairs = list(zip(self.words, state, strict=True))
        words = [word for word in words if not any(own.weight(at, word) % 2 for own, at in pairs)]
        for sums, own in zip(self._sums, state, strict=True):
            if sums is not None:
                words = [word for word in words if not sums.after(own, word)]
        return words

    def _cost(self, word: bytes) -> int:
        return sum(map(self._places.costs.__getitem__, word))

    def _promise(self, numbers: Iterable[int], state: Sequence[bytes], word: bytes) -> float:
        """Return about what an answer costs that begins with a word and solves some kinds."""
        weights = ((self.words[n].weight(state[n], word), self._prices[n]) for n in numbers)
        return self._cost(word) + sum(price / 2 * weight for weight, price in weights)

    def solved(
        self,
        number: int,
        state: Sequence[bytes],
        words: Sequence[bytes],
        width: int,
        more: int,
        over: Callable[[], bool],
    ) -> list[bytes]:
        """Return words that begin with some words and solve one more kind, the best ones first."""
        later = list(zip(self.words, state, strict=True))[number + 1 :]
        beam = PieceBeam(
            self._places.engine,
            self.words[number],
            state[number],
            later,
            list(words),
            width,
            _DETOURS,
            more,
        )
        done, ended = 0, 0
        while words and not ended and not over():
            ended = beam.run(_BUDGET)
            self.work += beam.work - done
            done = beam.work
        return beam.answers


def _price(kind: Kind) -> float:
    """Return the expected cost for each two units of weight: less than half of a cheap word."""
    return float(np.quantile(kind.cost[: kind.twists], 0.2)) / 2.5


def _engine(kind: Kind, price: float, labels: Sequence[int]) -> PieceWords:
    """Return the pieces and words of a kind for the engine. `labels` has those of its pieces."""

    def packed(array: object) -> bytes:
        return np.ascontiguousarray(array, np.uint8).tobytes()

    return PieceWords(
        kind.size,
        kind.poses,
        kind.twists,
        packed(kind.to),
        packed(kind.turn),
        packed(kind.product),
        packed(kind.inverse),
        kind.first_keys.ravel().tolist(),
        packed(kind.cost),
        FAR,
        memoryview(kind.table.reshape(-1)),
        kind.table.shape[1],
        round(100 * price),
        bytes(map(labels.index, labels)),
    )
