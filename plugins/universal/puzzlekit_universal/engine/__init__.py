"""Compiled searches for short words, which only the universal method uses."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_universal.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
