"""Input records of the engine: integers and arrays.

An array is any buffer: an `array.array`, bytes, or a part of a memory-mapped file.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from puzzlekit.engine.space import Sym


class CoordinateInput(NamedTuple):
    """A coordinate of a space."""

    #: The number of values; for a sym coordinate the number of classes.
    size: int
    #: How to find the value after a move. Usually a move table: flat, row by row (size * moves),
    #: unsigned 16 or 32 bits. Or a rank program for the carried bytes: a tuple, see
    #: `puzzlekit.engine.opcodes`. Or a `puzzlekit.engine.ranks.PairRank`, if the carried bytes are
    #: a pairing. If there is no move table and no pruning table reads the coordinate, it is ranked
    #: only when all other coordinates are at a goal.
    run: Any
    #: The values at the goal: a list or tuple of them, or a byte for each value, not 0 at the goal.
    goals: Sequence[int] | bytes
    #: The symmetries of a sym coordinate. `run` is then the move table of its classes.
    sym: "Sym | None" = None


class ImageInput(NamedTuple):
    """The images of another coordinate's values under the symmetries of a sym coordinate."""

    #: The image of each value under each symmetry: unsigned 16 bits, (size << shift) of them.
    images: "Buffer"
    #: The number of images. Each image is less than this number.
    size: int


class TableInput(NamedTuple):
    """A pruning table.

    The index of an entry is a number in mixed radix: the value of the first coordinate is the most
    significant digit.
    """

    #: The numbers of its coordinates: 1 to 3.
    coordinates: tuple[int, ...]
    #: Bits per entry: 2, 4 or 8. Entries of 2 bits are distances modulo 3, for moves of cost 1. The
    #: search finds the distance of a start by walking to the goal.
    bits: int
    #: The entries, packed into bytes, the lowest bits first.
    data: "Buffer"
    #: The images of each further coordinate, if the first one is a sym coordinate.
    images: Sequence[ImageInput] | None = None
    #: Four lower bounds. Entries of 2 bits are then indices of bounds, not distances modulo 3.
    bounds: tuple[int, ...] = ()


class HashedInput(NamedTuple):
    """A hashed table: lower bounds for the states near the goal.

    The index of an entry is computed from the low 31 bits of the exclusive or of keys. If one of
    the coordinates is ranked, each carried byte has a key. Then each byte of the values of the
    other coordinates has a key, the lowest byte first.
    """

    #: The numbers of its coordinates.
    coordinates: tuple[int, ...]
    #: The entries, 4 bits each.
    data: "Buffer"
    #: The number of entries.
    entries: int
    #: The largest entry: a lower bound for every state that is not listed.
    most: int
    #: The keys: signed 64 bits, 256 for each byte.
    keys: "Buffer"


class JoinInput(NamedTuple):
    """The estimates of a heuristic for every vector of distances."""

    #: The number of distances of each group of tables. Larger distances count as the largest one.
    radix: list[int]
    #: The estimates: unsigned 16 bits. The distance of the first group is the most significant.
    estimates: "Buffer"
