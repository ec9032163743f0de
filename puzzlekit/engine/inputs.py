"""What the engine is given: records of integers and arrays.

An array is any buffer: an `array.array`, bytes, or a part of a memory-mapped file.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from puzzlekit.engine.space import Sym


class CoordinateInput(NamedTuple):
    """A coordinate of a space."""

    #: How many values it takes; of a sym coordinate how many classes.
    size: int
    #: How its value changes with a move: one of
    #: a move table, flat and row by row (size * moves), unsigned 16 or 32 bits;
    #: a rank program (a tuple, see `puzzlekit.engine.opcodes`), run on the bytes that a search
    #: carries along;
    #: a `puzzlekit.engine.ranks.PairRank`, run on these bytes too, which are then a pairing.
    #: A coordinate without a move table that no table reads is only ranked where all others are at
    #: a goal.
    run: Any
    #: The values at the goal: a list or tuple of them, or a byte for each value, not 0 at the goal.
    goals: Sequence[int] | bytes
    #: The symmetries of a sym coordinate. `run` is then the move table of its classes.
    sym: "Sym | None" = None


class ImageInput(NamedTuple):
    """How the symmetries of a sym coordinate change the value of another coordinate."""

    #: The image of each value under each symmetry: unsigned 16 bits, (size << shift) of them.
    images: "Buffer"
    #: How many images there are: each is less.
    size: int


class TableInput(NamedTuple):
    """A pruning table.

    The index of an entry is a number in mixed radix: the value of the first coordinate is the most
    significant digit.
    """

    #: The numbers of the 1 to 3 coordinates that it reads.
    coordinates: tuple[int, ...]
    #: Bits per entry: 2, 4 or 8. Entries of 2 bits are distances modulo 3, for moves that cost 1;
    #: the search finds the distance of a start by walking to the goal.
    bits: int
    #: The entries, packed into bytes, the lowest bits first.
    data: "Buffer"
    #: Where the first coordinate is a sym coordinate: the images of each of the others.
    images: Sequence[ImageInput] | None = None
    #: Four lower bounds, which entries of 2 bits then stand for instead of distances modulo 3.
    bounds: tuple[int, ...] = ()


class HashedInput(NamedTuple):
    """A hashed table: lower bounds for the states near the goal.

    The index of an entry is made of the low 31 bits of the exclusive or of keys. There is a key for
    each byte of what is carried along, if one of the coordinates is ranked, then one for each byte
    of the values of the others, the lowest byte first.
    """

    #: The numbers of the coordinates that it reads.
    coordinates: tuple[int, ...]
    #: The entries, 4 bits each.
    data: "Buffer"
    #: How many entries there are.
    entries: int
    #: The largest entry: the least distance of every state that is not listed.
    most: int
    #: The keys: signed 64 bits, 256 for each byte.
    keys: "Buffer"


class JoinInput(NamedTuple):
    """The estimates of a heuristic for every vector of distances."""

    #: How many distances each group of tables has. A larger distance counts as the largest.
    radix: list[int]
    #: The estimates: unsigned 16 bits, the distance of the first group most significant.
    estimates: "Buffer"


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
