"""Orbits: groups of pieces that exchange places, and the constraints that their states satisfy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from puzzlekit.errors import DeclarationError

if TYPE_CHECKING:
    from random import Random

__all__ = ["Bandaged", "Blocks", "Constraint", "Forbidden", "GuardParity", "Law", "state_modulus"]


def _place_names(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


@attrs.frozen(eq=False, repr=False)
class Orbit:
    """The places of one kind of piece, and the pieces there in the solved state.

    >>> corners = Orbit("corners", "corner", "URF UFL ULB UBR", orientations=3)
    >>> corners.size, corners.solved, corners.width
    (4, (0, 1, 2, 3), 8)
    >>> corners.place("ULB")
    2
    """

    #: The name of the orbit, such as "corners".
    name: str
    #: The word for one piece, such as "corner".
    piece: str
    #: The names of the places, in a tuple or in one string.
    places: tuple[str, ...] = attrs.field(converter=_place_names)
    #: The number of orientations that a piece can have at a place.
    orientations: int = 1
    #: The label at each place in the solved state. Pieces with the same label are alike. By
    #: default the labels are 0, 1, 2, ..., so that all pieces differ.
    solved: tuple[int, ...] = attrs.field(
        default=attrs.Factory(lambda self: tuple(range(len(self.places))), takes_self=True)
    )
    #: The names of the vectors of labels and of orientations, such as "cp co". Empty if the
    #: vectors of the orbit have no names.
    vectors: tuple[str, ...] = attrs.field(default=(), converter=_place_names)

    def __repr__(self) -> str:
        return f"Orbit({self.name!r})"

    def __attrs_post_init__(self) -> None:
        if len(set(self.places)) != len(self.places):
            raise DeclarationError(f"orbit {self.name}: a place is named twice")
        if len(self.solved) != len(self.places):
            raise DeclarationError(
                f"orbit {self.name} has {len(self.solved)} labels for {len(self.places)} "
                "places: give one label for each place"
            )
        if self.orientations not in range(1, 129):  # `act` adds two of them in a byte
            raise DeclarationError(f"orbit {self.name}: orientations must be from 1 to 128")
        if not all(isinstance(each, Integral) for each in (self.orientations, *self.solved)):
            words = "orientations and labels must be whole numbers"
            raise DeclarationError(f"orbit {self.name}: {words}")
        if len(self.places) > 256 or not {*self.solved} <= {*range(256)}:
            words = "at most 256 places are possible, and labels must be from 0 to 255"
            raise DeclarationError(f"orbit {self.name}: {words}")

    @property
    def size(self) -> int:
        """The number of places."""
        return len(self.places)

    @property
    def width(self) -> int:
        """The number of bytes of the orbit in a state, for its labels and orientations."""
        return len(self.places) * (2 if self.orientations > 1 else 1)

    @property
    def solved_bytes(self) -> bytes:
        """The bytes of the orbit in the solved state."""
        return bytes(self.solved).ljust(self.width, b"\0")

    @property
    def distinct(self) -> bool:
        """Whether no two pieces are alike."""
        return len(set(self.solved)) == len(self.solved)

    def place(self, name: str) -> int:
        """Return the index of a named place.

        The letters of the name may be in any order: "FUR" finds the place URF. Raises a
        DeclarationError if no place matches. If several places match, one of them must have exactly
        this name. Otherwise a DeclarationError is raised, too.
        """
        if name in self.places:
            return self.places.index(name)
        spelt = [i for i, place in enumerate(self.places) if sorted(place) == sorted(name)]
        if len(spelt) != 1:
            raise DeclarationError(f"orbit {self.name} has no place {name!r}")
        return spelt[0]

    def label_name(self, label: int) -> str:
        """Return the name of a piece: the first place with this label in the solved state."""
        return self.places[self.solved.index(label)]


def state_modulus(orbits: Iterable[Orbit]) -> bytes:
    """Return the modulus of each byte of a state of these orbits; 0 for labels."""
    return b"".join(
        bytes(orbit.size) + bytes([orbit.orientations]) * (orbit.width - orbit.size)
        for orbit in orbits
    )


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


class Bandaged(NamedTuple):
    """Pieces are glued together. A move is possible only if it moves all or none of a block.

    Each block maps names of orbits to names of pieces, which differ from all other pieces. Example:
    a corner of a Square-1 takes two places, and is a block of two halves. A piece that a move turns
    in place is moved by it only if its orientation is part of the state, as on a supercube.

    If a block has a piece that is only turned, and that is no part of the state, such as a center
    of a cube, `centers` has the families that turn it. It has an item for each block, None for a
    block without such a piece.

    >>> Bandaged(({"corners": "URF", "edges": "UR"},), ("U",)).blocks[0]["edges"]
    'UR'
    """

    blocks: tuple[Mapping[str, str], ...]
    centers: tuple[str | None, ...] = ()


class Law(NamedTuple):
    """A condition that no other constraint can express, tested by a function.

    `faults(puzzle, state)` returns a list of the faults of a state, in words. The list is empty for
    every reachable state. An item may be a `Fault`, which also names facelets.

    `orbits` has the names of the orbits on which the condition depends. The function is called only
    for states in which each of these orbits has all its pieces, the pieces of each block are at the
    places of one block, and all orientations are known. If `orbits` is empty, the function is
    called only for states without any other fault.

    The function should be fast. To draw a random state, puzzlekit calls the function for one state
    after another until a state has no fault. If few states pass, `settle(puzzle, state, rng)` saves
    these draws: it returns the state with the pieces that the law couples drawn again, so that all
    states that pass stay equally likely. It calls only `rng.shuffle` and `rng.randrange`.
    """

    orbits: tuple[str, ...]
    faults: Callable[[Any, bytes], Sequence[str]]
    settle: Callable[[Any, bytes, Random], bytes] | None = None


Constraint = OrientationSum | EvenParity | GuardParity | Frame | Blocks | Forbidden | Bandaged | Law
