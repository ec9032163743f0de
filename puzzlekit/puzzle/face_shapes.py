"""The shapes of stickers in a net: squares, triangles, or four corners and a diamond."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

import attrs

from puzzlekit.puzzle.layout import FaceletLayout, PaperPoint

#: The height of a row of triangles with sides of length 2.
_ROW = sqrt(3)


@attrs.frozen
class FaceShape:
    """One face of a net, as a box on paper. All points are relative to its upper left corner."""

    #: The letter of the face.
    letter: str
    #: The first row of the face in the net.
    top: int
    #: The first column of the face in the net.
    left: int
    #: The width of the box.
    width: float
    #: The height of the box.
    height: float
    #: The outline of the face under the stickers; empty if the face is not a square or triangle.
    plate: tuple[PaperPoint, ...]
    #: The outline of each facelet.
    stickers: Mapping[int, Sequence[PaperPoint]]
    #: How far the box extends beyond the columns of the net on each side.
    overhang: float = 0.0


def face_shapes(
    layout: FaceletLayout, outlines: Mapping[int, Sequence[PaperPoint]] | None = None
) -> list[FaceShape]:
    """Return the shapes of all faces, in the order of the layout.

    `outlines` has the outlines of facelets with other shapes. In these outlines, the box of the
    face extends from (0, 0) to (1, 1).
    """
    cells: list[dict[int, tuple[int, int]]] = [{} for _ in layout.faces]
    for row, line in enumerate(layout.net):
        for column, facelet in enumerate(line):
            if facelet is not None:
                cells[layout.face_of[facelet]][facelet] = row, column
    return [
        _face(letter, own, outlines or {})
        for letter, own in zip(layout.faces, cells, strict=True)
        if own
    ]


def _face(
    letter: str,
    cells: dict[int, tuple[int, int]],
    outlines: Mapping[int, Sequence[PaperPoint]],
) -> FaceShape:
    top = min(row for row, _ in cells.values())
    left = min(column for _, column in cells.values())
    inside = {facelet: (row - top, column - left) for facelet, (row, column) in cells.items()}
    rows = max(row for row, _ in inside.values()) + 1
    columns = max(column for _, column in inside.values()) + 1
    stickers: dict[int, tuple[PaperPoint, ...]]
    plate: tuple[PaperPoint, ...]
    upward = _triangle(set(inside.values()), rows, columns)
    if upward is not None:
        base = columns + 1
        stickers = {
            facelet: _pointing(
                column,
                row * _ROW,
                2,
                _ROW,
                (column - (rows - 1 - row if upward else row)) % 2 == (not upward),
            )
            for facelet, (row, column) in inside.items()
        }
        plate = _pointing(0, 0, base, rows * _ROW, upward)
        return FaceShape(letter, top, left, base, rows * _ROW, plate, stickers, 0.5)
    full = len(cells) == rows * columns
    five = rows == columns == 3 and set(inside.values()) == {(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)}
    cut = _of_five if five else _square
    stickers = {facelet: cut(*cell) for facelet, cell in inside.items()}
    own = cells.keys() & outlines.keys()
    for facelet in own:
        stickers[facelet] = tuple((columns * x, rows * y) for x, y in outlines[facelet])
    square = (0.0, 0.0), (columns, 0.0), (columns, rows), (0.0, rows)
    plate = square if full or five or own else ()
    return FaceShape(letter, top, left, columns, rows, plate, stickers)


def _triangle(cells: set[tuple[int, int]], rows: int, columns: int) -> bool | None:
    """True if the cells are a triangle that points up, False if it points down; else None."""
    if columns != 2 * rows - 1 or rows == 1:
        return None
    up = {(row, rows - 1 + at) for row in range(rows) for at in range(-row, row + 1)}
    if cells == up:
        return True
    return False if cells == {(rows - 1 - row, column) for row, column in up} else None


def _pointing(
    x: float, y: float, base: float, height: float, up: bool
) -> tuple[PaperPoint, PaperPoint, PaperPoint]:
    """A triangle in the box with the upper left corner (x, y), clockwise."""
    if up:
        return (x + base / 2, y), (x + base, y + height), (x, y + height)
    return (x, y), (x + base, y), (x + base / 2, y + height)


def _square(row: int, column: int) -> tuple[PaperPoint, ...]:
    return (column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)


def _of_five(row: int, column: int) -> tuple[PaperPoint, ...]:
    """A corner of the 3 by 3 square, or the diamond between the middles of its sides."""
    if row == 1:
        return (1.5, 0.0), (3.0, 1.5), (1.5, 3.0), (0.0, 1.5)
    x, y = 1.5 * column, 1.5 * row
    corner = [(x, y), (1.5, y), (x, 1.5)]
    return tuple(corner if row == column else corner[::-1])
