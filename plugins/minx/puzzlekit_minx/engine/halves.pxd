# Imports what halves.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, shorts_at, words_at
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED
