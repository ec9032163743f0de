"""The kinds of rank programs: how the engine ranks bytes of a state.

A rank program is a tuple of numbers: its kind, a count, how many bytes it reads, the numbers of
these bytes, and more that depends on the kind. `puzzlekit.coordinate.programs` writes programs and
`puzzlekit.engine.ranks` runs them. `opcodes.pxd` lists the kinds for Cython, in the same order.
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
) = range(8)
