# Imports what stages.py uses of other compiled modules.

from puzzlekit_beam.engine.states cimport Entry, Inversion, Names, Renaming
from puzzlekit_beam.engine.endings cimport Endings
from puzzlekit.engine.ranks cimport (
    Carry, Labels, Ranks, Reading, bytes_at, ints_at, new_ints, new_longs
)
from puzzlekit.engine.search cimport Search
from puzzlekit.engine.space cimport Space
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, NO_ROOM, PAUSED
