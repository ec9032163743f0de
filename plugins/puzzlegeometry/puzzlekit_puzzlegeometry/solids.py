"""The Platonic solids, scaled so that every face is at distance 1 from the center."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import attrs
import numpy as np

__all__ = ["SHAPES", "Solid", "solid", "turn"]

#: A vector, or one vector in each row.
Vectors = np.ndarray[Any, np.dtype[np.float64]]

NEAR = 1e-9

_GOLDEN = (1 + 5**0.5) / 2


def _cyclic(*vectors: tuple[float, float, float]) -> list[tuple[float, float, float]]:
    return [each[k:] + each[:k] for each in vectors for k in range(3)]  # type: ignore[misc]


def _signs(*sizes: float) -> list[tuple[float, ...]]:
    return [*product(*(sorted({size, -size}, reverse=True) for size in sizes))]


# The names of the faces and their directions. Those of the cube are usual: R is to the right, U up
# and F in front.
_CUBE = {"U": (0, 0, 1), "F": (0, -1, 0), "R": (1, 0, 0)}
_CUBE |= {"D": (0, 0, -1), "B": (0, 1, 0), "L": (-1, 0, 0)}
_TETRAHEDRON = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
_DODECAHEDRON = _cyclic(*_signs(0, 1, _GOLDEN))  # type: ignore[arg-type]
_ICOSAHEDRON = [*_signs(1, 1, 1), *_cyclic(*_signs(0, 1 / _GOLDEN, _GOLDEN))]  # type: ignore[arg-type]


def _lettered(directions: list[Any]) -> dict[str, Any]:
    return {chr(ord("A") + i): each for i, each in enumerate(directions)}


_FACES: dict[str, dict[str, Any]] = {
    "t": _lettered(_TETRAHEDRON),
    "c": _CUBE,
    "o": _lettered(_signs(1, 1, 1)),
    "d": _lettered(_DODECAHEDRON),
    "i": _lettered(_ICOSAHEDRON),
}

#: The names of the solids by their letters.
SHAPES = {"t": "tetrahedron", "c": "cube", "o": "octahedron", "d": "dodecahedron"}
SHAPES |= {"i": "icosahedron"}


@attrs.frozen(eq=False)
class Solid:
    """A solid: its faces, and the directions along which it can be cut."""

    #: The names of the faces.
    names: tuple[str, ...]
    #: The direction of each face, of length 1.
    faces: Vectors
    #: The corners of each face, in order.
    corners: tuple[Vectors, ...]
    #: For each kind of cut, f, v or e, the name and the direction of each face, vertex or edge.
    directions: dict[str, dict[str, Vectors]]

    def order(self, axis: Vectors) -> int:
        """Return the largest order of a rotation about an axis that keeps the solid as it is."""
        return next(
            n
            for n in (5, 4, 3, 2, 1)
            if _same(self.faces @ turn(axis, 2 * np.pi / n).T, self.faces)
        )


def turn(axis: Vectors, angle: float) -> Vectors:
    """Return the matrix of a rotation about an axis of length 1, counter-clockwise from outside."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    made: Vectors = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)
    return made


def solid(shape: str) -> Solid:
    """Return the solid with a letter of `SHAPES`."""
    stated = _FACES[shape]
    names = tuple(stated)
    faces = np.array([*stated.values()], dtype=float)
    faces /= np.linalg.norm(faces, axis=1)[:, None]
    vertices: list[Vectors] = []
    for three in combinations(range(len(faces)), 3):
        if abs(np.linalg.det(faces[[*three]])) > NEAR:
            found = np.linalg.solve(faces[[*three]], np.ones(3))
            if (faces @ found < 1 + NEAR).all() and not _contains(vertices, found):
                vertices.append(found)
    at = [frozenset(np.flatnonzero(faces @ vertex > 1 - NEAR)) for vertex in vertices]
    edges = {
        at[i] & at[j]: (vertices[i] + vertices[j]) / 2
        for i, j in combinations(range(len(vertices)), 2)
        if len(at[i] & at[j]) == 2
    }

    def named(touching: frozenset[Any]) -> str:
        return "".join(names[i] for i in sorted(touching))

    whole = {
        "f": dict(zip(names, faces, strict=True)),
        "v": {named(each): vertex for each, vertex in zip(at, vertices, strict=True)},
        "e": {named(each): middle for each, middle in edges.items()},
    }
    return Solid(
        names,
        faces,
        tuple(_around(face, [v for v in vertices if v @ face > 1 - NEAR]) for face in faces),
        {
            kind: {name: v / np.linalg.norm(v) for name, v in found.items()}
            for kind, found in whole.items()
        },
    )


def _around(face: Vectors, corners: list[Vectors]) -> Vectors:
    """Return the corners of a face in their order around it."""
    one = corners[0] - face
    other = np.cross(face, one)
    return np.array(
        sorted(corners, key=lambda each: float(np.arctan2(each @ other, (each - face) @ one)))
    )


def _contains(found: list[Vectors], new: Vectors) -> bool:
    return any(np.abs(each - new).max() < NEAR for each in found)


def _same(some: Vectors, others: Vectors) -> bool:
    apart = np.abs(some[:, None] - others[None]).max(axis=2)
    return bool((apart.min(axis=1) < NEAR).all())
