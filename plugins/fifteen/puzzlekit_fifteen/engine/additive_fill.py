# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""A compiled loop that fills additive pruning tables.

The loop pays off only when compiled. Without a compiler, `puzzlekit_fifteen.additive` does the same
in NumPy.
"""

from __future__ import annotations

import cython

__all__ = ["additive_level"]

Mask = cython.fused_type(cython.ushort, cython.ulonglong)


def additive_level(
    distance: cython.uchar[::1],
    seen: Mask[::1],
    here: Mask[::1],
    there: Mask[::1],
    first: cython.const[cython.uint][:, ::1],
    second: cython.const[cython.uint][:, ::1],
    third: cython.const[cython.uint][:, ::1],
    into: cython.const[cython.int][:, ::1],
    begin: cython.const[cython.int][::1],
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

    The function changes the first four arrays in place. It returns the number of new pairs.
    """
    size: cython.Py_ssize_t = first.shape[0]
    size2: cython.Py_ssize_t = second.shape[0]
    size3: cython.Py_ssize_t = third.shape[0]
    guards: cython.int = begin.shape[0] - 1
    stack = cython.declare(cython.int[64])
    height: cython.int
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    k: cython.int
    m: cython.int
    g: cython.int
    one: Mask = 1
    fresh: Mask
    known: Mask
    index: cython.Py_ssize_t = 0
    near: cython.Py_ssize_t
    reached: cython.longlong = 0
    with cython.nogil:
        for a in range(size):
            for b in range(size2):
                for c in range(size3):
                    fresh = here[index]
                    if fresh:
                        here[index] = 0
                        known = seen[index]
                        fresh &= ~known
                    if fresh:
                        height = 0
                        for g in range(guards):
                            if (fresh >> g) & one:
                                stack[height] = g
                                height += 1
                        known |= fresh
                        if distance[index] > level:
                            distance[index] = level
                        while height > 0:
                            height -= 1
                            reached += 1
                            for k in range(begin[stack[height]], begin[stack[height] + 1]):
                                m = into[k, 0]
                                g = into[k, 1]
                                near = (
                                    cython.cast(cython.Py_ssize_t, first[a, m]) * size2
                                    + second[b, m]
                                ) * size3 + third[c, m]
                                if near != index:
                                    there[near] |= one << g
                                elif not (known >> g) & one:
                                    known |= one << g
                                    stack[height] = g
                                    height += 1
                        seen[index] = known
                    index += 1
    return reached
