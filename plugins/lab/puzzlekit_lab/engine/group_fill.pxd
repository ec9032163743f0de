# Imports what group_fill.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, shorts_at, new_longs, new_shorts
