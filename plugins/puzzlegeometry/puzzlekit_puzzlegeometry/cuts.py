"""Cutting a solid: its stickers, its layers, and what the turns of the layers do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any

import attrs
import numpy as np

from puzzlekit.errors import DefinitionError
from puzzlekit_puzzlegeometry.solids import NEAR, SHAPES, Solid, Vectors, solid, turn

__all__ = ["CutPuzzle", "cut"]

_KINDS = {"f": "faces", "v": "vertices", "e": "edges"}
_MOST_CUTS = 20
_MOST_STICKERS = 3000
_SMALL = 1e-7  # the area of a sticker that is none


@attrs.frozen
class CutPuzzle:
    """A puzzle: the colour of each sticker, and each move as a permutation of the stickers.

    After a move, the sticker at place i is the one from place `moves[name][i]`.
    """

    colours: tuple[str, ...]
    moves: dict[str, tuple[int, ...]]

    def to_json(self) -> str:
        """Return the definition, as `--puzzle FILE.json` reads it."""
        moves = {name: list(each) for name, each in self.moves.items()}
        return json.dumps({"generators": moves, "central_state": list(self.colours)})


@attrs.frozen(eq=False)
class _Axis:
    """An axis: its direction, the names of its two ends, and where the planes cut it."""

    direction: Vectors
    names: tuple[str, str]
    cuts: list[float]

    def layers(self) -> Iterator[tuple[str, int, int]]:
        """Yield each layer that turns: its name, its number and the sense of its turn.

        One layer stays: the middle one of an odd number, else the last. So the axes together hold
        the puzzle, and a solved puzzle is solved in one way only.
        """
        count = len(self.cuts) + 1
        first, last = self.names
        still = count // 2 if last and count % 2 else count - 1
        for number in range(count):
            if number == still:
                continue
            from_first = not last or number < count / 2 - 0.25
            name, depth = (first, number + 1) if from_first else (last, count - number)
            yield f"{depth if depth > 1 else ''}{name}", number, 1 if from_first else -1


def cut(text: str, source: str = "description") -> CutPuzzle:
    """Return the puzzle with a description of PuzzleGeometry.

    A description is the letter of a solid (t, c, o, d or i), and pairs of a kind of cut (f, v or e:
    parallel to faces, or at right angles to the lines through vertices or middles of edges) and a
    distance from the center, where faces are at the distance 1. Raises a DefinitionError that names
    what is wrong.

    >>> [*cut("c f 0.333333333333333").moves]
    ['U', 'D', 'F', 'B', 'R', 'L']
    """
    shape, cuts = _read(text, source)
    body = solid(shape)
    axes = _axes(body, cuts)
    centers, faces = _stickers(body, axes, source)
    for kind, distance in cuts:
        for direction in body.directions[kind].values():
            height = centers @ direction
            if (height < distance + NEAR).all() or (height > distance - NEAR).all():
                raise DefinitionError(f"the cut {kind} {distance:g} cuts off no piece", source)
    moves = {}
    for axis in axes:
        height = centers @ axis.direction
        number = sum((height < each).astype(int) for each in axis.cuts)
        angle = -2 * np.pi / body.order(axis.direction)
        for name, layer, sense in axis.layers():
            moved = np.flatnonzero(number == layer)
            moves[name] = _permutation(centers, moved, turn(axis.direction, sense * angle), source)
    return CutPuzzle(tuple(body.names[face] for face in faces), moves)


def _read(text: str, source: str) -> tuple[str, list[tuple[str, float]]]:
    lines = [line.partition("#")[0] for line in text.splitlines()]
    shape, *words = " ".join(lines).split() or [""]
    if shape not in SHAPES:
        known = ", ".join(f"{letter} ({name})" for letter, name in SHAPES.items())
        raise DefinitionError(f"expected a solid, one of {known}, found {shape[:20]!r}", source)
    if not words or len(words) % 2 or len(words) > 2 * _MOST_CUTS:
        problem = f"expected 1 to {_MOST_CUTS} cuts after the solid, such as f 0.333"
        raise DefinitionError(problem, source)
    found: list[tuple[str, float]] = []
    for kind, written in zip(words[::2], words[1::2], strict=True):
        if kind not in _KINDS:
            known = ", ".join(f"{letter} ({name})" for letter, name in _KINDS.items())
            raise DefinitionError(f"expected a kind of cut, {known}; found {kind[:20]!r}", source)
        try:
            distance = float(written)
        except ValueError:
            distance = float("nan")
        if not isfinite(distance):
            raise DefinitionError(f"expected a distance, found {written[:20]!r}", source)
        if all(abs(distance - other) > NEAR or kind != each for each, other in found):
            found.append((kind, distance))
    return shape, found


def _axes(body: Solid, cuts: list[tuple[str, float]]) -> list[_Axis]:
    """Return the axes of the cuts, each with its first end on the same side of the center.

    The layers that do not turn then share the piece at a vertex on the other side, if they share
    one at all. No direction of the solid lies between the sides.
    """
    usual = np.array([0.9, -0.8, 1.0])  # U, F and R of the cube come first
    vertex = min(body.directions["v"].values(), key=lambda each: float(each @ usual))
    above = np.array([0.031, -0.017, 0.023]) - vertex
    axes: list[_Axis] = []
    named = {kind: body.directions[kind] for kind, _ in cuts}
    for kind, distance in cuts:
        for direction in body.directions[kind].values():
            along = direction if direction @ above > 0 else -direction
            axis = next((a for a in axes if np.abs(a.direction - along).max() < NEAR), None)
            if axis is None:
                ends = [_name(named, each) for each in (along, -along)]
                axis = _Axis(along, (ends[0], ends[1]), [])
                axes.append(axis)
            height = distance if along is direction else -distance
            if all(abs(height - each) > NEAR for each in axis.cuts):
                axis.cuts.append(height)
    # An axis with one end is seen from there.
    return [
        attrs.evolve(
            axis,
            direction=axis.direction if axis.names[0] else -axis.direction,
            names=axis.names if axis.names[0] else axis.names[::-1],
            cuts=sorted((t if axis.names[0] else -t for t in axis.cuts), reverse=True),
        )
        for axis in axes
    ]


def _name(named: dict[str, dict[str, Vectors]], direction: Vectors) -> str:
    for found in named.values():
        for name, each in found.items():
            if np.abs(each - direction).max() < NEAR:
                return name
    return ""


def _stickers(body: Solid, axes: list[_Axis], source: str) -> tuple[Vectors, list[int]]:
    """Return the center of each sticker, and the number of its face."""
    centers: list[Any] = []
    faces: list[int] = []
    for number, corners in enumerate(body.corners):
        parts = [corners]
        for axis in axes:
            for distance in axis.cuts:
                parts = [half for part in parts for half in _halves(part, axis.direction, distance)]
                if len(centers) + len(parts) > _MOST_STICKERS:
                    problem = f"the puzzle has more than {_MOST_STICKERS:,} stickers: cut it less"
                    raise DefinitionError(problem, source)
        centers += [part.mean(axis=0) for part in parts]
        faces += [number] * len(parts)
    return np.array(centers), faces


def _halves(part: Vectors, direction: Vectors, distance: float) -> Iterator[Vectors]:
    """Yield the parts of a convex polygon on both sides of a plane; small ones are left out."""
    height = part @ direction - distance
    for side in (1, -1):
        kept = []
        for i in range(len(part)):
            one, other = side * height[i - 1], side * height[i]
            if (one > NEAR and other < -NEAR) or (one < -NEAR and other > NEAR):
                kept.append(part[i - 1] + (part[i] - part[i - 1]) * (one / (one - other)))
            if other > -NEAR:
                kept.append(part[i])
        if len(kept) > 2 and _area(np.array(kept)) > _SMALL:
            yield np.array(kept)


def _area(polygon: Vectors) -> float:
    spokes = polygon[1:] - polygon[0]
    return float(np.linalg.norm(np.cross(spokes[:-1], spokes[1:]).sum(axis=0))) / 2


def _permutation(centers: Vectors, moved: Any, matrix: Vectors, source: str) -> tuple[int, ...]:
    """Return where the sticker at each place comes from when some stickers are turned."""
    origin = np.arange(len(centers))
    turned = centers[moved] @ matrix.T
    apart = np.abs(turned[:, None] - centers[moved][None]).max(axis=2)
    target = apart.argmin(axis=1)
    if (apart.min(axis=1) > 1e-6).any() or len(set(target.tolist())) < len(moved):
        raise DefinitionError("two cuts are too close to each other to tell them apart", source)
    origin[moved[target]] = moved
    return tuple(origin.tolist())
