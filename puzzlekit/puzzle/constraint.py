"""Constraints: conditions that every reachable state satisfies."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from puzzlekit.puzzle.orbit import Orbit

__all__ = ["Constraint"]


class OrientationSum(NamedTuple):
    """The orientations of an orbit add up to 0, modulo the number of orientations of a piece."""

    orbit: str


class EvenParity(NamedTuple):
    """The parities of the permutations of these orbits add up to an even number.

    In each of these orbits all pieces differ.
    """

    orbits: tuple[str, ...]


class GuardParity(NamedTuple):
    """The place of the guarding piece (see `Guard`) determines the parity of an orbit.

    The parity is that of the permutation of the pieces, so no two pieces of the orbit may be alike.
    The parity for each place is derived from the moves of the puzzle's `Guard`.
    """

    orbit: str


class Frame(NamedTuple):
    """The pieces of this orbit only show how the whole puzzle is held.

    Example: the centers of a 3x3x3. The places of the pieces show how the puzzle is held. The
    orientations of the pieces are free.
    """

    orbit: str


class Blocks(NamedTuple):
    """The pieces of each block of an orbit stay together and always fill the places of one block.

    `blocks` has the names of the places of each block. All blocks have the same size, and every
    place is in exactly one block. Example: a Skewb never mixes its two sets of corners.
    """

    orbit: str
    blocks: tuple[str, ...]

    def places(self, orbit: Orbit) -> list[list[int]]:
        """Return the numbers of the places of each block."""
        return [[orbit.place(name) for name in block.split()] for block in self.blocks]


class Forbidden(NamedTuple):
    """A piece is never at a place. A move that would bring it there is not possible.

    Example: a Square-1 cannot be sliced through a corner, so no turn may leave a corner there. The
    other moves stay possible, whatever their effects are. `piece` is the name of one of the pieces
    that are alike.
    """

    orbit: str
    place: str
    piece: str


class Law(NamedTuple):
    """A condition that no other constraint can express, tested by a function.

    `faults(puzzle, state)` returns a list of the faults of a state, in words. The list is empty for
    every reachable state. An item may be a `Fault`, which also names facelets.

    `orbits` has the names of the orbits on which the condition depends. The function is called only
    for states in which each of these orbits has all its pieces, the pieces of each block are at the
    places of one block, and all orientations are known. If `orbits` is empty, the function is
    called only for states without any other fault.

    The function should be fast. To draw a random state, puzzlekit calls the function for one state
    after another until a state has no fault.
    """

    orbits: tuple[str, ...]
    faults: Callable[[Any, bytes], Sequence[str]]


Constraint = OrientationSum | EvenParity | GuardParity | Frame | Blocks | Forbidden | Law
