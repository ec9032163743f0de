"""Other names of puzzles: aliases and titles in any spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable

from puzzlekit.plugins.hooks import PuzzleEntry


def fold(name: str) -> str:
    """Return a name without case, blanks and punctuation, and without an x between numbers.

    >>> fold("3x3x3 Cube"), fold("Rubik's cube"), fold("Cube-3")
    ('333cube', 'rubikscube', 'cube3')
    """
    letters = "".join(char for char in name.casefold() if char.isalnum() or char == "\u00d7")
    return re.sub(r"(?<=\d)[x\u00d7](?=\d)", "", letters)


def named(entries: Iterable[PuzzleEntry], name: str) -> list[PuzzleEntry]:
    """Return the puzzles that have this name, title or alias, in any spelling.

    >>> cube = PuzzleEntry("cube3", "3x3x3 cube", None, None, aliases=("3x3x3", "rubik"))
    >>> [bool(named([cube], name)) for name in ("Cube 3", "333", "3x3x3-cube", "Rubik", "cube")]
    [True, True, True, True, False]
    """
    folded = fold(name)
    return [
        entry
        for entry in entries
        if folded and folded in map(fold, (entry.name, entry.title, *entry.aliases))
    ]
