# Imports what halves.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, shorts_at
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED
