"""Tables, and the keys that identify them."""

from __future__ import annotations

import math
import re

import attrs

from puzzlekit.store.npy import DTYPES, HEADER_LIMIT

try:
    from _blake2 import blake2b  # the same as in hashlib, whose import of OpenSSL takes 13 ms
except ImportError:
    from hashlib import blake2b


def slug(text: str) -> str:
    """Turn the text into a part of a path: at most 80 lowercase letters, digits and hyphens.

    >>> slug("twist x slice distance HTM")
    'twist-x-slice-distance-htm'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:80].strip("-") or "unnamed"


def fingerprint(text: str | bytes) -> str:
    """Return the BLAKE2b hash of a text in 128 bits, as 32 hex digits.

    A definition file from a stranger determines the text. A cryptographic hash keeps such a file
    from using the tables of another puzzle, or from storing wrong tables for it.

    >>> fingerprint("3^7 by 18")
    'baefed4f5bc7920a8dab9d9033fe4042'
    """
    data = text.encode() if isinstance(text, str) else text
    return blake2b(data, digest_size=16).hexdigest()


@attrs.frozen(repr=False)
class TableKey:
    """Identifies a table: everything needed to find it or to build it.

    Raises ValueError for an unknown dtype or shape, or for texts that are too long for a header.

    >>> key = TableKey("cube3", "Twist moves", "3^7 by 18", "u2", (2187, 18), "Turns the corners.")
    >>> key.nbytes
    78732
    >>> key.filename
    'twist-moves-baefed4f5bc7920a8dab9d9033fe4042.npy'
    """

    #: The name of the puzzle ("cube3"), for people and for the path of the file.
    puzzle: str
    #: The name of the table ("twist x slice distance HTM"), for people and for the path.
    name: str
    #: The canonical text of everything that the table is built from.
    identity: str
    #: "u1", "u2" or "u4": unsigned numbers of 1, 2 or 4 bytes, stored little-endian.
    dtype: str
    #: One or two axes.
    shape: tuple[int, ...]
    #: One sentence that says what the table is for.
    purpose: str = attrs.field(eq=False)

    def __attrs_post_init__(self) -> None:
        """Refuse keys whose table could not be written after a long build."""
        if self.dtype not in DTYPES:
            raise ValueError(f"a table cannot have dtype {self.dtype!r}; use {', '.join(DTYPES)}")
        if len(self.shape) not in (1, 2) or min(self.shape) < 1:
            raise ValueError(f"a table cannot have shape {self.shape}; use 1 or 2 axes, each >= 1")
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
        """The number of bytes of the data, in memory and on disk."""
        return math.prod(self.shape) * int(self.dtype[1])


@attrs.frozen(eq=False, repr=False)
class Table:
    """An open table."""

    key: TableKey
    #: Flat, C-contiguous and read-only, of format B, H or I.
    data: memoryview
    #: "disk", "built" (now on disk) or "memory" (lost at exit).
    source: str
    #: The checksum of the data according to the file; None for a table in memory.
    crc32: int | None = None
