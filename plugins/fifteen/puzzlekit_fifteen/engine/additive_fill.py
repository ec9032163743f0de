# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Compiled loops that fill additive pruning tables, of any puzzle and of sliding puzzles.

The loops pay off only when compiled. Without a compiler, `puzzlekit_fifteen.additive` does the same
in NumPy.
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["additive_level", "sliding_level"]

if not cython.compiled:  # additive_fill.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, new_ints, shorts_at, words_at


def additive_level(
    distance: object,
    seen: object,
    here: object,
    there: object,
    first: object,
    second: object,
    third: object,
    into: object,
    begin: object,
    level: cython.int,
) -> int:
    """Find all entries at the next distance of an additive table.

    A move costs 0 if it does not change the joint value, else 1. The place of a guarding piece,
    such as the blank of a sliding puzzle, determines which moves are possible. So the build
    searches over pairs of an entry and a place of the guarding piece.

    - `distance`: uint8, the distance of each entry. It is 255 if the entry is not reached yet.
    - `seen`, `here`, `there`: masks of 16 or 64 bits for each entry. Bit g belongs to the pair of
      the entry and place g. In `seen` it is 1 if the pair was reached before, in `here` if it was
      reached at this level, and in `there` if it was reached at the next level.
    - `first`, `second`, `third`: for each coordinate a uint32 table of shape (size, moves). It
      maps each value after a move to the value before the move.
    - `into`: int32, shape (edges, 2). A row has a move, and the place of the guarding piece before
      this move.
    - `begin`: the rows `begin[g]` to `begin[g + 1]` - 1 of `into` have the moves that lead to place
      g.

    The function changes the first four arrays in place. It returns the number of new pairs. Raises
    ValueError if arrays do not fit together, or for more than 64 places of the guarding piece.
    """
    size: cython.Py_ssize_t = len(first)
    size2: cython.Py_ssize_t = len(second)
    size3: cython.Py_ssize_t = len(third)
    moves: cython.Py_ssize_t = memoryview(first).shape[1]
    guards: cython.int = len(begin) - 1
    if (
        {len(each) for each in (distance, seen, here, there)} != {size * size2 * size3}
        or any([memoryview(each).shape[1] != moves for each in (second, third)])
        or not 0 < guards <= 64
        or sorted(begin) != list(begin)
        or (begin[0], begin[guards]) != (0, len(into))
        or any([not (0 <= way[0] < moves and 0 <= way[1] < guards) for way in into.tolist()])
    ):
        raise ValueError("tables and moves of different puzzles")
    owners: list = []
    wide: cython.bint = memoryview(seen).itemsize == 8
    none = array("H", [0]), array("q", [0])
    masks = [memoryview(each).cast("B").cast("q" if wide else "H") for each in (seen, here, there)]
    narrow = (none[0], none[0], none[0]) if wide else masks
    broad = masks if wide else (none[1], none[1], none[1])
    seen16: cython.p_ushort = shorts_at(narrow[0], owners)
    here16: cython.p_ushort = shorts_at(narrow[1], owners)
    there16: cython.p_ushort = shorts_at(narrow[2], owners)
    seen64: cython.p_longlong = longs_at(broad[0], owners)
    here64: cython.p_longlong = longs_at(broad[1], owners)
    there64: cython.p_longlong = longs_at(broad[2], owners)
    found: cython.p_uchar = bytes_at(distance, owners)
    after: cython.p_uint = words_at(memoryview(first).cast("B").cast("I"), owners)
    after2: cython.p_uint = words_at(memoryview(second).cast("B").cast("I"), owners)
    after3: cython.p_uint = words_at(memoryview(third).cast("B").cast("I"), owners)
    ways: cython.p_int = ints_at(memoryview(into).cast("B").cast("i"), owners)
    begins: cython.p_int = ints_at(begin, owners)
    stack = cython.declare(cython.int[64])
    height: cython.int
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.int
    m: cython.int
    g: cython.int
    one: cython.ulonglong = 1
    fresh: cython.ulonglong
    known: cython.ulonglong = 0
    index: cython.Py_ssize_t = 0
    near: cython.Py_ssize_t
    reached: cython.longlong = 0
    with cython.nogil:
        for a in range(size):
            for b in range(size2):
                for c in range(size3):
                    fresh = here64[index] if wide else here16[index]
                    if fresh:
                        if wide:
                            here64[index] = 0
                            known = seen64[index]
                        else:
                            here16[index] = 0
                            known = seen16[index]
                        fresh &= ~known
                    if fresh:
                        height = 0
                        for g in range(guards):
                            if (fresh >> g) & one:
                                stack[height] = g
                                height += 1
                        known |= fresh
                        if found[index] > level:
                            found[index] = level
                        while height > 0:
                            height -= 1
                            reached += 1
                            for k in range(begins[stack[height]], begins[stack[height] + 1]):
                                m = ways[2 * k]
                                g = ways[2 * k + 1]
                                near = (
                                    cython.cast(cython.Py_ssize_t, after[a * moves + m]) * size2
                                    + after2[b * moves + m]
                                ) * size3 + after3[c * moves + m]
                                if near != index:
                                    if wide:
                                        there64[near] |= one << g
                                    else:
                                        there16[near] |= one << g
                                elif not (known >> g) & one:
                                    known |= one << g
                                    stack[height] = g
                                    height += 1
                        if wide:
                            seen64[index] = known
                        else:
                            seen16[index] = known
                    index += 1
    return reached


def sliding_level(
    distance: object,
    seen: object,
    here: object,
    there: object,
    due: object,
    begin: object,
    edges: object,
    turns: object,
    level: cython.int,
) -> int:
    """Find all entries at the next distance of the table of a pattern of tiles.

    An entry belongs to a set of places and to one of the orders of the tiles in it. See
    `puzzlekit_fifteen.pattern`.

    - `distance`: uint8, the distance of each entry. It is 255 if the entry is not reached yet.
    - `seen`, `here`, `there`: masks of 8 bits for each entry, one bit for each part of the board in
      which the blank may be: reached before, at this level, and at the next level.
    - `due`: a byte for each set. Bit `level & 1` says that `here` has bits of the set, the other
      one that `there` has.
    - `begin`: the rows `begin[s]` to `begin[s + 1]` - 1 of `edges` have the moves of set s.
    - `edges`: int32, shape (moves, 4). A row has the set after the move, the bits of the blank's
      part before and after it, and a row of `turns`.
    - `turns`: uint16, the order after the move for each order.

    The function changes the first five arrays in place. It returns the number of new pairs of an
    entry and a part. Raises ValueError if arrays do not fit together.
    """
    sets: cython.Py_ssize_t = len(due)
    orders: cython.Py_ssize_t = memoryview(turns).shape[1]
    if (
        {len(each) for each in (distance, seen, here, there)} != {sets * orders}
        or len(begin) != sets + 1
        or memoryview(edges).shape[1] != 4
        or (begin[0], begin[sets]) != (0, len(edges))
    ):
        raise ValueError("sets and moves of different patterns")
    owners: list = []
    found: cython.p_uchar = bytes_at(distance, owners)
    known: cython.p_uchar = bytes_at(seen, owners)
    now: cython.p_uchar = bytes_at(here, owners)
    later: cython.p_uchar = bytes_at(there, owners)
    waiting: cython.p_uchar = bytes_at(due, owners)
    begins: cython.p_int = ints_at(begin, owners)
    moves: cython.p_int = ints_at(memoryview(edges).cast("B").cast("i"), owners)
    rows: cython.p_ushort = shorts_at(memoryview(turns).cast("B").cast("H"), owners)
    fresh: cython.p_int = new_ints(orders, owners)
    bits: cython.p_int = new_ints(orders, owners)
    own: cython.int = 1 << (level & 1)
    other: cython.int = 3 - own
    base: cython.Py_ssize_t = 0
    target: cython.Py_ssize_t
    row: cython.Py_ssize_t
    s: cython.Py_ssize_t
    k: cython.int
    m: cython.int
    i: cython.int
    count: cython.int
    every: cython.int
    before: cython.int
    after: cython.int
    bit: cython.int
    reached: cython.longlong = 0
    with cython.nogil:
        for s in range(sets):
            base = s * orders
            if waiting[s] & own:
                waiting[s] ^= own
                count = 0
                every = 0
                for k in range(cython.cast(cython.int, orders)):
                    bit = now[base + k] & ~known[base + k]
                    now[base + k] = 0
                    if bit:
                        known[base + k] |= bit
                        if found[base + k] > level:
                            found[base + k] = level
                        fresh[count] = k
                        bits[count] = bit
                        count += 1
                        every |= bit
                        while bit:
                            reached += 1
                            bit &= bit - 1
                for m in range(begins[s], begins[s + 1]):
                    before = moves[4 * m + 1]
                    if before & every:
                        target = moves[4 * m] * orders
                        after = moves[4 * m + 2]
                        row = moves[4 * m + 3] * orders
                        for i in range(count):
                            if bits[i] & before:
                                later[target + rows[row + fresh[i]]] |= after
                        waiting[moves[4 * m]] |= other
    return reached
