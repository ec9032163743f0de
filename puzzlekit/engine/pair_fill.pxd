# Imports what pair_fill.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport Carry, PairRank, bytes_at, longs_at
