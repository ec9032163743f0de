"""Solve pieces that turn in any way: one kind after the other, by words that permute three pieces.

The first moves solve many pieces of the first kind. Then a word is inserted anywhere in the answer
so far, where most of its moves join others. It may change pieces of the kinds that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import inf
from random import Random
from typing import Any, NamedTuple

import numpy as np

from puzzlekit_universal.engine.approach import Approach
from puzzlekit_universal.piece_cycles import FAR, Kind
from puzzlekit_universal.places import Places, products_of

__all__ = ["PieceSearch"]

_WIDTHS = (1, 4, 10, 30)  # of the beam, one search after the other
_WIDTH = 10  # of all further searches, whose words begin with random moves
_EXPANDED = 100  # insertions that follow a node, at most
_POSITIONS = 2  # of them for each cycle
_DETOURS = 3  # words that solve nothing, for a kind
_FEW = 6  # unsolved pieces of which every one joins a cycle
_STARTS = 100  # first words of a search, at most
_APPROACH = 200_000  # places in all words of a level of the beam for first words
_LEVELS = 20  # moves of the longest of these words


class _Change(NamedTuple):
    """A 3-cycle a -> b -> c -> a that turns by t at b and by u at c; a twist if c is -1."""

    a: int
    b: int
    c: int
    t: int
    u: int


class _Node(NamedTuple):
    score: float
    word: bytes
    at: Any
    by: Any


class PieceSearch:
    """Searches for answers of one puzzle with the words of its kinds of pieces.

    `work` is the number of insertions that were compared.
    """

    def __init__(self, places: Places, kinds: Sequence[Kind]) -> None:
        self.work = 0
        self._places = places
        self._kinds = kinds
        self._costs = np.array(places.costs)
        joined, _ = products_of(places.images, places.costs)
        self._saved = np.select([np.array(joined) == -2, np.array(joined) >= 0], [2, 1])
        self._saved = self._saved.reshape(len(places.costs), -1)
        # The expected cost for each unit of `_weight`: half of a cheap word.
        self._prices = [float(np.quantile(kind.cost[: kind.twists], 0.2)) / 2.5 for kind in kinds]

    def seen(self, state: bytes) -> list[tuple[Any, Any]] | None:
        """Return the pieces and poses of each kind in a state.

        A sticker is at the place where its label is; each sticker of the puzzle has another one.
        The result is None if no moves reach the state: a piece is in parts or in an impossible
        pose, or a sticker that no move changes is away from home.
        """
        places = self._places
        labels, turns = places.seen(state)
        home = {label: place for place, label in enumerate(places.wanted)}
        first = np.cumsum([0, *places.modulus]).tolist()
        # The home of the sticker at each sticker of the state.
        origin = {}
        for place, (label, turn) in enumerate(zip(labels, turns, strict=True)):
            width = places.modulus[place]
            for i in range(width):
                origin[first[place] + (i + turn) % width] = first[home[label]] + i
        found = []
        moved = {sticker for kind in self._kinds for home in kind.homes for sticker in home}
        if any(home != sticker for sticker, home in origin.items() if sticker not in moved):
            return None
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
            found.append((np.array(at), np.array(by)))
        return found

    def answers(self, shown: bytes, over: Callable[[], bool]) -> Iterator[bytes]:
        """Yield ever cheaper answers of a state until time is over; none if it is impossible."""
        state = self.seen(shown)
        if state is None:
            return
        rng, best = Random(1), inf
        moves = range(len(self._costs))
        firsts = [b"", *(bytes([move]) for move in moves)]
        firsts += [bytes(rng.choices(moves, k=2)) for _ in range(_STARTS)]
        starts = self._even(state, firsts)[:_STARTS]
        rounds = chain([(_WIDTHS[0], starts)], self._rounds(shown, state, rng, over))
        for tried, (width, words) in enumerate(rounds, 1):
            for number, kind in enumerate(self._kinds):
                words = self._solved(number, kind, state, words, width, over) if words else []
                words = words[:width]
            if words and self._cost(words[0]) < best:
                best = self._cost(words[0])
                yield words[0]
            if over() or not starts or not best or (tried >= len(_WIDTHS) and best == inf):
                return

    def _rounds(
        self,
        shown: bytes,
        state: Sequence[tuple[Any, Any]],
        rng: Random,
        over: Callable[[], bool],
    ) -> Iterator[tuple[int, list[bytes]]]:
        """Yield for each search the width of its beam and its first words."""
        moves = range(len(self._costs))
        starts = self._approached(shown, state, b"", over)
        for width in _WIDTHS[1:]:
            yield width, starts
        while True:
            first = bytes(rng.choices(moves, k=rng.randint(1, 2)))
            yield _WIDTH, self._approached(shown, state, first, over)

    def _approached(
        self,
        shown: bytes,
        state: Sequence[tuple[Any, Any]],
        first: bytes,
        over: Callable[[], bool],
    ) -> list[bytes]:
        """Return even words that begin with some moves and solve many pieces of the first kind."""
        places, kind = self._places, self._kinds[0]
        begin = np.cumsum([0, *places.modulus])[:-1].tolist()
        own = {sticker for home in kind.homes for sticker in home}
        wanted = [
            label if sticker in own else -1
            for label, sticker in zip(places.wanted, begin, strict=True)
        ]
        moved = places.puzzle.apply(shown, places.named(first))
        width = max(1, _APPROACH // len(wanted))
        beam = Approach(places.engine, *places.seen(moved), wanted, width, _LEVELS)
        found = {first: None}
        while not over() and beam.deepen():
            found |= dict.fromkeys(first + word for word in beam.best(_STARTS))
        words = self._even(state, list(dict.fromkeys(map(places.engine.shortened, found))))
        rated = {
            word: self._cost(word) + self._prices[0] * _weight(kind, *kind.after(*state[0], word))
            for word in words
        }
        return sorted(words, key=rated.__getitem__)[:_STARTS]

    def _even(self, state: Sequence[tuple[Any, Any]], words: Sequence[bytes]) -> list[bytes]:
        """Return the words after which the pieces of each kind are permuted evenly."""
        return [
            word
            for word in words
            if not any(
                _weight(kind, *kind.after(*own, word)) % 1
                for kind, own in zip(self._kinds, state, strict=True)
            )
        ]

    def _cost(self, word: bytes) -> int:
        return int(self._costs[list(word)].sum())

    def _solved(
        self,
        number: int,
        kind: Kind,
        state: Sequence[tuple[Any, Any]],
        starts: Sequence[bytes],
        width: int,
        over: Callable[[], bool],
    ) -> list[bytes]:
        """Return words that solve a kind, too, those that promise most first."""
        levels: dict[tuple[int, float], dict[object, _Node]] = {}

        def put(detours: int, word: bytes, at: Any, by: Any) -> None:
            weight = _weight(kind, at, by)
            node = _Node(self._cost(word) + self._prices[number] * weight, word, at, by)
            key = (at.tobytes(), by.tobytes()) if weight else word
            own = levels.setdefault((detours, -weight), {})
            if key not in own or node.score < own[key].score:
                own[key] = node

        for word in starts:
            put(0, word, *kind.after(*state[number], word))
        while levels:
            detours, negative = least = min(levels)
            nodes = sorted(levels.pop(least).values(), key=lambda node: node.score)
            if not negative:
                return sorted(
                    (node.word for node in nodes), key=lambda word: self._rest(word, number, state)
                )
            for node in nodes[:width]:
                if over():
                    return []
                for word, change in self._inserted(number, kind, node):
                    at, by = _changed(kind, node.at, node.by, change)
                    more = _weight(kind, at, by) >= -negative
                    if not more or detours < _DETOURS:
                        put(detours + more, word, at, by)
        return []

    def _rest(self, word: bytes, number: int, state: Sequence[tuple[Any, Any]]) -> float:
        """Return the expected cost of an answer that begins with a word."""
        later = range(number + 1, len(self._kinds))
        return self._cost(word) + sum(
            self._prices[i] * _weight(self._kinds[i], *self._kinds[i].after(*state[i], word))
            for i in later
        )

    def _inserted(self, number: int, kind: Kind, node: _Node) -> Iterator[tuple[bytes, _Change]]:
        """Yield the cheapest insertions into a word, with what each changes at its end."""
        word = node.word
        origin, spun = _origins(kind, word)
        found = []
        for changes in _changes(kind, node.at.tolist(), node.by.tolist()):
            if not changes:
                continue
            a, b, c, t, u = np.array(changes).T
            turned = []
            for here, there, pose in ((a, a if c[0] < 0 else b, t), (b, b if c[0] < 0 else c, u)):
                undone = kind.inverse[spun[:, there]]
                turned.append(kind.product[undone, kind.product[pose[None], spun[:, here]]])
            if c[0] < 0:
                alone = np.where(a == b, 0, turned[1])
                keys = kind.twist(origin[:, a], origin[:, b], turned[0], alone)
            else:
                keys = kind.cycle(origin[:, a], origin[:, b], origin[:, c], *turned)
            self.work += keys.size
            score = kind.cost[keys].astype(float)
            if word:
                moves = np.frombuffer(word, np.uint8)[:, None]
                score[1:] -= self._saved[moves, kind.words[keys[1:], 0]]
                last = kind.words[keys, np.maximum(kind.length[keys], 1) - 1]
                score[:-1] -= self._saved[last[:-1], moves]
            weights = [_weight(kind, *_changed(kind, node.at, node.by, each)) for each in changes]
            score += self._prices[number] * np.array(weights)
            few = min(_POSITIONS, len(score))
            for row in np.argpartition(score, few - 1, axis=0)[:few]:
                for i, place in enumerate(row.tolist()):
                    key = keys[place, i]
                    if kind.cost[key] < FAR:
                        found.append((score[place, i], place, int(key), changes[i]))
        shortened = self._places.engine.shortened
        for _, place, key, change in sorted(found)[:_EXPANDED]:
            own = bytes(kind.words[key, : kind.length[key]])
            yield shortened(word[:place] + own + word[place:]), change


def _origins(kind: Kind, word: bytes) -> tuple[Any, Any]:
    """Return for each end of a word what it does to the piece that comes to each place.

    The first array has the place from which the piece comes, the second the turn on its way.
    """
    origin = np.tile(np.arange(kind.size), (len(word) + 1, 1))
    spun = np.zeros_like(origin)
    for i in reversed(range(len(word))):
        back = np.argsort(kind.to[word[i]])
        origin[i] = back[origin[i + 1]]
        spun[i] = kind.product[spun[i + 1], kind.turn[word[i]][origin[i]]]
    return origin, spun


def _changes(kind: Kind, at: list[int], by: list[int]) -> tuple[list[_Change], list[_Change]]:
    """Return the 3-cycles and the twists that solve pieces."""
    inverse, poses = kind.inverse.tolist(), range(kind.poses)
    wrong = [place for place in range(kind.size) if at[place] != place or by[place]]
    twisted = [place for place in wrong if at[place] == place]
    others = wrong if len(wrong) > 2 else list(range(kind.size))
    cycles = []
    for a in wrong:
        b, t = at[a], inverse[by[a]]
        if b == a:
            continue
        c = at[b]
        if c != a:
            cycles.append(_Change(a, b, c, t, inverse[by[b]]))
        merged = others if c == a or len(wrong) <= _FEW else twisted
        cycles += [_Change(a, b, c, t, u) for c in merged if c not in (a, b) for u in poses]
    twists = []
    for i, a in enumerate(twisted):
        t = inverse[by[a]]
        twists.append(_Change(a, a, -1, t, 0))
        twists += [_Change(a, b, -1, t, inverse[by[b]]) for b in twisted[i + 1 :]]
        if len(twisted) <= 3:
            twists += [_Change(a, b, -1, t, u) for b in others if b != a for u in poses]
    return cycles, twists


def _changed(kind: Kind, at: Any, by: Any, change: _Change) -> tuple[Any, Any]:
    """Return the pieces and poses after a cycle or twist."""
    a, b, c, t, u = change
    product = kind.product
    at, by, old = at.copy(), by.copy(), by
    if c < 0:
        by[a] = product[t, old[a]]
        if a != b:
            by[b] = product[u, old[b]]
        return at, by
    at[b], at[c], at[a] = at[a], at[b], at[c]
    back = kind.inverse[product[u, t]]
    by[b], by[c], by[a] = product[t, old[a]], product[u, old[b]], product[back, old[c]]
    return at, by


def _weight(kind: Kind, at: Any, by: Any) -> float:
    """Return twice the number of 3-cycles that solve all pieces, about; a half for a swap."""
    at, by = at.tolist(), by.tolist()
    seen = [False] * len(at)
    total = wrong = 0
    for place in range(len(at)):
        if seen[place]:
            continue
        pose, end = 0, place
        while not seen[end]:
            seen[end] = True
            pose = kind.products[by[end]][pose]
            end = at[end]
            total += 1
        total -= 1
        wrong += pose != 0
    return total + 2 * wrong + 3 * (wrong == 1) + 0.5 * (total % 2)
