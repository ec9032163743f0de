# Imports what climb.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport _bytes_at, _ints_at
from puzzlekit.engine.word_moves cimport Moves
