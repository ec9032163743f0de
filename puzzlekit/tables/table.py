"""Tables, and the keys that identify them."""

from __future__ import annotations

import math
import re

import attrs

from puzzlekit.tables.npy import DTYPES, HEADER_LIMIT

__all__ = ["TableKey"]

try:
    from _blake2 import blake2b  # the same as in hashlib, whose import of OpenSSL takes 13 ms
except ImportError:
    from hashlib import blake2b


def slug(text: str) -> str:
    """Return the text as a part of a path: at most 80 lowercase letters, digits and hyphens.

    >>> slug("twist x slice distance HTM")
    'twist-x-slice-distance-htm'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:80].strip("-") or "unnamed"


def fingerprint(text: str | bytes) -> str:
    """Return the BLAKE2b hash of a string or bytes: 128 bits as 32 hex digits.

    The string may come from a definition file of an untrusted author. Because the hash is
    cryptographic, nobody can construct another string with the same fingerprint. So a definition
    file can neither use nor replace the tables of another puzzle.

    >>> fingerprint("3^7 by 18")
    'baefed4f5bc7920a8dab9d9033fe4042'
    """
    data = text.encode() if isinstance(text, str) else text
    return blake2b(data, digest_size=16).hexdigest()


@attrs.frozen(repr=False)
class TableKey:
    """The key of a table: its name, a string that identifies its contents, and its format.

    Raises ValueError if the dtype or the shape is not possible, or if the strings are too long for
    the header of a file.

    >>> key = TableKey("cube3", "Twist moves", "3^7 by 18", "u2", (2187, 18), "Turns the corners.")
    >>> key.nbytes
    78732
    >>> key.filename
    'twist-moves-baefed4f5bc7920a8dab9d9033fe4042.npy'
    """

    #: The name of the puzzle: "cube3". It is part of the path of the file.
    puzzle: str
    #: The name of the table: "twist x slice distance HTM". It is part of the path of the file.
    name: str
    #: A string that differs between tables with different contents. The fingerprint is its hash.
    identity: str
    #: "u1", "u2" or "u4": unsigned numbers of 1, 2 or 4 bytes, stored little-endian.
    dtype: str
    #: The shape of the table, with one or two axes.
    shape: tuple[int, ...]
    #: One sentence that says what the table is for.
    purpose: str = attrs.field(eq=False)

    def __attrs_post_init__(self) -> None:
        """Refuse a key before a long build, if the table could not be written after the build."""
        if self.dtype not in DTYPES:
            raise ValueError(f"a table cannot have dtype {self.dtype!r}; use {', '.join(DTYPES)}")
        if len(self.shape) not in (1, 2) or min(self.shape) < 1:
            raise ValueError(f"a table cannot have shape {self.shape}; use 1 or 2 axes, each >= 1")
        if len(ascii((self.puzzle, self.name, self.purpose))) > HEADER_LIMIT - 1000:
            raise ValueError(
                f"the header of table {self.name[:60]!r} is too long: use shorter names"
            )

    @property
    def fingerprint(self) -> str:
        """A cryptographic hash of the identity, as 32 hex digits."""
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
    #: The entries: flat, C-contiguous, read-only, with format B, H or I.
    data: memoryview
    #: "disk" if the table was on disk; "built" if it was built and is now on disk; "memory" if it
    #: is lost at exit.
    source: str
    #: The checksum of the data, as the file states it. None for a table in memory.
    crc32: int | None = None
