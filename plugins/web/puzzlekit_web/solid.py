"""Puzzles in space: the outlines of their stickers, and the layer that each move turns.

The page and notebooks draw a puzzle from this record alone (`page/solid.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, remainder, tau
from typing import Any

import numpy as np

from puzzlekit import FaceletLayout, Move, Puzzle
from puzzlekit_pictures import SolidPicture
from puzzlekit_web.faces import arrivals

_NEAR = 1e-3  # tolerance for points, relative to the radius of the puzzle
_DIGITS = 4

#: A turn of a layer: the axis, which points out of the layer, the angle in radians,
#: anticlockwise as seen from outside, and where the layer begins and ends along the axis.
Turn = tuple[float, float, float, float, float, float]


def solid_record(puzzle: Puzzle, layout: FaceletLayout) -> dict[str, Any] | None:
    """Return the JSON object of a puzzle in space; None if its plugin declares no solid.

    `corners` has the outline of each facelet, around (0, 0, 0) and scaled so that no corner is
    farther than 1 from it. `turns` has the `Turn` of every move that turns one layer. `moved` has
    the facelets of such a layer if no plane parts it from the others.
    """
    corners = _corners(layout)
    if corners is None:
        return None
    turns = {}
    moved = {}
    # Where a guard decides which moves are possible, a move is no turn of a fixed layer.
    for family in puzzle.turns if puzzle.guarded is None else ():
        found = turn_of(puzzle, layout, corners, puzzle.move(family))
        if found is None:
            continue
        (x, y, z, angle, first, last), own = found
        for move in puzzle.family_moves([family]):
            powered = x, y, z, remainder(move.amount * angle, tau), first, last
            turns[move.name] = [round(each, _DIGITS) for each in powered]
            if own:
                moved[move.name] = own
    return {
        "corners": [np.round(outline, _DIGITS).tolist() for outline in corners],
        "turns": turns,
        "moved": moved,
    }


def _corners(layout: FaceletLayout) -> list[np.ndarray] | None:
    """The corners of each facelet, an array of shape (number, 3)."""
    for picture in layout.pictures():
        if isinstance(picture, SolidPicture):
            found = picture.sticker_corners(layout)
            outlines = [np.array(found[i], dtype=float) for i in range(len(layout.face_of))]
            radius = max(float(np.linalg.norm(each, axis=1).max()) for each in outlines)
            return [each / radius for each in outlines]
    return None


def turn_of(
    puzzle: Puzzle, layout: FaceletLayout, corners: Sequence[np.ndarray], move: Move
) -> tuple[Turn, list[int]] | None:
    """Return the turn that a move is in space; None if it does not turn exactly one layer.

    If other facelets lie as deep as the layer, return the facelets that it moves, too.
    """
    arrived = arrivals(puzzle, layout, move)
    middles = np.array([outline.mean(axis=0) for outline in corners])
    moved = [i for i, there in enumerate(arrived) if there != i]
    if not moved:
        return None
    rotation = _rotation(middles[moved], middles[[arrived[i] for i in moved]])
    if rotation is None:
        return None
    axis, angle = _axis_and_angle(rotation)
    depths = np.concatenate([corners[i] for i in moved]) @ axis
    first, last = float(depths.min()), float(depths.max())
    # The border of a layer need not be flat, so the middle says on which side a sticker is.
    depth = middles @ axis
    inside = (first - _NEAR < depth) & (depth < last + _NEAR)
    carried = middles @ rotation.T - middles[arrived]
    torn = np.abs(carried[inside]).max() > _NEAR
    if first + last < -_NEAR:
        axis, angle, first, last = -axis, -angle, -last, -first
    if torn:  # only a piece of the surface at one end of the axis can turn
        ends = [outline @ axis for outline in corners]
        rest = [float(each.max()) for i, each in enumerate(ends) if arrived[i] == i]
        other = [float(each.min()) for i, each in enumerate(ends) if arrived[i] == i]
        if max(rest) > last - _NEAR or min(other) > first - _NEAR:
            return None
    x, y, z = map(float, axis)
    return (x, y, z, angle, first, last), moved if torn else []


def _rotation(before: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """The rotation about (0, 0, 0) that carries points to others (Kabsch); None if none does."""
    u, _, v = np.linalg.svd(before.T @ after)
    mirror = np.sign(np.linalg.det(v.T @ u.T))
    rotation = v.T @ np.diag([1.0, 1.0, mirror]) @ u.T
    close = np.abs(before @ rotation.T - after).max() <= _NEAR
    return rotation if close else None


def _axis_and_angle(rotation: np.ndarray) -> tuple[np.ndarray, float]:
    """The unit vector that a rotation leaves in place, and the angle about it."""
    axis = np.linalg.svd(rotation - np.eye(3))[2][2]
    skew = rotation - rotation.T
    along = float(axis @ np.array([skew[2, 1], skew[0, 2], skew[1, 0]]))
    return axis, atan2(along / 2, (float(np.trace(rotation)) - 1) / 2)
