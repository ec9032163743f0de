"""Grids as a picture: numbered tiles in a frame."""

from __future__ import annotations

from puzzlekit.picture.polygons import inset
from puzzlekit.puzzle.layout import Drawing, Grid, PaperPoint

_MARGIN = 0.2
_BETWEEN_TILES = 0.04


def draw_tiles(grid: Grid, count: int) -> Drawing:
    """Return the drawing of a grid with `count` places, each with a numbered tile."""
    rows = -(-count // grid.columns)
    stickers = [
        (place, inset(_box(place % grid.columns, place // grid.columns, 1, 1), _BETWEEN_TILES))
        for place in range(count)
    ]
    frame = inset(_box(0, 0, grid.columns, rows), -0.06)
    return Drawing(grid.columns + 2 * _MARGIN, rows + 2 * _MARGIN, stickers, [frame])


def _box(left: float, top: float, width: float, height: float) -> list[PaperPoint]:
    left, top = left + _MARGIN, top + _MARGIN
    right, bottom = left + width, top + height
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
