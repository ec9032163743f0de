"""The Master Pyraminx, with four layers and its tips.

A sticker is given by its distances from the four faces, in units in which those of each sticker add
up to 12. A turn about a vertex exchanges three of the distances; the fourth says which layer it is.
Vertices are named after the moves about them: U, L, R and B.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs

from puzzlekit import (
    Coordinate,
    EvenParity,
    FaceletLayout,
    Frame,
    Method,
    Metric,
    Orbit,
    OrientationSum,
    Phase,
    Puzzle,
)
from puzzlekit.puzzle.layout import sticker_effect
from puzzlekit.puzzle.move import Effect
from puzzlekit_beam import Beam
from puzzlekit_steps import Goal, Solved

__all__ = ["goals", "methods", "puzzle"]

Point = tuple[int, int, int, int]  # the distances from the faces opposite U, L, R and B

VERTICES = "ULRB"
AXIALS = dict(zip(VERTICES, ["FLR", "FDL", "FRD", "DRL"], strict=True))
EDGES = "FL FR LR FD LD RD"
OPPOSITE = dict(zip(VERTICES, "DRLF", strict=True)) | dict(zip("DRLF", VERTICES, strict=True))
SIZE = 4
#: The vertices of each face: the lower or upper one in the net, the left and the right one.
FACES = {"F": "ULR", "L": "LBU", "R": "RUB", "D": "BLR"}
NET = """
    LLLLLLL.F.RRRRRRR
    .LLLLL.FFF.RRRRR.
    ..LLL.FFFFF.RRR..
    ...L.FFFFFFF.R...
    .....DDDDDDD.....
    ......DDDDD......
    .......DDD.......
    ........D........
"""
#: How far from the opposite face the stickers of a layer are: a tip, two layers, three layers.
TIP, NARROW, WIDE = 10, 7, 4


@cache
def stickers() -> dict[Point, str]:
    """Return the face of the sticker at each point, in the order of the facelets."""
    found: dict[Point, str] = {}
    for face, vertices in FACES.items():
        apex, left, right = list(vertices)
        for row in range(SIZE) if face == "F" else reversed(range(SIZE)):
            for k in range(2 * row + 1):
                odd = k % 2  # the sticker points to the base, not to the apex
                shares = (SIZE - 1 - row, row - odd - k // 2, k // 2)
                near = {
                    vertex: 3 * share + 1 + odd
                    for vertex, share in zip((apex, left, right), shares, strict=True)
                }
                found[_point(near)] = face
    return found


def _point(distances: Mapping[str, int]) -> Point:
    u, left, right, back = (distances.get(vertex, 0) for vertex in VERTICES)
    return u, left, right, back


@cache
def orbits() -> tuple[tuple[Orbit, ...], dict[str, tuple[tuple[int, ...], ...]]]:
    """Return the orbits, and the facelets of each of their places."""
    number = {point: i for i, point in enumerate(stickers())}
    places: dict[str, tuple[tuple[int, ...], ...]] = {}

    def shown(faces: str, near: Mapping[str, int]) -> tuple[int, ...]:
        """Return the facelets at a place; on each face, the other distance is what is left."""
        found = []
        for face in faces:
            (rest,) = set(VERTICES) - {*near, OPPOSITE[face]} or {OPPOSITE[face]}
            left = 0 if rest == OPPOSITE[face] else 12 - sum(near.values())
            found.append(number[_point({**near, rest: left})])
        return tuple(found)

    def around(faces: str, vertex: str, far: int) -> tuple[int, ...]:
        """Return the facelets of a tip or axial."""
        found = []
        for face in faces:
            others = [each for each in VERTICES if each not in (vertex, OPPOSITE[face])]
            found.append(number[_point({vertex: far, **dict.fromkeys(others, (12 - far) // 2)})])
        return tuple(found)

    for orbit, far in (("axials", 8), ("tips", TIP)):
        places[orbit] = tuple(around(faces, vertex, far) for vertex, faces in AXIALS.items())
    ends = {
        edge: [each for each in VERTICES if OPPOSITE[each] not in edge] for edge in EDGES.split()
    }
    places["edges"] = tuple(shown(edge, dict.fromkeys(ends[edge], 5)) for edge in ends)
    wings = []
    for vertex, faces in AXIALS.items():
        for i in range(3):
            first, second, third = (faces[(i + k) % 3] for k in range(3))
            edge = next(each for each in ends if set(each) == {first, second})
            other = next(each for each in ends[edge] if each != vertex)
            wings.append((f"{first}{second}{third.lower()}", {vertex: 7, other: 4}))
    places["wings"] = tuple(shown(name[:2], near) for name, near in wings)
    places["centers"] = tuple(
        (number[_point({each: 4 for each in VERTICES if each != OPPOSITE[face]})],)
        for face in FACES
    )
    found = (
        Orbit("axials", "axial", " ".join(AXIALS.values()), 3, vectors="ap ao"),
        Orbit("edges", "edge", EDGES, 2, vectors="ep eo"),
        Orbit("wings", "wing", tuple(name for name, _ in wings), vectors="wp"),
        Orbit("centers", "center", tuple(FACES), vectors="xp"),
        Orbit("tips", "tip", tuple(map(str.lower, AXIALS.values())), 3, vectors="tp to"),
    )
    return found, places


def turn(vertex: str, far: int) -> Effect:
    """Return the effect of a turn about a vertex, of the stickers at least so far from its face."""
    faces = AXIALS[vertex]
    image = dict(zip(faces, faces[1:] + faces[0], strict=True))
    carried = {each: OPPOSITE[image.get(OPPOSITE[each], OPPOSITE[each])] for each in VERTICES}
    number = {point: i for i, point in enumerate(stickers())}
    destination = []
    for point, i in number.items():
        near = dict(zip(VERTICES, point, strict=True))
        there = _point({carried[each]: near[each] for each in VERTICES})
        destination.append(number[there] if near[vertex] >= far else i)
    return sticker_effect(*orbits(), destination)


def layout() -> FaceletLayout:
    """Return the layout of the stickers: that of the Pyraminx, with more of them."""
    from puzzlekit_pyraminx import pictures

    faces = "".join(FACES)
    face_of = tuple(faces.index(face) for face in stickers().values())
    left = {face: iter([i for i, at in enumerate(face_of) if faces[at] == face]) for face in faces}
    return FaceletLayout(
        faces=faces,
        face_of=face_of,
        places=orbits()[1],
        net=tuple(
            tuple(next(left[cell]) if cell in left else None for cell in row) for row in NET.split()
        ),
        schemes={"wca": "GRBY"},
        colours=("green", "red", "blue", "yellow"),
        pictures=pictures,
        longitude=50,
    )


def puzzle() -> Puzzle:
    """Make the Master Pyraminx, with 217,225,462,874,112,000 states and 12 ways to hold it."""
    depths = {"": NARROW, "w": WIDE}
    turns = {
        f"{vertex}{wide}": turn(vertex, far) for vertex in VERTICES for wide, far in depths.items()
    }
    turns |= {vertex.lower(): turn(vertex, TIP) for vertex in VERTICES}
    rotations = {f"{vertex}v": turn(vertex, 0) for vertex in VERTICES}
    costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
    swapped = str.maketrans("LRlr", "RLrl")
    return Puzzle(
        name="master-pyraminx",
        title="Master Pyraminx",
        orbits=orbits()[0],
        turns=turns | rotations,
        metrics=(Metric("TURNS", "turns of layers or a tip", costs),),
        rotations=tuple(rotations),
        reflections=({name: (name.translate(swapped), -1) for name in costs},),
        constraints=(
            Frame("axials"),
            Frame("tips"),
            EvenParity(("edges",)),
            OrientationSum("edges"),
            EvenParity(("wings",)),
            EvenParity(("centers",)),
        ),
        layout=layout(),
        aliases={"y": ("Uv", 1)},
        hints=lambda _: (
            "two layers are U L R B, three layers Uw Lw Rw Bw, tips u l r b; "
            "Uv Lv Rv Bv turn the whole puzzle"
        ),
    )


@attrs.frozen(slots=False, eq=False, repr=False)
class Tips(Coordinate):
    """How the tips are turned, relative to the axials under them."""

    about = "how the tips are turned, relative to the axials"

    size = 3**4

    def rank(self, vector: Any) -> Any:
        """Return the number whose digits are the differences, the first tip most significant."""
        tips, axials = (self.puzzle.offsets[name] + 4 for name in ("tips", "axials"))
        rank: Any = 0
        for i in range(4):
            rank = rank * 3 + (vector[tips + i] + 3 - vector[axials + i]) % 3
        return rank


def methods(master: Puzzle) -> list[Method]:
    """Make the method `phases`: the tips, then turns of all vertices, of U and L, all but Lw."""
    from puzzlekit_definitions import derive_phases

    every = " ".join(f"{vertex} {vertex}w" for vertex in VERTICES)
    derived = derive_phases(master, (every, "U Uw L Lw", "U L Uw"), memory=60_000_000)
    tips = Phase(
        name="tips",
        goal="the tips are turned like the axials under them",
        moves="u l r b",
        coordinates=(Tips("tips", master, "tips"),),
        tables=("tips",),
    )
    method = Method(
        name="phases",
        title="the tips, then short answers in phases with fewer and fewer moves",
        phases=(tips, *derived.phases),
        strategy=Beam(shares=(0.01, 0.33, 0.33, 0.33), seconds=1),
        fixed={"axials": " ".join(AXIALS.values())},
        heavy=True,
    )
    return [method]


def goals(_: Puzzle) -> list[Goal]:
    """Make the goals: the axials, the centers, and the layer D."""
    return [
        Goal("axials", "the axials are solved", (Solved("axials"),)),
        Goal("centers", "the axials and centers are solved", (Solved("axials centers"),)),
        Goal(
            "layer",
            "the layer D is solved, but for its tips",
            (Solved("axials:D edges:D wings:D centers:D"),),
        ),
    ]
