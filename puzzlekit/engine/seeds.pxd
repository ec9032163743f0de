# Imports what seeds.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport _bytes_at, _ints_at, _longs_at
from puzzlekit.engine.word_sizes cimport FAR
from puzzlekit.engine.word_moves cimport Moves
