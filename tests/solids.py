"""For the tests: puzzles that are not cubes of layers, as stickers in space that know no pieces.

Shares nothing with puzzlekit: a sticker is a point, a turn carries all points beyond a plane about
an axis, and what comes to a place is found by where it is. Seen from the front, x goes to the
right, y up and z towards the viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import cos, dist, pi, sin, sqrt
from typing import Any

Point = tuple[float, ...]
# About which axis, by how much of a full turn clockwise, and how far out points have to be.
Turn = tuple[Point, int, float]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def turned(point: Point, axis: Point, order: int) -> Point:
    """A point turned clockwise, seen from the tip of an axis (by O. Rodrigues)."""
    length = sqrt(dot(axis, axis))
    x, y, z = (a / length for a in axis)
    c, s = cos(2 * pi / order), -sin(2 * pi / order)
    along = dot(point, (x, y, z)) * (1 - c)
    cross = (y * point[2] - z * point[1], z * point[0] - x * point[2], x * point[1] - y * point[0])
    return tuple(p * c + q * s + a * along for p, q, a in zip(point, cross, (x, y, z), strict=True))


def nearest(points: Sequence[Point], to: Point) -> int:
    """The number of the point that is there."""
    distances = [dist(each, to) for each in points]
    least = min(distances)
    assert least < 1e-6
    return distances.index(least)


class StickerSolid:
    """Stickers at points, face by face in the order of a facelet string."""

    def __init__(self, faces: Mapping[str, Sequence[Point]], turns: Mapping[str, Turn]) -> None:
        self.solved = "".join(face * len(points) for face, points in faces.items())
        points = [point for each in faces.values() for point in each]
        self.points = points
        self.orders = {name: order for name, (_, order, _) in turns.items()}
        self.turns: dict[str, list[int]] = {}  # for each sticker afterwards where it comes from
        for name, (axis, order, beyond) in turns.items():
            source = list(range(len(points)))
            for i, point in enumerate(points):
                if dot(point, axis) > beyond:
                    arrival = turned(point, axis, order)
                    source[nearest(points, arrival)] = i
            self.turns[name] = source

    def replay(self, stickers: str, moves: str) -> str:
        """How it looks after moves."""
        for move in moves.split():
            name = move if move in self.turns else move.rstrip("2'")
            power = move[len(name) :]
            amount = (2 if "2" in power else 1) * (-1 if "'" in power else 1) % self.orders[name]
            for _ in range(amount):
                stickers = "".join(stickers[i] for i in self.turns[name])
        return stickers

    def check_sequence(self, solver: Any, scramble: str, farthest: int) -> None:
        """A scramble shows the same stickers here and in puzzlekit, and its answer solves them."""
        shown = self.replay(self.solved, scramble)
        state = solver.state(scramble)
        assert solver.positions.to_facelets(state) == shown
        assert solver.positions.from_facelets(shown) == state
        solution = solver.solve(shown)
        assert solution.optimal and solution.verified
        assert solution.length <= min(farthest, len(scramble.split()))
        assert self.is_solved(self.replay(shown, str(solution)))

    def group_order(self, without: Sequence[str]) -> int:
        """The order of the group of all turns but some, by Schreier-Sims; no stickers are alike."""
        from sympy.combinatorics import Permutation, PermutationGroup

        turns = [Permutation(turn) for name, turn in self.turns.items() if name not in without]
        return int(PermutationGroup(turns).order())

    def check_reflections(
        self,
        reflections: Sequence[Mapping[str, tuple[str, int]]],
        mirrors: Sequence[Callable[[Point], Point]],
    ) -> None:
        """Each reflection says what a mirror makes of every turn: another one, undone."""
        for reflection, mirror in zip(reflections, mirrors, strict=True):
            assert set(reflection) == set(self.turns)
            for family, (other, sign) in reflection.items():
                back = self.turns[other]
                undone = sorted(range(len(back)), key=back.__getitem__)
                assert sign == -1 and self.mirrored(family, mirror) == undone

    def mirrored(self, name: str, mirror: Callable[[Point], Point]) -> list[int]:
        """A turn as a mirror shows it: for each sticker afterwards where it comes from."""
        image = [nearest(self.points, mirror(point)) for point in self.points]
        return [image[self.turns[name][image[i]]] for i in range(len(image))]

    def is_solved(self, stickers: str) -> bool:
        """Whether each face shows one colour, and no two the same."""
        shown = {(home, seen) for home, seen in zip(self.solved, stickers, strict=True)}
        return len(shown) == len({seen for _, seen in shown}) == len(set(self.solved))


# --- the Pyraminx --------------------------------------------------------------------------------

S, C = sqrt(2 / 3), sqrt(2) / 3
VERTICES: dict[str, Point] = {
    "U": (0.0, 1.0, 0.0),
    "L": (-S, -1 / 3, C),
    "R": (S, -1 / 3, C),
    "B": (0.0, -1 / 3, -2 * C),
}


def triangle(apex: str, left: str, right: str, upward: bool, size: int = 3) -> list[Point]:
    """The middles of the nine stickers of a face, row by row as it is drawn."""
    found = []
    for row in range(size) if upward else reversed(range(size)):
        for k in range(2 * row + 1):
            odd = k % 2
            shares = (size - 1 - row, row - odd - k // 2, k // 2)
            share = [(each + (2 if odd else 1) / 3) / size for each in shares]
            corners = [VERTICES[name] for name in (apex, left, right)]
            found.append(tuple(dot(share, along) for along in zip(*corners, strict=True)))
    return found


@cache
def pyraminx() -> StickerSolid:
    """A layer is what is a third of the way from a vertex or less, without it twice as much."""
    turns: dict[str, Turn] = {}
    for name, vertex in VERTICES.items():
        turns[name] = vertex, 3, 1 / 9
        turns[name.lower()] = vertex, 3, 5 / 9
        turns[f"{name}v"] = vertex, 3, -1.0
    faces = {
        "F": triangle("U", "L", "R", upward=True),
        "L": triangle("L", "B", "U", upward=False),
        "R": triangle("R", "U", "B", upward=False),
        "D": triangle("B", "L", "R", upward=False),
    }
    return StickerSolid(faces, turns)


@cache
def master_pyraminx() -> StickerSolid:
    """A layer is a quarter of the way from a vertex; `U` turns two of them and `Uw` three."""
    turns: dict[str, Turn] = {}
    for name, vertex in VERTICES.items():
        for move, layers in ((name.lower(), 1), (name, 2), (f"{name}w", 3), (f"{name}v", 4)):
            turns[move] = vertex, 3, 1 - layers / 3 - 1e-9
    faces = {
        "F": triangle("U", "L", "R", upward=True, size=4),
        "L": triangle("L", "B", "U", upward=False, size=4),
        "R": triangle("R", "U", "B", upward=False, size=4),
        "D": triangle("B", "L", "R", upward=False, size=4),
    }
    return StickerSolid(faces, turns)


# --- the Skewb -----------------------------------------------------------------------------------

# For each face of a cube its axis, and in its picture the ways to the right and down.
CUBE_FACES: dict[str, tuple[Point, Point, Point]] = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}


def on_cube(spots: Sequence[tuple[float, float]]) -> dict[str, list[Point]]:
    """Points at some spots (to the right, down) of each face of a cube."""
    return {
        face: [
            tuple(float(o + a * r + b * d) for o, r, d in zip(out, right, down, strict=True))
            for a, b in spots
        ]
        for face, (out, right, down) in CUBE_FACES.items()
    }


@cache
def skewb() -> StickerSolid:
    """Each turn is that of the half about a corner, as the WCA names them; x y z turn all."""
    spots = [(-0.6, -0.6), (0.6, -0.6), (0, 0), (-0.6, 0.6), (0.6, 0.6)]
    turns: dict[str, Turn] = {
        "U": ((-1, 1, -1), 3, 0.0),
        "R": ((1, -1, -1), 3, 0.0),
        "L": ((-1, -1, 1), 3, 0.0),
        "B": ((-1, -1, -1), 3, 0.0),
        "x": ((1, 0, 0), 4, -2.0),
        "y": ((0, 1, 0), 4, -2.0),
        "z": ((0, 0, 1), 4, -2.0),
    }
    return StickerSolid(on_cube(spots), turns)


# --- cubes whose corners turn --------------------------------------------------------------------

# The corner of each move, by the usual letters of Redi and Dino Cubes.
REDI = {
    "F": (1, 1, 1),
    "L": (-1, 1, 1),
    "B": (-1, 1, -1),
    "R": (1, 1, -1),
    "f": (1, -1, 1),
    "l": (-1, -1, 1),
    "b": (-1, -1, -1),
    "r": (1, -1, -1),
}
QUARTERS: dict[str, Turn] = {
    "x": ((1, 0, 0), 4, -9.0),
    "y": ((0, 1, 0), 4, -9.0),
    "z": ((0, 0, 1), 4, -9.0),
}


@cache
def corner_cube(name: str) -> StickerSolid:
    """A Dino, Redi or Rex Cube: which stickers lie beyond a plane tells the layers apart."""
    edges = [(0, -0.8), (-0.8, 0), (0.8, 0), (0, 0.8)]
    spots, beyond = {
        "dino": (edges, 1.5),
        "redi": ([*edges, *((x, y) for x in (-0.8, 0.8) for y in (-0.8, 0.8))], 1.5),
        "rex": ([*edges, (0, 0), *((x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5))], 0.9),
    }[name]
    rows = sorted(spots, key=lambda spot: [(way > 0) - (way < 0) for way in spot[::-1]])
    turns: dict[str, Turn] = {move: (corner, 3, beyond) for move, corner in REDI.items()}
    return StickerSolid(on_cube(rows), turns | QUARTERS)


@cache
def ivy() -> StickerSolid:
    """An Ivy Cube: four corners turn; `Rv` and so on turn all of it about the same corners."""
    faces = {}
    for face in CUBE_FACES:
        side = -1 if face in "FB" else 1  # where the upper corner of the face is
        faces[face] = on_cube([(0.8 * side, -0.8), (0, 0), (-0.8 * side, 0.8)])[face]
    corners = {"R": (1, 1, -1), "L": (-1, 1, 1), "D": (1, -1, 1), "B": (-1, -1, -1)}
    turns: dict[str, Turn] = {}
    for move, corner in corners.items():
        turns |= {move: (corner, 3, 0.9), f"{move}v": (corner, 3, -9.0)}
    return StickerSolid(faces, turns)


# --- the Megaminx and the Kilominx ----------------------------------------------------------------

UP, WIDE = 1 / sqrt(5), 2 / sqrt(5)  # height and distance from the axis of the faces around U
MINX_FACES = ("U", "F", "L", "BL", "BR", "R", "DL", "DBL", "B", "DBR", "DR", "D")


def minx_normals() -> dict[str, Point]:
    """The directions of the faces: F is in front, BL and BR are at the back."""
    found: dict[str, Point] = {"U": (0.0, 1.0, 0.0)}
    for k, name in enumerate(("F", "L", "BL", "BR", "R")):
        angle = -2 * pi * k / 5
        found[name] = (WIDE * sin(angle), UP, WIDE * cos(angle))
    for name, other in zip(("D", "B", "DBR", "DR", "DL", "DBL"), list(found), strict=True):
        found[name] = tuple(-each for each in found[other])
    return found


def minx(faces: Mapping[str, Sequence[str]], letters: Mapping[str, str]) -> StickerSolid:
    """`faces` has the places of the stickers of each face; `letters` has the names of faces."""
    normals = minx_normals()
    points = {
        face: [
            tuple(
                out + 0.35 * sum(normals[letters[other]][axis] for other in place if other != face)
                for axis, out in enumerate(normals[letters[face]])
            )
            for place in places
        ]
        for face, places in faces.items()
    }
    turns: dict[str, Turn] = {name: (normals[name], 5, 0.65) for name in MINX_FACES}
    turns |= {f"{name}w": (normals[name], 5, -0.65) for name in MINX_FACES}
    turns |= {f"{name}v": (normals[name], 5, -9.0) for name in ("U", "F", "L", "BL", "BR", "R")}
    return StickerSolid(points, turns)


# --- cuboids -------------------------------------------------------------------------------------


@cache
def cuboid(width: int, depth: int, height: int) -> StickerSolid:
    """A cuboid: a family turns one or two layers, by a half turn where they are no squares."""
    size = (width, height, depth)
    faces = {}
    for face, (out, right, down) in CUBE_FACES.items():
        across, along, at = (
            round(sum(n * abs(w) for n, w in zip(size, way, strict=True)))
            for way in (right, down, out)
        )
        faces[face] = [
            tuple(
                float(at * o + (2 * column - across + 1) * r + (2 * row - along + 1) * d)
                for o, r, d in zip(out, right, down, strict=True)
            )
            for row in range(along)
            for column in range(across)
        ]
    turns: dict[str, Turn] = {}
    for axis, whole in enumerate("xyz"):
        n, (across, along) = size[axis], (size[other] for other in range(3) if other != axis)
        order, end = (4, "") if across == along else (2, "2")
        for face, (out, _, _) in CUBE_FACES.items():
            if out[axis]:
                for layers in range(1, n // 2 + 1):
                    turns[face + "w" * (layers - 1) + end] = out, order, n - 2 * layers
        if 1 not in size:
            turns[whole + end] = tuple(float(i == axis) for i in range(3)), order, -n - 1
    return StickerSolid(faces, turns)
