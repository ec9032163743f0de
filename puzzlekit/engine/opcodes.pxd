# The kinds of rank programs for compiled modules, numbered from 0 in the order of opcodes.py.

cdef enum:
    ORIENTATION
    PERMUTATION
    COMBINATION
    ORIENTED_COMBINATION
    PARITY
    PRODUCT
    HALVES
    RELATIVE_ORIENTATION
    PIECES
    OWN_KINDS
