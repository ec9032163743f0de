"""Constraints: what holds for every state that the moves can reach."""

from __future__ import annotations

from typing import NamedTuple


class OrientationSum(NamedTuple):
    """The orientations of an orbit add up to 0 (modulo the number of orientations)."""

    orbit: str


class EvenParity(NamedTuple):
    """The permutations of these orbits (no two pieces alike) are together even."""

    orbits: tuple[str, ...]


class GuardParity(NamedTuple):
    """The parity of an orbit (no two pieces alike) follows from where the guarding piece is.

    Which one goes with which place follows from the moves of the puzzle's `Guard`.
    """

    orbit: str


class Frame(NamedTuple):
    """This orbit only ever shows how the whole puzzle is held (the centers of a 3x3x3)."""

    orbit: str


Constraint = OrientationSum | EvenParity | GuardParity | Frame
