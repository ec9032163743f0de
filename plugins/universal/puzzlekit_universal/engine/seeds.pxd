# Imports what seeds.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, new_ints, new_longs
from puzzlekit_universal.engine.word_sizes cimport FAR
from puzzlekit_universal.engine.word_moves cimport Moves
