# Imports what insertion.py uses of other compiled modules.

from puzzlekit.engine.library cimport Library
from puzzlekit.engine.word_pieces cimport WordPieces
from puzzlekit.engine.ranks cimport bytes_at, ints_at, longs_at
from puzzlekit.engine.statuses cimport FOUND, PAUSED
from puzzlekit.engine.word_sizes cimport BITS, FAR, MASK, OP, WINDOW
from puzzlekit.engine.word_moves cimport Moves
