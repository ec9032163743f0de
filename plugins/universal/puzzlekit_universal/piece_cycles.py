"""Pieces that turn in any way, and short words that permute three of them or turn at most two.

A puzzle that declares stickers has a piece for each bundle of them. The poses of a piece at its
place form a group, which need not be cyclic: a corner of a hypercube has the twelve poses of A4.
Words are looked for kind by kind. A word of a kind keeps the pieces of the kinds before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import attrs
import numpy as np

from puzzlekit import TableStore
from puzzlekit.engine.beats import beat
from puzzlekit.puzzle.groups import orbits_of
from puzzlekit.tables.table import TableSpec
from puzzlekit_steps.bundles import bundles_of
from puzzlekit_universal.engine.library import Library
from puzzlekit_universal.engine.word_moves import Moves
from puzzlekit_universal.few_states import FewStates, smallest_kinds
from puzzlekit_universal.long_words import LONGEST_SEED, SEARCHES, TRIED, long_words
from puzzlekit_universal.places import Places, products_of
from puzzlekit_universal.separation import Separation

__all__ = ["FAR", "STATES", "Kind", "cycles_of", "kinds_of"]

FAR = 200  # the cost of a key without a word
_NONE = FAR + 1  # the cost of a typical key if no key has a word
_VERSION = 3
_LONGEST = 30  # moves of a word
_MOST_POSES = 24  # of a piece at its place
_MOST_KEYS = 1_500_000  # of a kind
_MOST_WORDS = 2000  # of one pair of lists
_SAMPLE = 5000  # words of the second list
_SEPARATED = 20_000_000  # places that a search by separation looks at
_LOOK = 100_000  # pairs of words of a step that are compared to find the order of the kinds
_SEVERAL, _PIECES = 5, 160  # kinds and pieces; if there are more, less effort is spent on each
_MOST_ROWS = 1000  # kinds times moves; with more of them, the words take many seconds
_FEW = 4  # pieces of several stickers that need no words
_MANY = 24  # pieces, from which an order helps: a 3x3x3 has shorter answers without one
_HELPS = 1.45  # an order of the kinds must make words so many times cheaper
_LONG, _HELPS_LONG = 16, 1.3  # so many times if all words are longer than those of `_short`
_DEAR = 3  # times that words cost if none are found that keep all other pieces
STATES = 300_000  # of kinds without words, at most
_CONJUGATED = 40  # moves of the conjugates of a long word beyond its own


@attrs.define(slots=False, eq=False)
class Kind:
    """The pieces of one kind, and the words that move few of them.

    The piece at place p goes by a move m to the place `to[m, p]`, and its pose `g` becomes
    `product[turn[m, p], g]`. Pose 0 is the one of the solved puzzle.
    """

    #: The stickers of each piece.
    homes: Sequence[tuple[int, ...]]
    to: Any
    turn: Any
    product: Any
    inverse: Any
    #: The number of each pose: the stickers of the place at which those of the piece are.
    pose: dict[tuple[int, ...], int]
    #: For each key a row: the cost of its word, the number of moves, and the moves.
    table: Any = None
    fresh: Any = None
    #: For three places, the first of them the least, the first key of their 3-cycles.
    first_keys: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        n, k = self.size, self.poses
        first = np.full((n, n, n), -1)
        a, b, c = (each.ravel() for each in np.indices((n, n, n)))
        own = np.flatnonzero((a < b) & (a < c) & (b != c))
        first.ravel()[own] = np.arange(len(own)) * k * k
        self._whole = None  # with any place first, if pieces have no poses
        if k == 1:
            self._whole = first.copy()
            for axes in ((1, 2, 0), (2, 0, 1)):
                np.maximum(self._whole, first.transpose(axes), out=self._whole)
        self.first_keys, self._places = first, np.stack([a[own], b[own], c[own]])
        self.twists = len(own) * k * k
        self.keys = self.twists + n * n * k * k

    @property
    def cost(self) -> Any:
        """The cost of the word of each key, `FAR` without one."""
        return self.table[:, 0]

    @property
    def length(self) -> Any:
        """The number of moves of the word of each key."""
        return self.table[:, 1]

    @property
    def words(self) -> Any:
        """The moves of the word of each key, then zeros."""
        return self.table[:, 2:]

    @property
    def longest(self) -> int:
        """The number of moves for which the table has room."""
        return int(self.table.shape[1]) - 2

    @property
    def size(self) -> int:
        """The number of pieces."""
        return len(self.homes)

    @property
    def poses(self) -> int:
        """The number of poses of a piece at its place."""
        return len(self.inverse)

    def cycle(self, a: Any, b: Any, c: Any, t: Any, u: Any) -> Any:
        """Return the keys of 3-cycles a -> b -> c -> a that turn pieces by t at b and by u at c."""
        if self._whole is not None:
            return self._whole[a, b, c]
        v = self.inverse[self.product[u, t]]
        low, next_ = (a < b) & (a < c), (b < a) & (b < c)

        def first(*each: Any) -> Any:
            return np.where(low, each[0], np.where(next_, each[1], each[2]))

        corner = self.first_keys[first(a, b, c), first(b, c, a), first(c, a, b)]
        return corner + first(t, u, v) * self.poses + first(u, v, t)

    def twist(self, a: Any, b: Any, t: Any, u: Any) -> Any:
        """Return the keys of words that turn a by t and b by u. If a is b, u is 0."""
        swap = b < a
        a, b, t, u = (np.where(swap, *pair) for pair in ((b, a), (a, b), (u, t), (t, u)))
        return self.twists + ((a * self.size + b) * self.poses + t) * self.poses + u

    def after(self, at: Any, by: Any, word: Sequence[int]) -> tuple[Any, Any]:
        """Return the pieces and their poses at all places after a word."""
        for move in word:
            to, old = self.to[move], (at, by)
            at, by = np.empty_like(at), np.empty_like(by)
            at[to], by[to] = old[0], self.product[self.turn[move], old[1]]
        return at, by

    def after_all(self, at: Any, by: Any, words: Sequence[bytes]) -> tuple[Any, Any]:
        """Do the same with a row for each of several words."""
        n, row = self.size, np.arange(len(words))[:, None]
        # Shorter words end with a move that does nothing.
        still, longest = len(self.to), max(map(len, words), default=0)
        moves = np.full((len(words), longest), still)
        for number, word in enumerate(words):
            moves[number, : len(word)] = list(word)
        every_to = np.vstack([self.to, np.arange(n)])
        every_turn = np.vstack([self.turn, np.zeros(n, int)])
        for move in moves.T:
            to, old = every_to[move], (at, by)
            at, by = np.empty_like(at), np.empty_like(by)
            at[row, to], by[row, to] = old[0], self.product[every_turn[move], old[1]]
        return at, by

    def keys_of(self, words: Sequence[bytes]) -> Any:
        """Return the key of each word, -1 if it has none, and -2 if it changes no piece."""
        n = self.size
        at, by = np.tile(np.arange(n), (len(words), 1)), np.zeros((len(words), n), int)
        at, by = self.after_all(at, by, words)
        changed = (at != np.arange(n)) | (by != 0)
        count = changed.sum(axis=1)
        keys = np.where(count == 0, -2, -1)
        three = np.flatnonzero((count == 3) & ((at != np.arange(n)) == changed).all(axis=1))
        if len(three):
            to = np.empty((len(three), n), int)
            own = np.arange(len(three))
            to[own[:, None], at[three]] = np.arange(n)
            a = changed[three].argmax(axis=1)
            b = to[own, a]
            c = to[own, b]
            at_a, t, u = (by[three, each] for each in (a, b, c))
            found = self.cycle(a, b, c, t, u)
            keys[three] = np.where(at_a == self.inverse[self.product[u, t]], found, -1)
        two = np.flatnonzero((count > 0) & (count < 3) & (at == np.arange(n)).all(axis=1))
        if len(two):
            a = changed[two].argmax(axis=1)
            b = n - 1 - changed[two][:, ::-1].argmax(axis=1)
            keys[two] = self.twist(a, b, by[two, a], np.where(a == b, 0, by[two, b]))
        return keys

    def clear(self, longest: int = _LONGEST) -> None:
        """Begin a table without words, which may have up to `longest` moves."""
        self.table, self.fresh = (
            np.zeros((self.keys, longest + 2), np.uint8),
            np.zeros(self.keys, bool),
        )
        self.table[:, 0] = FAR

    def offer(self, key: int, word: bytes, cost: int) -> bool:
        """Keep a word if it is the cheapest one of its key; return whether it is."""
        if cost >= self.cost[key] or len(word) > self.longest:
            return False
        self.cost[key], self.length[key], self.fresh[key] = cost, len(word), True
        self.words[key] = 0
        self.words[key, : len(word)] = list(word)
        return True

    @property
    def typical(self) -> int:
        """The median cost of 3-cycles."""
        return int(np.median(self.cost[: self.twists]))

    @property
    def has_words(self) -> bool:
        """Whether there are words of 3-cycles."""
        return bool((self.cost[: self.twists] < FAR).any())

    def labels(self, places: Places) -> list[int]:
        """Return the label of each piece, by its first sticker."""
        ends = np.cumsum(places.modulus)
        first = np.searchsorted(ends, [home[0] for home in self.homes], "right")
        return [places.wanted[place] for place in first.tolist()]

    def spread(self, joined: Any, inverses: Sequence[int], costs: Any, least: bool = False) -> None:
        """Offer conjugates of new words, the cheapest words first, until none is new.

        If `least`, this ends when no new word is cheaper than half of all.
        """
        while len(fresh := np.flatnonzero(self.fresh)):
            if least and self.typical <= self.cost[fresh].min():
                return
            fresh = fresh[self.cost[fresh] <= self.cost[fresh].min() + 1]
            self.fresh[fresh] = False
            own = fresh[fresh < self.twists], fresh[fresh >= self.twists]
            words = self.words[np.concatenate(own)]
            length = self.length[np.concatenate(own)].astype(int)
            cost = self.cost[np.concatenate(own)].astype(int)
            first, last = words[:, 0], words[np.arange(len(words)), length - 1]
            for move, inverse in enumerate(inverses):
                beat()
                keys = np.concatenate(self._conjugates(*own, move))
                begin, end = joined[inverse, first], joined[last, move]
                own_cost, own_length = cost.copy(), length.copy()
                for both, end_cost, added in (
                    (begin, costs[first], inverse),
                    (end, costs[last], move),
                ):
                    own_cost += np.where(
                        both == -1, costs[added], np.where(both == -2, 0, costs[both]) - end_cost
                    )
                    own_length += np.where(both == -1, 1, np.where(both == -2, -1, 0))
                good = np.flatnonzero(
                    (own_cost < self.cost[keys]) & (own_length <= self.longest) & (length > 2)
                )
                if not len(good):
                    continue
                begin, end, ends = begin[good], end[good], length[good]
                made = np.zeros((len(good), self.longest + 2), np.uint8)
                made[:, 1:-1] = words[good]
                made[:, 0] = inverse
                made[begin >= 0, 1] = begin[begin >= 0]
                row = np.arange(len(good))
                made[row[end == -1], ends[end == -1] + 1] = move
                made[row[end >= 0], ends[end >= 0]] = end[end >= 0]
                made[row[end == -2], ends[end == -2]] = 0
                made = np.hstack([made, np.zeros((len(good), 2), np.uint8)])
                shift = np.where(begin == -1, 0, np.where(begin == -2, 2, 1))
                made = made[row[:, None], shift[:, None] + np.arange(self.longest)]
                keys = keys[good]
                self.words[keys], self.cost[keys] = made, own_cost[good]
                self.length[keys], self.fresh[keys] = own_length[good], True

    def _conjugates(self, cycles: Any, twists: Any, move: int) -> tuple[Any, Any]:
        """Return the keys that cycles and twists have between the inverse of a move and it."""
        k, to, turn = self.poses, self.to[move], self.turn[move]

        def turned(pose: Any, here: Any, there: Any) -> Any:
            if k == 1:
                return pose
            return self.product[self.product[turn[there], pose], self.inverse[turn[here]]]

        a, b, c = self._places[:, cycles // (k * k)]
        t, u = cycles // k % k, cycles % k
        found = self.cycle(to[a], to[b], to[c], turned(t, a, b), turned(u, b, c))
        code = twists - self.twists
        a, b, t, u = (
            code // (k * k * self.size),
            code // (k * k) % self.size,
            code // k % k,
            code % k,
        )
        return found, self.twist(to[a], to[b], turned(t, a, a), turned(u, b, b))


def cycles_of(places: Places, store: TableStore, effort: int) -> list[Kind] | None:
    """Return the kinds of pieces of a puzzle with their words, in the order of solving them.

    A kind has short words if they may change the pieces of later kinds. So the last kind has the
    shortest words that keep all others. The result is None if some 3-cycle has no word, or if words
    that keep all other pieces are about as short: then they may be inserted in any order.

    Kinds without words that have few states together come first.
    """
    puzzle = places.puzzle
    kinds = kinds_of(places)
    if not kinds:
        return None
    images = np.array(places.images)
    joined, commuting = products_of(places.images, places.costs)
    moves = images.tolist(), places.costs, places.orbit
    identity = f"words of pieces {_VERSION}; {moves}; {effort}"
    order_key = TableSpec(
        puzzle.name,
        "piece-kinds",
        f"{identity}; order {_LOOK} {_MANY} {_HELPS} {_LONG} {_HELPS_LONG} {_DEAR} {_SEPARATED} "
        f"{STATES} {TRIED} {SEARCHES} {LONGEST_SEED}; "
        f"{[(each.homes, each.labels(places)) for each in kinds]}",
        "u1",
        (2 * len(kinds) + 2,),
        "Has the order in which the kinds of pieces are solved, and the moves of their words.",
    )
    longs: dict[tuple[int, ...], list[bytes]] = {}

    def ordered() -> bytes:
        few, order = _order(places, kinds, joined, commuting, longs)
        longest = [_LONGEST] * len(order)
        for number in range(len(order)):
            if words := longs.get((order[number], *sorted(order[:number]))):
                longest[number] = len(words[0]) + _CONJUGATED
        return bytes([len(order), few, *order, *longest]).ljust(2 * len(kinds) + 2, b"\0")

    many, few, *rest = bytes(store.get(order_key, ordered).data)
    if not many:
        return None
    order, room = rest[:many], rest[many:]
    kinds = [kinds[number] for number in order]
    costs = np.array(places.costs)
    pieces = sum(kind.size for kind in kinds)
    share = 1 / max(1, len(kinds) / _SEVERAL, pieces / _PIECES)
    effort = int(effort * share**2)
    table = np.array(joined).reshape(len(costs), -1)
    for kind in kinds[:few]:
        kind.clear()
    for number, kind in enumerate(kinds[few:], few):
        key = TableSpec(
            puzzle.name,
            f"piece-words-{number}",
            f"{identity}; {number} {room[number]}; {[each.homes for each in kinds]}",
            "u1",
            (kind.keys, room[number] + 2),
            "Has short sequences of moves that permute three pieces or turn two.",
        )

        def built(number: int = number, kind: Kind = kind) -> Any:
            kind.clear(room[number])
            if room[number] > _LONGEST:
                words = longs.get((order[number], *sorted(order[:number])))
                words = words or long_words(places, kinds[: number + 1], joined, commuting)
                for _, word, at in _alone(words, kinds[: number + 1]):
                    kind.offer(at, word, sum(places.costs[move] for move in word))
                kind.spread(table, places.inverses, costs)
                return kind.table
            for words, most in _short(places, kinds[: number + 1], joined, commuting, effort):
                for own, word, at in _alone(words, kinds[: number + 1]):
                    if own == number:
                        kind.offer(at, word, sum(places.costs[move] for move in word))
                if kind.fresh.any():
                    kind.spread(table, places.inverses, costs)
                    cycles, twists = np.split(kind.cost < FAR, [kind.twists])
                    # Without poses, there are no twists to wait for.
                    ends = share < 1 and kind.poses == 1 and kind.typical <= most
                    if cycles.all() and (twists.any() or ends):
                        break
            if kind is kinds[-1] and (kind.cost[: kind.twists] == FAR).all():
                _offer_separated(places, kinds, [kind])
                kind.spread(table, places.inverses, costs)
            return kind.table

        kind.table = np.frombuffer(store.get(key, built).data, np.uint8).reshape(kind.keys, -1)
        if (kind.cost[: kind.twists] >= FAR).any():
            return None
    return kinds


def kinds_of(places: Places) -> list[Kind]:
    """Return the kinds of pieces of a puzzle, without words; none if one of them has no `Kind`."""
    if not places.moves:
        return []
    images = np.array(places.images)
    blocks = list(_blocks(places, images))
    kinds = [found for block in blocks if (found := _kind(block, images)) is not None]
    large = len(kinds) * len(images) > _MOST_ROWS
    return [] if large or len(kinds) < len(blocks) else kinds


def _alone(words: Sequence[bytes], kinds: Sequence[Kind]) -> Iterator[tuple[int, bytes, int]]:
    """Yield the words that have a key of one kind and keep all others: its number, and the key."""
    left = np.arange(len(words))
    keys, number = np.full((2, len(words)), -1)
    for each, kind in enumerate(kinds):
        found = kind.keys_of([words[i] for i in left.tolist()])
        number[left[found >= 0]] = each
        keys = np.where(found == -2, keys, np.where(keys == -1, found, -3))
        good = (found == -2) | ((found >= 0) & (keys == found))
        left, keys = left[good], keys[good]
    for i, key in zip(left.tolist(), keys.tolist(), strict=True):
        if key >= 0:
            yield int(number[i]), words[i], key


def _order(
    places: Places,
    kinds: Sequence[Kind],
    joined: Any,
    commuting: bytes,
    longs: dict[tuple[int, ...], list[bytes]],
) -> tuple[int, list[int]]:
    """Return how many kinds need no words, and the numbers of the kinds in the order of solving.

    There are no numbers if no order helps.

    The last kind is the one whose 3-cycles that keep all others are cheapest, the one before it
    that whose 3-cycles that keep the rest are. An order helps if these are cheaper, on the whole,
    than 3-cycles that keep all other kinds, and if there are many pieces. More than a few pieces of
    several stickers have no other words: then kinds with few poses come first.

    If short words never keep all other kinds, the smallest kinds need no words, and the others have
    long ones. `longs` gets these.
    """
    if any(len(each.homes) > _FEW for each in bundles_of(places.puzzle)):
        return 0, sorted(range(len(kinds)), key=lambda number: kinds[number].poses)
    if len(kinds) == 1 or sum(kind.size for kind in kinds) < _MANY:
        return 0, []
    left, order, few = list(range(len(kinds))), list[int](), list[int]()
    alone: dict[int, int] = {}
    dear, cheap = 0.0, 0
    while left:
        own = [kinds[number] for number in (*left, *few)]
        typical = _typical(places, own, joined, commuting, not order)
        found = {n: cost for n, cost in zip(left, typical, strict=False) if cost < FAR}
        if not found and order and not longs:
            if not FewStates(own, [kind.labels(places) for kind in own]).fill(STATES):
                return 0, []
            few = left
            break
        if not found:
            if not order:
                if min(typical) < _NONE or any(kind.poses > 1 for kind in kinds):
                    return 0, []
                few = smallest_kinds(places, kinds, STATES)
                left = [number for number in left if number not in few]
            found = _long_costs(places, kinds, left, few, joined, commuting, longs)
            if not found:
                return 0, []
        alone = alone or found
        last = min(found, key=lambda number: (found[number], -kinds[number].size))
        dear += kinds[last].size * alone.get(last, _DEAR * found[last])
        cheap += kinds[last].size * found[last]
        order.append(last)
        left.remove(last)
    # Without an order, kinds without words are solved by long words.
    helps = 1 if few else _HELPS if min(alone.values()) <= _LONG else _HELPS_LONG
    return len(few), few + order[::-1] if dear >= helps * cheap else []


def _long_costs(
    places: Places,
    kinds: Sequence[Kind],
    left: Sequence[int],
    few: Sequence[int],
    joined: Any,
    commuting: bytes,
    longs: dict[tuple[int, ...], list[bytes]],
) -> dict[int, int]:
    """Search words of 3-cycles for each kind that is left, and return the cost of the shortest.

    `longs` gets the words by the kind and the kinds that they keep. The result is empty if some
    kind has none that keep all others.
    """
    found = {}
    first = not longs
    for number in sorted(left, key=lambda n: -kinds[n].size):
        kept = sorted((*few, *(n for n in left if n != number)))
        own = [kinds[n] for n in (*kept, number)]
        if words := long_words(places, own, joined, commuting):
            longs[(number, *kept)] = words
            found[number] = sum(places.costs[move] for move in words[0])
        elif first:
            return {}
    return found


def _typical(
    places: Places, kinds: Sequence[Kind], joined: Any, commuting: bytes, every: bool
) -> list[int]:
    """Return the median costs of 3-cycles that keep all other kinds, `_NONE` for no words.

    If not `every`, it is enough to find words for the kind with the shortest ones.
    """
    costs = np.array(places.costs)
    for kind in kinds:
        kind.clear()
    for words, _ in _short(places, kinds, joined, commuting, _LOOK):
        for number, word, key in _alone(words, kinds):
            kinds[number].offer(key, word, sum(places.costs[move] for move in word))
        known = [(kind.cost[: kind.twists] < FAR).any() for kind in kinds]
        if (all if every else any)(known):
            break
    if every and not any(known):
        _offer_separated(places, kinds, kinds)
    found = []
    for kind in kinds:
        kind.spread(np.array(joined).reshape(len(costs), -1), places.inverses, costs, least=True)
        found.append(kind.typical if kind.has_words else _NONE)
        kind.table = kind.fresh = None
    return found


def _offer_separated(places: Places, kinds: Sequence[Kind], wanted: Sequence[Kind]) -> None:
    """Offer words that a search by separation finds for the orbits of the wanted kinds."""
    ends = np.cumsum(places.modulus)
    first = np.searchsorted(ends, [kind.homes[0][0] for kind in wanted], "right")
    for orbit in sorted({places.orbit[place] for place in first}):
        words = Separation(places, orbit).found(_SEPARATED, _LONGEST, _MOST_WORDS)
        for number, word, key in _alone(words, kinds):
            kinds[number].offer(key, word, sum(places.costs[move] for move in word))


def _blocks(places: Places, images: Any) -> Iterator[list[tuple[int, ...]]]:
    """Yield the stickers of the pieces of each kind, without pieces that no move changes."""
    start = 0
    sources = np.argsort(images, axis=1)
    for orbit in places.puzzle.orbits:
        width = orbit.orientations
        moved = (sources[:, start : start + orbit.size * width] - start).tolist()
        if width > 1:
            moved = [[source // width for source in row[::width]] for row in moved]
        bundles = [each for each in bundles_of(places.puzzle) if each.orbit is orbit]
        bundled = {place for each in bundles for home in each.homes for place in home}
        yield from ([tuple(start + i for i in home) for home in each.homes] for each in bundles)
        for part in orbits_of(orbit.size, moved):
            if not bundled.intersection(part) and (len(part) > 1 or width > 1):
                yield [tuple(start + place * width + i for i in range(width)) for place in part]
        start += orbit.size * width


def _kind(homes: list[tuple[int, ...]], images: Any) -> Kind | None:
    """Return the pieces with these stickers; None if they are too few, or have too many poses."""
    owner = {sticker: number for number, home in enumerate(homes) for sticker in home}
    to = [[owner[int(row[home[0]])] for home in homes] for row in images]
    turned = [
        [
            tuple(homes[there].index(int(row[sticker])) for sticker in home)
            for home, there in zip(homes, ends, strict=True)
        ]
        for row, ends in zip(images, to, strict=True)
    ]
    number = {tuple(range(len(homes[0]))): 0}
    every = list(number)
    steps = {pose for row in turned for pose in row}
    for pose in every:  # grows during the loop
        for step in steps:
            if (reached := tuple(step[i] for i in pose)) not in number:
                number[reached] = len(every)
                every.append(reached)
        if len(every) > _MOST_POSES:
            return None
    count = len(homes)
    if count < 3 or count * (count - 1) * (count - 2) // 3 * len(every) ** 2 > _MOST_KEYS:
        return None
    product = [[number[tuple(step[i] for i in pose)] for pose in every] for step in every]
    return Kind(
        homes,
        np.array(to),
        np.array([[number[pose] for pose in row] for row in turned]),
        np.array(product),
        np.array([row.index(0) for row in product]),
        number,
    )


def _short(
    places: Places, kinds: Sequence[Kind], joined: Any, commuting: bytes, effort: int
) -> Iterator[tuple[list[bytes], int]]:
    """Yield commutators that change few stickers of some kinds, step by step, and their length."""
    engine, inverses = places.engine, places.inverses
    single = [bytes([move]) for move in range(len(places.moves))]
    pairs = [one + other for one in single for other in single]
    pairs = [word for word in dict.fromkeys(map(engine.shortened, pairs)) if len(word) == 2]
    turned = [word + bytes([inverses[word[0]]]) for word in pairs]
    nested = [word + bytes(inverses[move] for move in word) for word in pairs]
    stickers = [sticker for kind in kinds for home in kind.homes for sticker in home]
    number = {sticker: i for i, sticker in enumerate(stickers)}
    target = [number[int(row[sticker])] for row in places.images for sticker in stickers]
    blank = [0] * len(target)
    moves = Moves([1] * len(stickers), target, blank, places.costs, inverses, joined, commuting)
    library = Library(moves, [-1] * len(stickers), [], 1, bytearray(1))
    most, rng = 3 * max(len(kind.homes[0]) for kind in kinds), Random(1)
    for one, other in (
        (single, single),
        (single, pairs),
        (turned, single),
        (pairs, pairs),
        (nested, single),
        (turned, pairs),
        (turned, turned),
        (nested, turned),
        (nested, nested),
    ):
        if not one or not other:
            return
        second = rng.sample(other, min(len(other), _SAMPLE))
        first = rng.sample(one, min(len(one), max(1, effort // len(second))))
        beat()
        found = library.near_nothing(
            b"".join(first), len(first[0]), b"".join(second), len(second[0]), most, _MOST_WORDS
        )
        words = list(filter(None, map(engine.shortened, found)))
        yield words, 2 * (len(first[0]) + len(second[0]))
