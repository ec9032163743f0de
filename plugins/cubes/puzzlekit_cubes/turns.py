"""Notation of the turns of a cube: faces, wide turns, slices, rotations."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, product
from typing import NamedTuple

from puzzlekit_cubes.geometry import FACES

# The face with the direction of each rotation and each slice of odd cubes.
ROTATIONS = {"x": "R", "y": "U", "z": "F"}
SLICES = {"M": "L", "E": "D", "S": "F"}
OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


class Family(NamedTuple):
    """A base move: it turns `layers`, counted from `face`, clockwise as seen from `face`."""

    name: str
    face: str
    layers: range
    inner: bool = False
    rotation: bool = False


def families(size: int) -> list[Family]:
    """Return every base move of a cube: outer turns, wide turns, slices, ranges, rotations.

    Inner slices are counted from the nearer face: 2R of a 4x4x4 is the second layer from R. M, E
    and S are the middle slices of an odd cube. Cubes with four layers or more have ranges of inner
    layers, such as 2-3Lw.

    >>> [family.name for family in families(2)]
    ['U', 'R', 'F', 'D', 'L', 'B', 'x', 'y', 'z']
    >>> " ".join(family.name for family in families(4) if len(family.layers) < 3)
    'U R F D L B Uw Rw Fw Dw Lw Bw 2U 2R 2F 2D 2L 2B 2-3Lw 2-3Dw 2-3Fw'
    >>> " ".join(family.name for family in families(5) if "-" in family.name)
    '2-3Uw 2-3Rw 2-3Fw 2-3Dw 2-3Lw 2-3Bw 2-4Lw 2-4Dw 2-4Fw'
    """
    found = [Family(face, face, range(1, 2)) for face in FACES]
    for depth in range(2, size):
        prefix = "" if depth == 2 else str(depth)
        found += [Family(f"{prefix}{face}w", face, range(1, depth + 1)) for face in FACES]
    for depth in range(2, size // 2 + 1):
        found += [
            Family(f"{depth}{face}", face, range(depth, depth + 1), inner=True) for face in FACES
        ]
    if size % 2:
        middle = size // 2 + 1
        found += [
            Family(name, face, range(middle, middle + 1), inner=True)
            for name, face in SLICES.items()
        ]
    for first, last in combinations(range(2, size), 2):
        if first + last <= size + 1:
            # Blocks around the middle have the directions of the middle slices.
            faces = FACES if first + last <= size else "".join(SLICES.values())
            layers = range(first, last + 1)
            found += [Family(f"{first}-{last}{face}w", face, layers, True) for face in faces]
    found += [
        Family(name, face, range(1, size + 1), rotation=True) for name, face in ROTATIONS.items()
    ]
    return found


def outer_blocks(size: int) -> str:
    """Return the families of outer blocks of at most half of the layers.

    >>> outer_blocks(5)
    'U R F D L B Uw Rw Fw Dw Lw Bw'
    """
    return " ".join(
        family.name
        for family in families(size)
        if not (family.inner or family.rotation) and 2 * len(family.layers) <= size
    )


def aliases(size: int) -> dict[str, tuple[str, int]]:
    """Return other spellings of moves, such as r, 2r and 2Rw for Rw, and 3r for 3Rw.

    The spellings include slices that are counted from the further face, and M, E and S of an even
    cube, which turn its two middle layers. X and [r] are rotations, and 1Rw is R.

    >>> aliases(3)["2R"], aliases(4)["3R"], aliases(5)["3-4r"], aliases(6)["m"]
    (('M', -1), ('2L', -1), ('2-3Lw', -1), ('2-5Lw', 1))
    >>> aliases(6)["M"], aliases(2)["X"], aliases(2)["[l]"], aliases(2)["1Rw"]
    (('3-4Lw', 1), ('x', 1), ('x', -1), ('R', 1))
    """
    found: dict[str, tuple[str, int]] = {name.upper(): (name, 1) for name in ROTATIONS}
    for name, face in ROTATIONS.items():
        found[f"[{face.lower()}]"] = (name, 1)
        found[f"[{OPPOSITE[face].lower()}]"] = (name, -1)
    for face in FACES:
        found |= {spelling: (face, 1) for spelling in (f"1{face}", f"1{face}w", f"1{face.lower()}")}
    if size > 2:
        for face in FACES:
            found[face.lower()] = (f"{face}w", 1)
            found[f"2{face}w"] = (f"{face}w", 1)
            found[f"2{face.lower()}"] = (f"{face}w", 1)
            for depth in range(3, size):
                found[f"{depth}{face.lower()}"] = (f"{depth}{face}w", 1)
            for depth in range(size // 2 + 1 + size % 2, size):
                found[f"{depth}{face}"] = (f"{size + 1 - depth}{OPPOSITE[face]}", -1)
    if size % 2:
        middle = size // 2 + 1
        for name, face in SLICES.items():
            found[f"{middle}{face}"] = (name, 1)
            found[f"{middle}{OPPOSITE[face]}"] = (name, -1)
    elif size > 2:
        half = size // 2
        found |= {name: (f"{half}-{half + 1}{face}w", 1) for name, face in SLICES.items()}
    if size > 2:
        found |= _range_aliases(size)
    return found


def _range_aliases(size: int) -> dict[str, tuple[str, int]]:
    """Return other spellings of turns of several layers, such as 2-3r, and m for all inner layers.

    The ranges 1-3Rw and 3-5Rw of a 5x5x5 are the wide turns 3Rw and 3Lw'.
    """
    found: dict[str, tuple[str, int]] = {}
    if size > 3:
        found = {name.lower(): (f"2-{size - 1}{face}w", 1) for name, face in SLICES.items()}
    blocks = {
        (family.face, family.layers.start, family.layers[-1]): family.name
        for family in families(size)
        if not family.rotation
    }
    for face, (first, last) in product(FACES, combinations(range(1, size + 1), 2)):
        other = OPPOSITE[face], size + 1 - last, size + 1 - first
        name, sign = blocks.get((face, first, last)), 1
        if name is None:
            name, sign = blocks.get(other), -1
        if name is not None:  # not the whole cube
            for spelling in (f"{first}-{last}{face}w", f"{first}-{last}{face.lower()}"):
                if spelling != name:
                    found[spelling] = (name, sign)
    return found


def _layers(size: int, token: str) -> str:
    """Return advice on an unknown range of layers, such as 2-9Rw.

    >>> _layers(4, "2-9Rw"), _layers(3, "2-3R")
    ('a 4x4x4 has no layers 2 to 9', 'write a range as 2-3Rw')
    """
    first, last = token.partition("-")[0], token.partition("-")[2].rstrip("wURFDLBurfdlb")
    if first.isdecimal() and last.isdecimal():
        if not 1 <= int(first) < int(last) <= size:
            return f"a {size}x{size}x{size} has no layers {first} to {last}"
        if (int(first), int(last)) == (1, size):
            return "that would turn the whole cube: write x, y or z"
    if size > 2:
        return "write a range as 2-3Rw"
    return "turn the layers one after the other"


def _beyond_faces(size: int) -> str:
    """Return the other turns besides faces, for hints."""
    if size == 2:
        return ""
    wide = " and 3Rw, inner slices 2R" if size > 3 else ""
    return f", wide turns Rw{wide}, slices M E S{', ranges 2-3Rw' if size > 3 else ''}"


#: What people write behind the letter of a face instead of ' and 2.
_MEANT = re.compile(
    r"""[-+^\u00b2\u00b3\u201d"]+1?|c?cw|(counter|anti)?(clockwise)?|prime|inv(erse)?|twice|double"""
)


def hint(size: int) -> Callable[[str], str]:
    """Return advice on a token that does not exist on a cube of this size."""

    def explain(token: str) -> str:
        if _MEANT.fullmatch(token.lower().rstrip("0123456789")):
            return "R turns clockwise, R' counter-clockwise, R2 by a half turn"
        if "-" in token:
            return _layers(size, token)
        face = token.lstrip("0123456789")[:1].upper()
        digits = token[: len(token) - len(token.lstrip("0123456789"))]
        wide = token.endswith("w") or (face in FACES and token[len(digits) :].islower())
        cube = f"a {size}x{size}x{size}"
        if token.upper() in SLICES and size == 2:
            return f"{cube} has no middle layer"
        if face and face in FACES and (digits or wide):
            depth = int(digits or 2)
            if depth > size:
                return f"{cube} has only {size} layers"
            if wide and depth == size:
                rotation = next(
                    f"{name}'" if face != like else name
                    for name, like in ROTATIONS.items()
                    if face in (like, OPPOSITE[like])
                )
                return f"that would turn the whole cube: write {rotation}"
            if not wide and depth == size:
                return f"that is the layer {OPPOSITE[face]}, turned the other way"
            return ""
        return "faces are U R F D L B" + _beyond_faces(size)

    return explain
