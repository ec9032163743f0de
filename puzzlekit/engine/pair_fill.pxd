# Imports what pair_fill.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport Carry, PairRank, _bytes_at, _longs_at
