"""The engine: compiled searches and their input. Arrays in, moves out."""

from puzzlekit.engine.compiled import use_all_or_none

use_all_or_none(__path__[0])
