# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True
"""Filling pruning tables, compiled.

The loop is the plain one, worth its while only when compiled; `puzzlekit.tables.pruning` has the
same in NumPy for where there is no compiler.
"""

from __future__ import annotations

import cython

COMPILED = cython.compiled


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _sweep(
    distance: cython.uchar[::1],
    first: cython.const[cython.uint][:, ::1],
    second: cython.const[cython.uint][:, ::1],
    third: cython.const[cython.uint][:, ::1],
    costs: cython.const[cython.int][::1],
    level: cython.int,
) -> cython.longlong:
    """Give each neighbour of an entry at `level` its distance; how many entries are there."""
    size: cython.Py_ssize_t = first.shape[0]
    size2: cython.Py_ssize_t = second.shape[0]
    size3: cython.Py_ssize_t = third.shape[0]
    moves: cython.int = costs.shape[0]
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    c: cython.Py_ssize_t
    m: cython.int
    index: cython.Py_ssize_t = 0
    near: cython.Py_ssize_t
    reached: cython.longlong = 0
    for a in range(size):
        for b in range(size2):
            for c in range(size3):
                if distance[index] == level:
                    reached += 1
                    for m in range(moves):
                        near = (
                            cython.cast(cython.Py_ssize_t, first[a, m]) * size2 + second[b, m]
                        ) * size3 + third[c, m]
                        if distance[near] > level + costs[m]:
                            distance[near] = level + costs[m]
                index += 1
    return reached


def sweep(
    distance: object, first: object, second: object, third: object, costs: object, level: int
) -> int:
    """One step of the search by increasing distance over a product of three coordinates.

    distance: uint8, flat, 255 where not reached yet, changed in place. first, second, third: move
    tables, uint32, shapes (size, moves). costs: int32. Returns how many entries are at `level`.
    """
    entries: cython.uchar[::1] = distance
    one: cython.const[cython.uint][:, ::1] = first
    two: cython.const[cython.uint][:, ::1] = second
    three: cython.const[cython.uint][:, ::1] = third
    prices: cython.const[cython.int][::1] = costs
    at: cython.int = level
    reached: cython.longlong
    with cython.nogil:
        reached = _sweep(entries, one, two, three, prices, at)
    return reached
