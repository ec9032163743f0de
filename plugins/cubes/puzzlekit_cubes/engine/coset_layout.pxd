# The memory layout of tables of cosets and of nodes, for Cython: see coset_layout.py.

cdef enum:
    LINE = 64
    ENTRIES = 254
    WAITING = 64
    MOST = 40
    BATCH = 64
    FIRST_PAIRS = 4
    SECOND_PAIRS = 6
    TURN = 10
    MASK = 11
    ONE = 12
    TWO = 13
    FLIPS = 14
    LAST_X = 15
    LAST_Y = 16
    KNOWN_X = 17
    KNOWN_Y = 18
    SIDE = 19
    MADE = 20
    FROM = 21
    WIDTH = 24
