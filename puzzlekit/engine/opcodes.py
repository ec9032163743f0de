"""The kinds of rank programs: how the engine ranks bytes of a state.

A rank program is a tuple of numbers. It begins with its kind, a count, the number of bytes that it
reads, and the indices of these bytes. The rest depends on the kind. The module
`puzzlekit.coordinates.programs` writes programs, and `puzzlekit.engine.ranks` runs them.
`opcodes.pxd` lists the kinds for Cython, in the same order.
"""

from __future__ import annotations

__all__ = [
    "COMBINATION",
    "HALVES",
    "ORIENTATION",
    "PARITY",
    "PRODUCT",
    "RELATIVE_ORIENTATION",
    "own_kind",
]

(
    ORIENTATION,
    PERMUTATION,
    COMBINATION,
    PARITY,
    PRODUCT,
    HALVES,
    RELATIVE_ORIENTATION,
    PIECES,
    FORMULA,
    # The steps of a FORMULA. Each has two operands, and step i computes value number i.
    READ,  # a byte, by its position in the list of bytes
    CONSTANT,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,  # rounded down; the divisor is positive
    REMAINDER,
    EQUAL,
    LESS,
    AND,
    OR,
    XOR,
    ENTRY,  # of a table in the program; the second operand says where the table begins
    OWN_KINDS,  # the kinds of plugins begin here
) = range(23)

_own: dict[str, int] = {}


def own_kind(name: str) -> int:
    """Return the kind of the rank programs of a plugin: the same number for the same name.

    A compiled module of the plugin gives this number to `puzzlekit.engine.ranks.add_kind`, with the
    function that runs the programs. Let the name begin with the name of the package.
    """
    return _own.setdefault(name, OWN_KINDS + len(_own))
