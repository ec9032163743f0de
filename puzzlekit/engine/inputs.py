"""Records with the inputs of the engine: integers and arrays.

An array is any object with the buffer protocol: an `array.array`, bytes, or a part of a
memory-mapped file.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from puzzlekit.engine.space import Sym

__all__ = ["CoordinateInput", "HashedInput", "ImageInput", "TableInput"]


class CoordinateInput(NamedTuple):
    """A coordinate as the engine uses it.

    The value of a coordinate without a move table is computed from the carried bytes. These are
    bytes of the state that a search stores at each node and updates with each move. If no pruning
    table reads such a coordinate, its value is computed only at nodes where all other coordinates
    are at a goal.
    """

    #: The number of values. For a sym coordinate, the number of classes.
    size: int
    #: One of three objects that give the value after a move:
    #:
    #: - a move table: a flat array, row by row (size * moves), of unsigned 16 or 32 bits
    #: - a rank program: a tuple (see `puzzlekit.engine.opcodes`) that refers to the carried bytes
    #: - a `puzzlekit.engine.ranks.CarriedRank`, if the carried bytes are not bytes of the state
    run: Any
    #: The goal values: a list or tuple of values, or bytes with one byte for each value. The byte
    #: of a goal value is not 0.
    goals: Sequence[int] | bytes
    #: The symmetries of a sym coordinate; None for other coordinates. For a sym coordinate, `run`
    #: is the move table of its classes.
    sym: "Sym | None" = None


class ImageInput(NamedTuple):
    """The images of the values of a partner under the symmetries of a sym coordinate.

    A partner is a coordinate that shares a pruning table with the sym coordinate.
    """

    #: The image of each value under each symmetry: an array of unsigned 16 bits. Its length is
    #: size << shift, where size is the number of values of the partner.
    images: "Buffer"
    #: The number of different images. Images are numbered from 0.
    size: int


class TableInput(NamedTuple):
    """A pruning table.

    The table has one entry for each combination of values of its coordinates. For coordinates of
    sizes a, b and c with the values x, y and z, the index of the entry is (x * b + y) * c + z.
    """

    #: The numbers of one to three coordinates in the engine, the most significant first.
    coordinates: tuple[int, ...]
    #: The number of bits per entry: 2, 4 or 8; 0 if `lookup` reads the table. An entry of 2 bits is
    #: an index into `bounds`, if `bounds` is not empty. Otherwise it is a distance modulo 3, which
    #: needs moves of cost 1.
    bits: int
    #: The entries, packed into bytes, the lowest bits first.
    data: "Buffer"
    #: If the first coordinate is a sym coordinate: the images of each further coordinate.
    images: Sequence[ImageInput] | None = None
    #: Four lower bounds, if the entries of 2 bits are indices into this list. Empty otherwise.
    bounds: tuple[int, ...] = ()
    #: A `puzzlekit.engine.space.Lookup`, which reads a table of any layout; None for tables of 2, 4
    #: or 8 bits per entry.
    lookup: Any = None


class HashedInput(NamedTuple):
    """A hashed pruning table, which prunes near the goal.

    The values of several coordinates together are a joint state. If a coordinate has no move table,
    its carried bytes are the first bytes of the joint state (see `CoordinateInput`). The values of
    the other coordinates follow, the lowest byte of each value first.

    If the coordinates are sym coordinates, all have the same symmetries. A symmetry that maps the
    first value to the representative of its class is applied to all values. So the joint state has
    symmetry 0 in its first value.

    The hash of a joint state is the exclusive or of keys, one key for each byte. The index of an
    entry is computed from the low 31 bits of the hash.
    """

    #: The numbers of the coordinates in the engine.
    coordinates: tuple[int, ...]
    #: The entries, 4 bits each.
    data: "Buffer"
    #: The number of entries.
    entries: int
    #: The largest entry. It is a lower bound for all states that the build did not reach.
    most: int
    #: The keys: an array of signed 64 bits with 256 keys for each byte of a joint state.
    keys: "Buffer"


class JoinInput(NamedTuple):
    """The estimates of a heuristic, one for each combination of distances.

    A combination has one distance from each group of tables.
    """

    #: For each group of tables a number n. Distances from 0 to n - 1 are distinguished. A larger
    #: distance counts as n - 1.
    radix: list[int]
    #: The estimates: an array of unsigned 16 bits. The distance of the first group of tables is the
    #: most significant digit of an index.
    estimates: "Buffer"
