"""Constraints: conditions that every reachable state satisfies."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from puzzlekit.puzzle.orbit import Orbit


class OrientationSum(NamedTuple):
    """The orientations of an orbit add up to 0 (modulo the number of orientations)."""

    orbit: str


class EvenParity(NamedTuple):
    """The product of the permutations of these orbits (no two pieces alike) is even."""

    orbits: tuple[str, ...]


class GuardParity(NamedTuple):
    """The place of the guarding piece determines the parity of an orbit (no two pieces alike).

    The parity for each place is derived from the moves of the puzzle's `Guard`.
    """

    orbit: str


class Frame(NamedTuple):
    """This orbit only shows how the whole puzzle is held, like the centers of a 3x3x3.

    The places of its pieces show the holding. Their orientations, if any, are free.
    """

    orbit: str


class Blocks(NamedTuple):
    """The pieces of each block of an orbit stay together: they always fill one block of places.

    `blocks` names the places of each block. All blocks have the same size, and every place is in
    one of them. Example: a Skewb never mixes its two sets of corners.
    """

    orbit: str
    blocks: tuple[str, ...]

    def places(self, orbit: Orbit) -> list[list[int]]:
        """The numbers of the places of each block, in its orbit."""
        return [[orbit.place(name) for name in block.split()] for block in self.blocks]


class Law(NamedTuple):
    """Any other condition, as a function `faults(puzzle, state)`.

    The function returns the broken conditions in words, and an empty list for every reachable
    state. A `Fault` in the list also has a place. The function is called only if all pieces of
    `orbits` are present, no block is mixed and the orientations are known; without `orbits`, only
    if the state has no other fault. It should be fast, because random states are drawn until no law
    is broken.
    """

    orbits: tuple[str, ...]
    faults: Callable[[Any, bytes], Sequence[str]]


Constraint = OrientationSum | EvenParity | GuardParity | Frame | Blocks | Law
