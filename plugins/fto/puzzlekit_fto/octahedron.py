"""The octahedron: its stickers in space, the places of its pieces, its turns and pictures.

The six vertices lie on three axes. The middle of a sticker has whole coordinates whose absolute
values add up to 9: 7 1 1 for a corner, 4 4 1 for an edge, and 5 2 2 for a triangle. The signs are
those of the face. So every turn exchanges coordinates and signs of some stickers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod, sqrt
from typing import TYPE_CHECKING

from puzzlekit import FaceletLayout, Orbit
from puzzlekit.puzzle.layout import sticker_effect

if TYPE_CHECKING:
    from puzzlekit.puzzle.layout import Picture
    from puzzlekit.puzzle.move import Effect

Point = tuple[int, ...]

# For each face its letter in facelet strings, and its vertices in the order of the net: top, left
# and right, or left, right and bottom. A vertex is the number of an axis, with a sign. The axes
# point to the upper right, to the upper left, and to the viewer.
FACES = {
    "U": ("U", (2, 3, 1)),
    "R": ("R", (3, 1, -2)),
    "F": ("F", (3, -1, -2)),
    "L": ("L", (2, 3, -1)),
    "D": ("D", (-1, -2, -3)),
    "B": ("B", (1, 2, -3)),
    "BR": ("X", (1, -2, -3)),
    "BL": ("Z", (2, -3, -1)),
}
# No two of these faces share an edge. The same holds for the other four.
UPRIGHT = ("U", "F", "BR", "BL")
OTHERS = ("R", "L", "D", "B")
NET = """
    ..........U..............
    .........UUU.............
    ........UUUUU............
    LLLLL.F.RRRRR.X.BBBBB.Z..
    .LLL.FFF.RRR.XXX.BBB.ZZZ.
    ..L.FFFFF.R.XXXXX.B.ZZZZZ
    ....DDDDD................
    .....DDD.................
    ......D..................
"""
COLOURS = ("white", "red", "green", "purple", "yellow", "blue", "grey", "orange")


def _signs(face: str) -> Point:
    """Return the signs of the three axes on a face."""
    _, vertices = FACES[face]
    return tuple(1 if axis in vertices else -1 for axis in (1, 2, 3))


_FACE = {_signs(face): face for face in FACES}


def face_of(point: Point) -> str:
    """Return the face on which a point is."""
    return _FACE[tuple(1 if each > 0 else -1 for each in point)]


def letter_at(point: Point) -> str:
    """Return the letter of the face on which a point is."""
    return FACES[face_of(point)][0]


def _on_face(face: str) -> Iterator[Point]:
    """Yield the middles of the nine stickers of a face, row by row as in the net."""
    _, vertices = FACES[face]
    upright = face in UPRIGHT
    tip, *base = vertices if upright else (vertices[2], *vertices[:2])
    for row in (0, 1, 2) if upright else (2, 1, 0):  # counted from the tip
        for column in range(2 * row + 1):
            right, turned = divmod(column, 2)
            near = 7 - 3 * row + turned, 1 + 3 * (row - right) - 2 * turned, 1 + 3 * right + turned
            point = [0, 0, 0]
            for vertex, weight in zip((tip, *base), near, strict=True):
                point[abs(vertex) - 1] = weight if vertex > 0 else -weight
            yield tuple(point)


POINTS = [point for face in FACES for point in _on_face(face)]
_NUMBER = {point: number for number, point in enumerate(POINTS)}


def _around(axis: int, sign: int) -> list[Point]:
    """Return the stickers of the corner at a vertex, clockwise, an upright face first."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    found = []
    for a, b in ((1, sign), (1, -sign), (-1, -sign), (-1, sign)):
        point = [0, 0, 0]
        point[axis], point[second], point[third] = 7 * sign, a, b
        found.append(tuple(point))
    return found


def _kinds() -> dict[str, list[list[Point]]]:
    """Return the stickers of each place of each orbit. The first one shows orientation 0."""

    def flipped(point: Point, size: int) -> Point:
        return tuple(-each if abs(each) == size else each for each in point)

    def of(size: int, upright: bool) -> list[Point]:
        faces = UPRIGHT if upright else OTHERS
        return [p for face in faces for p in _on_face(face) if max(map(abs, p)) == size]

    return {
        "corners": [_around(axis, sign) for sign, axis in product((1, -1), range(3))],
        "edges": [[point, flipped(point, 1)] for point in of(4, True)],
        "u-triangles": [[point] for point in of(5, True)],
        "r-triangles": [[point] for point in of(5, False)],
    }


def _orbits() -> tuple[Orbit, ...]:
    found = {}
    for kind, places in _kinds().items():
        names = ["".join(map(letter_at, place)) for place in places]
        if "triangles" in kind:  # U at the vertex that U, R, F and L share is Uf
            across = [tuple(-x if abs(x) == 2 else x for x in point) for (point,) in places]
            names = [
                name + letter_at(other).lower() for name, other in zip(names, across, strict=True)
            ]
        found[kind] = tuple(names)
    alike = tuple(face for face in range(4) for _ in range(3))
    return (
        Orbit("corners", "corner", found["corners"], orientations=4, vectors="cp co"),
        Orbit("edges", "edge", found["edges"], vectors="ep"),
        Orbit("u-triangles", "triangle", found["u-triangles"], solved=alike, vectors="up"),
        Orbit("r-triangles", "triangle", found["r-triangles"], solved=alike, vectors="rp"),
    )


ORBITS = _orbits()
PLACES = {
    kind: tuple(tuple(_NUMBER[point] for point in place) for place in places)
    for kind, places in _kinds().items()
}


def corner_colours() -> tuple[int, ...]:
    """Return the colour of each sticker of each corner: its index in `UPRIGHT` or in `OTHERS`."""
    index = {FACES[face][0]: k for faces in (UPRIGHT, OTHERS) for k, face in enumerate(faces)}
    return tuple(index[letter] for corner in ORBITS[0].places for letter in corner)


def beside() -> list[tuple[int, int]]:
    """Return for each corner the two triangles of `OTHERS` beside its stickers 1 and 3."""
    at = {number: index for index, (number,) in enumerate(PLACES["r-triangles"])}
    larger = {7: 5, 1: 2}

    def near(number: int) -> int:
        point = (larger[abs(each)] * (1 if each > 0 else -1) for each in POINTS[number])
        return at[_NUMBER[tuple(point)]]

    return [(near(place[1]), near(place[3])) for place in PLACES["corners"]]


def turn(face: str, layers: range) -> Effect:
    """Return a clockwise turn of some layers about a face: layer 0 is at the face."""
    signs = _signs(face)

    def turned(point: Point) -> Point:
        x, y, z = (each * sign for each, sign in zip(point, signs, strict=True))
        after = (y, z, x) if prod(signs) > 0 else (z, x, y)
        return tuple(each * sign for each, sign in zip(after, signs, strict=True))

    destination = []
    for number, point in enumerate(POINTS):
        height = sum(each * sign for each, sign in zip(point, signs, strict=True))  # -9 to 9
        layer = (9 - height) // 6 if height > -9 else 2
        destination.append(_NUMBER[turned(point)] if layer in layers else number)
    return sticker_effect(ORBITS, PLACES, destination)


def layout() -> FaceletLayout:
    """Return the layout of the stickers."""
    letters = [letter for letter, _ in FACES.values()]
    left = {letter: iter(range(9 * k, 9 * k + 9)) for k, letter in enumerate(letters)}
    return FaceletLayout(
        faces="".join(letters),
        face_of=tuple(number // 9 for number in range(72)),
        places=PLACES,
        net=tuple(
            tuple(None if cell == "." else next(left[cell]) for cell in row) for row in NET.split()
        ),
        schemes={"wca": "WRGPYBSO"},
        net_scheme="wca",
        colours=COLOURS,
        viewer="fto",
        pictures=pictures,
        longitude=10,
    )


def pictures() -> tuple[Picture, ...]:
    """Return the pictures besides the net: the faces U, R, F and L in space, and U from above."""
    from puzzlekit_pictures import SolidPicture, SpacePoint, TopPicture

    # U is level, and the vertex of U, R, F and L points to the front.
    up, near, side = sqrt(1 / 3), sqrt(2 / 3), sqrt(1 / 2)
    axes = (side, up, -near / 2), (-side, up, -near / 2), (0.0, up, near)

    def vertex(number: int) -> SpacePoint:
        x, y, z = axes[abs(number) - 1]
        return (x, y, z) if number > 0 else (-x, -y, -z)

    faces = {
        letter: (vertex(one), vertex(two), vertex(three))
        for letter, (one, two, three) in FACES.values()
    }
    solid = SolidPicture(faces, eye=(0.4, 2.6, 4.2))
    return solid, TopPicture(solid, "U")
