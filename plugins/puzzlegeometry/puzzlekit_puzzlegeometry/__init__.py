"""Puzzles cut from Platonic solids, from the descriptions of PuzzleGeometry such as `c f 0.333`.

>>> from puzzlekit_puzzlegeometry import cut
>>> skewb = cut("c v 0")
>>> len(skewb.colours), list(skewb.moves)
(30, ['UFR', 'UFL', 'URB', 'FRD'])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names
from puzzlekit.plugins.hooks import PuzzleReader

if TYPE_CHECKING:
    from puzzlekit_puzzlegeometry.cuts import CutPuzzle as CutPuzzle
    from puzzlekit_puzzlegeometry.cuts import cut as cut
    from puzzlekit_puzzlegeometry.reader import load_description as load_description

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(
    __name__, {".cuts": "CutPuzzle cut", ".reader": "load_description"}
)


@hookimpl
def puzzlekit_readers() -> Iterator[PuzzleReader]:
    """Read descriptions from files."""
    target = "puzzlekit_puzzlegeometry.reader:load_description"
    yield PuzzleReader("puzzlegeometry", (".pg",), target)


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit geometry`."""
    yield CommandEntry(
        "geometry",
        "puzzlekit_puzzlegeometry.command:command",
        "Cut a puzzle from a Platonic solid, and write its definition.",
    )
