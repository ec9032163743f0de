"""What identifies a table, and a table at hand."""

from __future__ import annotations

import math
import re

import attrs

from puzzlekit.store.npy import DTYPES, HEADER_LIMIT

try:
    from _blake2 import blake2b  # as hashlib has it, whose import of OpenSSL takes 13 ms
except ImportError:
    from hashlib import blake2b


def slug(text: str) -> str:
    """Turn the text into a part of a path: at most 80 small letters, digits and hyphens.

    >>> slug("twist x slice distance HTM")
    'twist-x-slice-distance-htm'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:80].strip("-") or "unnamed"


def fingerprint(text: str | bytes) -> str:
    """BLAKE2b of a text in 128 bits, as 32 hex digits: a name that nobody can make collide.

    A definition file of a stranger decides what its tables are named after. Were this a checksum,
    such a file could be made that takes the tables of another puzzle for its own, or leaves wrong
    ones.

    >>> fingerprint("3^7 by 18")
    'baefed4f5bc7920a8dab9d9033fe4042'
    """
    data = text.encode() if isinstance(text, str) else text
    return blake2b(data, digest_size=16).hexdigest()


@attrs.frozen(repr=False)
class TableKey:
    """What identifies a table: all that must be known to find it or to build it.

    `puzzle` and `name` are for people and name the file ("cube3", "twist x slice distance HTM").
    `identity` is the canonical text of everything that the table is built from, `dtype` one of
    "u1", "u2" and "u4" (unsigned bytes, stored little-endian), `shape` one or two axes, `purpose`
    one sentence that says what the file is for.

    Raises ValueError for any other dtype or shape, or for texts too long for a header.

    >>> key = TableKey("cube3", "Twist moves", "3^7 by 18", "u2", (2187, 18), "Turns the corners.")
    >>> key.nbytes
    78732
    >>> key.filename
    'twist-moves-baefed4f5bc7920a8dab9d9033fe4042.npy'
    """

    puzzle: str
    name: str
    identity: str
    dtype: str
    shape: tuple[int, ...]
    purpose: str = attrs.field(eq=False)

    def __attrs_post_init__(self) -> None:
        """Refuse now what could not be written after a long build."""
        if self.dtype not in DTYPES:
            raise ValueError(f"a table of dtype {self.dtype!r}; there are {', '.join(DTYPES)}")
        if len(self.shape) not in (1, 2) or min(self.shape) < 1:
            raise ValueError(f"a table of shape {self.shape}; one or two axes of at least 1")
        if len(ascii((self.puzzle, self.name, self.purpose))) > HEADER_LIMIT - 1000:
            raise ValueError(f"the names of table {self.name[:60]!r} are too long for a header")

    @property
    def fingerprint(self) -> str:
        """A cryptographic hash of the identity, 32 hex digits."""
        return fingerprint(self.identity)

    @property
    def filename(self) -> str:
        """The name of the file, without its directory."""
        return f"{slug(self.name)}-{self.fingerprint}.npy"

    @property
    def nbytes(self) -> int:
        """How many bytes the data take, in memory and on disk."""
        return math.prod(self.shape) * int(self.dtype[1])


@attrs.frozen(eq=False, repr=False)
class Table:
    """A table at hand: `data` is flat, C-contiguous and read-only, of format B, H or I.

    `source` says where it comes from: "disk", "built" (now on disk) or "memory" (lost at exit).
    `crc32` is the checksum of the data as the file states it; None for those in memory.
    """

    key: TableKey
    data: memoryview
    source: str
    crc32: int | None = None
