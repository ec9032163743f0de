# Imports what goal_beam.py uses.

from puzzlekit.engine.ranks cimport bytes_at, new_ints, new_longs
from puzzlekit.engine.statuses cimport EXHAUSTED, FOUND, PAUSED
from puzzlekit_universal.engine.near cimport NearMoves, NearTable
