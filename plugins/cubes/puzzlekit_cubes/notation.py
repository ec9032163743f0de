"""How turns of a cube are written: faces, wide turns, slices, rotations."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from puzzlekit_cubes.geometry import FACES

# Rotations and the slices of odd cubes turn the same way as this face.
ROTATIONS = {"x": "R", "y": "U", "z": "F"}
SLICES = {"M": "L", "E": "D", "S": "F"}
OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


class Family(NamedTuple):
    """A base move: which layers, counted from 1 at `face`, turn clockwise as seen from there."""

    name: str
    face: str
    layers: range
    inner: bool = False
    rotation: bool = False


def families(size: int) -> list[Family]:
    """Every base move of a cube: outer turns first, then wide turns, slices, rotations.

    >>> [family.name for family in families(2)]
    ['U', 'R', 'F', 'D', 'L', 'B', 'x', 'y', 'z']
    """
    found = [Family(face, face, range(1, 2)) for face in FACES]
    for depth in range(2, size):
        prefix = "" if depth == 2 else str(depth)
        found += [Family(f"{prefix}{face}w", face, range(1, depth + 1)) for face in FACES]
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
    """Other spellings: r, 2r and 2Rw for Rw, 3r for 3Rw; 2R for the slice of a 3x3x3 under R."""
    found: dict[str, tuple[str, int]] = {}
    if size > 2:
        for face in FACES:
            found[face.lower()] = (f"{face}w", 1)
            found[f"2{face}w"] = (f"{face}w", 1)
            found[f"2{face.lower()}"] = (f"{face}w", 1)
            for depth in range(3, size):
                found[f"{depth}{face.lower()}"] = (f"{depth}{face}w", 1)
    if size == 3:
        for name, face in SLICES.items():
            found[f"2{face}"] = (name, 1)
            found[f"2{OPPOSITE[face]}"] = (name, -1)
    return found


def hint(size: int) -> Callable[[str], str]:
    """What to tell a person about a token that does not exist on a cube of this size."""

    def explain(token: str) -> str:
        if "-" in token:
            return (
                "ranges of layers such as 2-3Rw are not read: turn the layers one after the other"
            )
        face = token.lstrip("0123456789")[:1].upper()
        digits = token[: len(token) - len(token.lstrip("0123456789"))]
        wide = token.endswith("w") or (face in FACES and token[len(digits) :].islower())
        cube = f"a {size}x{size}x{size}"
        if token in SLICES:
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
            return f"layer 1 is written {face}" if depth < 2 else ""
        return "faces are U R F D L B" + (", wide turns Rw, slices M E S" if size == 3 else "")

    return explain
