"""The universal method: solves any puzzle whose moves are always possible, from its moves alone.

>>> import puzzlekit
>>> from puzzlekit_universal import Universal
>>> cube = puzzlekit.load("cube2")
>>> puzzlekit.universal_method(cube.puzzle, Universal(seconds=5.0)).name
'universal'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import ServiceEntry, StrategyEntry

if TYPE_CHECKING:
    from puzzlekit_universal.by_shapes import ByShapes as ByShapes
    from puzzlekit_universal.near_first import NearFirst as NearFirst
    from puzzlekit_universal.near_first import NearWalk as NearWalk
    from puzzlekit_universal.strategy import Universal as Universal

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {".by_shapes": "ByShapes", ".near_first": "NearFirst NearWalk", ".strategy": "Universal"},
)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Let shortest answers be searched from both ends, and by symmetries, to save time."""
    yield ServiceEntry("bidirectional", f"{__name__}.near_search:FromBothEnds")
    yield ServiceEntry("symmetric", f"{__name__}.symmetric_search:symmetric_search")


@hookimpl
def puzzlekit_strategies() -> Iterator[StrategyEntry]:
    """Add the strategies of the universal method."""
    target = f"{__name__}.near_first:NearFirst"
    yield StrategyEntry("universal", target, "Insert words that permute three pieces.")
    target = f"{__name__}.by_shapes:ByShapes"
    yield StrategyEntry("by-shapes", target, "Solve the shape first, then the pieces by loops.")
