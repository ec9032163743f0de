"""What is printed on stdout: nets, colours, columns, sizes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise

import click

from puzzlekit.puzzle.facelets import FaceletLayout, facelets
from puzzlekit.puzzle.grid import draw_grid
from puzzlekit.puzzle.puzzle import Puzzle

# Numbers of the 256 colours that terminals have, and whether black letters are readable on them.
_COLOURS = {
    "white": (255, True),
    "red": (160, False),
    "green": (34, True),
    "yellow": (226, True),
    "orange": (208, True),
    "blue": (21, False),
    "black": (16, False),
    "grey": (245, True),
    "purple": (92, False),
    "pink": (218, True),
    "brown": (94, False),
}


def wants_colour() -> bool:
    """Whether stdout is to be coloured: as NO_COLOR and FORCE_COLOR say, or if it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(sys.stdout and sys.stdout.isatty()) and os.environ.get("TERM") != "dumb"


def echo(text: str) -> None:
    """Print text that may hold colours; whether it does has been decided already."""
    click.echo(text, color=True)


def net(
    puzzle: Puzzle,
    state: bytes,
    coloured: bool,
    symbols: Mapping[str, str] | None = None,
    indent: int = 2,
) -> str:
    """The unfolded net of a state, one row a line, or its grid; empty if the puzzle has neither.

    Each sticker is shown as the letter of its face, or as the symbol that `symbols` maps to it. It
    is painted in the colour that the symbols are the initials of, if all are such; else in the
    usual colour of the face.
    """
    if puzzle.grid is not None:
        return draw_grid(puzzle, puzzle.grid, state, indent)
    if puzzle.layout is None:
        return ""
    layout = puzzle.layout
    typed = {face: symbol for symbol, face in (symbols or {}).items()}
    letters = "".join(typed.get(face, face) for face in facelets(puzzle, state))
    paint: dict[str, str] = {}
    if coloured:
        initials = {colour[:1].upper(): colour for colour in layout.colours}
        usual = zip(layout.faces, layout.colours, strict=True)
        paint = {typed.get(face, face): colour for face, colour in usual}
        if initials.keys() >= paint.keys():
            paint = initials
    seams = _seams(layout)
    rows = []
    for row in layout.net:
        line = " " * indent
        for column, facelet in enumerate(row):
            line += " " if column in seams else ""
            line += "  " if facelet is None else _sticker(letters[facelet], paint)
        rows.append(line.rstrip())
    return "\n".join(rows)


def _seams(layout: FaceletLayout) -> set[int]:
    """The columns of the net at which faces side by side are set apart.

    Where a face goes on across the column in another row, as triangles do, they are not.
    """
    meeting: set[int] = set()
    crossed: set[int] = set()
    for row in layout.net:
        for column, (left, right) in enumerate(pairwise(row), 1):
            if left is not None and right is not None:
                alike = layout.face_of[left] == layout.face_of[right]
                (crossed if alike else meeting).add(column)
    return meeting - crossed


def _sticker(letter: str, paint: dict[str, str]) -> str:
    colour = _COLOURS.get(paint.get(letter, ""))
    if colour is None:
        return f"{letter} "
    number, dark = colour
    return f"\x1b[48;5;{number};38;5;{16 if dark else 231}m{letter} \x1b[0m"


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = (), gap: int = 2) -> str:
    """Rows of cells under each other; the columns in `right` end where the others begin.

    >>> print(columns([["a", "1", "x"], ["bcd", "10", "y"]], right=[1]))
    a     1  x
    bcd  10  y
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        (" " * gap)
        .join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        .rstrip()
        for row in rows
    )


def size(nbytes: int) -> str:
    """A number of bytes for people.

    >>> size(480), size(78_732), size(2_300_000)
    ('480 B', '79 kB', '2.3 MB')
    """
    if nbytes < 1000:
        return f"{nbytes} B"
    value = nbytes / 1000
    units = ["GB", "MB", "kB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop()
    return f"{value:.1f} {units[-1]}" if value < 9.95 else f"{value:.0f} {units[-1]}"


def several(count: int, noun: str) -> str:
    """A number with its noun.

    >>> several(1, "table"), several(1200, "move")
    ('1 table', '1,200 moves')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
