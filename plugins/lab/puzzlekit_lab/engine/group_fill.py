# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Compiled loops that fill the distances of all elements of a permutation group, 2 bits each.

An element is numbered by a chain of stabilisers (Sims 1970): digit i of the number says which
carrier of level i is the i-th factor of the element. The first digit is the most significant.
"""

from __future__ import annotations

import cython

__all__ = ["MOST_BASE", "GroupFill"]

if not cython.compiled:  # group_fill.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, new_longs, new_shorts, shorts_at

MOST_BASE = 64


@cython.final
@cython.cclass
class GroupFill:
    """Fills distances modulo 3 in 2 bits each; 3 stands for an unknown distance.

    All moves cost 1, and the inverse of each move is a move.

    - `base`: the base points, at most 64.
    - `sizes`: for each level the number of its carriers.
    - `carriers`: for each level, and for each carrier of the level, the point to which the carrier
      brings each point. All rows one after the other, as 16-bit numbers.
    - `backs`: the inverses of the carriers in the same order.
    - `digits`: for each level and each point, the carrier that brings the base point there.
    - `images`: for each move the point to which it brings each point.
    - `data`: the distances, four in a byte, with the first in the lowest bits. Changed in place.
    - `last`: the number of the last element that got a distance.
    """

    base: cython.p_int
    sizes: cython.p_longlong
    starts: cython.p_longlong
    carriers: cython.p_ushort
    backs: cython.p_ushort
    digits: cython.p_ushort
    images: cython.p_ushort
    data: cython.p_uchar
    elements: cython.longlong
    degree: cython.Py_ssize_t
    levels: cython.int
    moves: cython.int
    _owners: list
    last = cython.declare(cython.longlong, visibility="readonly")

    def __init__(
        self,
        base: object,
        sizes: object,
        carriers: object,
        backs: object,
        digits: object,
        images: object,
        data: object,
    ) -> None:
        owners: list = []
        self._owners = owners
        self.base = ints_at(memoryview(base), owners)
        self.sizes = longs_at(memoryview(sizes), owners)
        self.carriers = shorts_at(memoryview(carriers), owners)
        self.backs = shorts_at(memoryview(backs), owners)
        self.digits = shorts_at(memoryview(digits), owners)
        self.images = shorts_at(memoryview(images), owners)
        self.data = bytes_at(memoryview(data), owners)
        self.elements = 4 * len(data)
        self.levels = len(base)
        if not 0 < len(base) <= MOST_BASE or len(base) != len(sizes):
            raise ValueError("the chain needs 1 to 64 levels, each with a size")
        self.degree = len(digits) // len(base)
        self.moves = len(images) // self.degree
        self.last = 0
        self.starts = new_longs(len(base), owners)
        count = 1
        start = 0
        for level in range(len(base)):
            self.starts[level] = start
            start += self.degree * sizes[level]
            count *= sizes[level]
        if (
            len(carriers) != start
            or len(backs) != start
            or len(data) * 4 < count
            or max(carriers) >= self.degree
            or max(backs) >= self.degree
            or max(images) >= self.degree
            or not all(0 <= point < self.degree for point in base)
            or any(
                digits[level * self.degree + point] >= sizes[level]
                for level in range(len(base))
                for point in range(self.degree)
            )
        ):
            raise ValueError("tables of another chain")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _points(self, entry: cython.longlong, at: cython.p_ushort) -> cython.void:
        """Write where each base point is in an element."""
        level: cython.int = self.levels
        lower: cython.int
        row: cython.longlong
        while level > 0:
            level -= 1
            row = self.starts[level] + entry % self.sizes[level] * self.degree
            entry = entry // self.sizes[level]
            at[level] = self.carriers[row + self.base[level]]
            for lower in range(level + 1, self.levels):
                at[lower] = self.carriers[row + at[lower]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after(
        self, at: cython.p_ushort, move: cython.int, left: cython.p_ushort
    ) -> cython.longlong:
        """Return the number of an element after a move, from the points of its base."""
        level: cython.int
        lower: cython.int
        digit: cython.longlong
        row: cython.longlong
        entry: cython.longlong = 0
        first: cython.Py_ssize_t = move * self.degree
        for level in range(self.levels):
            left[level] = self.images[first + at[level]]
        for level in range(self.levels):
            digit = self.digits[level * self.degree + left[level]]
            entry = entry * self.sizes[level] + digit
            if digit:  # the first carrier is the identity
                row = self.starts[level] + digit * self.degree
                for lower in range(level + 1, self.levels):
                    left[lower] = self.backs[row + left[lower]]
        return entry

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _code(self, entry: cython.longlong) -> cython.int:
        return (self.data[entry >> 2] >> ((entry & 3) << 1)) & 3

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _set(self, entry: cython.longlong, code: cython.int) -> cython.void:
        shift: cython.int = (entry & 3) << 1
        self.data[entry >> 2] = (self.data[entry >> 2] & (255 ^ (3 << shift))) | (code << shift)
        self.last = entry

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(
        self,
        code: cython.int,
        start: cython.longlong,
        end: cython.longlong,
        backward: cython.bint,
        at: cython.p_ushort,
        left: cython.p_ushort,
    ) -> cython.longlong:
        entry: cython.longlong
        near: cython.longlong
        move: cython.int
        fresh: cython.int = (code + 1) % 3
        wanted: cython.int = 3 if backward else code
        found: cython.longlong = 0
        for entry in range(start, end):
            if self._code(entry) != wanted:
                continue
            self._points(entry, at)
            for move in range(self.moves):
                near = self._after(at, move, left)
                if backward:
                    if self._code(near) == code:
                        self._set(entry, fresh)
                        found += 1
                        break
                elif self._code(near) == 3:
                    self._set(near, fresh)
                    found += 1
        return found

    def spread(self, depth: int, start: int, end: int, backward: bool) -> int:
        """Give the distance `depth` + 1 to elements next to those with the distance `depth`.

        Forward, the elements `start` to `end` - 1 with the distance `depth` give it to their
        neighbours. Backward, elements in this range without a distance look for a neighbour with
        the distance `depth`. The result is the number of elements that got a distance.
        """
        if not 0 <= start <= end <= self.elements:
            raise ValueError("elements out of range")
        code: cython.int = depth % 3
        first: cython.longlong = start
        last: cython.longlong = end
        back: cython.bint = backward
        found: cython.longlong
        owners: list = []
        at: cython.p_ushort = new_shorts(MOST_BASE, owners)
        left: cython.p_ushort = new_shorts(MOST_BASE, owners)
        with cython.nogil:
            found = self._spread(code, first, last, back, at, left)
        return found

    def near(self, entry: int) -> list:
        """Return for each move the number of an element after it, and its code there."""
        if not 0 <= entry < self.elements:
            raise ValueError("an element out of range")
        found: list = []
        owners: list = []
        at: cython.p_ushort = new_shorts(MOST_BASE, owners)
        left: cython.p_ushort = new_shorts(MOST_BASE, owners)
        reached: cython.longlong
        move: cython.int
        self._points(entry, at)
        for move in range(self.moves):
            reached = self._after(at, move, left)
            found.append((reached, self._code(reached)))
        return found
