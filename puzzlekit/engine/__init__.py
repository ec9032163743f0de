"""The engine: compiled searches, which take arrays and return moves."""

from puzzlekit.engine.compiled import use_all_or_none

use_all_or_none(__path__[0])
