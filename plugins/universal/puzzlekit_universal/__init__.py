"""The universal method: solves any puzzle whose moves are always possible, from its moves alone.

>>> import puzzlekit
>>> from puzzlekit_universal import Universal
>>> cube = puzzlekit.load("cube2")
>>> puzzlekit.universal_method(cube.puzzle, Universal(seconds=5.0)).name
'universal'
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlekit import StrategyEntry, hookimpl

if TYPE_CHECKING:
    from puzzlekit_universal.by_shapes import ByShapes as ByShapes
    from puzzlekit_universal.strategy import Universal as Universal

puzzlekit_api = 2

# The names that are imported when they are first used, by their modules.
_HOMES = {"ByShapes": "by_shapes", "Universal": "strategy"}

__all__ = ["ByShapes", "Universal"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


@hookimpl
def puzzlekit_strategies() -> Iterator[StrategyEntry]:
    """Add the strategies of the universal method."""
    target = f"{__name__}.strategy:Universal"
    yield StrategyEntry("universal", target, "Insert words that permute three pieces.")
    target = f"{__name__}.by_shapes:ByShapes"
    yield StrategyEntry("by-shapes", target, "Solve the shape first, then the pieces by loops.")
