"""What the engine is given for cosets: see `puzzlekit.engine.inputs`, which all searches import."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer


class CosetInput(NamedTuple):
    """How the cosets of states are numbered: see `puzzlekit.engine.cosets`.

    A mask has a bit for each place of an orbit. Tables by halves of a mask have 128 entries: what
    becomes of its lowest 6 bits, then what becomes of the next 6.
    """

    #: How many moves there are.
    moves: int
    #: How many ways of turning the pieces of the first orbit there are.
    turns: int
    #: How many places the second orbit has: up to 12.
    places: int
    #: How many ways of arranging the kinds of the second orbit there are.
    arrangements: int
    #: Of how many places of the second orbit an entry tells whether their pieces are turned.
    kept: int
    #: For each mask of the first orbit, and each move, the mask after it: unsigned 16 bits.
    kind_moves: "Buffer"
    #: For each way of turning, and each move, the one after it: unsigned 16 bits.
    turn_moves: "Buffer"
    #: For each mask and way of turning class * 64 + symmetry: unsigned 32 bits.
    class_of: "Buffer"
    #: For each class a bit for each symmetry that keeps its representative: 64 bits.
    keepers: "Buffer"
    #: The product of each symmetry and each one that is done after it.
    products: bytes
    #: For each move what becomes of a mask of the second orbit, by halves: unsigned 16 bits.
    move_halves: "Buffer"
    #: For each move the mask of the places whose pieces it turns: unsigned 16 bits.
    move_flips: "Buffer"
    #: For each symmetry what becomes of a mask, by halves: unsigned 16 bits.
    symmetry_halves: "Buffer"
    #: For each symmetry the mask of the places that it turns, and for each of three kinds a mask
    #: of all places where it turns pieces of that kind, else 0: unsigned 16 bits.
    symmetry_flips: "Buffer"
    #: For each symmetry the kinds whose pieces become those of the first, and of the second kind.
    symmetry_kinds: bytes
    #: For each mask of the first kind what it adds to the number of an arrangement: 32 bits.
    first_ranks: "Buffer"
    #: For each mask of the second kind, squeezed into the places that the first kind leaves, what
    #: it adds: unsigned 32 bits.
    second_ranks: "Buffer"
    #: For each 6 places, and 6 bits of a mask below them, the bits at these places, squeezed.
    squeezed: bytes
    #: For each 6 places how many these are.
    counted: bytes


class PieceInput(NamedTuple):
    """Where each piece is, for two orbits, and what moves make of it.

    A piece has a code: its place times the orientations, plus how it is turned the other way. Two
    pieces have a pair of codes: the first code times the number of codes, plus the second one.
    """

    #: For each orbit how many codes there are.
    codes: tuple[int, int]
    #: For each orbit how many pairs of pieces there are: up to 4, and up to 6.
    pairs: tuple[int, int]
    #: For each orbit, each move, and each pair of codes, the one after it: unsigned 16 bits.
    moved: tuple["Buffer", "Buffer"]
    #: For each group of moves, then no move, each of 4 pairs, and each pair of codes of the first
    #: orbit: what it adds to mask * turns + turn of the inverse after a move of the group.
    words: "Buffer"
    #: For each group, and each pair of codes of the second orbit, bits of the inverse after it: its
    #: kinds from bits 0 and 16 on, whether it is turned from bit 32 on. 64 bits.
    masks: "Buffer"
    #: For each move its group: moves of a group make the same coset of the inverse. -1: it does not
    #: change that.
    group: Sequence[int]
    #: For each orbit and code where the piece is, and how it is turned there.
    places: tuple[bytes, bytes]
    turned: tuple[bytes, bytes]
    #: For each orbit and code how the piece is turned the other way.
    undone: tuple[bytes, bytes]
    #: For each orbit and place of its pieces the kind: of the first orbit 0 or 1, of the second
    #: 1, 2 or 4: a bit each.
    kinds: tuple[bytes, bytes]
    #: For each place of the first orbit what one turn there adds to the number of a way of turning.
    weights: Sequence[int]
