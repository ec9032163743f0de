# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Rank programs of pieces that come in pairs. `puzzlekit_cubes.programs` writes the programs."""

from __future__ import annotations

import cython

from puzzlekit.engine.opcodes import own_kind

if not cython.compiled:  # pair_ranks.pxd has this for the compiler
    from puzzlekit.engine.ranks import add_kind

PAIRING = own_kind("puzzlekit_cubes.pairing")
PAIR_SPLIT = own_kind("puzzlekit_cubes.pair_split")
COMPANIONS = own_kind("puzzlekit_cubes.companions")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pairing(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Rank the second places of the partners of the pieces at first places."""
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    numbers: cython.int = at + 3 + places
    n: cython.int = places // 2
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    rank: cython.longlong = 0
    position = cython.declare(cython.int[128])
    partner = cython.declare(cython.int[128])
    for i in range(program[numbers + 128]):
        position[i] = -1
    for i in range(n):
        piece = program[numbers + vector[base + program[at + 3 + n + i]]]
        if piece < 0 or position[piece] >= 0:
            return -1
        position[piece] = i
    for i in range(count):
        k = program[numbers + 129 + i]
        piece = program[numbers + vector[base + program[at + 3 + k]]]
        if piece < 0 or position[piece] < 0:
            return -1
        digit = partner[i] = position[piece]
        for k in range(i):
            digit -= partner[k] < partner[i]
        rank = rank * (n - i) + digit
    return rank


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pair_split(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Return 0 or 1 if each pair has one piece at a first place, by which ones, and 2 if not."""
    places: cython.int = program[at + 2]
    numbers: cython.int = at + 3 + places
    n: cython.int = places // 2
    i: cython.int
    k: cython.int
    piece: cython.int
    rank: cython.longlong = 0
    seen: cython.longlong = 0
    one: cython.longlong = 1
    for i in range(n):
        k = vector[base + program[at + 3 + i]]
        piece = program[numbers + k]
        if piece < 0 or (seen >> piece) & 1:
            return 2
        seen |= one << piece
        rank += program[numbers + 128 + k]
    return rank & 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _companions(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Rank the places of some pieces, and the second places of their companions."""
    count: cython.int = program[at + 1]
    places: cython.int = program[at + 2]
    numbers: cython.int = at + 3 + places
    n: cython.int = places // 2
    i: cython.int
    k: cython.int
    piece: cython.int
    digit: cython.int
    rank: cython.longlong = 0
    position = cython.declare(cython.int[128])
    partner = cython.declare(cython.int[128])
    for i in range(128):
        position[i] = -1
    for i in range(n):
        piece = program[numbers + 128 + vector[base + program[at + 3 + n + i]]]
        if piece >= 0:
            if position[piece] >= 0:
                return -1
            position[piece] = i
    found: cython.int = 0
    among: cython.longlong = 0
    for i in range(n):
        piece = program[numbers + vector[base + program[at + 3 + i]]]
        if piece < 0:
            continue
        if found == count or position[piece] < 0:
            return -1
        digit = partner[found] = position[piece]
        position[piece] = -1
        for k in range(found):
            digit -= partner[k] < partner[found]
        rank = rank * (n - found) + digit
        found += 1
        among += program[numbers + 256 + i * (count + 1) + found]
    return among * program[numbers + 256 + n * (count + 1)] + rank if found == count else -1


add_kind(PAIRING, _pairing)
add_kind(PAIR_SPLIT, _pair_split)
add_kind(COMPANIONS, _companions)
