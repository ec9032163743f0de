"""The kinds of rank programs: how the engine ranks bytes of a state.

A rank program is a tuple of numbers. It begins with its kind, a count, the number of bytes that it
reads, and the indices of these bytes. The rest depends on the kind. The module
`puzzlekit.coordinates.programs` writes programs, and `puzzlekit.engine.ranks` runs them.
`opcodes.pxd` lists the kinds for Cython, in the same order.
"""

from __future__ import annotations

(
    ORIENTATION,
    PERMUTATION,
    COMBINATION,
    ORIENTED_COMBINATION,
    PAIRING,
    PAIR_SPLIT,
    PARITY,
    PRODUCT,
    HALVES,
    RELATIVE_ORIENTATION,
    COMPANIONS,
    PIECES,
) = range(12)
