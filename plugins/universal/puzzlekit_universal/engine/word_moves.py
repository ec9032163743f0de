# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Words of moves and the rules that shorten them.

A word is a sequence of numbers of moves. `words.pxd` declares the names that other compiled modules
use.
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["Moves"]

if not cython.compiled:  # words.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, new_ints
    from puzzlekit_universal.engine.word_sizes import BITS, MASK


@cython.final
@cython.cclass
class Moves:
    """The moves of a puzzle, as they act on its places, and the rules that shorten words.

    All lists are flat lists of numbers. The moves are numbered from 0 to 254.
    """

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
        self.modulus = ints_at(array("i", modulus), owners)
        self.target = ints_at(array("i", target), owners)
        self.turn = ints_at(array("i", turn), owners)
        self.cost = ints_at(array("i", cost), owners)
        self.inverse = ints_at(array("i", inverse), owners)
        self.joined = ints_at(array("i", joined), owners)
        self.commuting = bytes_at(bytes(commuting), owners)
        # The places that each move changes, where it brings their pieces, and how it turns them.
        changed = array("i")
        first = array("i")
        m: cython.int
        p: cython.int
        for m in range(self.moves):
            first.append(len(changed))
            for p in range(self.places):
                if self.target[m * self.places + p] != p or self.turn[m * self.places + p]:
                    changed.append(p)
        first.append(len(changed))
        changed.append(0)
        self.changed = ints_at(changed, owners)
        self.first = ints_at(first, owners)
        self.brought = new_ints(len(changed), owners)
        self.turned = new_ints(len(changed), owners)
        k: cython.int
        for m in range(self.moves):
            for k in range(self.first[m], self.first[m + 1]):
                p = m * self.places + self.changed[k]
                self.brought[k] = self.target[p]
                self.turned[k] = self.turn[p]
        self.compared = 0
        # Sets of moves, as bits: those that a move behind each move joins, those that a move before
        # it joins, and those that commute with it.
        count: cython.int = self.moves
        one: cython.int
        other: cython.int
        at: cython.int
        after = array("q", bytes(8 * MASK * count))
        before = array("q", bytes(8 * MASK * count))
        passes = array("q", bytes(8 * MASK * count))
        for one in range(count):
            for other in range(count):
                at = one * MASK + other // BITS
                if self.joined[one * count + other] != -1:
                    after[at] |= cython.cast(cython.longlong, 1) << other % BITS
                if self.joined[other * count + one] != -1:
                    before[at] |= cython.cast(cython.longlong, 1) << other % BITS
                if self.commuting[one * count + other]:
                    passes[at] |= cython.cast(cython.longlong, 1) << other % BITS
        self.joins_after = longs_at(after, owners)
        self.joins_before = longs_at(before, owners)
        self.passes = longs_at(passes, owners)

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
    def _act(
        self,
        move: cython.int,
        at: cython.p_int,
        by: cython.p_int,
        carried: cython.p_int,
        spun: cython.p_int,
    ) -> cython.void:
        """Do a move with the labels `at` and the orientations `by` of all places.

        The orientations are not reduced. `carried` and `spun` have room for the changed pieces.
        """
        first: cython.int = self.first[move]
        count: cython.int = self.first[move + 1] - first
        k: cython.int
        p: cython.int
        for k in range(count):
            p = self.changed[first + k]
            carried[k] = at[p]
            spun[k] = by[p] + self.turned[first + k]
        for k in range(count):
            p = self.brought[first + k]
            at[p] = carried[k]
            by[p] = spun[k]

    @cython.cfunc
    def _compare(self) -> cython.void:
        """List for each pair of moves m and w what the sequence w', m, w, m' changes.

        If a word has m and later its inverse, and both move on past w, these pieces end elsewhere.
        """
        if self.compared:
            return
        owners: list = self._owners
        begins = array("i")
        places = array("i")
        ends = array("i")
        turns = array("i")
        m: cython.int
        w: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        row: cython.int
        turned: cython.int
        second: cython.int
        for m in range(self.moves):
            for w in range(self.moves):
                begins.append(len(places))
                if self.commuting[m * self.moves + w]:
                    continue
                for second in range(2):
                    q = w if second else m
                    for k in range(self.first[q], self.first[q + 1]):
                        p = self.changed[k]
                        q = m * self.places + p
                        if second and (self.target[q] != p or self.turn[q]):
                            continue  # a place that m changes, too
                        row = self.inverse[w] * self.places + p
                        turned = self.turn[row]
                        row = m * self.places + self.target[row]
                        turned += self.turn[row]
                        row = w * self.places + self.target[row]
                        turned += self.turn[row]
                        row = self.inverse[m] * self.places + self.target[row]
                        turned += self.turn[row]
                        q = self.target[row]
                        turned = turned % self.modulus[q]
                        if q != p or turned:
                            places.append(p)
                            ends.append(q)
                            turns.append(turned)
        begins.append(len(places))
        for each in (places, ends, turns):
            each.append(0)
        self.pair_first = ints_at(begins, owners)
        self.pair_place = ints_at(places, owners)
        self.pair_end = ints_at(ends, owners)
        self.pair_turn = ints_at(turns, owners)
        self.compared = 1

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
        given: cython.p_uchar = bytes_at(bytes(word) + b"\0", owners)
        into: cython.p_uchar = bytes_at(buffer, owners)
        k: cython.int
        count: cython.int = 0
        length: cython.int = len(word)
        for k in range(length):
            count = self._push(into, 0, count, given[k])
        owners.clear()
        return bytes(buffer[:count])

    def after(self, labels: object, turns: object, word: bytes) -> tuple[list, list]:
        """Return the label and the orientation at each place after a word."""
        owners: list = []
        at: cython.p_int = ints_at(array("i", [*labels, 0]), owners)
        by: cython.p_int = ints_at(array("i", [*turns, 0]), owners)
        carried: cython.p_int = new_ints(self.places + 1, owners)
        spun: cython.p_int = new_ints(self.places + 1, owners)
        for move in word:
            self._act(move, at, by, carried, spun)
        found = (
            [at[p] for p in range(self.places)],
            [by[p] % self.modulus[p] for p in range(self.places)],
        )
        owners.clear()
        return found
