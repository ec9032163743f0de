"""Constraints: what holds for every state that the moves can reach."""

from __future__ import annotations

import attrs


@attrs.frozen
class OrientationSum:
    """The orientations of an orbit add up to 0 (modulo the number of orientations)."""

    orbit: str


@attrs.frozen
class EvenParity:
    """The permutations of these orbits (no two pieces alike) are together even."""

    orbits: tuple[str, ...]


@attrs.frozen
class Frame:
    """This orbit only ever shows how the whole puzzle is held (the centers of a 3x3x3)."""

    orbit: str


Constraint = OrientationSum | EvenParity | Frame
