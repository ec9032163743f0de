"""Build a library of short words, and find out which pieces it can solve."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    islice,
    product,
    takewhile,
)
from math import gcd, isqrt, prod
from random import Random
from typing import Any

import attrs

from puzzlekit import TableStore
from puzzlekit.engine.beats import beat
from puzzlekit.tables.table import TableSpec
from puzzlekit_universal.engine.library import Library
from puzzlekit_universal.engine.seeds import Seeds
from puzzlekit_universal.places import Places

_VERSION = 13
_LONGEST = 47  # moves of the longest word that is made of short commutators
_LONGEST_SEED = 224
_MOST_ENTRY = 256
_MARGIN = 28  # moves that the conjugates of the longest seed have more
_SEPARATED = 100  # places that a search by separation looks at, by effort
_SEEDS = 200  # words that this search finds for an orbit, at most
_KEPT = 300  # words from which a search for a seed makes others
_RESTARTS, _RESTARTS_BY_PLACES = 3, 300  # more searches for a seed; fewer if there are many places
_PATIENCE = 2_000_000  # words tried for seeds, in about 3 s, before each orbit has one search
_EASY = 4  # places of an orbit that need no seeds: other words solve them with few moves
_FEW = 12  # places that a word moves whose commutators are tried
_POOL = 60  # such words
_MOST_BYTES = 24_000_000  # of a library with more than one word for each key
_MOST_KEYS = 6_000_000
_MOST_BY_MOVE = 15  # places of an orbit for each move of least cost; else words are too long
_WHOLE_TURNS = 12  # products of parallel moves that nearly turn the whole puzzle, at most
_LONGER = 100_000  # words with one move more
_STEPS = 12  # steps in which commutators are tried, at most
_SLOTS = 4  # words of a key
_AT_ONCE = 10_000  # words that are tried between two beats
_POWERS_AT_ONCE = 200  # words whose powers are tried between two beats
_ELEMENTS = 30_000  # of a group that is listed whole, instead of a search for seeds


@attrs.frozen
class PlaceGroup:
    """The places of one orbit, and the keys of its 3-cycles and twists in a library."""

    start: int
    size: int
    orientations: int
    cycles: int
    twists: int

    @property
    def end(self) -> int:
        """The number behind the last key."""
        return self.twists + self.size**2 * self.orientations


@attrs.frozen
class Block:
    """Places among which a library has every 3-cycle, with every orientation."""

    places: tuple[int, ...]
    #: Whether no two pieces are alike. Only even permutations can then be solved.
    even: bool
    #: The sum of the orientations must be a multiple of this number.
    step: int


def groups_of(places: Places) -> tuple[PlaceGroup, ...]:
    """Return the group of each orbit; orbits with too many keys, or with few moves, have none."""
    found = []
    start = keys = 0
    largest = _MOST_BY_MOVE * places.costs.count(min(places.costs, default=0))
    for orbit in places.puzzle.orbits:
        n, m = orbit.size, orbit.orientations
        cycles = n * (n - 1) * (2 * n - 1) // 6 * m**2  # places behind the first one, twice
        own = cycles + n**2 * m
        if keys + own <= _MOST_KEYS and 2 < n <= largest:
            found.append(PlaceGroup(start, n, m, keys, keys + cycles))
            keys += own
        start += n
    return tuple(found)


class WordLibrary:
    """A library of words in the store, and the blocks of places that it solves.

    `effort` bounds the search for words: about the number of commutators that are tried.
    """

    def __init__(self, places: Places, store: TableStore, effort: int) -> None:
        self._places = places
        self._store = store
        self._effort = effort
        self.groups = groups_of(places)
        self._whole: dict[PlaceGroup, Block] = {}  # blocks to which nothing can be added
        self._by_separation: dict[int, list[bytes]] = {}
        entries = [_LONGEST + 1] * len(self.groups)
        first = self._key("words", "", self._size(entries))
        words = store.get(first, lambda: self._short(first, entries)).data
        self.blocks, complete = self._solved_by(words, entries, first)
        if not complete:
            seeds = self._seeds()
            if any(seeds):
                short, shorts, entries = words, entries, self._long_entries(seeds)
                key = self._key("long-words", str(seeds), self._size(entries))
                words = store.get(key, lambda: self._long(short, shorts, seeds, entries)).data
                self.blocks, _ = self._solved_by(words, entries, key)
        self.library = self._opened(words, entries)

    def _long_entries(self, seeds: Sequence[Sequence[bytes]]) -> list[int]:
        """Return for each group the bytes of a slot, with room for conjugates of its seeds."""
        pairs = list(zip(self.groups, seeds, strict=True))
        keys = sum(group.end - group.cycles for group, own in pairs if own)
        found = []
        for group, own in pairs:
            most = _LONGEST + 1
            if own and keys * _MOST_ENTRY <= _MOST_BYTES:
                most = _MOST_ENTRY
            elif own:  # two words of cycles make a twist
                longest = max(map(len, own)) * (1 + (group.orientations > 1))
                most = max(most, min(_MOST_ENTRY, longest + _MARGIN))
            found.append(most)
        return found

    def _slots(self, entries: Sequence[int]) -> int:
        return max(1, min(_SLOTS, _MOST_BYTES // max(1, self._bytes(entries, 1))))

    @property
    def _is_large(self) -> bool:
        """Whether there is room for just one word of each key."""
        return self._slots([_LONGEST + 1] * len(self.groups)) == 1

    def _bytes(self, entries: Sequence[int], slots: int) -> int:
        pairs = zip(self.groups, entries, strict=True)
        return sum((group.end - group.cycles) * slots * entry for group, entry in pairs)

    def _size(self, entries: Sequence[int]) -> int:
        """Return the bytes of a table, which has at least one."""
        return self._bytes(entries, self._slots(entries)) + 1

    def _key(self, name: str, more: str, size: int) -> TableSpec:
        places = self._places
        moves = places.targets, places.turns, places.modulus, places.costs
        identity = (*moves, places.orbit, self._effort)
        return TableSpec(
            places.puzzle.name,
            name,
            f"words of 3-cycles {_VERSION}; {_SLOTS} {_MOST_BYTES}; {identity}; {more}",
            "u1",
            (size,),
            "Has short sequences of moves that permute three pieces or twist two.",
        )

    def _solved_by(
        self, words: Any, entries: Sequence[int], key: TableSpec
    ) -> tuple[tuple[Block, ...], bool]:
        """Return the blocks of a table of words, and whether they have all places that move.

        They are in the store, so that a library opens without NumPy.
        """
        width = 2 * len(self._places.modulus)
        blocks_key = TableSpec(
            key.puzzle,
            f"{key.name}-blocks",
            f"blocks of {self._places.wanted} by {key.identity}",
            "u1",
            (3 * width + 1,),
            "Has the places that the words of another table solve.",
        )

        def built() -> bytes:
            self.blocks = tuple(self._blocks(words, entries))
            number = [0] * len(self._places.modulus)
            for i, block in enumerate(self.blocks, 1):
                for place in block.places:
                    number[place] = i
            even, step = [each.even for each in self.blocks], [each.step for each in self.blocks]
            packed = [
                struct.pack(f"<{len(row)}H", *row).ljust(width, b"\0")
                for row in (number, even, step)
            ]
            return b"".join([*packed, bytes([self._is_complete()])])

        data = bytes(self._store.get(blocks_key, built).data)
        number, even, step = (
            struct.unpack_from(f"<{width // 2}H", data, at) for at in range(0, 3 * width, width)
        )
        of: dict[int, list[int]] = {}
        for place, own in enumerate(number):
            if own:
                of.setdefault(own, []).append(place)
        blocks = tuple(Block(tuple(of[i]), bool(even[i - 1]), step[i - 1]) for i in sorted(of))
        return blocks, bool(data[-1])

    def _opened(self, words: object, entries: Sequence[int]) -> Library:
        places = self._places
        group = [-1] * len(places.modulus)
        for number, each in enumerate(self.groups):
            for place in range(each.start, each.start + each.size):
                group[place] = number
        pairs = zip(self.groups, entries, strict=True)
        rows = [(*attrs.astuple(each), entry) for each, entry in pairs]
        return Library(places.engine, group, rows, self._slots(entries), words)

    def _slots_of(self, words: Any, entries: Sequence[int]) -> Iterator[Any]:
        """Yield for each group its slots: an array of keys, slots of a key, and bytes."""
        import numpy as np

        flat = np.frombuffer(words, dtype=np.uint8)
        slots = self._slots(entries)
        at = 0
        for group, entry in zip(self.groups, entries, strict=True):
            shape = group.end - group.cycles, slots, entry
            yield flat[at : at + prod(shape)].reshape(shape)
            at += prod(shape)

    def _short(self, key: TableSpec, entries: Sequence[int]) -> bytearray:
        """Return the words that are made of short commutators."""
        words = bytearray(self._size(entries))
        library = self._opened(words, entries)
        if self.groups:
            for number, step in enumerate(self._steps(library)):
                self._store.tell(key, number / _STEPS)
                if step:
                    self._spread(library)
                    self.blocks = tuple(self._blocks(words, entries))
                    if self._is_complete() or self._never_completes():
                        break
                    if self._is_large and self._separates_rest():
                        break
        return words

    def _never_completes(self) -> bool:
        """Whether no word permutes three pieces of a group with places outside blocks.

        Examples are the middle pieces of the faces of a 5x5x5, which turn together.
        """
        return not any(
            self._is_open[group.start : group.start + group.size].any()
            and self._places.permutes_three(group.start, group.size, _ELEMENTS)
            for group in self.groups
        )

    def _separates_rest(self) -> bool:
        """Whether a search by separation finds words for all places outside blocks."""
        import numpy as np

        rest = np.flatnonzero(self._moves_at.any(axis=0) & self._is_open).tolist()
        return all(map(self._separated, {self._places.orbit[place] for place in rest}))

    def _seeds(self) -> list[list[bytes]]:
        """Return words of 3-cycles for each group with places outside all blocks."""
        width = _LONGEST_SEED + 1
        key = attrs.evolve(
            self._key(
                "seeds",
                f"at most {_SEEDS} after {_PATIENCE} words and {_RESTARTS} restarts",
                len(self.groups) * _SEEDS * width + 1,
            ),
            purpose="Has sequences of moves that permute three pieces, for some orbits.",
        )
        data = self._store.get(key, lambda: self._searched(key, width)).data
        starts = range(0, len(self.groups) * _SEEDS * width, width)
        rows = [bytes(data[at + 1 : at + 1 + data[at]]) for at in starts]
        numbers = range(0, len(rows), _SEEDS)
        return [[*filter(None, rows[at : at + _SEEDS])] for at in numbers]

    def _searched(self, key: TableSpec, width: int) -> bytearray:
        data = bytearray(len(self.groups) * _SEEDS * width + 1)
        covered = {place for block in self.blocks for place in block.places}
        searches = 0  # not seconds: on every machine, the words are the same
        for number, group in enumerate(self.groups):
            if covered.issuperset(range(group.start, group.start + group.size)):
                continue
            if group.size <= _EASY and self._elements is None:
                continue
            known = self._by_separation.get(self._places.orbit[group.start])
            if not known and not self._places.permutes_three(group.start, group.size, _ELEMENTS):
                continue
            self._store.tell(key, number / len(self.groups))
            left = _PATIENCE // self._effort - searches - 1
            restarts = min(_RESTARTS, max(0, left))
            words, more = self._seeds_of(group, restarts)
            searches += more
            for slot, word in enumerate(words, number * _SEEDS):
                row = bytes([len(word)]) + word
                data[slot * width : slot * width + len(row)] = row
        return data

    def _seeds_of(self, group: PlaceGroup, restarts: int) -> tuple[list[bytes], int]:
        """Return words that permute three pieces of a group, and how many searches it took."""
        places = self._places
        if self._elements is not None:
            short = takewhile(lambda word: len(word) <= _LONGEST_SEED, self._elements.values())
            three = (word for word in short if self._permutes_three(word, group))
            return list(islice(three, _SEEDS)), 0
        orbit = places.orbit[group.start]
        if words := self._separated(orbit):
            return words, 0
        best = b""
        for seed in range(1, 2 + min(restarts, _RESTARTS_BY_PLACES // len(places.orbit))):
            search = Seeds(places.engine, places.orbit, orbit, _KEPT, _LONGEST_SEED, seed)
            found = b""
            for tried in range(0, self._effort, _AT_ONCE):
                beat()
                found = search.search(min(_AT_ONCE, self._effort - tried))
            best = min(filter(None, (best, found)), key=len, default=b"")
            most = _MOST_ENTRY - _MARGIN  # two words of cycles make a twist
            if 0 < len(best) * (1 + (group.orientations > 1)) < most:
                break
        return [best] if best else [], seed

    def _separated(self, orbit: int) -> list[bytes]:
        """Return words that a search by separation finds for an orbit; it is searched once."""
        if orbit not in self._by_separation:
            from puzzlekit_universal.separation import Separation

            work = _SEPARATED * self._effort
            words = Separation(self._places, orbit).found(work, _LONGEST_SEED, _SEEDS)
            self._by_separation[orbit] = words
        return self._by_separation[orbit]

    @cached_property
    def _elements(self) -> dict[bytes, bytes] | None:
        """A shortest word of each element of a small group."""
        return self._places.elements(_ELEMENTS)

    def _permutes_three(self, word: bytes, group: PlaceGroup) -> bool:
        count = len(self._places.modulus)
        at, by = self._places.engine.after(range(count), [0] * count, word)
        changed = [place for place in range(count) if at[place] != place]
        return (
            len(changed) == 3
            and all(group.start <= place < group.start + group.size for place in changed)
            and all(at[place] != place for place, turned in enumerate(by) if turned)
        )

    def _long(
        self,
        short: Any,
        shorts: Sequence[int],
        seeds: Sequence[Sequence[bytes]],
        entries: Sequence[int],
    ) -> bytearray:
        """Return the short words, and all conjugates of seeds."""
        words = bytearray(self._size(entries))
        pairs = zip(self._slots_of(short, shorts), self._slots_of(words, entries), strict=True)
        for old, new in pairs:
            few = new.shape[1]
            new[:, : old.shape[1], : old.shape[2]] = old[:, :few]
        library = self._opened(words, entries)
        for seed in chain(*seeds):
            library.offer(seed)
        self._spread(library)
        return words

    def _steps(self, library: Library) -> Iterator[int]:
        """Offer longer and longer words; yield how many were kept by each step."""
        places = self._places
        rng = Random(1)
        single = [bytes([move]) for move in range(len(places.moves))]
        pairs = list(self._longer(single))
        turned = [pair + bytes([places.inverses[pair[0]]]) for pair in pairs]
        kept = _offer_powers(library, single) + _offer_powers(library, pairs)
        share = self._effort // 3
        for other in (single, turned, pairs):
            kept += self._commutators(library, single, other, share, rng)
        kept += self._by_whole_turns(library, (single, pairs, turned), rng)
        yield kept
        triples = [word + move for word in _some(pairs, single, rng) for move in single]
        kept = _offer_powers(library, triples)
        deeper = [(pairs, pairs), (single, triples), (pairs, turned), (turned, turned)]
        deeper += [(pairs, triples), (triples, triples)]
        for one, other in deeper:
            yield kept + self._commutators(library, one, other, self._effort // 4, rng)
            kept = 0
        slices = _some([word for word in pairs if self._commutes(word)], single, rng)
        inverses = places.inverses
        turned = [x + word + bytes([inverses[x[0]]]) for word in slices for x in single]
        for one, other in ((slices, turned), (slices, triples), (slices, slices)):
            yield self._commutators(library, one, other, self._effort, rng)
        yield self._of_small(library, (single, pairs, turned, slices), rng)

    def _by_whole_turns(self, library: Library, lists: Sequence[list[bytes]], rng: Random) -> int:
        """Offer words that would be commutators with the move of a missing layer."""
        from puzzlekit_universal.whole_turns import whole_turns

        turns = whole_turns(self._places, _WHOLE_TURNS)
        most = self._effort // (4 * len(lists) * max(1, len(turns)))
        kept = 0
        for turn, words in product(turns, lists):
            beat()
            some = rng.sample(words, min(len(words), most))
            if some:
                kept += library.turned(turn.word, turn.becomes, b"".join(some), len(some[0]))
        return kept

    def _commutes(self, pair: bytes) -> bool:
        engine = self._places.engine
        undone = bytes(self._places.inverses[move] for move in pair)
        return len(engine.shortened(pair + undone)) == 0

    def _of_small(self, library: Library, lists: Sequence[list[bytes]], rng: Random) -> int:
        """Offer commutators of words that move few places, and have one of these in common."""
        import numpy as np

        found: dict[bytes, list[int]] = {}
        for one, other in combinations_with_replacement(lists, 2):
            if not one or not other:
                continue
            first = rng.sample(one, min(len(one), 200))
            second = rng.sample(other, min(len(other), self._effort // 1000 + 1))
            beat()
            lengths = len(first[0]), len(second[0])
            if 2 * sum(lengths) > _LONGEST // 2:
                continue
            words = library.near_nothing(
                b"".join(first), lengths[0], b"".join(second), lengths[1], _FEW, 300
            )
            for word in words:
                found[word] = library.changed(word)
        for word in list(found):
            beat()
            for times in range(2, 1 + _LONGEST // 2 // len(word)):
                if changed := library.changed(word * times):
                    found[word * times] = changed
        listed = sorted(found, key=lambda word: (len(word) + 3 * len(found[word]), word))[:_POOL]
        # Begins, ends, and moves around ends: whether just one place is changed by both.
        inverses, moves = self._places.inverses, range(len(self._places.moves))
        targets = np.array([range(len(self._places.modulus)), *self._places.targets])
        turnings = [b"", *(bytes([move]) for move in moves)]
        fits = np.empty((len(listed), len(listed), len(turnings)), dtype=bool)
        for number, end in enumerate(listed):
            reached = np.zeros(targets.shape, dtype=bool)
            np.put_along_axis(reached, targets[:, found[end]], True, axis=1)
            for own, begin in enumerate(listed):
                fits[own, number] = np.count_nonzero(reached[:, found[begin]], axis=1) == 1
        kept = 0
        for begin, ends in zip(listed, fits, strict=True):
            beat()
            undone = bytes(inverses[each] for each in reversed(begin))
            for number, by in np.argwhere(ends).tolist():
                turning = turnings[by]
                middle = bytes(inverses[move] for move in turning) + listed[number] + turning
                back = bytes(inverses[each] for each in reversed(middle))
                kept += library.offer(begin + middle + undone + back)
        return kept

    def _commutators(
        self, library: Library, one: list[bytes], other: list[bytes], most: int, rng: Random
    ) -> int:
        """Offer at most `most` commutators of two lists of words of equal length."""
        if not one or not other:
            return 0
        first = rng.sample(one, min(len(one), max(1, isqrt(most))))
        second = rng.sample(other, min(len(other), max(1, most // len(first))))
        lengths, joined = (len(first[0]), len(second[0])), b"".join(second)
        step = max(1, _AT_ONCE // len(second))
        kept = 0
        for at in range(0, len(first), step):
            beat()
            part = b"".join(first[at : at + step])
            kept += library.commutators(part, lengths[0], joined, lengths[1])
        return kept

    def _longer(self, words: list[bytes]) -> dict[bytes, None]:
        """Return the words with one more move that do not become shorter."""
        moves = range(len(self._places.moves))
        every = (word + bytes([move]) for word in words for move in moves)
        engine = self._places.engine
        return dict.fromkeys(word for word in every if engine.shortened(word) == word)

    def _spread(self, library: Library) -> None:
        """Offer conjugates until no new word is left."""
        for _ in range(2):
            for group in range(len(self.groups)):
                cost = 1
                while cost:
                    beat()
                    cost = library.spread(group, cost)
            library.join_cycles()

    @cached_property
    def _moves_at(self) -> Any:
        """For each move and each place whether the move changes the piece there."""
        import numpy as np

        targets, turns = np.array(self._places.targets), np.array(self._places.turns)
        return (targets != np.arange(targets.shape[1])) | (turns != 0)

    @property
    def _is_open(self) -> Any:
        """For each place whether no block has it."""
        import numpy as np

        is_open = np.ones(self._moves_at.shape[1], dtype=bool)
        for block in self.blocks:
            is_open[list(block.places)] = False
        return is_open

    def _is_complete(self) -> bool:
        return not self._moves_at[:, self._is_open].any()

    def _blocks(self, words: Any, entries: Sequence[int]) -> list[Block]:
        pairs = zip(self.groups, self._slots_of(words, entries), strict=True)
        found = []
        for group, slots in pairs:
            whole = self._whole.get(group)
            own = [whole] if whole else list(self._blocks_of(group, slots[:, :, 0].any(axis=1)))
            if len(own) == 1 and len(own[0].places) == group.size and own[0].step == 1:
                self._whole[group] = own[0]
            found += own
        return found

    def _blocks_of(self, group: PlaceGroup, has: Any) -> Iterator[Block]:
        """Return the blocks of a group. `has` says for each of its keys whether it has a word."""
        import numpy as np

        n, m = group.size, group.orientations
        whole: Any = np.zeros((n, n, n), dtype=bool)
        at = 0
        for place in range(n):  # the first one of a 3-cycle
            behind = n - 1 - place
            size = (behind * m) ** 2
            corner = has[at : at + size].reshape(behind, behind, m * m)
            whole[place, place + 1 :, place + 1 :] = corner.all(axis=2)
            at += size
        twists = has[at:].reshape(n, n, m)
        whole = whole | whole.transpose(1, 2, 0) | whole.transpose(2, 0, 1)
        near = whole.any(axis=2)
        near = near | near.T
        left = list(range(n))
        wanted = self._places.wanted
        while left:
            first = left[0]
            own = [first, *(i for i in left[1:] if near[first, i])]
            left = [i for i in left if i not in own]
            if len(own) < 3:
                continue
            same = np.eye(len(own), dtype=bool)
            unneeded = same[:, :, None] | same[:, None] | same  # places that are not three
            if not (whole[np.ix_(own, own, own)] | unneeded).all():
                continue
            if m > 1 and not all(twists[a, b, 1:].all() for a, b in combinations(own, 2)):
                continue
            step = m
            for t in range(1, m):
                if all(twists[i, i, t] for i in own):
                    step = gcd(step, t)
            places = tuple(group.start + i for i in own)
            counted = Counter(wanted[place] for place in places)
            yield Block(places, max(counted.values()) == 1, step)


def _some(words: list[bytes], single: list[bytes], rng: Random) -> list[bytes]:
    """Return words, or some of them if they give too many words with one move more."""
    most = _LONGER // len(single)
    return rng.sample(words, most) if len(words) > most else words


def _offer_powers(library: Library, words: Sequence[bytes]) -> int:
    """Offer the powers of words of equal length, and return how many are kept."""
    kept = 0
    for at in range(0, len(words), _POWERS_AT_ONCE):
        beat()
        some = words[at : at + _POWERS_AT_ONCE]
        kept += library.powers(b"".join(some), len(some[0]))
    return kept
