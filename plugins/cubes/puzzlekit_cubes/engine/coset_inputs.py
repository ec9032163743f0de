"""Input records for cosets.

All searches import `puzzlekit.engine.inputs`. Few searches need the records of this module.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer


class CosetInput(NamedTuple):
    """The tables with which the engine numbers cosets: see `puzzlekit_cubes.engine.cosets`.

    A mask has one bit for each place of an orbit. A table "by halves" has 128 entries. The first 64
    are the images of the lowest 6 bits of a mask. The other 64 are the images of the next 6 bits.
    """

    #: The number of moves.
    moves: int
    #: The number of orientation values of the first orbit.
    turns: int
    #: The number of places of the second orbit: up to 12.
    places: int
    #: The number of ways in which the kinds of pieces can be arranged in the second orbit.
    arrangements: int
    #: The number of places of the second orbit whose orientations are part of the index.
    kept: int
    #: For each mask of the first orbit and each move, the mask after it: unsigned 16 bits.
    kind_moves: "Buffer"
    #: For each orientation value and each move, the value after it: unsigned 16 bits.
    turn_moves: "Buffer"
    #: For each mask and orientation value of the first orbit, class * 64 + symmetry: unsigned 32
    #: bits.
    class_of: "Buffer"
    #: For each class a mask of 64 bits: bit s is 1 if symmetry s fixes the representative.
    keepers: "Buffer"
    #: The index of the product "s, then t" for each pair of symmetries s and t.
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
    #: For each symmetry, the kind of piece that it maps to the first kind, and the kind that it
    #: maps to the second kind.
    symmetry_kinds: bytes
    #: The number of an arrangement is a sum of two table entries. This table has one entry for each
    #: mask of the places with pieces of the first kind: unsigned 32 bits.
    first_ranks: "Buffer"
    #: The other table of the sum. The places without pieces of the first kind are numbered from 0.
    #: The table has one entry for each mask of those with pieces of the second kind: unsigned 32
    #: bits.
    second_ranks: "Buffer"
    #: For each mask a of 6 bits and each mask b of 6 bits (the low bits of the index): the bits of
    #: b at the places in a, without gaps.
    squeezed: bytes
    #: The number of bits in each mask of 6 bits.
    counted: bytes


class PieceInput(NamedTuple):
    """The codes of the pieces of two orbits, and the effects of moves on these codes.

    The code of a piece is its place times the number of orientations, plus its inverse orientation.
    Pieces are stored in pairs. The code of a pair is the code of its first piece times the number
    of codes, plus the code of its second piece.
    """

    #: The number of codes of each orbit.
    codes: tuple[int, int]
    #: The number of pairs of pieces of each orbit: up to 4, and up to 6.
    pairs: tuple[int, int]
    #: For each orbit, each move, and each pair of codes, the pair after it: unsigned 16 bits.
    moved: tuple["Buffer", "Buffer"]
    #: For the first orbit: let x be the inverse of the state after a move of a group. The number
    #: mask * turns + turn of x is a sum with one summand for each of 4 pairs of pieces. This table
    #: has each summand, by group (no move is the last group), pair, and code of the pair.
    words: "Buffer"
    #: For the second orbit: the bits of the marks of x, for each group and each code of a pair. The
    #: mask of the first kind begins at bit 0, the mask of the second kind at bit 16, and the mask
    #: of the orientations at bit 32. An entry has 64 bits.
    masks: "Buffer"
    #: The group of each move. All moves of a group lead to the same coset of the inverse. A move
    #: that does not change this coset has -1.
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
