# cython: language_level=3, wraparound=False
# cython: cdivision=True
"""Rank programs of corners and the triangles beside them: `Pairs.program` writes them."""

from __future__ import annotations

import cython

from puzzlekit.engine.opcodes import own_kind

if not cython.compiled:  # pair_ranks.pxd has this for the compiler
    from puzzlekit.engine.ranks import add_kind

PAIRS = own_kind("puzzlekit_fto.pairs")


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _pairs(
    program: cython.p_int, at: cython.int, vector: cython.p_uchar, base: cython.Py_ssize_t
) -> cython.longlong:
    """Add what each corner and its triangles add to the counts, and look up the rank of them.

    The program reads four bytes for each corner: its label, its orientation, and both triangles.
    """
    reads: cython.int = at + 3
    weights: cython.int = reads + program[at + 2]
    rows: cython.int = weights + 384
    values: cython.int = rows + 64
    i: cython.int
    counts: cython.int = 0
    for i in range(reads, weights, 4):
        counts += program[
            weights
            + 64 * vector[base + program[i]]
            + 16 * vector[base + program[i + 1]]
            + 4 * vector[base + program[i + 2]]
            + vector[base + program[i + 3]]
        ]
    return program[
        values
        + 400 * program[rows + (counts >> 12)]
        + 20 * program[rows + ((counts >> 6) & 63)]
        + program[rows + (counts & 63)]
    ]


add_kind(PAIRS, _pairs)
