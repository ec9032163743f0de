"""Write puzzles and positions in the formats of other programs, and draw VisualCube's pictures.

>>> import puzzlekit
>>> from puzzlekit_exports import export
>>> print(export(puzzlekit.load("fifteen"), "hog2", state="U"))
1 2 3 4 5 6 7 8 9 10 11 0 13 14 15 12
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import ServiceEntry

if TYPE_CHECKING:
    from puzzlekit_exports.formats import FORMATS as FORMATS
    from puzzlekit_exports.formats import export as export
    from puzzlekit_exports.pasted import in_heading as in_heading
    from puzzlekit_exports.pasted import links as links
    from puzzlekit_exports.pasted import unwrap as unwrap
    from puzzlekit_exports.visualcube import picture as picture

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__,
    {".formats": "FORMATS export", ".pasted": "in_heading links unwrap", ".visualcube": "picture"},
)


@hookimpl
def puzzlekit_services() -> Iterator[ServiceEntry]:
    """Read texts and links of other programs, and write links."""
    yield ServiceEntry("texts", "puzzlekit_exports.pasted:Texts")


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit export` and `puzzlekit visualcube`."""
    yield CommandEntry(
        "export",
        "puzzlekit_exports.command:command",
        "Write a puzzle or a position in the format of another program.",
        ("convert",),
    )
    yield CommandEntry(
        "visualcube",
        "puzzlekit_exports.command:visualcube",
        "Draw a cube by the parameters of VisualCube.",
    )
