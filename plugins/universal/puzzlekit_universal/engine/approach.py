# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A search by single moves for words that solve many pieces."""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # approach.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, new_ints, new_longs
    from puzzlekit_universal.engine.word_moves import Moves


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
        self.labels = ints_at(blank, owners)
        self.turns = ints_at(turned, owners)
        self.next_labels = new_ints(self.most * width, owners)
        self.next_turns = new_ints(self.most * width, owners)
        self.words = bytes_at(bytearray(width * longest + 1), owners)
        self.next_words = bytes_at(bytearray(width * longest + 1), owners)
        self.wanted = ints_at(array("i", wanted), owners)
        self.solved = new_ints(width, owners)
        self.next_solved = new_ints(width, owners)
        self.scores = new_ints(width * many, owners)
        self.counted = new_ints(self.most + 1, owners)
        self.room = 4 * width + 1
        self.seen = new_longs(self.room, owners)
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
                for k in range(self.moves.first[m], self.moves.first[m + 1]):
                    p = self.moves.changed[k]
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
