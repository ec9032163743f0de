"""The compiled searches of the Square-1."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_square1.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
