# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Words of moves: short words for cycles of three pieces, and a search that inserts such words.

A word is a sequence of numbers of moves. The search starts with a word that leaves pieces unsolved.
It inserts words of 3-cycles where most moves cancel, until all pieces are solved. Then it deletes
stretches of the solution, and solves what becomes unsolved in the same way.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # insertion.pxd has these for the compiler
    from puzzlekit.engine.ranks import _bytes_at, _ints_at, _longs_at
    from puzzlekit.engine.statuses import FOUND, PAUSED

#: The longest word of a library.
LONGEST = 47
_ENTRY = cython.declare(cython.int, LONGEST + 1)
_LONGEST = cython.declare(cython.int, LONGEST)
_WINDOW = cython.declare(cython.int, 8)  # moves on each side of an insertion that may cancel
_FAR = cython.declare(cython.int, 1 << 29)
_OPS = cython.declare(cython.int, 1024)  # cycles that one step compares
if not cython.compiled:
    _ENTRY, _LONGEST, _WINDOW, _FAR, _OPS = LONGEST + 1, LONGEST, 8, 1 << 29, 1024


@cython.final
@cython.cclass
class Moves:
    """The moves of a puzzle, as they act on its places, and the rules that shorten words.

    All lists are flat lists of numbers. The moves are numbered from 0 to 254.
    """

    moves: cython.int
    places: cython.int
    target: cython.p_int
    turn: cython.p_int
    modulus: cython.p_int
    cost: cython.p_int
    joined: cython.p_int
    inverse: cython.p_int
    commuting: cython.p_uchar
    _owners: list

    def __init__(
        self,
        #: Number of orientations of each place.
        modulus: object,
        #: For each move and each place, the place to which the move brings the piece there.
        target: object,
        #: For each move and each place, what the move adds to the orientation of the piece there.
        turn: object,
        #: The cost of each move, at least 1.
        cost: object,
        #: The inverse of each move; -1 if no move undoes it.
        inverse: object,
        #: For each pair of moves, the move with the same effect at no higher cost; -2 if the two
        #: moves cancel, and -1 if there is no such move.
        joined: object,
        #: A byte for each pair of moves: 1 if they commute.
        commuting: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = len(cost)
        self.places = len(modulus)
        self.modulus = _ints_at(array("i", modulus), owners)
        self.target = _ints_at(array("i", target), owners)
        self.turn = _ints_at(array("i", turn), owners)
        self.cost = _ints_at(array("i", cost), owners)
        self.inverse = _ints_at(array("i", inverse), owners)
        self.joined = _ints_at(array("i", joined), owners)
        self.commuting = _bytes_at(bytes(commuting), owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _push(
        self, word: cython.p_uchar, at: cython.Py_ssize_t, count: cython.int, move: cython.int
    ) -> cython.int:
        """Append a move to a word of `count` moves at `word[at]`, and return the new length.

        The move joins an earlier move if it commutes with all moves between them.
        """
        k: cython.int = count - 1
        i: cython.int
        last: cython.int
        both: cython.int
        while k >= 0:
            last = word[at + k]
            both = self.joined[last * self.moves + move]
            if both == -2:
                for i in range(k, count - 1):
                    word[at + i] = word[at + i + 1]
                return count - 1
            if both >= 0:
                word[at + k] = both
                return count
            if not self.commuting[last * self.moves + move]:
                break
            k -= 1
        word[at + count] = move
        return count + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _total(self, word: cython.p_uchar, at: cython.Py_ssize_t, count: cython.int) -> cython.int:
        k: cython.int
        total: cython.int = 0
        for k in range(count):
            total += self.cost[word[at + k]]
        return total

    def shortened(self, word: bytes) -> bytes:
        """Return a word with the same effect in which moves that cancel or join have done so."""
        owners: list = []
        buffer = bytearray(len(word) + 1)
        given: cython.p_uchar = _bytes_at(bytes(word) + b"\0", owners)
        into: cython.p_uchar = _bytes_at(buffer, owners)
        k: cython.int
        count: cython.int = 0
        length: cython.int = len(word)
        for k in range(length):
            count = self._push(into, 0, count, given[k])
        owners.clear()
        return bytes(buffer[:count])


@cython.final
@cython.cclass
class Library:
    """The cheapest known words of 3-cycles and of twists.

    A 3-cycle a -> b -> c -> a of places of one group has a key, and so has each choice of the
    orientations t and u that pieces get at b and c. The piece that reaches a gets -t - u. A twist
    adds t to the orientation at a, and -t at b; if a is b, it adds t there alone. Each key has the
    same number of slots for words. A slot has the length of its word, then the moves.
    """

    moves: Moves
    slots: cython.int
    keys: cython.int
    group: cython.p_int
    local: cython.p_int
    start: cython.p_int
    size: cython.p_int
    turns: cython.p_int
    cycles: cython.p_int
    twists: cython.p_int
    words: cython.p_uchar
    cost: cython.p_int
    fresh: cython.p_uchar
    _word: cython.p_uchar
    _made: cython.p_uchar
    _at: cython.p_int
    _to: cython.p_int
    _turn: cython.p_int
    _groups: cython.int
    _owners: list

    def __init__(
        self,
        moves: Moves,
        #: The group of each place, -1 for none; groups are stretches of places.
        group: object,
        #: For each group its first place, its number of places, its number of orientations, its
        #: first key of a 3-cycle, and its first key of a twist.
        groups: list,
        #: The number of keys.
        keys: object,
        #: The number of words of each key.
        slots: object,
        #: `keys` * `slots` * (LONGEST + 1) bytes; a bytearray if words are added.
        words: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.keys = keys
        self.slots = slots
        self._groups = len(groups)
        columns = list(zip(*groups, strict=True)) or [()] * 5
        self.group = _ints_at(array("i", group), owners)
        self.start = _ints_at(array("i", [*columns[0], 0]), owners)
        self.size = _ints_at(array("i", [*columns[1], 0]), owners)
        self.turns = _ints_at(array("i", [*columns[2], 0]), owners)
        self.cycles = _ints_at(array("i", [*columns[3], 0]), owners)
        self.twists = _ints_at(array("i", [*columns[4], 0]), owners)
        local = [p - columns[0][g] if g >= 0 else -1 for p, g in enumerate(group)]
        self.local = _ints_at(array("i", local), owners)
        self.words = _bytes_at(words, owners)
        entries = keys * slots + 1
        self.cost = _ints_at(array("i", bytes(4 * entries)), owners)
        self.fresh = _bytes_at(bytearray(entries), owners)
        self._word = _bytes_at(bytearray(4 * LONGEST + 16), owners)
        self._made = _bytes_at(bytearray(4 * LONGEST + 16), owners)
        self._at = _ints_at(array("i", bytes(16)), owners)
        self._to = _ints_at(array("i", bytes(16)), owners)
        self._turn = _ints_at(array("i", bytes(16)), owners)
        self._measure()

    @cython.cfunc
    def _measure(self) -> cython.void:
        """Set the costs of the words."""
        e: cython.Py_ssize_t
        n: cython.int
        for e in range(cython.cast(cython.Py_ssize_t, self.keys) * self.slots):
            n = self.words[e * _ENTRY]
            if n:
                self.cost[e] = self.moves._total(self.words, e * _ENTRY + 1, n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cycle(
        self,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.int:
        """Return the key of a 3-cycle of places; `t` and `u` are orientations from 0."""
        g: cython.int = self.group[a]
        n: cython.int = self.size[g]
        m: cython.int = self.turns[g]
        i: cython.int = self.local[a]
        j: cython.int = self.local[b]
        k: cython.int = self.local[c]
        v: cython.int = (2 * m - t - u) % m
        if j < i and j < k:
            return self.cycles[g] + (((j * n + k) * n + i) * m + u) * m + v
        if k < i:
            return self.cycles[g] + (((k * n + i) * n + j) * m + v) * m + t
        return self.cycles[g] + (((i * n + j) * n + k) * m + t) * m + u

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _twist(self, a: cython.int, b: cython.int, t: cython.int) -> cython.int:
        """Return the key of a twist by `t` at a, and by -t at b."""
        g: cython.int = self.group[a]
        n: cython.int = self.size[g]
        m: cython.int = self.turns[g]
        i: cython.int = self.local[a]
        j: cython.int = self.local[b]
        if j < i:
            return self.twists[g] + (j * n + i) * m + (m - t) % m
        return self.twists[g] + (i * n + j) * m + t

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _offer(
        self, key: cython.int, word: cython.p_uchar, at: cython.Py_ssize_t, count: cython.int
    ) -> cython.int:
        """Keep a word of a key if it is new and among the cheapest; return 1 if it is kept."""
        e: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key) * self.slots
        cost: cython.int = self.moves._total(word, at, count)
        s: cython.int
        k: cython.int
        base: cython.Py_ssize_t
        chosen: cython.int = -1
        worst: cython.int = cost
        if count == 0 or count > _LONGEST:
            return 0
        for s in range(self.slots):
            base = (e + s) * _ENTRY
            if self.words[base] == 0:
                if chosen < 0 or worst < _FAR:
                    chosen = s
                    worst = _FAR
                continue
            # Words with the same ends cancel in the same places.
            if (
                self.words[base + 1] == word[at]
                and self.words[base + self.words[base]] == word[at + count - 1]
            ):
                if self.cost[e + s] <= cost:
                    return 0
                chosen = s
                break
            if self.cost[e + s] > worst:
                worst = self.cost[e + s]
                chosen = s
        if chosen < 0:
            return 0
        base = (e + chosen) * _ENTRY
        self.words[base] = count
        for k in range(count):
            self.words[base + 1 + k] = word[at + k]
        self.cost[e + chosen] = cost
        self.fresh[e + chosen] = 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key_of(self, word: cython.p_uchar, count: cython.int) -> cython.int:
        """Return the key of a word, or -1 if it is neither a 3-cycle nor a twist."""
        p: cython.int
        q: cython.int
        k: cython.int
        turned: cython.int
        changed: cython.int = 0
        for p in range(self.moves.places):
            q = p
            turned = 0
            for k in range(count):
                turned += self.moves.turn[word[k] * self.moves.places + q]
                q = self.moves.target[word[k] * self.moves.places + q]
            turned = turned % self.moves.modulus[p]
            if q != p or turned:
                if changed == 3:
                    return -1
                self._at[changed] = p
                self._to[changed] = q
                self._turn[changed] = turned
                changed += 1
        if changed == 0:
            return -1
        p = self.group[self._at[0]]
        for k in range(changed):
            if p < 0 or self.group[self._at[k]] != p:
                return -1
        if changed == 3:
            if self._to[0] == self._at[0] or self._to[1] == self._at[1]:
                return -1
            if (self._turn[0] + self._turn[1] + self._turn[2]) % self.turns[p]:
                return -1
            if self._to[0] == self._at[1]:
                return self._cycle(
                    self._at[0], self._at[1], self._at[2], self._turn[0], self._turn[1]
                )
            return self._cycle(self._at[0], self._at[2], self._at[1], self._turn[0], self._turn[2])
        if self._to[0] != self._at[0]:
            return -1
        if changed == 1:
            return self._twist(self._at[0], self._at[0], self._turn[0])
        if (self._turn[0] + self._turn[1]) % self.turns[p]:
            return -1
        return self._twist(self._at[0], self._at[1], self._turn[0])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _try(self, count: cython.int) -> cython.int:
        """Offer the word in the buffer if it has a key; return 1 if it is kept."""
        key: cython.int = self._key_of(self._word, count)
        k: cython.int
        n: cython.int = 0
        if key < 0:
            return 0
        for k in range(count):
            n = self.moves._push(self._made, 0, n, self._word[k])
        return self._offer(key, self._made, 0, n)

    def commutators(
        self, first: bytes, length: cython.int, second: bytes, length2: cython.int
    ) -> int:
        """Offer the commutators A B A' B' of all words A of `first` and B of `second`.

        The words of `first` have `length` moves each, and those of `second` have `length2` moves.
        Both are joined in one string. Returns how many commutators are kept.
        """
        owners: list = []
        one: cython.p_uchar = _bytes_at(first, owners)
        other: cython.p_uchar = _bytes_at(second, owners)
        ones: cython.Py_ssize_t = len(first) // length
        others: cython.Py_ssize_t = len(second) // length2
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.int
        kept: cython.int = 0
        word: cython.p_uchar = self._word
        both: cython.int = length + length2
        with cython.nogil:
            for i in range(ones):
                for k in range(length):
                    word[k] = one[i * length + k]
                    word[both + length - 1 - k] = self.moves.inverse[word[k]]
                for j in range(others):
                    for k in range(length2):
                        word[length + k] = other[j * length2 + k]
                        word[2 * both - 1 - k] = self.moves.inverse[word[length + k]]
                    kept += self._try(2 * both)
        return kept

    def near_nothing(
        self,
        first: bytes,
        length: cython.int,
        second: bytes,
        length2: cython.int,
        most: cython.int,
        wanted: cython.int,
    ) -> list:
        """Return commutators as in `commutators` that move at least one and at most `most` places.

        The list has at most `wanted` of them.
        """
        owners: list = []
        one: cython.p_uchar = _bytes_at(first, owners)
        other: cython.p_uchar = _bytes_at(second, owners)
        ones: cython.Py_ssize_t = len(first) // length
        others: cython.Py_ssize_t = len(second) // length2
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        k: cython.int
        changed: cython.int
        word: cython.p_uchar = self._word
        both: cython.int = length + length2
        found: list = []
        for i in range(ones):
            for k in range(length):
                word[k] = one[i * length + k]
                word[both + length - 1 - k] = self.moves.inverse[word[k]]
            for j in range(others):
                for k in range(length2):
                    word[length + k] = other[j * length2 + k]
                    word[2 * both - 1 - k] = self.moves.inverse[word[length + k]]
                changed = self._changed(2 * both, most)
                if 0 < changed <= most:
                    found.append(bytes([word[k] for k in range(2 * both)]))
                    if len(found) == wanted:
                        return found
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _changed(self, count: cython.int, most: cython.int) -> cython.int:
        """Return how many places the word in the buffer changes, at most `most` + 1."""
        p: cython.int
        q: cython.int
        k: cython.int
        turned: cython.int
        changed: cython.int = 0
        for p in range(self.moves.places):
            q = p
            turned = 0
            for k in range(count):
                turned += self.moves.turn[self._word[k] * self.moves.places + q]
                q = self.moves.target[self._word[k] * self.moves.places + q]
            if q != p or turned % self.moves.modulus[p]:
                changed += 1
                if changed > most:
                    break
        return changed

    def powers(self, words: bytes, length: cython.int) -> int:
        """Offer the powers of words of `length` moves each, and return how many are kept."""
        owners: list = []
        given: cython.p_uchar = _bytes_at(words, owners)
        count: cython.Py_ssize_t = len(words) // length
        i: cython.Py_ssize_t
        k: cython.int
        n: cython.int
        kept: cython.int = 0
        with cython.nogil:
            for i in range(count):
                n = 0
                while n + length <= _LONGEST:
                    for k in range(length):
                        self._word[n + k] = given[i * length + k]
                    n += length
                    kept += self._try(n)
        return kept

    def offer(self, word: bytes) -> int:
        """Offer a word of at most four times LONGEST moves; return 1 if it is kept."""
        k: cython.int
        if len(word) > 4 * LONGEST:
            return 0
        count: cython.int = len(word)
        for k in range(count):
            self._word[k] = word[k]
        return self._try(count)

    def join_cycles(self) -> int:
        """Offer products of two 3-cycles as twists of two places; return how many are kept."""
        g: cython.int
        n: cython.int
        m: cython.int
        first: cython.int
        a: cython.int
        b: cython.int
        c: cython.int
        t: cython.int
        u: cython.int
        v: cython.int
        kept: cython.int = 0
        with cython.nogil:
            for g in range(self._groups):
                n = self.size[g]
                m = self.turns[g]
                first = self.start[g]
                for a in range(n if m > 1 else 0):
                    for b in range(a + 1, n):
                        for c in range(n):
                            if c in (a, b) or (c > 7 and (a * b + c) % 5):
                                continue
                            for t in range(1, m):
                                for u in range(m):
                                    for v in range(m):
                                        kept += self._joined_twist(
                                            first + a, first + b, first + c, t, u, v
                                        )
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _joined_twist(
        self,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
        v: cython.int,
    ) -> cython.int:
        """Offer a twist by t at a, as a -> b -> c with turns u and v, and a -> c -> b."""
        m: cython.int = self.turns[self.group[a]]
        one: cython.Py_ssize_t = self._cycle(a, b, c, u, v)
        other: cython.Py_ssize_t = self._cycle(a, c, b, (u + v) % m, (2 * m - t - v) % m)
        k: cython.int
        n: cython.int = 0
        one *= self.slots * _ENTRY
        other *= self.slots * _ENTRY
        if self.words[one] == 0 or self.words[other] == 0:
            return 0
        for k in range(self.words[one]):
            n = self.moves._push(self._made, 0, n, self.words[one + 1 + k])
        for k in range(self.words[other]):
            n = self.moves._push(self._made, 0, n, self.words[other + 1 + k])
        return self._offer(self._twist(a, b, t), self._made, 0, n)

    def spread(self, most: cython.int) -> int:
        """Offer all conjugates by one move, and the inverse, of new words of cost at most `most`.

        Returns the least cost of a new word that is left; 0 if none is left.
        """
        g: cython.int
        key: cython.Py_ssize_t
        first: cython.int
        n: cython.int
        m: cython.int
        a: cython.int
        b: cython.int
        c: cython.int
        t: cython.int
        u: cython.int
        code: cython.int
        s: cython.int
        least: cython.int = _FAR
        e: cython.Py_ssize_t
        with cython.nogil:
            for g in range(self._groups):
                n = self.size[g]
                m = self.turns[g]
                first = self.start[g]
                for key in range(self.cycles[g], self.twists[g] + n * n * m):
                    for s in range(self.slots):
                        e = key * self.slots + s
                        if not self.fresh[e]:
                            continue
                        if self.cost[e] > most:
                            if self.cost[e] < least:
                                least = self.cost[e]
                            continue
                        self.fresh[e] = 0
                        if key < self.twists[g]:
                            code = cython.cast(cython.int, key) - self.cycles[g]
                            u = code % m
                            t = code // m % m
                            c = first + code // (m * m) % n
                            b = first + code // (m * m * n) % n
                            a = first + code // (m * m * n * n)
                        else:
                            code = cython.cast(cython.int, key) - self.twists[g]
                            t = code % m
                            u = 0
                            b = first + code // m % n
                            a = first + code // (m * n)
                            c = -1
                        self._conjugates(e, g, a, b, c, t, u)
                        for u in range(self.slots):  # they may have become new again
                            if self.fresh[key * self.slots + u]:
                                code = self.cost[key * self.slots + u]
                                if code < least:
                                    least = code
            for g in range(self._groups):  # words that became new behind the loop
                n = self.size[g]
                m = self.turns[g]
                for key in range(self.cycles[g], self.twists[g] + n * n * m):
                    for s in range(self.slots):
                        e = key * self.slots + s
                        if self.fresh[e] and self.cost[e] < least:
                            least = self.cost[e]
        return 0 if least == _FAR else least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _conjugates(
        self,
        e: cython.Py_ssize_t,
        g: cython.int,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.void:
        """Offer the conjugates of a word, and its inverse. `c` is -1 for a twist."""
        m: cython.int = self.turns[g]
        count: cython.int = self.words[e * _ENTRY]
        x: cython.int
        k: cython.int
        n: cython.int
        row: cython.int
        ta: cython.int
        tb: cython.int
        tc: cython.int
        key: cython.int
        made: cython.p_uchar = self._made
        word: cython.p_uchar = self._word
        for k in range(count):
            word[k] = self.words[e * _ENTRY + 1 + k]
        for x in range(self.moves.moves):
            if self.moves.inverse[x] < 0:
                continue
            row = x * self.moves.places
            n = self.moves._push(made, 0, 0, self.moves.inverse[x])
            for k in range(count):
                n = self.moves._push(made, 0, n, word[k])
            n = self.moves._push(made, 0, n, x)
            if c < 0:
                key = self._twist(self.moves.target[row + a], self.moves.target[row + b], t)
            else:
                ta = self.moves.turn[row + a]
                tb = self.moves.turn[row + b]
                tc = self.moves.turn[row + c]
                key = self._cycle(
                    self.moves.target[row + a],
                    self.moves.target[row + b],
                    self.moves.target[row + c],
                    (t + m - ta + tb) % m,
                    (u + m - tb + tc) % m,
                )
            self._offer(key, made, 0, n)
        n = 0
        for k in range(count):
            n = self.moves._push(made, 0, n, self.moves.inverse[word[count - 1 - k]])
        if c < 0:
            key = self._twist(a, b, (m - t) % m)
        else:  # b -> a by -t, a -> c by t + u, c -> b by -u
            key = self._cycle(b, a, c, (m - t) % m, (t + u) % m)
        self._offer(key, made, 0, n)


@cython.final
@cython.cclass
class WordSearch:
    """Searches ever cheaper words that solve a state.

    A beam of words inserts 3-cycles and twists. Each step solves one to three more pieces. Words
    are compared with words that leave equally many pieces unsolved.
    """

    done: cython.longlong
    moves: Moves
    library: Library
    labels: cython.p_int
    turns: cython.p_int
    at: cython.p_int
    by: cython.p_int
    homes: cython.p_int
    first: cython.p_int
    wanted: cython.p_int
    block: cython.p_int
    even: cython.p_uchar
    step: cython.p_int
    blocks: cython.int
    room: cython.int
    most: cython.int
    width: cython.int
    widest: cython.int
    limit: cython.int
    bound: cython.int
    best_cost: cython.int
    best_count: cython.int
    best: cython.p_uchar
    gone: cython.p_uchar
    nodes: cython.p_uchar
    counts: cython.p_int
    c_cost: cython.p_int
    c_parent: cython.p_int
    c_place: cython.p_int
    c_entry: cython.p_int
    c_hash: cython.p_longlong
    op_hash: cython.p_longlong
    hash: cython.longlong
    filled: cython.p_int
    level: cython.int
    index: cython.int
    stage: cython.int
    start: cython.int
    starts: list
    loose: cython.p_int
    source: cython.p_int
    after: cython.p_int
    op_x: cython.p_int
    op_y: cython.p_int
    op_z: cython.p_int
    op_t: cython.p_int
    op_u: cython.p_int
    op_left: cython.p_int
    op_cost: cython.p_int
    op_place: cython.p_int
    op_entry: cython.p_int
    ops: cython.int
    tail: cython.p_uchar
    seed: cython.longlong
    seen: cython.p_uchar
    effort: cython.longlong
    _owners: list

    def __init__(
        self,
        moves: Moves,
        library: Library,
        #: The label and the orientation of the piece at each place, in the state.
        labels: list,
        turns: list,
        #: The label that each place has in the solved state. Labels are numbered from 0.
        wanted: list,
        #: The block of each place, -1 for places whose pieces the library does not move.
        block: list,
        #: For each block, whether only even permutations of its pieces can be solved.
        even: list,
        #: For each block, the sum of its orientations must be a multiple of this number.
        step: list,
        #: Words to start with. After each of them, the library can solve the rest.
        starts: list,
        seed: object = 1,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.library = library
        places: cython.int = moves.places
        self.done = 0
        self.labels = _ints_at(array("i", labels), owners)
        self.turns = _ints_at(array("i", turns), owners)
        self.wanted = _ints_at(array("i", wanted), owners)
        self.at = _ints_at(array("i", labels), owners)
        self.by = _ints_at(array("i", turns), owners)
        homes: list = [[] for _ in range(max(wanted) + 1)]
        for place, label in enumerate(wanted):
            homes[label].append(place)
        counted: list = [len(own) for own in homes]
        first = array("i", [sum(counted[:label]) for label in range(len(counted) + 1)])
        self.first = _ints_at(first, owners)
        self.homes = _ints_at(array("i", [p for own in homes for p in own]), owners)
        self.block = _ints_at(array("i", block), owners)
        self.blocks = len(even)
        self.even = _bytes_at(bytes(even) + b"\0", owners)
        self.step = _ints_at(array("i", [*step, 0]), owners)
        self.starts = [bytes(each) for each in starts]
        longest = max([len(each) for each in self.starts])
        self.room = longest + 16 * places + 64
        self.most = places
        self.widest = max(1, min(64, 4_000_000 // (self.room * 4), 4_000_000 // (places + 1)))
        self.best = _bytes_at(bytearray(self.room), owners)
        self.gone = _bytes_at(bytearray(self.room), owners)
        self.tail = _bytes_at(bytearray(self.room + 4 * _LONGEST), owners)
        self.nodes = _bytes_at(bytearray(4 * self.widest * self.room), owners)
        self.counts = _ints_at(array("i", bytes(16 * self.widest)), owners)
        candidates = (places + 1) * self.widest
        self.c_cost = _ints_at(array("i", bytes(4 * candidates)), owners)
        self.c_parent = _ints_at(array("i", bytes(4 * candidates)), owners)
        self.c_place = _ints_at(array("i", bytes(4 * candidates)), owners)
        self.c_entry = _ints_at(array("i", bytes(4 * candidates)), owners)
        self.c_hash = _longs_at(array("q", bytes(8 * candidates)), owners)
        self.op_hash = _longs_at(array("q", bytes(8 * _OPS)), owners)
        self.hash = 0
        self.filled = _ints_at(array("i", bytes(4 * (places + 1))), owners)
        self.loose = _ints_at(array("i", bytes(4 * places)), owners)
        self.source = _ints_at(array("i", bytes(4 * places)), owners)
        self.after = _ints_at(array("i", bytes(4 * places)), owners)
        self.op_x = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_y = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_z = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_t = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_u = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_left = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_cost = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_place = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.op_entry = _ints_at(array("i", bytes(4 * _OPS)), owners)
        self.seen = _bytes_at(bytearray(places + 1), owners)
        self.seed = 1 + seed % 1000000
        self.limit = _FAR
        self.bound = _FAR - 1
        self.best_cost = _FAR
        self.best_count = 0
        self.effort = 400_000
        self.stage = 0
        self.start = 0
        self._begin_start(0, 1)

    @property
    def work(self) -> int:
        """The number of insertions compared so far, which the budget of `run` limits."""
        return self.done

    @property
    def is_capped(self) -> bool:
        """True: the search proves nothing."""
        return True

    @property
    def answer(self) -> tuple[bytes, int]:
        """The cheapest word so far, and its cost."""
        return bytes([self.best[k] for k in range(self.best_count)]), self.best_cost

    def tighten(self, limit: cython.int) -> None:
        """From now on, report only answers that cost at most `limit`."""
        if limit < self.limit:
            self.limit = limit

    def run(self, budget: cython.longlong) -> int:
        """Search until about `budget` insertions are compared, or until an answer is found.

        Returns FOUND or PAUSED. `answer` is then the cheapest word so far.
        """
        end: cython.longlong = self.done + budget
        ended: cython.int
        while self.done < end:
            with cython.nogil:
                ended = self._step()
            if ended == 2:
                self._next_beam()
            elif ended == 1:
                better = self._accept()
                self._next_beam()
                if better and self.best_cost <= self.limit:
                    return FOUND
        return PAUSED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _random(self, below: cython.int) -> cython.int:
        """Return a random number below a bound (the generator of Park and Miller)."""
        self.seed = self.seed * 48271 % 2147483647
        return cython.cast(cython.int, (self.seed >> 4) % below)

    @cython.cfunc
    def _accept(self) -> object:
        """Take the first word at level 0; return whether it is cheaper than all before."""
        count: cython.int = self.counts[self.index]
        base: cython.Py_ssize_t = self._node(0, 0)
        k: cython.int
        n: cython.int = 0
        cost: cython.int
        for k in range(count if count > 0 else 0):
            n = self.moves._push(self.tail, 0, n, self.nodes[base + k])
        cost = self.moves._total(self.tail, 0, n)
        if cost > self.best_cost:
            return False
        for k in range(n):
            self.best[k] = self.tail[k]
        self.best_count = n
        better = cost < self.best_cost
        self.best_cost = cost
        return better

    @cython.cfunc
    def _begin_start(self, number: cython.int, width: cython.int) -> cython.void:
        """Begin a beam from a start."""
        word: bytes = self.starts[number]
        k: cython.int
        n: cython.int = 0
        self.bound = self.best_cost - 1
        for k in range(len(word)):
            n = self.moves._push(self.nodes, 0, n, word[k])
        self._begin(n, width)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, count: cython.int, width: cython.int) -> cython.int:
        """Begin a beam at the word in the first node; return the number of unsolved pieces."""
        k: cython.int
        n: cython.int
        left: cython.int
        for k in range(self.most + 1):
            self.filled[k] = 0
        left = self._replay(0, count)
        self.width = width
        self.level = left
        self.index = 0
        self.filled[left] = 1
        k = left * self.widest
        self.c_cost[k] = self.moves._total(self.nodes, 0, count)
        self.c_parent[k] = -1
        self.c_place[k] = count
        if left % 4:  # the node of the level
            for n in range(count):
                self.nodes[self._node(left, 0) + n] = self.nodes[n]
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _node(self, level: cython.int, index: cython.int) -> cython.Py_ssize_t:
        return cython.cast(cython.Py_ssize_t, level % 4 * self.widest + index) * self.room

    @cython.cfunc
    def _next_beam(self) -> cython.void:
        """Begin the next beam: from all starts, then wider ones, then at parts of the best word."""
        starts: cython.int = len(self.starts)
        self.start += 1
        if self.stage < 4:
            if self.start >= (starts if self.stage == 0 else min(starts, 3)):
                self.stage = (self.stage + 1) % 4 if self.best_cost == _FAR else self.stage + 1
                self.start = 0
            if self.stage < 4:
                self._begin_start(self.start, min(1 << 2 * self.stage, self.widest))
                return
        self.level = 0
        self.filled[0] = 0  # if no beam begins, the next step fails
        with cython.nogil:
            for _ in range(100):
                if self._cut():
                    break
                self.done += 10

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cut(self) -> cython.int:
        """Delete moves of the best word and begin a beam there; return 0 if that is useless."""
        count: cython.int = self.best_count
        length: cython.int
        begin: cython.int
        k: cython.int
        n: cython.int = 0
        left: cython.int
        if count == 0:
            self.done += 10
            return 0
        for k in range(count):
            self.gone[k] = 0
        if self._random(2):
            length = 1 + self._random(min(count, 12))
            begin = self._random(count - length + 1)
            for k in range(begin, begin + length):
                self.gone[k] = 1
        else:  # pairs of a move and its inverse: few pieces become unsolved
            length = 1 + self._random(3)
            while length:
                length -= 1
                begin = self._random(count)
                for k in range(begin + 1, min(count, begin + 12)):
                    if self.best[k] == self.moves.inverse[self.best[begin]]:
                        self.gone[begin] = 1
                        self.gone[k] = 1
                        break
        begin = self._random(count) if self._random(3) == 0 else -1
        for k in range(count):
            if k == begin:  # another move may make more insertions possible
                n = self.moves._push(self.nodes, 0, n, self._random(self.moves.moves))
            if not self.gone[k]:
                n = self.moves._push(self.nodes, 0, n, self.best[k])
        left = self._replay(0, n)
        self.done += n
        if left > 24 or not self._fits():
            return 0
        self.bound = self.best_cost
        self._begin(n, min(self.widest, 3))
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fits(self) -> cython.int:
        """Whether the library can solve the current state."""
        p: cython.int
        q: cython.int
        b: cython.int
        total: cython.int
        swaps: cython.int
        for p in range(self.most):
            b = self.block[p]
            q = self.homes[self.first[self.at[p]]]
            if b < 0 and (self.at[p] != self.wanted[p] or self.by[p]):
                return 0
            if b != self.block[q]:
                return 0
        for b in range(self.blocks):
            total = 0
            swaps = 0
            for p in range(self.most):
                self.seen[p] = 0
            for p in range(self.most):
                if self.block[p] != b:
                    continue
                total += self.by[p]
                if not self.even[b]:
                    continue
                q = p
                while not self.seen[q]:
                    self.seen[q] = 1
                    q = self.homes[self.first[self.at[q]]]
                    if q != p:
                        swaps += 1
            if self.even[b] and swaps & 1:
                return 0
            if total % self.step[b]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _replay(self, base: cython.Py_ssize_t, count: cython.int) -> cython.int:
        """Set the current state to the state after a word; return the number of unsolved pieces."""
        p: cython.int
        q: cython.int
        k: cython.int
        turned: cython.int
        row: cython.int
        left: cython.int = 0
        for p in range(self.most):
            q = p
            turned = self.turns[p]
            for k in range(count):
                row = self.nodes[base + k] * self.moves.places + q
                turned += self.moves.turn[row]
                q = self.moves.target[row]
            self.at[q] = self.labels[p]
            self.by[q] = turned % self.moves.modulus[q]
        self.hash = 0
        for p in range(self.most):
            if self.at[p] != self.wanted[p] or self.by[p]:
                self.loose[left] = p
                left += 1
                self.hash += self._mixed(p, self.at[p], self.by[p])
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mixed(self, place: cython.int, label: cython.int, turned: cython.int) -> cython.longlong:
        """Return a number that is likely to differ for other arguments; 0 if it is solved."""
        mixed: cython.longlong = place
        turned = turned % self.moves.modulus[place]
        if self.wanted[place] == label and turned == 0:
            return 0
        mixed = (mixed * 10007 + label) * 131 + turned + 1
        mixed = mixed * 48271 % 2147483647
        mixed = mixed * mixed % 2147483647
        return mixed * 69621 % 2147483647

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step(self) -> cython.int:
        """Expand one word. Return 1 if the beam has an answer, 2 if it failed, else 0."""
        while self.level > 0 and self.index >= self.filled[self.level]:
            self.level -= 1
            self.index = 0
        if self.level == 0 and self.filled[0] == 0:
            return 2
        self._make(self.level, self.index)
        if self.level == 0:
            return 1
        self._expand(self.level, self.index)
        self.index += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _make(self, level: cython.int, index: cython.int) -> cython.void:
        """Make the word of a candidate."""
        c: cython.int = level * self.widest + index
        base: cython.Py_ssize_t = self._node(level, index)
        parent: cython.Py_ssize_t = self.c_parent[c]
        word: cython.Py_ssize_t
        k: cython.int
        n: cython.int = 0
        count: cython.int
        if parent < 0:  # the start is there already
            self.counts[level % 4 * self.widest + index] = self.c_place[c]
            return
        count = self.counts[parent]
        parent *= self.room
        for k in range(self.c_place[c]):
            n = self.moves._push(self.nodes, base, n, self.nodes[parent + k])
        word = cython.cast(cython.Py_ssize_t, self.c_entry[c]) * _ENTRY
        for k in range(self.library.words[word]):
            n = self.moves._push(self.nodes, base, n, self.library.words[word + 1 + k])
        for k in range(self.c_place[c], count):
            n = self.moves._push(self.nodes, base, n, self.nodes[parent + k])
        self.counts[level % 4 * self.widest + index] = n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solved_by(self, place: cython.int, label: cython.int, turned: cython.int) -> cython.int:
        return self.wanted[place] == label and turned % self.moves.modulus[place] == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(
        self,
        left: cython.int,
        x: cython.int,
        y: cython.int,
        z: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.void:
        """Add a 3-cycle or, if z is -1, a twist, if it solves pieces."""
        m: cython.int = self.moves.modulus[x]
        o: cython.int
        gain: cython.int = 0
        if self.ops >= _OPS:
            return
        gain -= self.wanted[x] == self.at[x] and self.by[x] == 0
        if y != x:
            gain -= self.wanted[y] == self.at[y] and self.by[y] == 0
        if z < 0:
            gain += self._solved_by(x, self.at[x], self.by[x] + t)
            if y != x:
                gain += self._solved_by(y, self.at[y], self.by[y] + m - t)
        else:
            gain -= self.wanted[z] == self.at[z] and self.by[z] == 0
            gain += self._solved_by(y, self.at[x], self.by[x] + t)
            gain += self._solved_by(z, self.at[y], self.by[y] + u)
            gain += self._solved_by(x, self.at[z], self.by[z] + 2 * m - t - u)
        if gain <= 0:
            return
        o = self.ops
        self.op_hash[o] = self.hash - self._mixed(x, self.at[x], self.by[x])
        if y != x:
            self.op_hash[o] -= self._mixed(y, self.at[y], self.by[y])
        if z < 0:
            self.op_hash[o] += self._mixed(x, self.at[x], self.by[x] + t)
            if y != x:
                self.op_hash[o] += self._mixed(y, self.at[y], self.by[y] + m - t)
        else:
            self.op_hash[o] -= self._mixed(z, self.at[z], self.by[z])
            self.op_hash[o] += self._mixed(y, self.at[x], self.by[x] + t)
            self.op_hash[o] += self._mixed(z, self.at[y], self.by[y] + u)
            self.op_hash[o] += self._mixed(x, self.at[z], self.by[z] + 2 * m - t - u)
        self.op_x[o] = x
        self.op_y[o] = y
        self.op_z[o] = z
        self.op_t[o] = t
        self.op_u[o] = u
        self.op_left[o] = left - gain
        self.op_cost[o] = _FAR
        self.ops += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gather(self, left: cython.int) -> cython.void:
        """List the 3-cycles and twists that solve unsolved pieces."""
        i: cython.int
        j: cython.int
        h: cython.int
        k: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        t: cython.int
        u: cython.int
        m: cython.int
        direct: cython.int
        offset: cython.int = self._random(left)
        self.ops = 0
        for i in range(left):
            x = self.loose[(i + offset) % left]
            if self.block[x] < 0 or self.ops >= _OPS // 2:
                continue
            m = self.moves.modulus[x]
            t = (m - self.by[x]) % m
            if self.wanted[x] == self.at[x]:  # turned at its place
                self._add(left, x, x, -1, t, 0)
                for j in range(left):
                    y = self.loose[j]
                    if self.block[y] == self.block[x] and y != x:
                        self._add(left, x, y, -1, t, 0)
                if left <= 2:
                    for y in range(self.most):
                        if self.block[y] == self.block[x] and y != x:
                            self._add(left, x, y, -1, t, 0)
                continue
            for h in range(self.first[self.at[x]], self.first[self.at[x] + 1]):
                y = self.homes[h]
                if self.block[y] != self.block[x] or y == x:
                    continue
                if self.wanted[y] == self.at[y] and (self.by[y] == 0 or left > 4):
                    continue
                direct = 0
                u = (m - self.by[y]) % m
                for k in range(self.first[self.at[y]], self.first[self.at[y] + 1]):
                    z = self.homes[k]
                    if z in (x, y) or self.block[z] != self.block[x]:
                        continue
                    if self.wanted[z] == self.at[z] and self.by[z] == 0:
                        continue
                    direct = 1
                    self._add(left, x, y, z, t, u)
                if not direct or left <= 6:
                    for j in range(left):
                        z = self.loose[j]
                        if self.block[z] == self.block[x] and z != x and z != y:
                            for u in range(m):
                                self._add(left, x, y, z, t, u)
                if left <= 3:
                    for z in range(self.most):
                        if self.block[z] == self.block[x] and z != x and z != y:
                            for u in range(m):
                                self._add(left, x, y, z, t, u)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _expand(self, left: cython.int, index: cython.int) -> cython.void:
        """Find the cheapest place and word of each useful cycle, and keep the cheapest of all."""
        node: cython.int = left % 4 * self.widest + index
        base: cython.Py_ssize_t = self._node(left, index)
        count: cython.int = self.counts[node]
        own: cython.int
        m: cython.int
        o: cython.int
        p: cython.int
        k: cython.int
        s: cython.int
        x: cython.int
        y: cython.int
        z: cython.int
        key: cython.int
        e: cython.Py_ssize_t
        row: cython.int
        cost: cython.int
        stride: cython.int
        total: cython.longlong
        self._replay(base, count)
        self.done += self.moves.places
        own = self.moves._total(self.nodes, base, count)
        self._gather(left)
        for k in range(self.moves.places):
            self.source[k] = k
            self.after[k] = 0
        total = cython.cast(cython.longlong, self.ops) * (count + 1)
        stride = cython.cast(cython.int, total // self.effort) + 1
        p = count
        while True:
            if stride == 1 or p == count or self._random(stride) == 0:
                for o in range(self.ops):
                    x = self.op_x[o]
                    y = self.op_y[o]
                    z = self.op_z[o]
                    m = self.moves.modulus[x]
                    if z < 0:
                        key = self.library._twist(self.source[x], self.source[y], self.op_t[o])
                        if x == y:
                            key = self.library._twist(self.source[x], self.source[x], self.op_t[o])
                    else:
                        key = self.library._cycle(
                            self.source[x],
                            self.source[y],
                            self.source[z],
                            (self.op_t[o] + self.after[x] + m - self.after[y]) % m,
                            (self.op_u[o] + self.after[y] + m - self.after[z]) % m,
                        )
                    for s in range(self.library.slots):
                        e = cython.cast(cython.Py_ssize_t, key) * self.library.slots + s
                        if self.library.words[e * _ENTRY] == 0:
                            continue
                        self.done += 1
                        cost = own + self._inserted(base, count, p, e)
                        if cost < self.op_cost[o]:
                            self.op_cost[o] = cost
                            self.op_place[o] = p
                            self.op_entry[o] = cython.cast(cython.int, e)
            if p == 0:
                break
            p -= 1
            row = self.moves.inverse[self.nodes[base + p]] * self.moves.places
            for k in range(self.moves.places):
                x = self.source[k]
                y = self.moves.target[row + x]
                # The move turns the piece that it brings from y to x.
                self.after[k] = (
                    self.after[k] + self.moves.turn[self.nodes[base + p] * self.moves.places + y]
                ) % self.moves.modulus[k]
                self.source[k] = y
        for o in range(self.ops):
            if self.op_cost[o] <= self.bound:  # less than _FAR, so it has a word
                self._keep(o, node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _keep(self, o: cython.int, node: cython.int) -> cython.void:
        """Keep a candidate if it is among the cheapest of its level."""
        level: cython.int = self.op_left[o]
        first: cython.int = level * self.widest
        n: cython.int = self.filled[level]
        i: cython.int
        if n == self.width and self.c_cost[first + n - 1] <= self.op_cost[o]:
            return
        for i in range(n):  # the same unsolved pieces
            if self.c_hash[first + i] == self.op_hash[o]:
                if self.c_cost[first + i] <= self.op_cost[o]:
                    return
                n = i
                break
        if n == self.width:
            n -= 1
        i = n
        while i > 0 and self.c_cost[first + i - 1] > self.op_cost[o]:
            self.c_cost[first + i] = self.c_cost[first + i - 1]
            self.c_parent[first + i] = self.c_parent[first + i - 1]
            self.c_place[first + i] = self.c_place[first + i - 1]
            self.c_entry[first + i] = self.c_entry[first + i - 1]
            self.c_hash[first + i] = self.c_hash[first + i - 1]
            i -= 1
        self.c_cost[first + i] = self.op_cost[o]
        self.c_parent[first + i] = node
        self.c_place[first + i] = self.op_place[o]
        self.c_entry[first + i] = self.op_entry[o]
        self.c_hash[first + i] = self.op_hash[o]
        if n + 1 > self.filled[level]:
            self.filled[level] = n + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _inserted(
        self, base: cython.Py_ssize_t, count: cython.int, place: cython.int, e: cython.Py_ssize_t
    ) -> cython.int:
        """Return by how much a word costs more with an entry of the library at a place."""
        begin: cython.int = place - _WINDOW if place > _WINDOW else 0
        end: cython.int = place + _WINDOW if place + _WINDOW < count else count
        k: cython.int
        n: cython.int = 0
        before: cython.int
        more: cython.int = 0
        word: cython.Py_ssize_t = e * _ENTRY
        for k in range(begin, place):
            self.tail[n] = self.nodes[base + k]
            n += 1
            more -= self.moves.cost[self.nodes[base + k]]
        for k in range(self.library.words[word]):
            n = self.moves._push(self.tail, 0, n, self.library.words[word + 1 + k])
        before = 0
        for k in range(place, end):
            begin = n
            more -= self.moves.cost[self.nodes[base + k]]
            n = self.moves._push(self.tail, 0, n, self.nodes[base + k])
            before = before + 1 if n > begin else 0
            if before == 3:
                break
        return more + self.moves._total(self.tail, 0, n)


@cython.final
@cython.cclass
class Approach:
    """Searches by single moves for words that solve many pieces.

    Each level of a beam has words of one more move. The beam keeps the words that solve most.
    """

    moves: Moves
    wanted: cython.p_int
    width: cython.int
    most: cython.int
    longest: cython.int
    length: cython.int
    count: cython.int
    labels: cython.p_int
    turns: cython.p_int
    next_labels: cython.p_int
    next_turns: cython.p_int
    words: cython.p_uchar
    next_words: cython.p_uchar
    solved: cython.p_int
    next_solved: cython.p_int
    scores: cython.p_int
    counted: cython.p_int
    changed: cython.p_int
    first: cython.p_int
    seen: cython.p_longlong
    room: cython.int
    seed: cython.longlong
    _owners: list

    def __init__(
        self,
        moves: Moves,
        #: The label and the orientation of the piece at each place, in the state.
        labels: list,
        turns: list,
        #: The label that each place has in the solved state.
        wanted: list,
        #: The number of words of a level.
        width: object,
        #: The largest number of levels.
        longest: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.width = width
        self.most = moves.places
        self.longest = longest
        self.length = 0
        self.count = 1
        self.seed = 7
        many: cython.int = moves.moves
        blank = array("i", bytes(4 * self.most * width))
        blank[: self.most] = array("i", labels)
        turned = array("i", bytes(4 * self.most * width))
        turned[: self.most] = array("i", turns)
        self.labels = _ints_at(blank, owners)
        self.turns = _ints_at(turned, owners)
        self.next_labels = _ints_at(array("i", bytes(4 * self.most * width)), owners)
        self.next_turns = _ints_at(array("i", bytes(4 * self.most * width)), owners)
        self.words = _bytes_at(bytearray(width * longest + 1), owners)
        self.next_words = _bytes_at(bytearray(width * longest + 1), owners)
        self.wanted = _ints_at(array("i", wanted), owners)
        self.solved = _ints_at(array("i", bytes(4 * width)), owners)
        self.next_solved = _ints_at(array("i", bytes(4 * width)), owners)
        self.scores = _ints_at(array("i", bytes(4 * width * many)), owners)
        self.counted = _ints_at(array("i", bytes(4 * (self.most + 1))), owners)
        changed = array("i")
        first = array("i")
        for m in range(many):
            first.append(len(changed))
            for p in range(self.most):
                if moves.target[m * self.most + p] != p or moves.turn[m * self.most + p]:
                    changed.append(p)
        first.append(len(changed))
        self.changed = _ints_at(changed, owners)
        self.first = _ints_at(first, owners)
        self.room = 4 * width + 1
        self.seen = _longs_at(array("q", bytes(8 * self.room)), owners)
        self.solved[0] = sum(
            [a == b and not t for a, b, t in zip(labels, wanted, turns, strict=True)]
        )

    def best(self, most: cython.int) -> list:
        """Return at most `most` words of the last level, those that solve most first."""
        listed = sorted(range(self.count), key=lambda i: (-self.solved[i], i))
        return [
            bytes([self.words[i * self.longest + k] for k in range(self.length)])
            for i in listed[:most]
        ]

    def deepen(self) -> int:
        """Add a move to the words; return the number of words, 0 after the last level."""
        if self.length == self.longest:
            return 0
        with cython.nogil:
            self._score()
            self._choose()
        self.length += 1
        self.labels, self.next_labels = self.next_labels, self.labels
        self.turns, self.next_turns = self.next_turns, self.turns
        self.words, self.next_words = self.next_words, self.words
        self.solved, self.next_solved = self.next_solved, self.solved
        return self.count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _score(self) -> cython.void:
        """Count the solved pieces after each word and one more move."""
        i: cython.int
        m: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        t: cython.int
        score: cython.int
        base: cython.Py_ssize_t
        row: cython.int
        for k in range(self.most + 1):
            self.counted[k] = 0
        for i in range(self.count):
            base = cython.cast(cython.Py_ssize_t, i) * self.most
            for m in range(self.moves.moves):
                if self.length:
                    p = self.words[i * self.longest + self.length - 1]
                    if self.moves.joined[p * self.moves.moves + m] != -1:
                        self.scores[i * self.moves.moves + m] = -1
                        continue
                score = self.solved[i]
                row = m * self.most
                for k in range(self.first[m], self.first[m + 1]):
                    p = self.changed[k]
                    if self.labels[base + p] == self.wanted[p] and self.turns[base + p] == 0:
                        score -= 1
                    q = self.moves.target[row + p]
                    if self.labels[base + p] == self.wanted[q]:
                        t = self.turns[base + p] + self.moves.turn[row + p]
                        if t % self.moves.modulus[q] == 0:
                            score += 1
                self.scores[i * self.moves.moves + m] = score
                self.counted[score] += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.void:
        """Keep the words that solve most."""
        least: cython.int = self.most
        above: cython.int = 0
        left: cython.int
        i: cython.int
        m: cython.int
        score: cython.int
        kept: cython.int = 0
        while least > 0 and above + self.counted[least] < self.width:
            above += self.counted[least]
            least -= 1
        left = self.width - above
        for i in range(self.room):
            self.seen[i] = 0
        for i in range(self.count):
            for m in range(self.moves.moves):
                score = self.scores[i * self.moves.moves + m]
                if score < least or kept == self.width:
                    continue
                if score == least:
                    self.seed = self.seed * 48271 % 2147483647
                    if self.seed % (self.counted[least] + 1) > 2 * left:
                        continue
                if self._moved(i, m, kept):
                    self.next_solved[kept] = score
                    kept += 1
        self.count = kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _moved(self, i: cython.int, m: cython.int, into: cython.int) -> cython.int:
        """Make a word and its state; return 0 if the state is known."""
        base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, i) * self.most
        end: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, into) * self.most
        row: cython.int = m * self.most
        p: cython.int
        q: cython.int
        k: cython.int
        mixed: cython.longlong
        total: cython.longlong = 1
        for p in range(self.most):
            q = self.moves.target[row + p]
            k = (self.turns[base + p] + self.moves.turn[row + p]) % self.moves.modulus[q]
            self.next_labels[end + q] = self.labels[base + p]
            self.next_turns[end + q] = k
            mixed = q
            mixed = (mixed * 10007 + self.labels[base + p]) * 131 + k + 1
            mixed = mixed * 48271 % 2147483647
            mixed = mixed * mixed % 2147483647
            total += mixed * 69621 % 2147483647
        k = cython.cast(cython.int, total % self.room)
        while self.seen[k]:
            if self.seen[k] == total:
                return 0
            k = (k + 1) % self.room
        self.seen[k] = total
        for k in range(self.length):
            self.next_words[into * self.longest + k] = self.words[i * self.longest + k]
        self.next_words[into * self.longest + self.length] = m
        return 1
