# Imports what seeds.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at
from puzzlekit.engine.word_sizes cimport FAR
from puzzlekit.engine.word_moves cimport Moves
