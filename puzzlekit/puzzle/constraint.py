"""Constraints: what holds for every state that the moves can reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class OrientationSum(NamedTuple):
    """The orientations of an orbit add up to 0 (modulo the number of orientations)."""

    orbit: str


class EvenParity(NamedTuple):
    """The permutations of these orbits (no two pieces alike) are together even."""

    orbits: tuple[str, ...]


class Frame(NamedTuple):
    """This orbit only ever shows how the whole puzzle is held (the centers of a 3x3x3)."""

    orbit: str


class Rule(NamedTuple):
    """What else holds: `fault(state)` says in words what does not, or "".

    It is asked only of states that have no other fault.
    """

    fault: Callable[[bytes], str]


Constraint = OrientationSum | EvenParity | Frame | Rule
