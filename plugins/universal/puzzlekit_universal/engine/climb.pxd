# Imports what climb.py uses of other compiled modules.

from puzzlekit.engine.ranks cimport bytes_at, ints_at, new_ints
from puzzlekit_universal.engine.word_moves cimport Moves
