"""Notation of the turns of a cube: faces, wide turns, slices, rotations."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlekit_cubes.geometry import FACES

# The face with the direction of each rotation and each slice of odd cubes.
ROTATIONS = {"x": "R", "y": "U", "z": "F"}
SLICES = {"M": "L", "E": "D", "S": "F"}
OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))

# Other turns besides faces, for hints, by size.
_BEYOND_FACES = {3: ", wide turns Rw, slices M E S", 4: ", wide turns Rw and 3Rw, inner slices 2R"}


class Family(NamedTuple):
    """A base move: it turns `layers`, counted from `face`, clockwise as seen from `face`."""

    name: str
    face: str
    layers: range
    inner: bool = False
    rotation: bool = False


def families(size: int) -> list[Family]:
    """Return every base move of a cube: outer turns, then wide turns, slices, rotations.

    Inner slices are counted from the nearer face: 2R of a 4x4x4 is the second layer from R. The
    middle slices of a 3x3x3 are M, E and S.

    >>> [family.name for family in families(2)]
    ['U', 'R', 'F', 'D', 'L', 'B', 'x', 'y', 'z']
    >>> " ".join(family.name for family in families(4) if len(family.layers) < 3)
    'U R F D L B Uw Rw Fw Dw Lw Bw 2U 2R 2F 2D 2L 2B'
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
    found += [
        Family(name, face, range(1, size + 1), rotation=True) for name, face in ROTATIONS.items()
    ]
    return found


def aliases(size: int) -> dict[str, tuple[str, int]]:
    """Return other spellings of moves, such as r, 2r and 2Rw for Rw, and 3r for 3Rw.

    The spellings include slices that are counted from the further face.

    >>> aliases(3)["2R"], aliases(4)["3R"]
    (('M', -1), ('2L', -1))
    """
    found: dict[str, tuple[str, int]] = {}
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
    return found


def _layers(size: int, token: str) -> str:
    """Return advice on a range of layers, such as 2-3Rw.

    >>> _layers(4, "2-3Rw"), _layers(3, "2-3r")
    ('ranges of layers are not read: write (2R 3R)', "ranges of layers are not read: write (2R L')")
    """
    first, last = token.partition("-")[0], token.partition("-")[2].rstrip("wURFDLBurfdlb")
    face = token.removesuffix("w")[-1:].upper()
    if not (first.isdecimal() and last.isdecimal() and face in OPPOSITE):
        return "ranges of layers are not read: turn the layers one after the other"
    if not 1 <= int(first) < int(last) <= size:
        return f"a {size}x{size}x{size} has no layers {first} to {last}"
    spelt = {1: face, size: f"{OPPOSITE[face]}'"}
    layers = [spelt.get(each, f"{each}{face}") for each in range(int(first), int(last) + 1)]
    return f"ranges of layers are not read: write ({' '.join(layers)})"


def hint(size: int) -> Callable[[str], str]:
    """Return advice on a token that does not exist on a cube of this size."""

    def explain(token: str) -> str:
        if "-" in token:
            return _layers(size, token)
        face = token.lstrip("0123456789")[:1].upper()
        digits = token[: len(token) - len(token.lstrip("0123456789"))]
        wide = token.endswith("w") or (face in FACES and token[len(digits) :].islower())
        cube = f"a {size}x{size}x{size}"
        if token.upper() in SLICES and size % 2 == 0:
            inner = ": write inner slices as 2R, wide turns as Rw" if size > 2 else ""
            return f"{cube} has no middle layer{inner}"
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
            return f"layer 1 is written {face}" if depth < 2 else ""
        return "faces are U R F D L B" + _BEYOND_FACES.get(size, "")

    return explain
