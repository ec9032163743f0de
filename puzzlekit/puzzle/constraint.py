"""Constraints: what holds for every state that the moves can reach."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from puzzlekit.puzzle.orbit import Orbit


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
    """This orbit only ever shows how the whole puzzle is held (the centers of a 3x3x3).

    That is told by where its pieces are; how they are turned is free, where they can be turned.
    """

    orbit: str


class Blocks(NamedTuple):
    """Pieces of an orbit that stay together: the places of a block hold the pieces of one block.

    Of their own one, or all of them those of another one. `blocks` names the places of each; all
    blocks have the same size, and no place is left out. (A Skewb never mixes two sets of corners.)
    """

    orbit: str
    blocks: tuple[str, ...]

    def places(self, orbit: Orbit) -> list[list[int]]:
        """The numbers of the places of each block, in its orbit."""
        return [[orbit.place(name) for name in block.split()] for block in self.blocks]


class Law(NamedTuple):
    """What else holds, as a function `faults(puzzle, state)` that says in words what does not.

    A `Fault` among them says where it is.
    It returns an empty list for every state that can be reached, and is asked only where all pieces
    of `orbits` are there, no block is mixed and the orientations are known; where no orbits are
    named, only of states that have no other fault. Random states are drawn until no law is broken,
    so it should not take long.
    """

    orbits: tuple[str, ...]
    faults: Callable[[Any, bytes], Sequence[str]]


Constraint = OrientationSum | EvenParity | GuardParity | Frame | Blocks | Law
