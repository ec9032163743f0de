"""Compiled searches and tables that only cubes use."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_cubes.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
