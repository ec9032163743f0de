"""The net as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from puzzlekit.puzzle.face_shapes import FaceShape, face_shapes
from puzzlekit.puzzle.layout import Drawing, FaceletLayout, PaperPoint, Picture
from puzzlekit.puzzle.polygons import inset

_MARGIN = 0.2
_GAP = 0.15  # between two faces, as a share of the longest column of a face
_BETWEEN_STICKERS = 0.05  # from a sticker to the edge of its cell


class NetPicture(Picture):
    """The unfolded net with all stickers.

    `outlines` has the outlines of facelets with other shapes. Each outline is a polygon in the box
    of the face, which extends from (0, 0) at the upper left to (1, 1).
    """

    name = "net"

    def __init__(self, outlines: Mapping[int, Sequence[PaperPoint]] | None = None) -> None:
        self.outlines = outlines

    def draw(self, layout: FaceletLayout) -> Drawing:
        """Return the drawing of a puzzle with this layout."""
        faces = face_shapes(layout, self.outlines)
        tall = [face.height / _rows(face, layout) for face in faces]
        gap = _GAP * max(_rows(face, layout) for face in faces)
        names = [[None if at is None else layout.face_of[at] for at in row] for row in layout.net]
        columns: list[list[int | None]] = [list(each) for each in zip(*_even(names), strict=True)]
        x = _starts(columns, 1.0, gap)
        y = _starts(names, max(tall), gap)
        left = _MARGIN - min(x[face.left] - face.overhang for face in faces)
        stickers = []
        plates = []
        for face in faces:
            at_x, at_y = x[face.left] - face.overhang + left, y[face.top] + _MARGIN
            for facelet, outline in face.stickers.items():
                smaller = inset(outline, _BETWEEN_STICKERS)
                stickers.append((facelet, [(at_x + a, at_y + b) for a, b in smaller]))
            for outline in [face.plate] if face.plate else face.stickers.values():
                plates.append([(at_x + a, at_y + b) for a, b in inset(outline, -0.06)])
        corners = [corner for plate in plates for corner in plate]
        return Drawing(
            max(a for a, _ in corners) + _MARGIN,
            max(b for _, b in corners) + _MARGIN,
            stickers,
            plates,
        )


def _rows(face: FaceShape, layout: FaceletLayout) -> int:
    """The number of rows of a face in the net."""
    return sum(any(at in face.stickers for at in row) for row in layout.net)


def _even(rows: list[list[int | None]]) -> list[list[int | None]]:
    """The rows, padded to the length of the longest row."""
    longest = max(map(len, rows))
    return [row + [None] * (longest - len(row)) for row in rows]


def _starts(lines: list[list[int | None]], pitch: float, gap: float) -> list[float]:
    """The starts of the rows or columns, with a `gap` between two faces."""
    starts = [0.0]
    for before, after in pairwise(lines):
        meet = any(
            None not in (one, other) and one != other
            for one, other in zip(before, after, strict=False)
        )
        starts.append(starts[-1] + pitch + gap * meet)
    return starts
