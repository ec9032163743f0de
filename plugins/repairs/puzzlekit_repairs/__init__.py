"""Stickers that are wrong or unknown: which repairs remove all faults, and what can be filled in.

>>> import puzzlekit
>>> from puzzlekit_repairs import inspect
>>> cube = puzzlekit.load("cube2").puzzle
>>> [repair.words for repair in inspect(cube, "UUUURRRRFFFFDDDDLLLLBBB?").repairs]
['fill in B4: B']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import ServiceEntry

if TYPE_CHECKING:
    from puzzlekit_repairs.completion import Completions as Completions
    from puzzlekit_repairs.completion import complete as complete
    from puzzlekit_repairs.painting import Painting as Painting
    from puzzlekit_repairs.painting import Repair as Repair
    from puzzlekit_repairs.painting import inspect as inspect
    from puzzlekit_repairs.painting import repairs_of_text as repairs_of_text

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {
        ".completion": "Completions complete",
        ".painting": "Painting Repair inspect repairs_of_text",
    },
)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Find repairs of wrong stickers, and fill in unknown ones."""
    yield ServiceEntry("repairs", "puzzlekit_repairs.painting:Repairs")
