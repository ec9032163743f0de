# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Filling additive pruning tables, compiled.

Worth it only when compiled; `puzzlekit.tables.pruning.additive_distances` has the same loop in
NumPy.
"""

from __future__ import annotations

import cython

Mask = cython.fused_type(cython.ushort, cython.ulonglong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _level(
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
) -> cython.longlong:
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
                                cython.cast(cython.Py_ssize_t, first[a, m]) * size2 + second[b, m]
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


def level(
    distance: object,
    masks: tuple,
    backward: tuple,
    into: object,
    begin: object,
    number: int,
) -> int:
    """One step of the search by increasing distance over a product of up to three coordinates.

    A move costs 1, or nothing where it leaves the entry as it is. distance: uint8, one for each
    entry, 255 where not reached yet. masks: three arrays of unsigned 16 or 64 bits, in which bit g
    of an entry stands for the guarding piece at its place g: where it has been seen, where it is
    reached at the distance `number`, and at the next one. backward: three move tables, uint32,
    shapes (size, moves), of moves undone. into: int32, shape (edges, 2): a move that leads to a
    place of the guarding piece and the place before it; those to place g are the rows from
    `begin[g]` up to `begin[g + 1]`. `distance` and `masks` are changed in place. Returns how many
    pairs of an entry and a place are new.
    """
    entries: cython.uchar[::1] = distance
    one: cython.const[cython.uint][:, ::1] = backward[0]
    two: cython.const[cython.uint][:, ::1] = backward[1]
    three: cython.const[cython.uint][:, ::1] = backward[2]
    ways: cython.const[cython.int][:, ::1] = into
    first: cython.const[cython.int][::1] = begin
    at: cython.int = number
    seen: cython.ushort[::1]
    here: cython.ushort[::1]
    there: cython.ushort[::1]
    seen_wide: cython.ulonglong[::1]
    here_wide: cython.ulonglong[::1]
    there_wide: cython.ulonglong[::1]
    reached: cython.longlong
    if memoryview(masks[0]).itemsize == 2:
        seen, here, there = masks
        with cython.nogil:
            reached = _level(entries, seen, here, there, one, two, three, ways, first, at)
        return reached
    seen_wide, here_wide, there_wide = masks
    with cython.nogil:
        reached = _level(
            entries, seen_wide, here_wide, there_wide, one, two, three, ways, first, at
        )
    return reached
