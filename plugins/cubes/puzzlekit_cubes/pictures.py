"""Pictures of a cube: three faces in space, and the upper face with the stickers around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlekit.puzzle.layout import Picture
from puzzlekit_cubes.geometry import FACES, NORMALS, ROWS_AND_COLUMNS
from puzzlekit_pictures import SolidPicture, SpacePoint, TopPicture

_EYE = (4.2, 4.0, 4.8)  # sees U, F and R, the front a little broader than the right


def pictures(
    outlines: Mapping[int, Sequence[tuple[float, float]]] | None = None,
    sides: SpacePoint = (1, 1, 1),
) -> tuple[Picture, ...]:
    """Return the pictures besides the net.

    `outlines` has the outlines of special facelets, and `sides` the lengths of the sides from L to
    R, from D to U and from B to F.
    """
    solid = SolidPicture({face: _corners(face, sides) for face in FACES}, _EYE, outlines)
    return solid, TopPicture(solid, "U")


def _corners(face: str, sides: SpacePoint) -> tuple[SpacePoint, SpacePoint, SpacePoint]:
    """Return three corners of a face: upper left, upper right, lower left.

    They are twice as far from each other as the sides are long.
    """
    across, down = ROWS_AND_COLUMNS[face]
    axis, side = NORMALS[face]

    def corner(right: int, below: int) -> SpacePoint:
        point = [float(right * a + below * d) for a, d in zip(across, down, strict=True)]
        point[axis] = side
        x, y, z = (way * side for way, side in zip(point, sides, strict=True))
        return x, y, z

    return corner(-1, -1), corner(1, -1), corner(-1, 1)
