"""The dodecahedron of both puzzles: its faces, places, turns and pictures.

The faces around U are F, L, BL, BR and R, clockwise as seen from above. Below them are DL, DBL, B,
DBR and DR: DL is between F and L, and so on. D is opposite to U. The names of places have one
letter for each face: see `FACES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from puzzlekit import Surface
from puzzlekit.puzzle.layout import Drawing, Picture

if TYPE_CHECKING:
    from puzzlekit import FaceletLayout, Orbit
    from puzzlekit.puzzle.move import Effect
    from puzzlekit_pictures import SpacePoint

#: A point on paper: its distance to the right and its distance down.
PaperPoint = tuple[float, float]

#: The moves of the faces, by the letters of the faces in the names of places.
FACES = {
    "U": "U",
    "F": "F",
    "L": "L",
    "I": "BL",
    "J": "BR",
    "R": "R",
    "M": "DL",
    "P": "DBL",
    "B": "B",
    "Q": "DBR",
    "N": "DR",
    "D": "D",
}
_UPPER, _LOWER = "FLIJR", "MPBQN"
#: The faces that touch D.
AROUND_D = frozenset(_LOWER)
_OPPOSITE = str.maketrans("UFLIJRDBQNMP", "DBQNMPUFLIJR")
#: The colours of the faces, as TNoodle draws them.
COLOURS = (
    "white",
    "green",
    "purple",
    "yellow",
    "blue",
    "red",
    "light blue",
    "orange",
    "light green",
    "pink",
    "beige",
    "grey",
)
#: The letters of the colours: L is light green, S sky blue, K pink, C cream, A grey.
SCHEMES = {"wca": "WGPYBRSOLKCA"}
#: The rotations of the whole puzzle, and the faces about which they turn.
ROTATIONS = {"Uv": "U", "Fv": "F", "Lv": "L", "BLv": "I", "BRv": "J", "Rv": "R"}
#: Other spellings. Dw turns everything but the layer of U, and so on. The WCA writes D++ and D--
#: for two fifths of it. R++ and R-- leave the layer of L where it is.
ALIASES = {"y": ("Uv", 1), "z": ("Fv", 1), "x": ("Rv", 1)} | {
    f"{FACES[face.translate(_OPPOSITE)]}v": (name, -1) for name, face in ROTATIONS.items()
}
for _sign, _amount in {"+": 1, "++": 2, "-": -1, "--": -2}.items():
    ALIASES |= {f"D{_sign}": ("Dw", _amount), f"R{_sign}": ("DBRw", _amount)}


def _ring(face: str) -> str:
    """Return the neighbours of a face, clockwise."""
    if face in "UD":
        return _UPPER if face == "U" else _LOWER[::-1]
    if face in _UPPER:
        at = _UPPER.index(face)
        return "U" + _UPPER[at - 1] + _LOWER[at - 1] + face.translate(_BELOW) + _UPPER[at - 4]
    at = _LOWER.index(face)
    return _UPPER[at] + _LOWER[at - 1] + "D" + _LOWER[at - 4] + _UPPER[at - 4]


_BELOW = str.maketrans(_UPPER, _LOWER)
RINGS = {face: _ring(face) for face in FACES}


def _places(size: int) -> list[str]:
    """Return the places at which 2 or 3 faces meet, clockwise from the first face in `FACES`."""
    found: dict[frozenset[str], str] = {}
    for face, ring in RINGS.items():
        for at in range(5):
            name = face + ring[at] + ring[at - 4]
            found.setdefault(frozenset(name[:size]), name[:size])
    return list(found.values())


CORNERS = _places(3)
# The first letter says which sticker of an edge shows its orientation. With this choice, turns of U
# and of F flip no edge: of the edges of F, the sticker on the other face counts.
EDGES = [edge[::-1] if edge[0] == "F" else edge for edge in _places(2)]


def layer(face: str, places: Iterable[str]) -> list[str]:
    """Return those of the places that touch a face."""
    return [place for place in places if face in place]


def turns(surface: Surface, places: Sequence[str], centers: bool) -> dict[str, Effect]:
    """Return the effects of the turns of faces, of the turns of more, and of the rotations."""
    found = {name: surface.turn(RINGS[face], layer(face, places)) for face, name in FACES.items()}
    known = [*places, *(FACES if centers else ())]
    for face, name in FACES.items():
        rest = [each for each in known if face.translate(_OPPOSITE) not in each]
        found[f"{name}w"] = surface.turn(_around(face), rest)
    return found | {name: surface.turn(_around(face)) for name, face in ROTATIONS.items()}


def _around(face: str) -> str:
    """Return the cycles of faces of a rotation clockwise about a face."""
    return f"{RINGS[face]} {RINGS[face].translate(_OPPOSITE)}"


def held() -> dict[str, dict[int, int]]:
    """Return every rotation of the whole puzzle as moves, with the new place of each face."""
    faces = "".join(FACES)
    found = {faces: ""}
    new = [faces]
    while new:
        before, new = new, []
        for each in before:
            for name, face in ROTATIONS.items():
                around, after = RINGS[face], each
                across = around.translate(_OPPOSITE)
                step = str.maketrans(
                    around + across, around[1:] + around[0] + across[1:] + across[0]
                )
                for amount in ("", "2", "2'", "'"):
                    after = after.translate(step)
                    if after not in found:
                        found[after] = f"{found[each]}{name}{amount}"
                        new.append(after)
    return {moves: str.maketrans(faces, after) for after, moves in found.items()}


def mirror(families: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return the image of each family in the mirror between left and right."""
    swapped = str.maketrans("LR", "RL")
    return {family: (family.translate(swapped), -1) for family in families}


# --- the net ------------------------------------------------------------------------------------


def sides(face: str) -> str:
    """Return the neighbours of a face, clockwise, as the net shows the face.

    The net has two flowers, with U and D in the middle. The middle points up, and its first side is
    at the bottom. The petals point down, and their first side is at the top.
    """
    ring = RINGS[face]
    if face in "UD":
        at = ring.index("F" if face == "U" else "B")
    else:
        middle = "U" if face in _UPPER else "D"
        at = ring.index(middle) - sides(middle).index(face)  # side k of the middle meets side k
    return (ring * 3)[5 + at :][:5]


def rows(face: str, edges: bool) -> list[list[str]]:
    """Return the places of a face in the rows of the net; "" is an empty cell."""
    around = sides(face)
    c = [face + around[k] + around[k - 4] for k in range(5)]
    e = [face + side for side in around]
    x, up = face, face in "UD"
    if edges:
        if up:
            return [
                ["", "", c[2], "", ""],
                ["", e[2], "", e[3], ""],
                [c[1], "", x, "", c[3]],
                [e[1], "", "", "", e[4]],
                ["", c[0], e[0], c[4], ""],
            ]
        return [
            ["", c[4], e[0], c[0], ""],
            [e[4], "", "", "", e[1]],
            [c[3], "", x, "", c[1]],
            ["", e[3], "", e[2], ""],
            ["", "", c[2], "", ""],
        ]
    if up:
        return [["", c[2], ""], [c[1], "", c[3]], [c[0], "", c[4]]]
    return [[c[4], "", c[0]], [c[3], "", c[1]], ["", c[2], ""]]


def make_surface(orbits: tuple[Orbit, ...], edges: bool) -> Surface:
    """Return the surface with these orbits; with `edges`, each face has edges and a center."""
    size = 5 if edges else 3
    near = (size + 1) // 4 + size // 5  # how far the upper petals reach over the middle
    net = [["."] * (6 * size + 1) for _ in range(3 * size)]
    for flower, middle in enumerate("UD"):
        left = flower * (3 * size + 1)
        below, low_left, up_left, up_right, low_right = [*sides(middle)]
        corners = {
            middle: (size, size),
            below: (2 * size, size),
            low_left: (size, 0),
            low_right: (size, 2 * size),
            up_left: (0, near),
            up_right: (0, 2 * size - near),
        }
        for face, (top, start) in corners.items():
            for row, line in enumerate(rows(face, edges)):
                for column, place in enumerate(line):
                    if place:
                        net[top + row][left + start + column] = face
    return Surface(
        orbits=orbits,
        faces={
            face: " ".join(place for line in rows(face, edges) for place in line if place)
            for face in FACES
        },
        net=" ".join(map("".join, net)),
    )


# --- pictures -----------------------------------------------------------------------------------

_RADIUS = 0.5 / sin(2 * pi / 5)  # of a pentagon in a box of width 1


def pentagon(up: bool) -> list[PaperPoint]:
    """Return the corners of a pentagon around (0, 0), clockwise from the end of its first side."""
    start = 0.7 * pi if up else -0.3 * pi  # lower left; upper right
    angles = [start + 0.4 * pi * k for k in range(5)]
    return [(_RADIUS * cos(angle), _RADIUS * sin(angle)) for angle in angles]


def outlines(face: str, share: float, edges: bool) -> dict[str, list[PaperPoint]]:
    """Return the outlines of the stickers of a face, by their places; (0, 0) is the middle.

    `share` is the length of a corner sticker along a side, as a share of the side.
    """
    around = sides(face)
    v = pentagon(face in "UD")
    before = [_between(v[k], v[k - 1], share) for k in range(5)]
    behind = [_between(v[k], v[k - 4], share) for k in range(5)]
    inner: list[PaperPoint] = [(0.0, 0.0)] * 5  # the corners of a Kilominx meet in the middle
    if edges:
        sides_of = zip(before, behind, v, strict=True)
        inner = [(a + x - u, b + y - w) for (a, b), (x, y), (u, w) in sides_of]
    found = {
        face + around[k] + around[k - 4]: [v[k], behind[k], inner[k], before[k]] for k in range(5)
    }
    if edges:
        for k in range(5):
            found[face + around[k]] = [behind[k - 1], before[k], inner[k], inner[k - 1]]
        found[face] = inner
    return found


def _between(one: PaperPoint, other: PaperPoint, share: float) -> PaperPoint:
    (x, y), (u, w) = one, other
    return x + share * (u - x), y + share * (w - y)


def normal(face: str) -> SpacePoint:
    """Return the unit vector that points out of a face: right, up, and towards the viewer of F."""
    if face not in "U" + _UPPER:
        x, y, z = normal(face.translate(_OPPOSITE))
        return -x, -y, -z
    if face == "U":
        return 0.0, 1.0, 0.0
    azimuth = -0.4 * pi * _UPPER.index(face)
    return 2 / sqrt(5) * sin(azimuth), 1 / sqrt(5), 2 / sqrt(5) * cos(azimuth)


def _box(face: str) -> tuple[SpacePoint, SpacePoint, SpacePoint]:
    """Return three corners of the square around a face: upper left, upper right, lower left."""
    out = normal(face)
    there = normal(sides(face)[0])  # the neighbour at the bottom of a middle, at the top of a petal
    along = sum(a * b for a, b in zip(out, there, strict=True))
    size = sqrt(1 - along * along)
    sign = 1 if face in "UD" else -1
    down = [sign * (b - along * a) / size for a, b in zip(out, there, strict=True)]
    right = [
        out[1] * down[2] - out[2] * down[1],
        out[2] * down[0] - out[0] * down[2],
        out[0] * down[1] - out[1] * down[0],
    ]
    half = (sqrt(5) - 1) / 2 / cos(pi / 5) / _RADIUS / 2  # if the middle has the distance 1
    a, b, c = (
        tuple(o + half * (x * r + y * d) for o, r, d in zip(out, right, down, strict=True))
        for x, y in ((-1, -1), (1, -1), (-1, 1))
    )
    return a, b, c  # type: ignore[return-value]


class FlowersPicture(Picture):
    """The net: two flowers, with U and D in the middle."""

    name = "net"

    def __init__(self, shapes: Mapping[int, Sequence[PaperPoint]], scale: float) -> None:
        self.shapes = shapes
        self.scale = scale

    def draw(self, layout: FaceletLayout) -> Drawing:
        """Return the drawing of a puzzle with this layout."""
        from puzzlekit_pictures import inset

        stickers, plates = [], []
        reach = 2 * _RADIUS * cos(pi / 5) * 1.02  # between the middles of two faces
        width, height = 2.72, 1.3
        for number, face in enumerate(layout.faces):
            middle = "U" if face == "U" or face in _UPPER else "D"
            x, y = (1.36 if middle == "U" else 1.36 + width), height
            if face != middle:
                angle = pi / 2 + 0.4 * pi * sides(middle).index(face)
                x, y = x + reach * cos(angle), y + reach * sin(angle)
            for facelet, outline in self.shapes.items():
                if layout.face_of[facelet] == number:
                    placed = [(self.scale * (x + a), self.scale * (y + b)) for a, b in outline]
                    stickers.append((facelet, inset(placed, 0.05)))
            corners = pentagon(face in "UD")
            plate = [(self.scale * (x + a), self.scale * (y + b)) for a, b in corners]
            plates.append(inset(plate, -0.03))
        return Drawing(self.scale * 2 * width, self.scale * 2.78, stickers, plates)


def pictures(surface: Surface, share: float, edges: bool, scale: float) -> tuple[Picture, ...]:
    """Return the net, the solid seen from the front, and U from above with its layer."""
    from puzzlekit_pictures import SolidPicture, TopPicture

    shapes = []
    for face, places in surface.faces.items():
        own = {frozenset(place): each for place, each in outlines(face, share, edges).items()}
        shapes += [own[frozenset(place)] for place in places.split()]
    boxed = {n: [(x + 0.5, y + 0.5) for x, y in each] for n, each in enumerate(shapes)}
    solid = SolidPicture({face: _box(face) for face in FACES}, (1.6, 4.2, 6.0), boxed)
    return FlowersPicture(dict(enumerate(shapes)), scale), solid, TopPicture(solid, "U")
