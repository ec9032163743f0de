# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Fill the table of cosets by words, that is by move sequences from the solved state.

An entry of 2 bits is 3 until it is written. Words are processed by increasing length, so the first
value written is the distance. Several threads may fill one table, because they only clear bits, and
change each byte atomically.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # coset_fill.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import clear_bits, fetch
    from puzzlekit.engine.ranks import bytes_at, int_array, ints_at, longs_at, new_longs, shorts_at
    from puzzlekit_cubes.engine.coset_layout import ENTRIES, LINE, WAITING
    from puzzlekit_cubes.engine.cosets import Cosets


@cython.final
@cython.cclass
class CosetFill:
    """Writes the distances of cosets into a table. Each thread has its own instance."""

    cosets: Cosets
    _owners: list
    entries: cython.p_uchar
    first: cython.p_int
    via: cython.p_int
    to: cython.p_int
    merged: cython.p_uchar
    ring: cython.p_longlong
    next: cython.int
    waiting: cython.int
    level: cython.int
    code: cython.int
    words: cython.longlong

    def __init__(self, cosets: Cosets, automaton: list, merged: bytes, entries: object) -> None:
        """Fill the table `entries`, whose bits are all set at the beginning.

        - `cosets`: the numbering of the cosets.
        - `automaton`: for each state of the automaton a list of the pairs (move, next state) that
          may follow.
        - `merged`: a byte for each pair of moves. It is not 0 if one move or the identity has the
          same effect as the pair.
        """
        owners: list = []
        self._owners = owners
        self.cosets = cosets
        if len(entries) != cosets.lines * LINE:
            raise ValueError("a table of other cosets")
        if len(merged) != cosets.moves * cosets.moves:
            raise ValueError("the table of merging moves needs one entry for each pair of moves")
        self.entries = bytes_at(entries, owners)
        first = [0]
        flat = []
        for allowed in automaton:
            flat += allowed
            first.append(len(flat))
        self.first = ints_at(int_array(first), owners)
        self.via = ints_at(int_array([move for move, _ in flat]), owners)
        self.to = ints_at(int_array([to for _, to in flat]), owners)
        self.merged = bytes_at(merged, owners)
        self.ring = new_longs(WAITING, owners)
        self.next = 0
        self.waiting = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _write(self, slot: cython.longlong) -> cython.void:
        """Write the current code to an entry that is not written yet."""
        at: cython.Py_ssize_t = slot >> 2
        shift: cython.int = (slot & 3) * 2
        last: cython.Py_ssize_t = (slot >> 8) * LINE + LINE - 1
        if (self.entries[at] >> shift) & 3 != 3:
            return
        clear_bits(self.entries, at, (3 ^ self.code) << shift)
        if self.code == 0 and self.entries[last] >> 4 == 15:
            clear_bits(self.entries, last, (15 ^ self.level) << 4)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(self, index: cython.longlong) -> cython.void:
        """Prefetch an entry, and write the entry that was prefetched longest ago."""
        line: cython.longlong = index // ENTRIES
        slot: cython.longlong = line * 256 + (index - line * ENTRIES)
        fetch(self.entries, slot >> 2)
        if self.waiting == WAITING:
            self._write(self.ring[self.next])
        else:
            self.waiting += 1
        self.ring[self.next] = slot
        self.next = (self.next + 1) & (WAITING - 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _visit(
        self,
        turn: cython.int,
        mask: cython.int,
        one: cython.int,
        two: cython.int,
        flips: cython.int,
    ) -> cython.void:
        """Write the distance of a coset and of its equivalent cosets."""
        word: cython.uint = self.cosets._word(turn, mask)
        symmetry: cython.Py_ssize_t = word & 63
        keepers: cython.longlong = self.cosets.keepers[word >> 6]
        wide: cython.longlong = flips
        masks: cython.longlong = one | two << 16 | wide << 32
        t: cython.int
        own: cython.int
        self.words += 1
        if keepers == 1:
            self._push(self.cosets._place(word, symmetry, masks, self.cosets.kept))
            return
        for t in range(self.cosets.order):
            if keepers >> t & 1:
                own = self.cosets.products[symmetry * self.cosets.order + t]
                self._push(self.cosets._place(word, own, masks, self.cosets.kept))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _grow(
        self,
        turn: cython.int,
        mask: cython.int,
        one: cython.int,
        two: cython.int,
        flips: cython.int,
        state: cython.int,
        moves: cython.int,
    ) -> cython.void:
        """Visit the states after all words of `moves` moves that may follow."""
        i: cython.int
        m: cython.int
        if moves == 0:
            self._visit(turn, mask, one, two, flips)
            return
        for i in range(self.first[state], self.first[state + 1]):
            m = self.via[i]
            self._grow(
                self.cosets.turn_moves[turn * self.cosets.moves + m],
                self.cosets.kind_moves[mask * self.cosets.moves + m],
                self.cosets._mask_after(one, m),
                self.cosets._mask_after(two, m),
                self.cosets._mask_after(flips, m) ^ self.cosets.move_flips[m],
                self.to[i],
                moves - 1,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(
        self,
        marks: cython.p_ushort,
        last: cython.p_ushort,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        moves: cython.int,
        after: cython.p_int,
    ) -> cython.void:
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        m: cython.int
        for i in range(begin, end):
            k = 5 * i
            if moves == 0:
                self._visit(marks[k], marks[k + 1], marks[k + 2], marks[k + 3], marks[k + 4])
                continue
            for m in range(self.cosets.moves):
                if last[i] < self.cosets.moves and self.merged[last[i] * self.cosets.moves + m]:
                    continue
                self._grow(
                    self.cosets.turn_moves[marks[k] * self.cosets.moves + m],
                    self.cosets.kind_moves[marks[k + 1] * self.cosets.moves + m],
                    self.cosets._mask_after(marks[k + 2], m),
                    self.cosets._mask_after(marks[k + 3], m),
                    self.cosets._mask_after(marks[k + 4], m) ^ self.cosets.move_flips[m],
                    after[m],
                    moves - 1,
                )
        while self.waiting:
            self.next = (self.next + WAITING - 1) & (WAITING - 1)
            self.waiting -= 1
            self._write(self.ring[self.next])
        self.next = 0

    def fill(
        self, marks: object, last: object, begin: int, end: int, moves: int, level: int, code: int
    ) -> int:
        """Extend move sequences to given states, and write a code for each coset that they reach.

        - `marks`: the five marks of each given state (see `engine.cosets`), one state after the
          other.
        - `last`: for each given state the index of the last move of its sequence. If the sequence
          is empty, this is the number of moves.
        - `begin`, `end`: the range of given states to extend.
        - `moves`: the number of moves to append to each sequence.
        - `level`: the distance of the cosets that are reached. If `code` is 0, the line of the
          entry stores this distance as its least distance.
        - `code`: the code to write into entries that have none.

        Returns the number of extended sequences.
        """
        owners: list = []
        if len(marks) != 5 * len(last) or not 0 <= begin <= end <= len(last):
            raise ValueError("no states to begin with")
        follow = [0] * self.cosets.moves
        for i in range(self.first[0], self.first[1]):
            follow[self.via[i]] = self.to[i]
        if begin == end:
            return 0
        source: cython.p_ushort = shorts_at(marks, owners)
        ends: cython.p_ushort = shorts_at(last, owners)
        after: cython.p_int = ints_at(int_array(follow), owners)
        start: cython.Py_ssize_t = begin
        stop: cython.Py_ssize_t = end
        length: cython.int = moves
        self.level = level
        self.code = code
        self.words = 0
        with cython.nogil:
            self._fill(source, ends, start, stop, length, after)
        return self.words

    def key(self, marks: object) -> int:
        """Return the number of a state's coset, given the five marks of the state.

        Equivalent cosets have the same number. The index into the table may ignore the orientations
        at some places. The number returned here depends on the orientations at all places.
        """
        owners: list = []
        self.cosets._check(marks)
        return self._key(shorts_at(array("H", marks), owners), 0)

    def children(self, marks: object, last: object, keys: object, found: object) -> int:
        """Write the states that one move reaches from given states. Return how many there are.

        - `marks`, `last`: the marks and the last move of each given state, as for `fill`.
        - `keys`: the method writes the `key` of each new state here, 64 bits each.
        - `found`: the method writes six numbers for each new state here: its five marks and its
          last move.

        The method skips each move that can be merged with the last move.
        """
        owners: list = []
        room = len(last) * self.cosets.moves
        if len(marks) != 5 * len(last) or len(keys) < room or len(found) < 6 * room:
            raise ValueError("there is no room for the states after each move")
        source: cython.p_ushort = shorts_at(marks, owners)
        ends: cython.p_ushort = shorts_at(last, owners)
        numbers: cython.p_longlong = longs_at(keys, owners)
        target: cython.p_ushort = shorts_at(found, owners)
        count: cython.Py_ssize_t = len(last)
        total: cython.Py_ssize_t
        with cython.nogil:
            total = self._children(source, ends, count, numbers, target)
        return total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _children(
        self,
        marks: cython.p_ushort,
        last: cython.p_ushort,
        count: cython.Py_ssize_t,
        keys: cython.p_longlong,
        found: cython.p_ushort,
    ) -> cython.Py_ssize_t:
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        m: cython.int
        for i in range(count):
            k = 5 * i
            for m in range(self.cosets.moves):
                if last[i] < self.cosets.moves and self.merged[last[i] * self.cosets.moves + m]:
                    continue
                self.cosets._do(m, marks, k, found, 6 * n)
                found[6 * n + 5] = m
                keys[n] = self._key(found, 6 * n)
                n += 1
        return n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self, marks: cython.p_ushort, at: cython.Py_ssize_t) -> cython.longlong:
        """See `key`."""
        word: cython.uint = self.cosets._word(marks[at], marks[at + 1])
        symmetry: cython.Py_ssize_t = word & 63
        keepers: cython.longlong = self.cosets.keepers[word >> 6]
        least: cython.longlong = -1
        own: cython.longlong
        two: cython.longlong = marks[at + 3]
        flips: cython.longlong = marks[at + 4]
        masks: cython.longlong = marks[at + 2] | two << 16 | flips << 32
        t: cython.int
        for t in range(self.cosets.order):
            if keepers >> t & 1:
                own = self.cosets._place(
                    word,
                    self.cosets.products[symmetry * self.cosets.order + t],
                    masks,
                    12,
                )
                if least < 0 or own < least:
                    least = own
        return least
