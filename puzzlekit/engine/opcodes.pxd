# The kinds of rank programs for compiled modules, numbered from 0 in the order of opcodes.py.

cdef enum:
    ORIENTATION
    PERMUTATION
    COMBINATION
    PARITY
    PRODUCT
    HALVES
    RELATIVE_ORIENTATION
    PIECES
    FORMULA
    READ
    CONSTANT
    ADD
    SUBTRACT
    MULTIPLY
    DIVIDE
    REMAINDER
    EQUAL
    LESS
    AND
    OR
    XOR
    ENTRY
    OWN_KINDS
