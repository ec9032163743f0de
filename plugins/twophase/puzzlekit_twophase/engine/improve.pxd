# Imports what improve.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport (
    Carry, Labels, Ranks, bytes_at, ints_at, longs_at, new_ints, int_array
)
from puzzlekit.engine.search cimport Search
from puzzlekit.engine.space cimport Space
from puzzlekit.engine.statuses cimport (
    EXHAUSTED, FOUND, MORE_STARTS, NO_INNER_ROOM, NO_OUTER_ROOM, NO_ROOM, PAUSED,
)
from puzzlekit_twophase.engine.groups cimport GROUP, Groups, Notes
