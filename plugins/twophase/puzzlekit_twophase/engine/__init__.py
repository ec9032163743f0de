"""The compiled search of two phases."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_twophase.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
