# Imports what slices.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at, shorts_at, words_at
