"""Polygons on paper: insets, and SVG paths with round corners."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from puzzlekit.puzzle.layout import PaperPoint

Polygon = Sequence[PaperPoint]

_SHARPEST = 0.15  # 1 + the cosine between two sides; sharper corners are cut off


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
