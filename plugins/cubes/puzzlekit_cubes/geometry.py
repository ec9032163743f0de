"""The stickers of a cube as points in space, and the effect of turning layers.

A cubie of the NxNxN cube has coordinates from -(N-1) to N-1 in steps of 2. A sticker lies one unit
further out, at N or -N, on the axis of its face.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

Point = tuple[float, float, float]

FACES = "URFDLB"
# Axis (0 x, 1 y, 2 z) and side of each face, in the order of FACES.
NORMALS = {"U": (1, 1), "R": (0, 1), "F": (2, 1), "D": (1, -1), "L": (0, -1), "B": (2, -1)}
# The directions of the columns and rows of each face in the net: (column, row).
ROWS_AND_COLUMNS: dict[str, tuple[Point, Point]] = {
    "U": ((1, 0, 0), (0, 0, 1)),
    "R": ((0, 0, -1), (0, -1, 0)),
    "F": ((1, 0, 0), (0, -1, 0)),
    "D": ((1, 0, 0), (0, 0, -1)),
    "L": ((0, 0, 1), (0, -1, 0)),
    "B": ((-1, 0, 0), (0, -1, 0)),
}


@cache
def sticker_numbers(size: int) -> dict[Point, int]:
    """Return a mapping from each sticker to its index in a facelet string, from 0."""
    numbers: dict[Point, int] = {}
    for face in FACES:
        axis, side = NORMALS[face]
        across, down = ROWS_AND_COLUMNS[face]
        for row in range(1 - size, size, 2):
            for column in range(1 - size, size, 2):
                point = [column * a + row * d for a, d in zip(across, down, strict=True)]
                point[axis] = side * size
                numbers[point[0], point[1], point[2]] = len(numbers)
    return numbers


def turn(point: Point, face: str) -> Point:
    """Return the image of a point under a quarter turn of a face, clockwise as seen from outside.

    >>> turn((0, 0, 3), "U"), turn((0, 3, 0), "R")
    ((-3, 0, 0), (0, 0, -3))
    """
    axis, side = NORMALS[face]
    first, second = (axis + 1) % 3, (axis + 2) % 3
    turned = list(point)
    turned[first] = side * point[second]
    turned[second] = -side * point[first]
    return turned[0], turned[1], turned[2]


def turned_stickers(numbers: Mapping[Point, int], size: int, face: str, number: int) -> list[int]:
    """Return the new index of each sticker after a turn of one layer, counted from `face`.

    `numbers` has the index of each sticker. A sticker may be up to one unit from the middle of its
    cubie.
    """
    carried = list(range(len(numbers)))
    axis, side = NORMALS[face]
    layer = size + 1 - 2 * number  # coordinate of its cubies on the axis towards the face
    for point, i in numbers.items():
        if abs(max(1 - size, min(size - 1, side * point[axis])) - layer) < 1:
            carried[i] = numbers[turn(point, face)]
    return carried
