"""Input records for cosets.

All searches import `puzzlekit.engine.inputs`. Few searches need the records of this module.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer


class CosetInput(NamedTuple):
    """The numbering of cosets: see `puzzlekit.engine.cosets`.

    A mask has a bit for each place of an orbit. A table by halves has 128 entries: the images of
    the lowest 6 bits of a mask, then the images of the next 6 bits.
    """

    #: The number of moves.
    moves: int
    #: The number of orientation values of the first orbit.
    turns: int
    #: The number of places of the second orbit: up to 12.
    places: int
    #: The number of arrangements of the kinds of the second orbit.
    arrangements: int
    #: The number of places of the second orbit whose orientations are part of the index.
    kept: int
    #: For each mask of the first orbit and each move, the mask after it: unsigned 16 bits.
    kind_moves: "Buffer"
    #: For each orientation value and each move, the value after it: unsigned 16 bits.
    turn_moves: "Buffer"
    #: For each mask and orientation value, class * 64 + symmetry: unsigned 32 bits.
    class_of: "Buffer"
    #: For each class a bit for each symmetry that fixes its representative: 64 bits.
    keepers: "Buffer"
    #: The product of each symmetry with each symmetry that follows it.
    products: bytes
    #: For each move the images of masks of the second orbit, by halves: unsigned 16 bits.
    move_halves: "Buffer"
    #: For each move the mask of the places whose pieces it turns: unsigned 16 bits.
    move_flips: "Buffer"
    #: For each symmetry the images of masks, by halves: unsigned 16 bits.
    symmetry_halves: "Buffer"
    #: For each symmetry the mask of the places that it turns. Then for each of three kinds: the
    #: mask of all places if the symmetry turns pieces of this kind, else 0. Unsigned 16 bits.
    symmetry_flips: "Buffer"
    #: For each symmetry the kinds that become the first kind and the second kind.
    symmetry_kinds: bytes
    #: The summand of each mask of the first kind in the number of an arrangement: 32 bits.
    first_ranks: "Buffer"
    #: The summand of each mask of the second kind, packed into the places that the first kind
    #: leaves: unsigned 32 bits.
    second_ranks: "Buffer"
    #: For each set of 6 places, and 6 bits of a mask below it, the bits at these places, packed.
    squeezed: bytes
    #: For each set of 6 places, the number of places in it.
    counted: bytes


class PieceInput(NamedTuple):
    """The places of pieces of two orbits, and the effects of moves on them.

    The code of a piece is its place times the number of orientations, plus its inverse orientation.
    A pair of codes is the first code times the number of codes, plus the second code.
    """

    #: The number of codes of each orbit.
    codes: tuple[int, int]
    #: The number of pairs of pieces of each orbit: up to 4, and up to 6.
    pairs: tuple[int, int]
    #: For each orbit, each move, and each pair of codes, the pair after it: unsigned 16 bits.
    moved: tuple["Buffer", "Buffer"]
    #: Summands of mask * turns + turn of the inverse after a move of a group. There is one for each
    #: group (then for no move), each of 4 pairs, and each pair of codes of the first orbit.
    words: "Buffer"
    #: For each group and each pair of codes of the second orbit, bits of the inverse after a move
    #: of the group: 64 bits. Kinds start at bits 0 and 16, orientations at bit 32.
    masks: "Buffer"
    #: The group of each move. Moves of a group lead to the same coset of the inverse. -1 for moves
    #: that do not change it.
    group: Sequence[int]
    #: The place of the piece, for each orbit and code.
    places: tuple[bytes, bytes]
    #: The orientation of the piece, for each orbit and code.
    turned: tuple[bytes, bytes]
    #: The inverse orientation of the piece, for each orbit and code.
    undone: tuple[bytes, bytes]
    #: The kind of each piece: 0 or 1 in the first orbit; 1, 2 or 4 in the second one (a bit each).
    kinds: tuple[bytes, bytes]
    #: For each place of the first orbit, the summand of one turn in the orientation value.
    weights: Sequence[int]
