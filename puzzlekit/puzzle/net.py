"""The unfolded net of a state, drawn as text."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import pairwise

from puzzlekit.puzzle.facelets import facelets
from puzzlekit.puzzle.grid import draw_grid
from puzzlekit.puzzle.layout import FaceletLayout
from puzzlekit.puzzle.puzzle import Puzzle

__all__ = ["draw_net"]

_INDENT = 2

# The number of each colour among the 256 colours of terminals, and whether black letters are
# readable on it.
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


def draw_net(
    puzzle: Puzzle,
    state: bytes,
    coloured: bool = False,
    symbols: Mapping[str, str] | None = None,
    grey: Container[int] = (),
) -> str:
    """Return the unfolded net or the grid of a state as text; empty if the puzzle has neither.

    Each sticker is shown as the letter of its face. If `symbols` maps a symbol to this face, the
    sticker is shown as this symbol. `coloured` adds the colours of `sticker_colours`.
    The facelets in `grey` are shown as `.`, without their colours.

    >>> import puzzlekit
    >>> cube = puzzlekit.load("cube2").puzzle
    >>> print(draw_net(cube, cube.solved))
           U U
           U U
      L L  F F  R R  B B
      L L  F F  R R  B B
           D D
           D D
    """
    if puzzle.grid is not None:
        return draw_grid(puzzle, puzzle.grid, state, _INDENT)
    if puzzle.layout is None:
        return ""
    layout = puzzle.layout
    typed = {face: symbol for symbol, face in (symbols or {}).items()}
    letters = "".join(typed.get(face, face) for face in facelets(puzzle, state))
    colours = sticker_colours(layout, symbols) if coloured else {}
    paint = {typed.get(face, face): colour for face, colour in colours.items()}
    seams = _seams(layout)
    rows = []
    for row in layout.net:
        line = " " * _INDENT
        for column, facelet in enumerate(row):
            line += " " if column in seams else ""
            letter = " " if facelet is None else "." if facelet in grey else letters[facelet]
            line += _sticker(letter, paint)
        rows.append(line.rstrip())
    return "\n".join(rows)


def sticker_colours(
    layout: FaceletLayout, symbols: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the colour of the stickers of each face, in words.

    `symbols` maps symbols to faces. If all symbols are initials of colours, each face has the
    colour of its symbol. Otherwise each face has its usual colour.

    >>> import puzzlekit
    >>> skewb = puzzlekit.load("skewb").puzzle.layout
    >>> sticker_colours(skewb)["U"], sticker_colours(skewb, dict(zip("YRBWOG", "URFDLB")))["U"]
    ('white', 'yellow')
    """
    initials = {colour[:1].upper(): colour for colour in layout.colours}
    usual = dict(zip(layout.faces, layout.colours, strict=True))
    if symbols and initials.keys() >= symbols.keys():
        return usual | {face: initials[symbol] for symbol, face in symbols.items()}
    return usual


def _seams(layout: FaceletLayout) -> set[int]:
    """Return the columns of the net before which a gap separates adjacent faces.

    There is no gap if the column is inside a face in another row, as in a net of triangles.
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
