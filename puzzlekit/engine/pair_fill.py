# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Compiled loops that fill pruning tables over a pairing.

Without a compiler, `puzzlekit.tables.pairing_distances` does the same in NumPy.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # pair_fill.pxd has these for the compiler
    from puzzlekit.engine.ranks import Carry, PairRank, bytes_at, longs_at


@cython.final
@cython.cclass
class PairFill:
    """Fills a pruning table over a pairing and one other coordinate, with one byte per entry.

    The other coordinate is called the partner. The index of an entry is the value of the pairing
    times the size of the partner, plus the value of the partner. `puzzlekit.engine.ranks.PairRank`
    defines pairings, heads and classes.

    - `rank`: computes the value of a pairing.
    - `carry`: the action of moves on a pairing.
    - `keepers`: for each class a mask. Bit s is 1 if symmetry s fixes the representative.
    - `sizes`: for each class the number of its heads.
    - `moved`: for each move a table that maps the value of the partner before the move to the value
      after it.
    - `entries`: the bytes of the entries. A byte is 3 if its distance is not known. The class
      changes the bytes in place.
    """

    rank: PairRank
    carry: Carry
    keepers: cython.const[cython.ulonglong][::1]
    sizes: cython.const[cython.int][::1]
    partners: cython.Py_ssize_t
    moved: cython.const[cython.uchar][::1]
    entries: cython.uchar[::1]

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
        self.keepers = keepers
        self.sizes = sizes
        self.moved = moved
        self.partners = len(moved) // carry.moves
        self.entries = entries
        if (
            len(keepers) * rank.tails * self.partners != len(entries)
            or rank.n != carry.width
            or max(moved) >= self.partners
        ):
            raise ValueError("a table of another pairing")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(
        self, vector: cython.p_uchar, base: cython.Py_ssize_t, code: cython.int
    ) -> cython.int:
        """Give a pairing and its images a code if they have none; return how many are new."""
        word: cython.int = self.rank._head(vector, base)
        mask: cython.int = (1 << self.rank.shift) - 1
        symmetry: cython.Py_ssize_t = word & mask
        head: cython.Py_ssize_t = word >> self.rank.shift
        first: cython.Py_ssize_t = head * self.rank.tails
        at: cython.Py_ssize_t = first + self.rank._tail(vector, base, symmetry)
        keepers: cython.ulonglong
        t: cython.Py_ssize_t
        partner: cython.Py_ssize_t = vector[base + self.rank.n]
        count: cython.int = 1
        at = at * self.partners + partner
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
        m: cython.int
        found: cython.int
        while base < size:
            for m in range(self.carry.moves):
                self.carry._do(m, states, base, room, end)
                room[end + width - 1] = self.moved[m * self.partners + states[base + width - 1]]
                found = self._mark(room, end, code)
                if found:
                    counted[0] += found
                    end += width
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
