# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Pairings in the engine: their values, reduced by symmetries, and the fill of pruning tables."""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # pairing.pxd has these for the compiler
    from puzzlekit.engine.intrinsics import fetch
    from puzzlekit.engine.ranks import (
        CarriedRank,
        Carry,
        Reading,
        bytes_at,
        ints_at,
        longs_at,
        shorts_at,
    )


@cython.final
@cython.cclass
class PairRank(CarriedRank):
    """Computes the value of a pairing p of n pairs of pieces, reduced by symmetries.

    p is a permutation of the numbers 0 to n - 1. `puzzlekit_cubes.SymPairing` defines p and its
    value. The head of p is the list of its first k numbers p[0], ..., p[k - 1]. Heads that
    symmetries map to each other form a class.

    - `n`, `k`: the number of pairs, and the length of a head.
    - `classes`: the number of classes of heads.
    - `shift`: the number of low bits that store the symmetry in an entry of `heads`.
    - `heads`: an array with an unsigned 16-bit entry for each of the n^k heads. The index of an
      entry is the head, read as digits to base n. The entry is class * 2^shift + symmetry. The
      symmetry maps the head to the representative of its class. If no permutation has the head, the
      entry is 0xFFFF.
    - `rows`: for each symmetry s one row of bytes. The row begins with the images of 0 to n - 1
      under s. The images of 0 to n - 1 under the inverse of s follow. The row ends with the index
      of the product "s, then t" for each symmetry t.
    """

    def __init__(
        self, n: int, k: int, classes: int, shift: int, heads: object, rows: bytes
    ) -> None:
        owners: list = []
        self._owners = owners
        if not (4 <= n <= 16 and 0 < k < n - 2 and shift <= 6):
            raise ValueError("4 to 16 pairs, three of them at least not in the head")
        self.n = self.width = n
        self.k, self.shift = k, shift
        self.tails = 1
        for i in range(3, n - k + 1):
            self.tails *= i
        self.size = classes * self.tails
        if memoryview(heads).nbytes != 2 * n**k:
            raise ValueError("there is no class for some images")
        order = next((s for s in range(1, 65) if s * (2 * n + s) == len(rows)), 0)
        self.stride = 2 * n + order
        for s in range(order):
            row = rows[s * self.stride : (s + 1) * self.stride]
            back = bytes([row.find(i, 0, n) for i in range(n)]) if max(row[:n]) < n else b""
            if row[n : 2 * n] != back or max(row[2 * n :]) >= order:
                raise ValueError("the symmetries are damaged")
        if not 0 < order <= 1 << shift:
            raise ValueError("the symmetries are damaged")
        self.rows = bytes_at(rows, owners)
        self.heads = shorts_at(heads, owners)
        # In compiled code, a number that is too large would lead outside of the tables.
        if cython.compiled and not self._heads_below(n**k, classes, order):
            raise ValueError("the classes of heads are damaged")
        below = b"\0"  # the number of set bits of each number
        for _ in range(n):
            below += bytes([count + 1 for count in below])
        self.below = bytes_at(below, owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _heads_below(
        self, entries: cython.Py_ssize_t, classes: cython.int, order: cython.int
    ) -> cython.int:
        """Whether all heads have valid classes and symmetries."""
        k: cython.Py_ssize_t
        word: cython.int
        for k in range(entries):
            word = self.heads[k]
            if word != 0xFFFF and (
                word >> self.shift >= classes or word & ((1 << self.shift) - 1) >= order
            ):
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _head(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Return the entry of `heads` for the pairing p at `vector[base]`."""
        i: cython.int
        index: cython.Py_ssize_t = 0
        for i in range(self.k):
            index = index * self.n + vector[base + i]
        return self.heads[index]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _tail(
        self, vector: cython.p_uchar, base: cython.Py_ssize_t, symmetry: cython.Py_ssize_t
    ) -> cython.int:
        """Apply a symmetry to p, and return the rank of the n - k values that follow the head.

        The rank is a number in the factorial number system. The last two values have no digits.
        They follow from the other values, because p is even.
        """
        n: cython.int = self.n
        i: cython.int
        value: cython.int
        rank: cython.int = 0
        used: cython.int = 0
        row: cython.Py_ssize_t = symmetry * self.stride
        back: cython.Py_ssize_t = row + n
        rows: cython.p_uchar = self.rows
        below: cython.p_uchar = self.below
        for i in range(self.k):
            used |= 1 << rows[row + vector[base + rows[back + i]]]
        for i in range(self.k, n - 2):
            value = rows[row + vector[base + rows[back + i]]]
            rank = rank * (n - i) + value - below[used & ((1 << value) - 1)]
            used |= 1 << value
        return rank

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _rank(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Return the value of the p at `vector[base]`, which must be an even permutation."""
        word: cython.int = self._head(vector, base)
        symmetry: cython.int = word & ((1 << self.shift) - 1)
        return (word >> self.shift) * self.tails + self._tail(vector, base, symmetry)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _checked(self, vector: cython.p_uchar, base: cython.Py_ssize_t) -> cython.int:
        """Return the value of the bytes at `vector[base]`; -1 if not an even permutation."""
        i: cython.int
        j: cython.int
        odd: cython.int = 0
        for i in range(self.n):
            if vector[base + i] >= self.n:
                return -1
            for j in range(i):
                if vector[base + j] == vector[base + i]:
                    return -1
                odd ^= vector[base + j] > vector[base + i]
        return -1 if odd else self._rank(vector, base)


@cython.final
@cython.cclass
class PairReading(Reading):
    """Computes the pairing p of a state, which a search stores at each node (see `SymPairing`).

    - `picked`: the indices of the label bytes of all first places, then of all second places.
    - `numbers`: for each label the number of its pair of pieces; 255 if the piece has no pair.

    p[i] is the number of the second place that holds the partner of the piece at first place i.
    """

    def __init__(self, picked: list, numbers: bytes) -> None:
        Reading.__init__(self, picked)
        self.width = len(picked) // 2
        self.numbers = bytes_at(numbers.ljust(256, b"\xff"), self._owners)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read(
        self, state: cython.p_uchar, base: cython.Py_ssize_t, vector: cython.p_uchar
    ) -> cython.int:
        i: cython.int
        number: cython.int
        width: cython.int = self.width
        there = cython.declare(cython.int[256])
        for i in range(width):
            there[i] = -1
        for i in range(width):
            number = self.numbers[state[base + self.picked[width + i]]]
            if number >= width or there[number] >= 0:
                return 0
            there[number] = i
        for i in range(width):
            number = self.numbers[state[base + self.picked[i]]]
            if number >= width or there[number] < 0:
                return 0
            vector[i] = there[number]
            there[number] = -1
        return 1


@cython.final
@cython.cclass
class PairFill:
    """Fills a pruning table over a pairing and one other coordinate, with one byte per entry.

    The other coordinate is called the partner. The index of an entry is the value of the pairing
    times the size of the partner, plus the value of the partner. `PairRank` defines pairings, heads
    and classes.

    - `rank`: computes the value of a pairing.
    - `carry`: the action of moves on a pairing.
    - `keepers`: for each class a mask. Bit s, of 63, is 1 if symmetry s fixes the representative.
    - `sizes`: for each class the number of its heads.
    - `moved`: for each move a table that maps the value of the partner before the move to the value
      after it.
    - `entries`: the bytes of the entries. A byte is 3 if its distance is not known. The class
      changes the bytes in place.
    """

    rank: PairRank
    carry: Carry
    keepers: cython.p_longlong
    sizes: cython.p_int
    partners: cython.Py_ssize_t
    moved: cython.p_uchar
    entries: cython.p_uchar
    _owners: list

    def __init__(
        self,
        rank: PairRank,
        carry: Carry,
        keepers: object,
        sizes: object,
        moved: object,
        entries: object,
    ) -> None:
        self.rank = rank
        self.carry = carry
        self._owners = []
        self.keepers = longs_at(keepers, self._owners)
        self.sizes = ints_at(sizes, self._owners)
        self.moved = bytes_at(moved, self._owners)
        self.partners = len(moved) // carry.moves
        self.entries = bytes_at(entries, self._owners)
        if (
            len(keepers) != len(sizes)
            or len(keepers) * rank.tails * self.partners != len(entries)
            or rank.n != carry.width
            or max(moved) >= self.partners
            or min(keepers) < 0
            or carry.moves > 256
        ):
            raise ValueError("a table of another pairing")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(
        self,
        vector: cython.p_uchar,
        base: cython.Py_ssize_t,
        word: cython.int,
        at: cython.Py_ssize_t,
        code: cython.int,
    ) -> cython.int:
        """Give a pairing and its images a code if they have none; return how many are new.

        `word` is the entry of its head, and `at` that of the pairing and its partner.
        """
        mask: cython.int = (1 << self.rank.shift) - 1
        symmetry: cython.Py_ssize_t = word & mask
        head: cython.Py_ssize_t = word >> self.rank.shift
        first: cython.Py_ssize_t = head * self.rank.tails
        keepers: cython.longlong
        t: cython.Py_ssize_t
        partner: cython.Py_ssize_t = vector[base + self.rank.n]
        count: cython.int = 1
        if self.entries[at] != 3:
            return 0
        self.entries[at] = code
        t = symmetry * self.rank.stride + 2 * self.rank.n
        keepers = self.keepers[head] >> 1
        while keepers:
            t += 1
            if keepers & 1:
                at = first + self.rank._tail(vector, base, self.rank.rows[t])
                at = at * self.partners + partner
                if self.entries[at] == 3:
                    self.entries[at] = code
                    count += 1
            keepers >>= 1
        return count * self.sizes[head]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reach(
        self,
        states: cython.p_uchar,
        size: cython.Py_ssize_t,
        code: cython.int,
        room: cython.p_uchar,
        counted: cython.p_longlong,
    ) -> cython.Py_ssize_t:
        base: cython.Py_ssize_t = 0
        width: cython.Py_ssize_t = self.carry.width + 1
        end: cython.Py_ssize_t = 0
        here: cython.Py_ssize_t
        j: cython.Py_ssize_t
        at = cython.declare(cython.Py_ssize_t[256])
        words = cython.declare(cython.int[256])
        m: cython.int
        found: cython.int
        while base < size:
            # All neighbours of a state first, so that their entries are prefetched.
            for m in range(self.carry.moves):
                here = end + m * width
                self.carry._do(m, states, base, room, here)
                room[here + width - 1] = self.moved[m * self.partners + states[base + width - 1]]
                words[m] = self.rank._head(room, here)
                j = self.rank._tail(room, here, words[m] & ((1 << self.rank.shift) - 1))
                j += (words[m] >> self.rank.shift) * cython.cast(cython.Py_ssize_t, self.rank.tails)
                at[m] = j * self.partners + room[here + width - 1]
                fetch(self.entries, at[m])
            here = end
            for m in range(self.carry.moves):
                found = self._mark(room, here, words[m], at[m], code)
                if found:
                    counted[0] += found
                    for j in range(width):
                        room[end + j] = room[here + j]
                    end += width
                here += width
            base += width
        return end

    def reach(self, states: object, code: int, room: object) -> tuple:
        """Write a code to the entries of the neighbours of some states, if they have no code yet.

        - `states`: the states, one after the other. A state is a pairing, followed by the value of
          the partner.
        - `code`: the code to write.
        - `room`: the method writes the neighbours with new codes here. It needs room for one state
          per given state and move.

        Returns two numbers: how many neighbours got a code, and how many pairings these neighbours
        represent.
        """
        owners: list = []
        width = self.carry.width + 1
        if len(states) % width or len(room) < len(states) * self.carry.moves:
            raise ValueError("the buffer is too small for the values that are reached")
        if not len(states):
            return 0, 0
        counted = array("q", [0])
        source: cython.p_uchar = bytes_at(states, owners)
        target: cython.p_uchar = bytes_at(room, owners)
        total: cython.p_longlong = longs_at(counted, owners)
        size: cython.Py_ssize_t = len(states)
        value: cython.int = code
        end: cython.Py_ssize_t
        with cython.nogil:
            end = self._reach(source, size, value, target, total)
        return end // width, counted[0]
