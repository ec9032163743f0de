# Imports what halves.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport (
    bytes_at, ints_at, longs_at, words_at, shorts_at, new_ints, new_longs, new_shorts
)
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED
