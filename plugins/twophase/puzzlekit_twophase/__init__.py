"""Two phases in one search, which finds ever shorter answers.

>>> import puzzlekit
>>> from puzzlekit_twophase import Anytime
>>> isinstance(puzzlekit.load("cube3").method("two-phase").strategy, Anytime)
True
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_twophase.strategy import Anytime as Anytime

__all__, __getattr__ = lazy_names(__name__, {".strategy": "Anytime"})
