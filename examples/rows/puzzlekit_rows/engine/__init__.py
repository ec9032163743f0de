"""Compiled modules, which run compiled if the engine of puzzlekit does."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_rows.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
