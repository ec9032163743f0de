"""The compiled stages of a beam search."""

from puzzlekit.engine.compiled import use_like_engine
from puzzlekit_beam.engine.compiled import MODULES

use_like_engine(__name__, __path__[0], MODULES)
