"""The places of a cube: their names, their orbits, and their stickers.

A place is named after the faces that it touches, in capitals. A small letter names a face near the
place. It stands for the second layer from this face. A number before the letter names another
layer: 3r is the third layer from R. A middle layer has no letter.
"""

from __future__ import annotations

import re
from itertools import product

from puzzlekit import Orbit
from puzzlekit_cubes.geometry import FACES, NORMALS, ROWS_AND_COLUMNS, Point

# The first letter is the sticker with orientation 0. The letters of a corner go round clockwise.
# The order is the order of the vectors cp, co, ep, eo in use since K. Nishi's 3x3x3 model (2018):
# top layer, then bottom layer; middle edges first. With this definition, only quarter turns of F
# and B change edge orientations.
CORNERS = "ULB UBR URF UFL DBL DRB DFR DLF"
EDGES = "BL BR FR FL UB UR UF UL DB DR DF DL"

# The faces of a wing are in right-handed order, which no turn changes. So a turn carries first
# stickers to first stickers, and wings need no orientation. Each list has one wing of each edge, in
# the order of EDGES. The low wings are the places that <U, D, F, B, R2, L2, Uw2, Rw2, Fw2> connects
# with UFr.
LOW_WINGS = "LBd RBu RFd LFu UBl URb UFr ULf DBr DRf DFl DLb"
HIGH_WINGS = "BLu BRd FRu FLd BUr RUf FUl LUb BDl RDb FDr LDf"

# Rows of centers by size: the word for a piece, the name of the vector, and two layers. A place of
# the orbit is in these layers from the two nearest edges of its face. Seen from the middle of the
# face, a left oblique is the left one of the two obliques near an edge.
_CENTERS = {
    4: (("center", "xp", (2, 2)),),
    5: (("x-center", "xp", (2, 2)), ("t-center", "tp", (2, 3))),
    6: (
        ("outer x-center", "xp", (2, 2)),
        ("inner x-center", "xp3", (3, 3)),
        ("left oblique", "lp", (2, 3)),
        ("right oblique", "rp", (2, 3)),
    ),
    7: (
        ("outer x-center", "xp", (2, 2)),
        ("inner x-center", "xp3", (3, 3)),
        ("outer t-center", "tp", (2, 4)),
        ("inner t-center", "tp3", (3, 4)),
        ("left oblique", "lp", (2, 3)),
        ("right oblique", "rp", (2, 3)),
    ),
}


def cube_orbits(size: int) -> list[Orbit]:
    """Return the orbits of a cube with `size` layers (2 to 7).

    >>> for orbit in cube_orbits(6):
    ...     print(orbit.name, *orbit.places[-3:])
    corners DRB DFR DLF
    outer-wings RDb FDr LDf
    inner-wings RD3b FD3r LD3f
    outer-x-centers Bul Bdr Bdl
    inner-x-centers B3u3l B3d3r B3d3l
    left-obliques B3ul B3dr Bd3l
    right-obliques B3ur B3dl Bd3r
    """
    orbits = [Orbit("corners", "corner", CORNERS, orientations=3, vectors="cp co")]
    if size % 2:
        name, piece = ("edges", "edge") if size == 3 else ("midges", "midge")
        orbits.append(Orbit(name, piece, EDGES, orientations=2, vectors="ep eo"))
    wings = f"{LOW_WINGS} {HIGH_WINGS}"
    if size in (4, 5):
        orbits.append(Orbit("wings", "wing", wings, vectors="wp"))
    elif size > 5:
        inner = " ".join(f"{wing[:2]}3{wing[2]}" for wing in wings.split())
        orbits.append(Orbit("outer-wings", "outer wing", wings, vectors="wp"))
        orbits.append(Orbit("inner-wings", "inner wing", inner, vectors="wp3"))
    for piece, vector, layers in _CENTERS.get(size, ()):
        places = _centers(size, layers, piece)
        faces = tuple(FACES.index(place[0]) for place in places)
        name = piece.replace(" ", "-") + "s"
        orbits.append(Orbit(name, piece, places, solved=faces, vectors=vector))
    if size % 2:
        orbits.append(Orbit("centers", "center", " ".join(FACES)))
    return orbits


def _centers(size: int, layers: tuple[int, int], piece: str) -> tuple[str, ...]:
    """Return the places of an orbit of centers, face by face in the order of their stickers."""
    near, far = (size + 1 - 2 * layer for layer in layers)
    found = []
    for face, row, column in product(FACES, range(1 - size, size, 2), range(1 - size, size, 2)):
        if {abs(row), abs(column)} != {near, far}:
            continue
        left = (row * column > 0) == (abs(row) > abs(column))
        if piece.endswith("oblique") and left != piece.startswith("left"):
            continue
        across, down = ROWS_AND_COLUMNS[face]
        found.append(face + _near(size, down, row) + _near(size, across, column))
    return tuple(found)


def _near(size: int, direction: Point, steps: int) -> str:
    """Return the small letter of a row or column of a face, with its number."""
    if not steps:
        return ""
    axis = next(i for i in range(3) if direction[i])
    side = direction[axis] * (1 if steps > 0 else -1)
    letter = next(face.lower() for face, normal in NORMALS.items() if normal == (axis, side))
    layer = (size + 1 - abs(steps)) // 2
    return letter if layer == 2 else f"{layer}{letter}"


def place_stickers(size: int, place: str) -> list[Point]:
    """Return the stickers of a place, in the order of the faces that it touches.

    >>> place_stickers(4, "UFr"), place_stickers(3, "U"), place_stickers(6, "UF3r")
    ([(1, 4, 3), (1, 3, 4)], [(0, 3, 0)], [(1, 6, 5), (1, 5, 6)])
    """
    letters = re.findall("([0-9]?)([A-Za-z])", place)
    stickers: list[Point] = []
    for _, face in letters:
        if face.islower():
            continue
        point = [0, 0, 0]
        for layer, letter in letters:
            axis, side = NORMALS[letter.upper()]
            if letter.islower():
                point[axis] = side * (size + 1 - 2 * int(layer or 2))
            else:
                point[axis] = side * (size if letter == face else size - 1)
        stickers.append((point[0], point[1], point[2]))
    return stickers
