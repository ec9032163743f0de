# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Endings: every sequence of the last moves of a phase, precomputed.

Endings save time if most states with distance 0 in all pruning tables are still not goals. A search
then spends most of its time on the last moves. `endings.pxd` declares what other modules use.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # endings.pxd has these for the compiler
    from puzzlekit.engine.ranks import (
        Carry,
        bytes_at,
        int_array,
        ints_at,
        longs_at,
        new_ints,
        new_words,
    )
    from puzzlekit.engine.space import Space


@cython.final
@cython.cclass
class Endings:
    """Lists all move sequences of length `plies` that may end a phase, by the coordinates' values.

    All moves of the phase must cost 1. All coordinates that its pruning tables read must have move
    tables. When a search has `plies` moves left, it tries only the sequences that are listed for
    the current values. `undo` has the index of the inverse of each move.

    `differing` is a test of a coordinate of the phase (see `Coordinate.differing`), with indices of
    carried bytes. The search tests a sequence before it applies it. `source` has for each sequence
    the bytes that it brings to these `tested` bytes.
    """

    def __init__(
        self, space: Space, undo: list, plies: int, differing: tuple | None = None
    ) -> None:
        owners: list = []
        self._owners = owners
        c: cython.int
        entries: cython.longlong = 1
        i: cython.longlong
        self.plies = plies
        self.moves = space.moves
        self.coordinates = space.coordinates
        self.width = space.carry.width
        if not 1 <= plies <= 6:
            raise ValueError("endings are of 1 to 6 moves")
        if space.dearest > 1:
            raise ValueError("endings are for moves that cost 1")
        radix = []
        for c in range(space.coordinates):
            if space.late[c]:
                radix.append(0)
            elif space.width[c] == 0 or space.shift[c] or space.joint:
                raise ValueError("endings are for coordinates that have move tables")
            else:
                radix.append(entries)
                entries *= space.size[c]
        for c in range(space.moves):
            if space.carry.width and space.carry.turned[c]:
                raise ValueError("endings are for pieces that are not turned")
        self.radix = longs_at(array("q", radix), owners)
        self.undo = ints_at(int_array(undo), owners)
        self.value = new_ints((plies + 1) * space.coordinates, owners)
        self.word = bytes_at(bytearray(plies + 1), owners)
        self.move = self.gather = self.word
        self.first = new_words(entries + 2, owners)
        # First count the endings, then fill them in. `first` is one entry ahead until it is filled.
        self._from_goals(space, 0, 0)
        for i in range(1, entries + 2):
            self.first[i] += self.first[i - 1]
        self.count = self.first[entries + 1]
        if self.count * (plies + 2 * self.width) > 1 << 30:
            raise ValueError(f"{self.count:,} endings take too much memory: list fewer moves")
        self.move = bytes_at(bytearray(self.count * plies + 1), owners)
        self.gather = bytes_at(bytearray(self.count * self.width + 1), owners)
        self._from_goals(space, 0, 1)
        self._compose(space.carry)
        places, numbers = differing or ((), ())
        self.tested = len(places)
        self.number = ints_at(int_array(list(numbers)), owners)
        self.source = bytes_at(bytearray(self.count * self.tested + 1), owners)
        for i in range(self.count):
            for c in range(self.tested):
                self.source[i * self.tested + c] = self.gather[i * self.width + places[c]]

    @cython.cfunc
    def _from_goals(self, space: Space, c: cython.int, filling: cython.int) -> None:
        """Go backward from every combination of goals of the coordinates from `c` on."""
        i: cython.int
        if c == space.coordinates:
            self._back(space, self.plies, filling)
            return
        if space.late[c]:
            self._from_goals(space, c + 1, filling)
            return
        for i in range(space.size[c]):
            if space.goal[c] == i or (space.goal[c] < 0 and space.goals[c][i]):
                self.value[self.plies * space.coordinates + c] = i
                self._from_goals(space, c + 1, filling)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _back(self, space: Space, left: cython.int, filling: cython.int) -> cython.void:
        """Go backward by every move that may come before those chosen so far."""
        m: cython.int
        c: cython.int
        i: cython.int
        state: cython.int
        entry: cython.longlong = 0
        at: cython.longlong
        base: cython.int = left * space.coordinates
        if left == 0:
            for c in range(space.coordinates):
                entry += self.radix[c] * self.value[c]
            if not filling:
                self.first[entry + 2] += 1
                return
            at = self.first[entry + 1]
            self.first[entry + 1] += 1
            for i in range(self.plies):
                self.move[at * self.plies + i] = self.word[i]
            return
        for m in range(space.moves):
            if left == self.plies:
                if not space.ending[m]:
                    continue
            else:
                state = space.follow[m]
                if state < 0 or space.follow[state * space.moves + self.word[left]] < 0:
                    continue
            self.word[left - 1] = m
            for c in range(space.coordinates):
                if not space.late[c]:
                    self.value[base - space.coordinates + c] = space._after(
                        c, self.value[base + c], self.undo[m]
                    )
            self._back(space, left - 1, filling)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _compose(self, carry: Carry) -> cython.void:
        """Compute for each ending the origin of each carried byte."""
        n: cython.longlong
        i: cython.int
        j: cython.int
        k: cython.Py_ssize_t
        row: cython.Py_ssize_t
        for n in range(self.count):
            for j in range(self.width):
                k = j
                for i in range(self.plies):
                    row = self.move[n * self.plies + self.plies - 1 - i]
                    k = carry.gather[row * self.width + k]
                self.gather[n * self.width + j] = k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _differ(self, n: cython.longlong, number_at: cython.p_int) -> cython.int:
        """Whether an ending brings pieces with different numbers to the tested bytes."""
        i: cython.int
        at: cython.longlong = n * self.tested
        number: cython.int
        seen: cython.longlong = 0
        one: cython.longlong = 1
        for i in range(self.tested):
            number = number_at[self.source[at + i]]
            if number < 0 or (seen >> number) & 1:
                return 0
            seen |= one << number
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _entry(self, values: cython.p_int, base: cython.Py_ssize_t) -> cython.longlong:
        """Return the number of the list for the coordinates at `values[base]`."""
        c: cython.int
        entry: cython.longlong = 0
        for c in range(self.coordinates):
            entry += self.radix[c] * values[base + c]
        return entry
