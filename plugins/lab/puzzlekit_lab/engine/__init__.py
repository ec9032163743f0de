"""Compiled loops that count states, which only the laboratory uses."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_lab.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
