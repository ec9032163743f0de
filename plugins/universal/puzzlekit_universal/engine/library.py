# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""The library: short words that permute three pieces or twist two.

`library.pxd` declares the names that other compiled modules use.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # library.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, new_ints, new_longs
    from puzzlekit_universal.engine.word_moves import Moves
    from puzzlekit_universal.engine.word_sizes import BITS, FAR, MASK, ROOM


@cython.final
@cython.cclass
class Library:
    """The cheapest known words of 3-cycles and of twists.

    A 3-cycle a -> b -> c -> a of places of one group, of which a is the first, has a key. So has
    each choice of the orientations t and u that pieces get at b and c. The piece that reaches a
    gets -t - u. A twist adds t to the orientation at a, and -t at b; if a is b, it adds t there
    alone. Each key has the same number of slots for words. A slot has the length of its word, then
    the moves. Slots of one group have equally many bytes.
    """

    def __init__(
        self,
        moves: Moves,
        #: The group of each place, -1 for none; groups are stretches of places.
        group: object,
        #: For each group its first place, its number of places, its number of orientations, its
        #: first key of a 3-cycle, its first key of a twist, and the bytes of a slot: up to 256.
        groups: list,
        #: The number of words of each key.
        slots: object,
        #: The slots of all keys; a bytearray if words are added.
        words: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.slots = slots
        self.longest = 0
        self._groups = len(groups)
        columns = list(zip(*groups, strict=True)) or [()] * 6
        self.group = ints_at(array("i", group), owners)
        self.start = ints_at(array("i", [*columns[0], 0]), owners)
        self.size = ints_at(array("i", [*columns[1], 0]), owners)
        self.turns = ints_at(array("i", [*columns[2], 0]), owners)
        self.cycles = ints_at(array("i", [*columns[3], 0]), owners)
        self.twists = ints_at(array("i", [*columns[4], 0]), owners)
        self.entry = ints_at(array("i", [*columns[5], 0]), owners)
        corner = array("i", bytes(4 * moves.places + 4))
        origin = array("q", bytes(8 * len(groups) + 8))
        keys = size = 0
        for g, (start, n, m, _, twists, entry) in enumerate(groups):
            origin[g] = size - keys * slots * entry
            for i in range(n):
                corner[start + i] = keys
                keys += ((n - 1 - i) * m) ** 2
            keys = twists + n * n * m
            size = origin[g] + keys * slots * entry
        self.keys = keys
        self.corner = ints_at(corner, owners)
        self.origin = longs_at(origin, owners)
        local = [p - columns[0][g] if g >= 0 else -1 for p, g in enumerate(group)]
        self.local = ints_at(array("i", local), owners)
        self.words = bytes_at(words, owners)
        entries = keys * slots + 1
        self.cost = new_ints(entries, owners)
        self.fresh = bytes_at(bytearray(entries), owners)
        self._word = bytes_at(bytearray(ROOM), owners)
        self._made = bytes_at(bytearray(ROOM), owners)
        self._at = new_ints(moves.places + 1, owners)
        self._to = new_ints(moves.places + 1, owners)
        self._turn = new_ints(moves.places + 1, owners)
        # The word in which a move or a place was met last; words have growing numbers.
        self._met = new_longs(moves.moves, owners)
        self._seen = new_longs(moves.places, owners)
        self._stamp = 0
        # Whether the one word of a key is as cheap as that of the inverse 3-cycle or twist.
        self._has_pairs = slots == 1
        for x in range(moves.moves):
            if moves.inverse[x] < 0 or moves.cost[moves.inverse[x]] != moves.cost[x]:
                self._has_pairs = False
        self._list_bits()
        self._measure()

    @cython.cfunc
    def _list_bits(self) -> cython.void:
        """List as bits which places moves change, and which moves change places and join moves."""
        moves: Moves = self.moves
        owners: list = self._owners
        one: cython.longlong = 1
        x: cython.int
        y: cython.int
        k: cython.int
        p: cython.int
        self._parts = moves.places // BITS + 1
        self._masks = moves.moves // BITS + 1
        # Sets as bits: the places that some moves change (`_hold`) and that each move changes; the
        # moves that change each place, and the x of which x' joins each move. Then for `_joins`.
        self._own = new_longs(self._parts, owners)
        self._bits = new_longs(self._parts * moves.moves, owners)
        self._moving = new_longs(MASK * moves.places, owners)
        self._joined = new_longs(MASK * moves.moves, owners)
        self._joining = new_longs(MASK, owners)
        self._passing = new_longs(MASK, owners)
        for x in range(moves.moves):
            for k in range(moves.first[x], moves.first[x + 1]):
                p = moves.changed[k]
                self._bits[x * self._parts + p // BITS] |= one << p % BITS
                self._moving[p * MASK + x // BITS] |= one << x % BITS
            for y in range(moves.moves):
                if moves.inverse[x] >= 0 and moves.joined[moves.inverse[x] * moves.moves + y] != -1:
                    self._joined[y * MASK + x // BITS] |= one << x % BITS

    @cython.cfunc
    def _measure(self) -> cython.void:
        """Set the costs of the words."""
        g: cython.int
        e: cython.Py_ssize_t
        n: cython.int
        base: cython.Py_ssize_t
        for g in range(self._groups):
            n = self.twists[g] + self.size[g] * self.size[g] * self.turns[g]
            for e in range(self.cycles[g] * self.slots, n * self.slots):
                base = self.origin[g] + e * self.entry[g]
                n = self.words[base]
                if n > self.longest:
                    self.longest = n
                if n:
                    self.cost[e] = self.moves._total(self.words, base + 1, n)

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
        m: cython.int = self.turns[g]
        v: cython.int = (2 * m - t - u) % m
        if b < a and b < c:
            return self._corner(b, c, a, m, u, v)
        if c < a:
            return self._corner(c, a, b, m, v, t)
        return self._corner(a, b, c, m, t, u)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _corner(
        self,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        m: cython.int,
        t: cython.int,
        u: cython.int,
    ) -> cython.int:
        """Return the key of a 3-cycle whose first place is a."""
        behind: cython.int = self.size[self.group[a]] - 1 - self.local[a]
        return self.corner[a] + (((b - a - 1) * behind + c - a - 1) * m + t) * m + u

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
        self,
        g: cython.int,
        key: cython.int,
        word: cython.p_uchar,
        at: cython.Py_ssize_t,
        count: cython.int,
    ) -> cython.int:
        """Keep a word of a key of a group if it is new and cheap enough; return 1 if it is kept."""
        e: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key) * self.slots
        cost: cython.int = self.moves._total(word, at, count)
        s: cython.int
        k: cython.int
        base: cython.Py_ssize_t
        chosen: cython.int = -1
        worst: cython.int = cost
        if count == 0 or count >= self.entry[g]:
            return 0
        for s in range(self.slots):
            base = self.origin[g] + (e + s) * self.entry[g]
            if self.words[base] == 0:
                if chosen < 0 or worst < FAR:
                    chosen = s
                    worst = FAR
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
        base = self.origin[g] + (e + chosen) * self.entry[g]
        self.words[base] = count
        if count > self.longest:
            self.longest = count
        for k in range(count):
            self.words[base + 1 + k] = word[at + k]
        self.cost[e + chosen] = cost
        self.fresh[e + chosen] = 1
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _changes(self, count: cython.int, most: cython.int) -> cython.int:
        """List the places that the word in the buffer changes; return how many it changes.

        If they are more than `most`, return `most` + 1.
        """
        i: cython.int
        k: cython.int
        move: cython.int
        changed: cython.int = 0
        self._stamp += 1
        for i in range(count):
            move = self._word[count - 1 - i]  # what the last moves change is often changed at last
            if self._met[move] == self._stamp:
                continue
            self._met[move] = self._stamp
            for k in range(self.moves.first[move], self.moves.first[move + 1]):
                changed = self._look(self.moves.changed[k], count, changed, most)
                if changed > most:
                    return changed
        return changed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _look(
        self, p: cython.int, count: cython.int, changed: cython.int, most: cython.int
    ) -> cython.int:
        """List a place if the word in the buffer changes it; return how many are listed.

        A place that has been looked at is not listed again, and the list has at most `most` places.
        """
        q: cython.int = p
        j: cython.int
        turned: cython.int = 0
        if self._seen[p] == self._stamp:
            return changed
        self._seen[p] = self._stamp
        for j in range(count):
            turned += self.moves.turn[self._word[j] * self.moves.places + q]
            q = self.moves.target[self._word[j] * self.moves.places + q]
        turned = turned % self.moves.modulus[p]
        if q == p and turned == 0:
            return changed
        if changed < most:
            self._at[changed] = p
            self._to[changed] = q
            self._turn[changed] = turned
        return changed + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _brought(self, p: cython.int, begin: cython.int, count: cython.int) -> cython.int:
        """Return where `count` moves in the buffer bring the piece at a place."""
        k: cython.int
        for k in range(begin, begin + count):
            p = self.moves.target[self._word[k] * self.moves.places + p]
        return p

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _commuted(self, length: cython.int, length2: cython.int, most: cython.int) -> cython.int:
        """List the places that the commutator A B A' B' in the buffer changes, as `_changes`.

        Only places that A and B both change can be among them, and those from which A or B brings a
        piece to such a place. `_own` has the places that the moves of A change.
        """
        i: cython.int
        j: cython.int
        p: cython.int
        q: cython.int
        changed: cython.int = 0
        count: cython.int = 2 * (length + length2)
        found: cython.longlong
        self._stamp += 1
        for i in range(self._parts):
            found = 0
            for j in range(length, length + length2):
                found |= self._bits[self._word[j] * self._parts + i]
            found &= self._own[i]
            p = i * BITS
            while found:
                if found & 1:
                    changed = self._look(p, count, changed, most)
                    # A' brings a piece to where A brings it from.
                    q = self._brought(p, length + length2, length)
                    changed = self._look(q, count, changed, most)
                    q = self._brought(p, length + length2 + length, length2)
                    changed = self._look(q, count, changed, most)
                    if changed > most:
                        return changed
                found >>= 1
                p += 1
        return changed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold(self, length: cython.int) -> cython.void:
        """Set `_own` to the places that the first moves in the buffer change."""
        i: cython.int
        j: cython.int
        for i in range(self._parts):
            self._own[i] = 0
            for j in range(length):
                self._own[i] |= self._bits[self._word[j] * self._parts + i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key_of(self, changed: cython.int) -> cython.int:
        """Return the key of the word that changes the listed places; -1 if it has none."""
        k: cython.int
        p: cython.int
        if changed == 0 or changed > 3:
            return -1
        p = self.group[self._at[0]]
        for k in range(changed):
            if p < 0 or self.group[self._at[k]] != p:
                return -1
        if changed == 3:
            for k in range(3):
                if self._to[k] == self._at[k]:  # two pieces are swapped, and this one is turned
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
    def _try(self, count: cython.int, changed: cython.int) -> cython.int:
        """Offer the word in the buffer, which changes the listed places; return 1 if it is kept."""
        key: cython.int = self._key_of(changed)
        k: cython.int
        n: cython.int = 0
        if key < 0:
            return 0
        for k in range(count):
            n = self.moves._push(self._made, 0, n, self._word[k])
        return self._offer(self.group[self._at[0]], key, self._made, 0, n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay(
        self,
        words: cython.p_uchar,
        at: cython.Py_ssize_t,
        length: cython.int,
        begin: cython.int,
        both: cython.int,
    ) -> cython.void:
        """Write a word into the buffer from `begin` on, and its inverse `both` moves behind it."""
        k: cython.int
        for k in range(length):
            self._word[begin + k] = words[at + k]
            self._word[begin + both + length - 1 - k] = self.moves.inverse[words[at + k]]

    def commutators(
        self, first: bytes, length: cython.int, second: bytes, length2: cython.int
    ) -> int:
        """Offer the commutators A B A' B' of all words A of `first` and B of `second`.

        The words of `first` have `length` moves each, and those of `second` have `length2` moves.
        Both are joined in one string. Returns how many commutators are kept.
        """
        owners: list = []
        one: cython.p_uchar = bytes_at(first, owners)
        other: cython.p_uchar = bytes_at(second, owners)
        ones: cython.Py_ssize_t = len(first) // length
        others: cython.Py_ssize_t = len(second) // length2
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        kept: cython.int = 0
        both: cython.int = length + length2
        with cython.nogil:
            for i in range(ones):
                self._lay(one, i * length, length, 0, both)
                self._hold(length)
                for j in range(others):
                    self._lay(other, j * length2, length2, length, both)
                    kept += self._try(2 * both, self._commuted(length, length2, 3))
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
        one: cython.p_uchar = bytes_at(first, owners)
        other: cython.p_uchar = bytes_at(second, owners)
        ones: cython.Py_ssize_t = len(first) // length
        others: cython.Py_ssize_t = len(second) // length2
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        changed: cython.int
        both: cython.int = length + length2
        found: list = []
        for i in range(ones):
            self._lay(one, i * length, length, 0, both)
            self._hold(length)
            for j in range(others):
                self._lay(other, j * length2, length2, length, both)
                changed = self._commuted(length, length2, most)
                if 0 < changed <= most:
                    found.append(bytes([self._word[k] for k in range(2 * both)]))
                    if len(found) == wanted:
                        return found
        return found

    def powers(self, words: bytes, length: cython.int) -> int:
        """Offer the powers of words of `length` moves each, and return how many are kept."""
        owners: list = []
        given: cython.p_uchar = bytes_at(words, owners)
        count: cython.Py_ssize_t = len(words) // length
        i: cython.Py_ssize_t
        k: cython.int
        n: cython.int
        kept: cython.int = 0
        g: cython.int
        most: cython.int = 0
        for g in range(self._groups):
            most = max(most, self.entry[g])
        with cython.nogil:
            for i in range(count):
                n = 0
                while n + length < most:
                    for k in range(length):
                        self._word[n + k] = given[i * length + k]
                    n += length
                    kept += self._try(n, self._changes(n, 3))
        return kept

    def changed(self, word: bytes) -> list:
        """Return the places that a word changes. It has at most `ROOM` moves."""
        k: cython.int
        count: cython.int = len(word)
        for k in range(count):
            self._word[k] = word[k]
        return sorted([self._at[k] for k in range(self._changes(count, self.moves.places))])

    def offer(self, word: bytes) -> int:
        """Offer a word; return 1 if it is kept."""
        k: cython.int
        if len(word) > ROOM:
            return 0
        count: cython.int = len(word)
        for k in range(count):
            self._word[k] = word[k]
        return self._try(count, self._changes(count, 3))

    def turned(self, around: bytes, becomes: bytes, words: bytes, length: cython.int) -> int:
        """Offer words A B A' C, and return how many are kept.

        A is `around`, and each B has `length` moves of `words`. C is B undone, with `becomes[m]`
        for each move m. Only places can change that A m A' changes in another way than `becomes[m]`
        does, and those to which the later moves of C bring their pieces.
        """
        owners: list = []
        given: cython.p_uchar = bytes_at(words, owners)
        other: cython.p_uchar = bytes_at(becomes, owners)
        n: cython.int = len(around)
        back: cython.int = n + length
        i: cython.Py_ssize_t
        j: cython.int
        k: cython.int
        p: cython.int
        move: cython.int
        changed: cython.int
        kept: cython.int = 0
        if 2 * max(back, n + 1) > ROOM:
            return 0
        places = array("i")
        first = array("i")
        for move in range(self.moves.moves):
            first.append(len(places))
            for j in range(n):
                self._word[j] = around[j]
                self._word[n + 1 + j] = self.moves.inverse[around[n - 1 - j]]
            self._word[n] = move
            self._word[2 * n + 1] = self.moves.inverse[other[move]]
            changed = self._changes(2 * n + 2, self.moves.places)
            places.extend([self._at[k] for k in range(changed)])
        first.append(len(places))
        differ: cython.p_int = ints_at(places, owners)
        begins: cython.p_int = ints_at(first, owners)
        for j in range(n):
            self._word[j] = around[j]
            self._word[back + j] = self.moves.inverse[around[n - 1 - j]]
        for i in range(len(words) // length):
            for j in range(length):
                move = given[i * length + j]
                self._word[n + j] = move
                self._word[back + back - 1 - j] = self.moves.inverse[other[move]]
            self._stamp += 1
            changed = 0
            for j in range(length):
                move = self._word[n + j]
                for k in range(begins[move], begins[move + 1]):
                    p = self._brought(differ[k], back + back - j, j)
                    changed = self._look(p, back + back, changed, 3)
                    if changed > 3:
                        break
                if changed > 3:
                    break
            kept += self._try(back + back, changed)
        return kept

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
        g: cython.int = self.group[a]
        m: cython.int = self.turns[g]
        one: cython.Py_ssize_t = self._cycle(a, b, c, u, v)
        other: cython.Py_ssize_t = self._cycle(a, c, b, (u + v) % m, (2 * m - t - v) % m)
        k: cython.int
        n: cython.int = 0
        one = self.origin[g] + one * self.slots * self.entry[g]
        other = self.origin[g] + other * self.slots * self.entry[g]
        if self.words[one] == 0 or self.words[other] == 0:
            return 0
        for k in range(self.words[one]):
            n = self.moves._push(self._made, 0, n, self.words[one + 1 + k])
        for k in range(self.words[other]):
            n = self.moves._push(self._made, 0, n, self.words[other + 1 + k])
        return self._offer(g, self._twist(a, b, t), self._made, 0, n)

    def spread(self, g: cython.int, most: cython.int) -> int:
        """Offer all conjugates by one move, and the inverse, of new words of a group.

        They are the words of cost at most `most`. Returns the least cost of a new word that is
        left; 0 if none is left.
        """
        n: cython.int = self.size[g]
        a: cython.int
        key: cython.int
        least: cython.int = FAR
        e: cython.Py_ssize_t
        end: cython.int = self.twists[g] + n * n * self.turns[g]
        with cython.nogil:
            for a in range(self.start[g], self.start[g] + n - 1):
                for key in range(self.corner[a], self.corner[a + 1]):
                    self._spread_key(g, a, key, most)
            for key in range(self.twists[g], end):
                self._spread_key(g, -1, key, most)
            for e in range(
                cython.cast(cython.Py_ssize_t, self.cycles[g]) * self.slots,
                cython.cast(cython.Py_ssize_t, end) * self.slots,
            ):
                if self.fresh[e] and self.cost[e] < least:
                    least = self.cost[e]
        return 0 if least == FAR else least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread_key(
        self, g: cython.int, a: cython.int, key: cython.int, most: cython.int
    ) -> cython.void:
        """Offer conjugates of the new words of a key. `a` is the first place, -1 for a twist."""
        s: cython.int
        e: cython.Py_ssize_t
        m: cython.int = self.turns[g]
        code: cython.int
        count: cython.int
        for s in range(self.slots):
            e = cython.cast(cython.Py_ssize_t, key) * self.slots + s
            if not self.fresh[e] or self.cost[e] > most:
                continue
            self.fresh[e] = 0
            if a >= 0:
                code = key - self.corner[a]
                count = self.start[g] + self.size[g] - 1 - a
                self._conjugates(
                    e,
                    g,
                    a,
                    a + 1 + code // (m * m * count),
                    a + 1 + code // (m * m) % count,
                    code // m % m,
                    code % m,
                )
            else:
                code = key - self.twists[g]
                count = self.start[g]
                self._conjugates(
                    e,
                    g,
                    count + code // (m * self.size[g]),
                    count + code // m % self.size[g],
                    -1,
                    code % m,
                    0,
                )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_full(self, key: cython.int, cost: cython.int) -> cython.int:
        """Whether a key has as many words as it may have, none of which costs more than `cost`."""
        e: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, key) * self.slots
        s: cython.int
        for s in range(self.slots):
            if self.cost[e + s] == 0 or self.cost[e + s] > cost:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _joins(self, count: cython.int) -> cython.int:
        """Find the moves x of which x' may join the word in the buffer, x it, or x x'.

        `_joining` has them as bits. Return whether no moves within the word join.
        """
        i: cython.int
        k: cython.int
        n: cython.int = 0
        move: cython.int
        for i in range(self._masks):
            self._joining[i] = 0
            self._passing[i] = -1
        for k in range(count):  # x' joins a move that passes all moves before it
            move = self._word[k]
            if self._passing[move // BITS] >> move % BITS & 1:
                for i in range(self._masks):
                    self._joining[i] |= self._joined[move * MASK + i]
            for i in range(self._masks):
                self._passing[i] &= self.moves.passes[move * MASK + i]
        for i in range(self._masks):
            self._passing[i] = -1
        for k in range(count):  # x joins a move if it passes all moves behind it
            move = self._word[count - 1 - k]
            for i in range(self._masks):
                self._joining[i] |= self._passing[i] & self.moves.joins_after[move * MASK + i]
                self._passing[i] &= self.moves.passes[move * MASK + i]
        for i in range(self._masks):  # x passes all moves of the word
            self._joining[i] |= self._passing[i]
        for k in range(count):
            n = self.moves._push(self._made, 0, n, self._word[k])
            if n <= k:
                return 0
        return 1

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
        """Offer the conjugates of a word, and its inverse. `c` is -1 for a twist.

        A conjugate is not written if nothing cancels in it and its key has cheaper words.
        """
        m: cython.int = self.turns[g]
        base: cython.Py_ssize_t = self.origin[g] + e * self.entry[g]
        count: cython.int = self.words[base]
        cost: cython.int = self.cost[e]
        x: cython.int
        i: cython.int
        k: cython.int
        n: cython.int
        key: cython.int
        found: cython.longlong
        made: cython.p_uchar = self._made
        word: cython.p_uchar = self._word
        for k in range(count):
            word[k] = self.words[base + 1 + k]
        if not self._joins(count):
            cost = FAR
        for i in range(self._masks):
            # All other moves leave the places, and would make the word longer.
            found = (
                self._moving[a * MASK + i]
                | self._moving[b * MASK + i]
                | self._joined[word[0] * MASK + i]
                | self.moves.joins_after[word[count - 1] * MASK + i]
            )
            if c >= 0:
                found |= self._moving[c * MASK + i]
            x = i * BITS
            while found:
                if not found & 255:
                    found >>= 8
                    x += 8
                    continue
                if found & 1 and self.moves.inverse[x] >= 0:
                    self._conjugate(count, cost, g, a, b, c, t, u, x)
                found >>= 1
                x += 1
        n = 0
        for k in range(count):
            n = self.moves._push(made, 0, n, self.moves.inverse[word[count - 1 - k]])
        if c < 0:
            key = self._twist(a, b, (m - t) % m)
        else:  # b -> a by -t, a -> c by t + u, c -> b by -u
            key = self._cycle(b, a, c, (m - t) % m, (t + u) % m)
        if self._offer(g, key, made, 0, n) and self._has_pairs:
            # The inverses of the conjugates are its conjugates.
            self.fresh[cython.cast(cython.Py_ssize_t, key)] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _conjugate(
        self,
        count: cython.int,
        cost: cython.int,
        g: cython.int,
        a: cython.int,
        b: cython.int,
        c: cython.int,
        t: cython.int,
        u: cython.int,
        x: cython.int,
    ) -> cython.void:
        """Offer the conjugate by x of the word in the buffer; `cost` is FAR if moves in it join."""
        m: cython.int = self.turns[g]
        row: cython.int = x * self.moves.places
        k: cython.int
        n: cython.int
        key: cython.int
        ta: cython.int
        tb: cython.int
        tc: cython.int
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
        if cost < FAR and not self._joining[x // BITS] >> x % BITS & 1:
            cost += self.moves.cost[self.moves.inverse[x]] + self.moves.cost[x]
            if self._is_full(key, cost):
                return
        n = self.moves._push(self._made, 0, 0, self.moves.inverse[x])
        for k in range(count):
            n = self.moves._push(self._made, 0, n, self._word[k])
        n = self.moves._push(self._made, 0, n, x)
        self._offer(g, key, self._made, 0, n)
