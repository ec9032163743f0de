# Imports what insertion.py uses of other compiled modules.

from puzzlekit_universal.engine.library cimport Library
from puzzlekit_universal.engine.word_pieces cimport WordPieces
from puzzlekit.engine.ranks cimport bytes_at, new_ints, new_longs
from puzzlekit.engine.statuses cimport FOUND, PAUSED
from puzzlekit_universal.engine.word_sizes cimport BITS, FAR, MASK, OP, WINDOW
from puzzlekit_universal.engine.word_moves cimport Moves
