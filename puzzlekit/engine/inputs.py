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
