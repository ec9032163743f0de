"""The outlines of stickers on a square face, in a box from (0, 0) at the upper left to (1, 1)."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

from puzzlekit_cornercubes.corner_cube import Outline, Spot

__all__ = ["dino", "ivy", "redi", "rex"]

Points = list[tuple[float, float]]
_STEPS = 6  # of an arc
_CUT = 0.2  # from a corner of the cube to the cut of a Redi Cube


def _around(shapes: Mapping[Spot, Points]) -> dict[Spot, Outline]:
    """Return the shapes with their images after quarter turns of the face."""
    found: dict[Spot, Outline] = {}
    for (x, y), points in shapes.items():
        for _ in range(4):
            found.setdefault((x, y), points)
            x, y = -y, x
            points = [(1 - v, u) for u, v in points]
    return found


def _arc(middle: tuple[float, float], first: int, last: int) -> Points:
    """Return points on a circle of radius 1, from one angle to another, in degrees.

    An angle of 0 is to the right of the middle, and 90 below it.
    """
    x, y = middle
    angles = (radians(first + (last - first) * step / _STEPS) for step in range(_STEPS + 1))
    return [(x + cos(angle), y + sin(angle)) for angle in angles]


def _joined(*arcs: Points) -> Points:
    """Return one outline of several arcs, each of which begins where the one before it ends."""
    return [point for arc in arcs for point in arc[:-1]]


def dino(_: str = "") -> dict[Spot, Outline]:
    """Return the outlines of a Dino Cube: both diagonals divide a face."""
    return _around({(0, -2): [(0, 0), (1, 0), (0.5, 0.5)]})


def redi(_: str = "") -> dict[Spot, Outline]:
    """Return the outlines of a Redi Cube: the four corners of a face meet in the middle."""
    near, far = _CUT, 0.5 - _CUT
    corner = [(0.0, 0.0), (near, 0.0), (0.5, far), (0.5, 0.5), (far, 0.5), (0.0, near)]
    return _around({(-2, -2): corner, (0, -2): [(near, 0), (1 - near, 0), (0.5, far)]})


def rex(_: str = "") -> dict[Spot, Outline]:
    """Return the outlines of a Rex Cube: circles around the corners, through their neighbours.

    The sharp ends of edges are cut off and belong to petals.
    """
    edge = [*_joined(_arc((1, 1), -105, -120)), *_arc((0, 1), -60, -75)]
    edge += [(edge[-1][0], 0.0), (edge[0][0], 0.0)]
    near = edge[0][0], edge[0][1]  # where the edge is cut off
    petal = _joined(_arc((0, 0), 15, 30), _arc((0, 1), -30, -60), _arc((1, 1), -120, -105))
    petal += [near, (near[0], 0.0), (1.0, 0.0), (1.0, 1 - near[0])]
    circles = ((0, 1), -60), ((0, 0), 30), ((1, 0), 120), ((1, 1), 210)
    center = _joined(*(_arc(middle, first, first + 30) for middle, first in circles))
    return _around({(1, -1): petal, (0, -2): edge}) | {(0, 0): center}


def ivy(face: str) -> dict[Spot, Outline]:
    """Return the outlines of a face of an Ivy Cube: a petal between two corners.

    The sharp ends of corners are cut off and belong to the petal.
    """
    arc = _arc((0, 1), -18, -72)
    above = [(1.0, 0.0), (1.0, arc[0][1]), *arc, (arc[-1][0], 0.0)]
    below = [(1 - x, 1 - y) for x, y in above]
    petal = [(0.0, 0.0), *above[:1:-1], (1.0, arc[0][1]), (1.0, 1.0), *below[:1:-1], below[1]]
    shapes = {(2, -2): above, (0, 0): petal, (-2, 2): below}
    if face not in "FB":
        return dict(shapes.items())
    # There, the petal leads from the upper right to the lower left.
    return {(-x, y): [(1 - u, v) for u, v in points] for (x, y), points in shapes.items()}
