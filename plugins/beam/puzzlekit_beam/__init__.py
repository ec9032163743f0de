"""Beams: keep many candidates of each phase, and continue the best ones first.

>>> import puzzlekit
>>> from puzzlekit_beam import Beam
>>> isinstance(puzzlekit.load("cube4").method("reduction").strategy, Beam)
True

    Beam          the strategy
    Alternative   another way through one of its phases
    Rounds        how long its rounds take
    View          a puzzle that another puzzle shows, for its phases
    WithFallback  the answer of another method, and then a beam or another strategy
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_beam.fallback import WithFallback as WithFallback
    from puzzlekit_beam.strategy import Alternative as Alternative
    from puzzlekit_beam.strategy import Beam as Beam
    from puzzlekit_beam.strategy import Rounds as Rounds
    from puzzlekit_beam.view import View as View

__all__, __getattr__ = lazy_names(
    __name__,
    {".fallback": "WithFallback", ".strategy": "Alternative Beam Rounds", ".view": "View"},
)
