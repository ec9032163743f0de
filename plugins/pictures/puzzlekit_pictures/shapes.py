"""Pictures of a puzzle: its net, in perspective, and one face from above."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt

import attrs

from puzzlekit import DeclarationError, FaceletLayout
from puzzlekit.puzzle.layout import Drawing, PaperPoint, Picture

__all__ = ["NetPicture", "SolidPicture", "SpacePoint", "TopPicture", "inset"]


Polygon = Sequence[PaperPoint]

_SHARPEST = 0.15  # 1 + the cosine between two sides; sharper corners are cut off
#: The height of a row of triangles with sides of length 2.
_ROW = sqrt(3)
_GAP = 0.15  # between two faces, as a share of the longest column of a face
_BETWEEN_CELLS = 0.05  # from a sticker to the edge of its cell
#: A point in space: right, up, and towards the viewer of the front.
SpacePoint = tuple[float, float, float]
_Corners = tuple[SpacePoint, SpacePoint, SpacePoint]
_MARGIN = 0.2
_BETWEEN_STICKERS = 0.06
_PLATE = 0.05  # visible width of the body around the stickers
_NEAR = 1e-6
_STRIP = (0.14, 0.46)  # near and far distance of side stickers from the face
_STRIP_ENDS = 0.06  # how much shorter side stickers are at both ends


def inset(polygon: Polygon, distance: float) -> list[PaperPoint]:
    """Return the polygon with each side moved inward by `distance`.

    A negative distance moves the sides outward.

    >>> inset([(0, 0), (4, 0), (4, 4), (0, 4)], 1)
    [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)]
    """
    around = 1 if _area(polygon) > 0 else -1
    normals = []
    for (x, y), (to_x, to_y) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        length = hypot(to_x - x, to_y - y)
        normals.append((-around * (to_y - y) / length, around * (to_x - x) / length))
    moved = []
    for (x, y), (a, b), (c, d) in zip(polygon, [normals[-1], *normals], normals, strict=False):
        # The corner of two sides that are moved by the same distance; a sharp one is cut off.
        share = distance / max(1 + a * c + b * d, _SHARPEST)
        moved.append((x + share * (a + c), y + share * (b + d)))
    return moved


def path(polygon: Polygon, round_by: float = 0.0) -> str:
    """Return the outline as SVG path data, with corners rounded over a length of `round_by`.

    >>> path([(0, 0), (1, 0), (0, 1)])
    'M0 0L1 0L0 1Z'
    """
    if not round_by:
        return "M" + "L".join(_written(x, y) for x, y in polygon) + "Z"
    parts = []
    for i, (x, y) in enumerate(polygon):
        ends = []
        for other_x, other_y in (polygon[i - 1], polygon[(i + 1) % len(polygon)]):
            share = min(0.5, round_by / hypot(other_x - x, other_y - y))
            ends.append(_written(x + share * (other_x - x), y + share * (other_y - y)))
        parts.append(f"{ends[0]}Q{_written(x, y)} {ends[1]}")
    return "M" + "L".join(parts) + "Z"


def _area(polygon: Polygon) -> float:
    """Twice the area; positive if the corners are clockwise (y points down)."""
    following = [*polygon[1:], polygon[0]]
    return sum(x * v - u * y for (x, y), (u, v) in zip(polygon, following, strict=True))


def _written(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"


def number(value: float) -> str:
    """Return a number as text with at most three decimals and no trailing zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


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
    #: The outline of the face under the stickers. Empty if the face is no square or triangle and
    #: its stickers have no outlines of their own.
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
    plate = square if full or five else ()
    if own:
        plate = _hull([point for outline in stickers.values() for point in outline])
    return FaceShape(letter, top, left, columns, rows, plate, stickers)


def _hull(points: Iterable[PaperPoint]) -> tuple[PaperPoint, ...]:
    """The corners of the smallest convex outline around some points, clockwise (A. M. Andrew)."""
    found: list[PaperPoint] = []
    for ordered in (sorted(points), sorted(points, reverse=True)):
        half: list[PaperPoint] = []
        for x, y in ordered:
            while len(half) > 1:
                (a, b), (c, d) = half[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > _NEAR:
                    break
                half.pop()
            half.append((x, y))
        found += half[:-1]
    return tuple(found)


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
                smaller = inset(outline, _BETWEEN_CELLS)
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


class SolidPicture(Picture):
    """A picture of a puzzle with flat faces in space, around the point (0, 0, 0).

    Drawing raises a DeclarationError if the corners of a face are in the order seen from inside.

    Parameters
    ----------
    faces
        Three corners of each face in space, in the reading order of the net. For a square, these
        are the upper left, the upper right and the lower left corner.
    eye
        The viewpoint, in the units of `faces`.
    outlines
        The outlines of facelets with other shapes, as in `NetPicture`.
    """

    name = "solid"

    def __init__(
        self,
        faces: Mapping[str, _Corners],
        eye: SpacePoint,
        outlines: Mapping[int, Sequence[PaperPoint]] | None = None,
    ) -> None:
        self.faces = faces
        self.eye = eye
        self.outlines = outlines

    def draw(self, layout: FaceletLayout) -> Drawing:
        """Return the drawing of a puzzle with this layout."""
        stickers: list[tuple[int, list[PaperPoint]]] = []
        plates: list[list[PaperPoint]] = []
        unit = 1.0
        for face, box in self.placed(layout):
            outward = _outward(box, face.letter)
            if _dot(outward, _minus(self.eye, box[0])) <= 0:
                continue  # seen from behind
            unit = _length(_minus(box[1], box[0])) / face.width
            for facelet, outline in face.stickers.items():
                smaller = inset(outline, _BETWEEN_STICKERS)
                stickers.append((facelet, [self._seen(_in_space(face, box, p)) for p in smaller]))
            for outline in [face.plate] if face.plate else face.stickers.values():
                plates.append(
                    [self._seen(_in_space(face, box, p)) for p in inset(outline, -_PLATE)]
                )
        return _on_paper(stickers, plates, unit)

    def sticker_corners(self, layout: FaceletLayout) -> dict[int, list[SpacePoint]]:
        """Return the corners of each facelet in space."""
        return {
            facelet: [_in_space(face, box, point) for point in outline]
            for face, box in self.placed(layout)
            for facelet, outline in face.stickers.items()
        }

    def placed(self, layout: FaceletLayout) -> Iterator[tuple[FaceShape, _Corners]]:
        """Yield the shape of each face, with the corners of its box in space."""
        for face in face_shapes(layout, self.outlines):
            if face.letter not in self.faces:
                raise DeclarationError(f"the picture has no corners for the face {face.letter}")
            yield face, _box(face, self.faces[face.letter])

    def _seen(self, point: SpacePoint) -> PaperPoint:
        """A point in perspective; the scale at (0, 0, 0) is 1."""
        far = _length(self.eye)
        ahead = (-self.eye[0] / far, -self.eye[1] / far, -self.eye[2] / far)
        right = _cross(ahead, (0.0, 1.0, 0.0))
        right = _scaled(right, 1 / _length(right))
        up = _cross(right, ahead)
        shrunk = far / (far + _dot(ahead, point))
        return shrunk * _dot(right, point), -shrunk * _dot(up, point)


class TopPicture(Picture):
    """A picture of one face from above, with the adjacent stickers of the same layer.

    `solid` has the faces of the puzzle in space. `face` is the letter of the face to draw.
    """

    name = "top"

    def __init__(self, solid: SolidPicture, face: str) -> None:
        self.solid = solid
        self.face = face

    def draw(self, layout: FaceletLayout) -> Drawing:
        """Return the drawing of a puzzle with this layout."""
        placed = list(self.solid.placed(layout))
        shown, box = next(each for each in placed if each[0].letter == self.face)
        origin = box[0]
        across, down = _minus(box[1], origin), _minus(box[2], origin)
        outward = _outward(box, self.face)
        stickers = [
            (facelet, inset(outline, _BETWEEN_STICKERS))
            for facelet, outline in shown.stickers.items()
        ]
        plates = [inset(shown.plate, -_PLATE)] if shown.plate else []
        middle = _middle(shown.plate or [(0, 0), (shown.width, shown.height)])
        for face, other in placed:
            for facelet, outline in face.stickers.items() if face is not shown else ():
                edge = []
                for point in outline:
                    there = _minus(_in_space(face, other, point), origin)
                    if abs(_dot(there, outward)) < _NEAR * _dot(outward, outward):
                        x = _dot(there, across) / _dot(across, across) * shown.width
                        y = _dot(there, down) / _dot(down, down) * shown.height
                        edge.append((x, y))
                if len(edge) > 1:
                    strip = _strip(edge[0], edge[-1], middle)
                    stickers.append((facelet, strip))
                    plates.append(inset(strip, -_PLATE))
        return _on_paper(stickers, plates, 1.0)


def _strip(one: PaperPoint, other: PaperPoint, middle: PaperPoint) -> list[PaperPoint]:
    """The bar beside a face that stands for an adjacent sticker."""
    (x, y), (u, v) = one, other
    length = sqrt((u - x) ** 2 + (v - y) ** 2)
    along = (u - x) / length, (v - y) / length
    away = along[1], -along[0]
    if away[0] * (x - middle[0]) + away[1] * (y - middle[1]) < 0:
        away = -away[0], -away[1]
    near, far = _STRIP
    return [
        (a + s * along[0] + d * away[0], b + s * along[1] + d * away[1])
        for a, b, s, d in (
            (x, y, _STRIP_ENDS, near),
            (u, v, -_STRIP_ENDS, near),
            (u, v, -2 * _STRIP_ENDS, far),
            (x, y, 2 * _STRIP_ENDS, far),
        )
    ]


def _on_paper(
    stickers: Sequence[tuple[int, Sequence[PaperPoint]]],
    plates: Sequence[Sequence[PaperPoint]],
    unit: float,
) -> Drawing:
    """The drawing, scaled so that the length `unit` becomes 1, with a margin around it."""
    corners = [p for outline in (*plates, *(each for _, each in stickers)) for p in outline]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)

    def moved(outline: Sequence[PaperPoint]) -> list[PaperPoint]:
        return [((x - left) / unit + _MARGIN, (y - top) / unit + _MARGIN) for x, y in outline]

    return Drawing(
        (max(x for x, _ in corners) - left) / unit + 2 * _MARGIN,
        (max(y for _, y in corners) - top) / unit + 2 * _MARGIN,
        [(number, moved(outline)) for number, outline in stickers],
        [moved(outline) for outline in plates],
    )


def _box(face: FaceShape, corners: _Corners) -> _Corners:
    """The corners of the box around a face: upper left, upper right, lower left."""
    one, two, three = corners
    if not face.overhang:  # not a triangle
        return corners
    if face.plate[1][1]:  # a triangle that points up
        half = _scaled(_minus(three, two), 0.5)
        return _minus(one, half), _minus(one, _scaled(half, -1)), two
    return one, two, _minus(three, _scaled(_minus(two, one), 0.5))


def _in_space(face: FaceShape, box: _Corners, point: PaperPoint) -> SpacePoint:
    """The position in space of a point of a face."""
    origin, right, below = box
    x, y = point[0] / face.width, point[1] / face.height
    a, b, c = (o + x * (r - o) + y * (d - o) for o, r, d in zip(origin, right, below, strict=True))
    return a, b, c


def _outward(box: _Corners, letter: str) -> SpacePoint:
    """A vector that points out of a face."""
    outward = _cross(_minus(box[2], box[0]), _minus(box[1], box[0]))
    if _dot(outward, box[0]) <= 0:
        raise DeclarationError(
            f"the corners of the face {letter} are in the order seen from inside: reverse the "
            "order of the corners"
        )
    return outward


def _middle(points: Sequence[PaperPoint]) -> PaperPoint:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _minus(one: SpacePoint, other: SpacePoint) -> SpacePoint:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _scaled(point: SpacePoint, by: float) -> SpacePoint:
    return point[0] * by, point[1] * by, point[2] * by


def _dot(one: SpacePoint, other: SpacePoint) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _cross(a: SpacePoint, b: SpacePoint) -> SpacePoint:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _length(point: SpacePoint) -> float:
    return sqrt(_dot(point, point))
