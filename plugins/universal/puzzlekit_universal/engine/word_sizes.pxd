# Sizes of words and of searches for compiled modules, as in word_sizes.py.

cdef enum:
    ROOM = 1100
    FAR = 536870912
    OPS = 1024
    WINDOW = 8
    OP = 5
    BITS = 60
    MASK = 5
