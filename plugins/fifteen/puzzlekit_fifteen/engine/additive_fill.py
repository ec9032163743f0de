# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A compiled loop that fills additive pruning tables.

The loop pays off only when compiled. Without a compiler, `puzzlekit_fifteen.additive` does the same
in NumPy.
"""

from __future__ import annotations

from array import array

import cython

__all__ = ["additive_level"]

if not cython.compiled:  # additive_fill.pxd has these for the compiler
    from puzzlekit.engine.ranks import bytes_at, ints_at, longs_at, shorts_at, words_at


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
