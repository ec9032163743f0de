"""Pictures of a puzzle in perspective, and of one face from above."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from puzzlekit.errors import DeclarationError
from puzzlekit.puzzle.face_shapes import FaceShape, face_shapes
from puzzlekit.puzzle.layout import Drawing, FaceletLayout, PaperPoint, Picture
from puzzlekit.puzzle.polygons import inset

#: A point in space: right, up, and towards the viewer of the front.
SpacePoint = tuple[float, float, float]
_Corners = tuple[SpacePoint, SpacePoint, SpacePoint]

_MARGIN = 0.2
_BETWEEN_STICKERS = 0.06
_PLATE = 0.05  # visible width of the body around the stickers
_NEAR = 1e-6
_STRIP = (0.14, 0.46)  # near and far distance of side stickers from the face
_STRIP_ENDS = 0.06  # how much shorter side stickers are at both ends


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
    if len(face.plate) != 3:
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
