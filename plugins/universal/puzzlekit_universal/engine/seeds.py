# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search for words that permute only three pieces, for puzzles whose moves all change much.

The search keeps the words that change pieces of one orbit, and few others. It makes commutators of
these words, of their conjugates and of their powers, until a word permutes only three pieces.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # seeds.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints, new_longs
    from puzzlekit_universal.engine.word_moves import Moves
    from puzzlekit_universal.engine.word_sizes import FAR

_LONG = cython.declare(cython.int, 28)  # random words have up to this number of moves and 3


@cython.final
@cython.cclass
class Seeds:
    """Words that change few places, among them a place of a wanted orbit. The best come first."""

    moves: Moves
    places: cython.int
    pool: cython.int
    count: cython.int
    longest: cython.int
    orbit: cython.p_int
    order: cython.p_int
    score: cython.p_int
    length: cython.p_int
    hash: cython.p_longlong
    image: cython.p_int
    turn: cython.p_int
    back: cython.p_int
    words: cython.p_uchar
    to: cython.p_int
    by: cython.p_int
    power_to: cython.p_int
    power_by: cython.p_int
    around: cython.p_int
    spun: cython.p_int
    undone: cython.p_int
    best_to: cython.p_int
    best_by: cython.p_int
    between: cython.p_uchar
    word: cython.p_uchar
    made: cython.p_uchar
    seed: cython.longlong
    wanted: cython.int
    found: cython.int
    least: cython.int
    _owners: list

    def __init__(
        self,
        moves: Moves,
        #: The orbit of each place.
        orbit: list,
        #: The orbit whose pieces shall be permuted.
        wanted: cython.int,
        #: The number of words that are kept.
        pool: cython.int,
        #: The number of moves of the longest word.
        longest: cython.int,
        #: A number from which the choices of the search follow, at least 1.
        seed: cython.int,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.moves = moves
        self.places = moves.places
        self.pool = pool
        self.count = 0
        self.longest = longest
        self.seed = seed
        self.wanted = wanted
        self.found = 0
        self.least = FAR
        entries: cython.Py_ssize_t = self.places * (pool + 1)
        self.orbit = ints_at(array("i", orbit), owners)
        self.order = ints_at(array("i", range(pool + 1)), owners)
        self.score = new_ints(pool + 1, owners)
        self.length = new_ints(pool + 1, owners)
        self.hash = new_longs(pool + 1, owners)
        self.image = new_ints(entries, owners)
        self.turn = new_ints(entries, owners)
        self.back = new_ints(entries, owners)
        self.words = bytes_at(bytearray((longest + 1) * (pool + 1)), owners)
        self.to = new_ints(self.places, owners)
        self.by = new_ints(self.places, owners)
        self.power_to = new_ints(self.places, owners)
        self.power_by = new_ints(self.places, owners)
        self.around = new_ints(self.places, owners)
        self.undone = new_ints(self.places, owners)
        self.spun = new_ints(self.places, owners)
        self.best_to = new_ints(self.places, owners)
        self.best_by = new_ints(self.places, owners)
        self.between = bytes_at(bytearray(8), owners)
        self.word = bytes_at(bytearray(8 * longest + 64), owners)
        self.made = bytes_at(bytearray(8 * longest + 64), owners)

    def search(self, budget: cython.longlong) -> bytes:
        """Try some words, and return the cheapest one so far.

        It permutes three pieces of the wanted orbit and changes no others. If no such word was
        found, it has no moves.
        """
        with cython.nogil:
            for _ in range(budget):
                if self.count < 16 or self._random(8) == 0:
                    self._simple()
                else:
                    self._commutator()
        base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, self.pool) * (self.longest + 1)
        return bytes([self.words[base + i] for i in range(self.found)])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _random(self, below: cython.int) -> cython.int:
        """Return a random number below a bound (the generator of Park and Miller)."""
        self.seed = self.seed * 48271 % 2147483647
        return cython.cast(cython.int, (self.seed >> 4) % below)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _simple(self) -> cython.void:
        """Offer a word, or the commutator of two short words. Powers of long words are useful."""
        one: cython.int = 1 + self._random(3)
        other: cython.int = 0 if self._random(4) == 0 else 1 + self._random(3)
        if other == 0 and self._random(2):
            one = 4 + self._random(_LONG)
        k: cython.int
        n: cython.int
        for k in range(one + other):
            self.word[k] = self._random(self.moves.moves)
        n = one + other
        if other:
            for k in range(one):
                self.word[n] = self.moves.inverse[self.word[one - 1 - k]]
                n += 1
            for k in range(other):
                self.word[n] = self.moves.inverse[self.word[one + other - 1 - k]]
                n += 1
        self._effect(n)
        self._offer(n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _effect(self, count: cython.int) -> cython.void:
        """Set the effect of the word in the buffer."""
        p: cython.int
        q: cython.int
        k: cython.int
        turned: cython.int
        for p in range(self.places):
            q = p
            turned = 0
            for k in range(count):
                turned += self.moves.turn[self.word[k] * self.places + q]
                q = self.moves.target[self.word[k] * self.places + q]
            self.to[p] = q
            self.by[p] = turned % self.moves.modulus[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _commutator(self) -> cython.void:
        """Offer the commutator of a word that is kept and of a conjugate of another."""
        i: cython.int = self.order[self._random(1 + self._random(self.count))]
        j: cython.int = self.order[self._random(1 + self._random(self.count))]
        one: cython.Py_ssize_t = i * self.places
        other: cython.Py_ssize_t = j * self.places
        first: cython.Py_ssize_t = i * (self.longest + 1)
        second: cython.Py_ssize_t = j * (self.longest + 1)
        turns: cython.int = self._random(4)
        p: cython.int
        q: cython.int
        r: cython.int
        k: cython.int
        n: cython.int = 0
        m: cython.int
        t: cython.int
        shared: cython.int = 0
        if 2 * (self.length[i] + self.length[j] + 2 * turns) > self.longest + 16:
            return
        for k in range(turns):
            self.between[k] = self._random(self.moves.moves)
        for p in range(self.places):  # where the moves between bring the pieces
            q = p
            t = 0
            for k in range(turns):
                t += self.moves.turn[self.between[k] * self.places + q]
                q = self.moves.target[self.between[k] * self.places + q]
            self.around[p] = q
            self.undone[q] = p
            self.spun[p] = t % self.moves.modulus[p]
            if (self.image[one + q] != q or self.turn[one + q]) and (
                self.image[other + p] != p or self.turn[other + p]
            ):
                shared += 1
        if shared == 0:
            return
        for p in range(self.places):  # one, other between, and both undone
            m = self.moves.modulus[p]
            q = self.image[one + p]
            t = self.turn[one + p]
            r = self.undone[q]
            t += m - self.spun[r] + self.turn[other + r]
            r = self.image[other + r]
            t += self.spun[r]
            q = self.around[r]
            q = self.back[one + q]
            t += m - self.turn[one + q]
            r = self.undone[q]
            t += m - self.spun[r]
            r = self.back[other + r]
            t += m - self.turn[other + r] + self.spun[r]
            self.to[p] = self.around[r]
            self.by[p] = t % m
        for k in range(self.length[i]):
            self.word[n] = self.words[first + k]
            n += 1
        for k in range(turns):
            self.word[n] = self.moves.inverse[self.between[turns - 1 - k]]
            n += 1
        for k in range(self.length[j]):
            self.word[n] = self.words[second + k]
            n += 1
        for k in range(turns):
            self.word[n] = self.between[k]
            n += 1
        for k in range(self.length[i]):
            self.word[n] = self.moves.inverse[self.words[first + self.length[i] - 1 - k]]
            n += 1
        for k in range(turns):
            self.word[n] = self.moves.inverse[self.between[turns - 1 - k]]
            n += 1
        for k in range(self.length[j]):
            self.word[n] = self.moves.inverse[self.words[second + self.length[j] - 1 - k]]
            n += 1
        for k in range(turns):
            self.word[n] = self.between[k]
            n += 1
        self._offer(n)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _support(self) -> cython.int:
        """Return how many places the current power changes; 0 if none of the wanted orbit."""
        p: cython.int
        changed: cython.int = 0
        own: cython.int = 0
        for p in range(self.places):
            if self.power_to[p] != p or self.power_by[p] != 0:
                changed += 1
                own += self.orbit[p] == self.wanted
        return changed if own else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _offer(self, count: cython.int) -> cython.void:
        """Keep the best power of the word in the buffer, if it is among the best words."""
        p: cython.int
        q: cython.int
        k: cython.int
        i: cython.int
        n: cython.int = 0
        total: cython.int
        times: cython.int
        score: cython.int
        changed: cython.int
        best: cython.int = 0
        best_score: cython.int = 1 << 29
        hash: cython.longlong = 0
        mixed: cython.longlong
        at: cython.Py_ssize_t
        for k in range(count):
            n = self.moves._push(self.made, 0, n, self.word[k])
        count = n
        if n == 0 or n > self.longest:
            return
        for p in range(self.places):
            self.power_to[p] = p
            self.power_by[p] = 0
        times = 0
        total = 0
        while total + n <= self.longest and times < 60:
            times += 1
            total += n
            for p in range(self.places):
                q = self.power_to[p]
                self.power_to[p] = self.to[q]
                self.power_by[p] = (self.power_by[p] + self.by[q]) % self.moves.modulus[p]
            changed = self._support()
            score = 16 * changed + total
            if changed and score < best_score:
                best_score = score
                best = times
                for p in range(self.places):
                    self.best_to[p] = self.power_to[p]
                    self.best_by[p] = self.power_by[p]
        if best == 0:
            return
        if self._is_cycle():
            self._report(n, best)
            return
        if self.count == self.pool and self.score[self.order[self.count - 1]] <= best_score:
            return
        for p in range(self.places):
            mixed = (p * 10007 + self.best_to[p]) * 131 + self.best_by[p] + 1
            mixed = mixed * 48271 % 2147483647
            mixed = mixed * mixed % 2147483647
            hash += mixed * 69621 % 2147483647
        for k in range(self.count):
            i = self.order[k]
            if self.hash[i] == hash:
                return  # a word with the same effect is kept already
        if self.count < self.pool:
            self.count += 1
        i = self.order[self.count - 1]
        self.score[i] = best_score
        self.hash[i] = hash
        at = i * (self.longest + 1)
        total = 0
        for _ in range(best):
            for k in range(n):
                total = self.moves._push(self.words, at, total, self.made[k])
        self.length[i] = total
        at = i * self.places
        for p in range(self.places):
            self.image[at + p] = self.best_to[p]
            self.turn[at + p] = self.best_by[p]
            self.back[at + self.best_to[p]] = p
        k = self.count - 1
        while k > 0 and self.score[self.order[k - 1]] > best_score:
            self.order[k] = self.order[k - 1]
            k -= 1
        self.order[k] = i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _report(self, count: cython.int, times: cython.int) -> cython.void:
        """Report a power of the shortened word, if it is cheaper than all before."""
        base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, self.pool) * (self.longest + 1)
        k: cython.int
        n: cython.int = 0
        cost: cython.int
        for _ in range(times):
            for k in range(count):
                n = self.moves._push(self.word, 0, n, self.made[k])
        cost = self.moves._total(self.word, 0, n)
        if cost < self.least:
            self.least = cost
            self.found = n
            for k in range(n):
                self.words[base + k] = self.word[k]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_cycle(self) -> cython.int:
        """Whether the best power permutes three pieces of the wanted orbit alone."""
        p: cython.int
        moved: cython.int = 0
        for p in range(self.places):
            if self.best_to[p] == p:
                if self.best_by[p]:
                    return 0
            elif self.orbit[p] != self.wanted:
                return 0
            else:
                moved += 1
        return moved == 3
