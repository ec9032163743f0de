# The results of a search for compiled modules, numbered from 0 in the order of statuses.py.

cdef enum:
    PAUSED
    FOUND
    EXHAUSTED
    NO_ROOM
    NO_INNER_ROOM
    NO_OUTER_ROOM
    MORE_STARTS
