"""The common parts of cubes whose corners turn: stickers, moves, laws and pictures.

The cube stands in space with x to the right, y up and z to the front. A sticker is a point on a
face, and a move carries all points of a layer about a corner. Capital letters F L B R name turns
about the upper corners URF UFL ULB UBR, small letters turns about the corners below them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from puzzlekit import FaceletLayout, Metric, Orbit, Puzzle
from puzzlekit.puzzle.diagnose import Fault
from puzzlekit.puzzle.layout import Picture, sticker_effect
from puzzlekit.puzzle.move import Effect, permutation_parity
from puzzlekit.puzzle.orbit import Constraint, Law

if TYPE_CHECKING:
    from random import Random

__all__ = ["CORNERS", "CornerCube", "Outline", "aligned", "flipped_edges"]

Point = tuple[int, int, int]
Spot = tuple[int, int]  # on a face: to the right and down, each from -2 to 2
Outline = Sequence[tuple[float, float]]

#: For each face, the way out of the cube, and in the net the ways to the right and down.
FACES: Mapping[str, tuple[Point, Point, Point]] = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}
#: The corner of each move. The letters of a corner are in clockwise order.
CORNERS = {
    "F": "URF",
    "L": "UFL",
    "B": "ULB",
    "R": "UBR",
    "f": "DFR",
    "l": "DLF",
    "b": "DBL",
    "r": "DRB",
}
EDGES = "UF UL UB UR FR FL BL BR DF DL DB DR"
#: The face of orientation 0 of each edge. A turn carries first faces to first faces.
_FIRST = ["U", "L", "U", "R", "F", "F", "B", "B", "D", "L", "D", "R"]
#: A quarter turn of the whole cube about R, U or F: where it carries each face.
ROTATIONS = {"x": "UBDF", "y": "FLBR", "z": "URDL"}
_ODD = frozenset(("UFL", "UBR", "DFR", "DBL"))  # one of the two tetrads
_MIRROR = str.maketrans("LRlrxz", "RLrlzx")  # between front and right

SCHEMES = {"western": "WRGYOB", "japanese": "WRGBOY"}
COLOURS = ("white", "red", "green", "yellow", "orange", "blue")


def _dot(one: Point, other: Point) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _sum(*terms: tuple[int, Point]) -> Point:
    x, y, z = (sum(k * point[i] for k, point in terms) for i in range(3))
    return x, y, z


def _carry(cycles: str) -> Callable[[Point], Point]:
    """Return the turn of space that carries the axes of faces as the cycles say."""
    image = {face: face for face in FACES}
    for cycle in cycles.split():
        image |= dict(zip(cycle, cycle[1:] + cycle[0], strict=True))

    def carried(point: Point) -> Point:
        return _sum(*((_dot(point, FACES[face][0]), FACES[image[face]][0]) for face in "RUF"))

    return carried


def _opposite(face: str) -> str:
    return "DLBURF"["URFDLB".index(face)]


def about(corner: str) -> str:
    """Return the cycles of faces of a clockwise turn about a corner.

    >>> about("URF")
    'URF DLB'
    """
    return f"{corner} {''.join(map(_opposite, corner))}"


@attrs.frozen(slots=False, eq=False)
class CornerCube:
    """The stickers and pieces of a cube whose corners turn.

    `spots` has the spots of the stickers of each face, row by row in the net. Spots at a distance
    of 2 along both ways belong to corners, along one way to edges; spots at 1 along both ways are
    pieces of their own, and the middle is a center. `depth` says how deep a layer is: it has the
    stickers whose product with the way to its corner is at least as much.
    """

    spots: Mapping[str, Sequence[Spot]]
    orbits: tuple[Orbit, ...]
    net: Sequence[str]
    depth: int
    #: Returns the outline of the sticker at each spot of a face, in a box from (0, 0) to (1, 1).
    outlines: Callable[[str], Mapping[Spot, Outline]]

    @cached_property
    def stickers(self) -> dict[Point, int]:
        """The number of the sticker at each point."""
        found: dict[Point, int] = {}
        for face, spots in self.spots.items():
            out, right, down = FACES[face]
            for x, y in spots:
                found[_sum((3, out), (x, right), (y, down))] = len(found)
        return found

    def _point(self, place: str, face: str) -> Point:
        """Return the point of the sticker of a place on a face.

        Small letters, as in Urf, name a piece of a single face that lies near other faces.
        """
        others = [other for other in place if other != face]
        far = 1 if others and others[0].islower() else 2
        return _sum((3, FACES[face][0]), *((far, FACES[other.upper()][0]) for other in others))

    @cached_property
    def places(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The stickers of each place, by orbit."""
        return {
            orbit.name: tuple(
                tuple(self.stickers[self._point(place, face)] for face in self._shown(orbit, place))
                for place in orbit.places
            )
            for orbit in self.orbits
        }

    @staticmethod
    def _shown(orbit: Orbit, place: str) -> str:
        """Return the faces of a place, in the order of the orientations."""
        faces = "".join(face for face in place if face.isupper())
        if len(faces) == 2 and faces[0] != _FIRST[orbit.places.index(place)]:
            return faces[::-1]
        return faces

    def turn(self, cycles: str, corner: str = "") -> Effect:
        """Return the effect of a turn of the layer at a corner, or of the whole cube."""
        carried = _carry(cycles)
        way = _sum(*((1, FACES[face][0]) for face in corner))
        destination = [
            self.stickers[carried(point)] if not corner or _dot(point, way) >= self.depth else i
            for point, i in self.stickers.items()
        ]
        return sticker_effect(self.orbits, self.places, destination)

    def shapes(self) -> dict[int, Outline]:
        """Return the outline of every sticker."""
        shapes = {face: self.outlines(face) for face in self.spots}
        every = [shapes[face][spot] for face, spots in self.spots.items() for spot in spots]
        return dict(enumerate(every))

    def pictures(self) -> tuple[Picture, ...]:
        """Return the pictures: the net, in space, and from above."""
        from puzzlekit_cubes import cube_pictures
        from puzzlekit_pictures import NetPicture

        shapes = self.shapes()
        return NetPicture(shapes), *cube_pictures(shapes)

    def layout(self) -> FaceletLayout:
        """Return the layout of the stickers."""
        left = {face: iter([i for i, at in enumerate(self._faces) if at == face]) for face in FACES}
        return FaceletLayout(
            faces="".join(FACES),
            face_of=tuple("".join(FACES).index(face) for face in self._faces),
            places=self.places,
            net=tuple(
                tuple(next(left[cell]) if cell in left else None for cell in row)
                for row in self.net
            ),
            schemes=SCHEMES,
            colours=COLOURS,
            pictures=self.pictures,
        )

    @cached_property
    def _faces(self) -> str:
        return "".join(face * len(spots) for face, spots in self.spots.items())

    def puzzle(self, name: str, title: str, constraints: tuple[Constraint, ...]) -> Puzzle:
        """Return the puzzle with turns about all corners, and with the rotations x y z."""
        mirror = {each: (each.translate(_MIRROR), -1) for each in (*CORNERS, *ROTATIONS)}
        hint = (
            "turns are F L B R about URF UFL ULB UBR and f l b r about the corners below; "
            "x y z turn the whole cube"
        )
        return self.turned(name, title, CORNERS, ROTATIONS, mirror, constraints, hint)

    def turned(
        self,
        name: str,
        title: str,
        corners: Mapping[str, str],
        whole: Mapping[str, str],
        mirror: Mapping[str, tuple[str, int]],
        constraints: tuple[Constraint, ...],
        hint: str,
    ) -> Puzzle:
        """Return a puzzle with stated turns.

        Parameters
        ----------
        name, title, constraints
            Fields of `Puzzle`.
        corners
            The corner of each move.
        whole
            The cycles of faces of each rotation of the whole cube.
        mirror
            The image of each family in a mirror.
        hint
            Advice on unknown moves.
        """
        turns = {move: self.turn(about(corner), corner) for move, corner in corners.items()}
        rotations = {family: self.turn(cycles) for family, cycles in whole.items()}
        costs = dict.fromkeys(turns, 1) | dict.fromkeys(rotations, 0)
        return Puzzle(
            name=name,
            title=title,
            orbits=self.orbits,
            turns=turns | rotations,
            metrics=(Metric("TURNS", "turns of a corner", costs),),
            rotations=tuple(rotations),
            reflections=(mirror,),
            constraints=constraints,
            layout=self.layout(),
            hints=lambda _: hint,
        )


def aligned(*frames: str) -> Law:
    """Return the law of the orbit `edges`: no turn flips an edge, and all permutations are even.

    A quarter turn of the whole cube flips every edge and makes the permutation odd. `frames` names
    the orbit `corners` if its pieces show how the cube is held.
    """
    return Law((*frames, "edges"), flipped_edges, settle=_settled)


def flipped_edges(cube: Puzzle, state: bytes) -> list[str]:
    """Return the faults of the edges: flipped edges, and an odd permutation."""
    edges = cube.orbit("edges")
    turns = cube.orientations(state, edges)
    expected = 1 if 2 * sum(turns) > edges.size else 0
    if cube.frames:
        corners = cube.orbit("corners")
        first = corners.label_name(cube.labels(state, corners)[0])
        expected = int((first in _ODD) != (corners.places[0] in _ODD))
    found: list[str] = [
        _fault(cube, place, f"edge {edges.label_name(label)}{_at(edges, label, place)} is flipped")
        for place, (label, turn) in enumerate(zip(cube.labels(state, edges), turns, strict=True))
        if turn != expected
    ]
    if permutation_parity(list(cube.labels(state, edges))) != expected:
        found.append("parity: two edges are exchanged")
    return found


def _at(orbit: Orbit, label: int, place: int) -> str:
    return "" if label == place else f" at {orbit.places[place]}"


def _fault(cube: Puzzle, place: int, words: str) -> Fault:
    return Fault(words, cube.layout.places["edges"][place] if cube.layout else ())


def _settled(cube: Puzzle, state: bytes, _: Random) -> bytes:
    """Return a state with its edges as the turns of corners leave them: none is flipped."""
    start = cube.offsets["edges"] + cube.orbit("edges").size
    return state[:start] + bytes(12) + state[start + 12 :]
