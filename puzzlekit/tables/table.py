"""Tables: what each is, and the checksums of their data."""

from __future__ import annotations

import math
import re
import threading
import time
import zlib
from collections.abc import Iterable
from functools import cached_property
from typing import Literal

import attrs

__all__ = ["TableSpec"]


try:
    from _blake2 import blake2b  # the same as in hashlib, whose import of OpenSSL takes 13 ms
except ImportError:
    from hashlib import blake2b

# Native struct codes suffice, because the store refuses big-endian machines. The code I always has
# 4 bytes.
DTYPES: dict[str, Literal["B", "H", "I"]] = {"u1": "B", "u2": "H", "u4": "I"}
HEADER_LIMIT = 10_000  # numpy.load refuses longer headers


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


def filename(name: str, fingerprint: str) -> str:
    """Return the name of the file of a table."""
    return f"{slug(name)}-{fingerprint}.npy"


@attrs.frozen(slots=False, repr=False)
class TableSpec:
    """What a table is: its name, a string that identifies its contents, its format and purpose.

    It is the key of the table in a `TableStore`.

    Raises ValueError if the dtype or the shape is not possible, or if the strings are too long for
    the header of a file.

    >>> spec = TableSpec(
    ...     "cube3", "Twist moves", "3^7 by 18", "u2", (2187, 18), "Turns the corners."
    ... )
    >>> spec.nbytes
    78732
    >>> spec.filename
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
    #: About how many seconds a build takes: progress is measured by it. By default, what an
    #: ordinary table of this size takes.
    seconds: float = attrs.field(eq=False, kw_only=True)

    @seconds.default
    def _seconds(self) -> float:
        return 1e-7 * self.nbytes

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

    @cached_property
    def fingerprint(self) -> str:
        """A cryptographic hash of the identity, as 32 hex digits."""
        return fingerprint(self.identity)

    @cached_property
    def filename(self) -> str:
        """The name of the file, without its directory."""
        return filename(self.name, self.fingerprint)

    @property
    def nbytes(self) -> int:
        """The number of bytes of the data, in memory and on disk."""
        return math.prod(self.shape) * int(self.dtype[1])


@attrs.define(eq=False, repr=False, on_setattr=attrs.setters.frozen)
class Table:
    """An open table."""

    key: TableSpec
    #: The entries: flat, C-contiguous, read-only, with format B, H or I.
    data: memoryview
    #: "disk" if the table was on disk; "built" if it was built and is now on disk; "memory" if it
    #: is lost at exit.
    source: str
    #: The checksum of the data, as the file states it. None for a table in memory.
    crc32: int | None = None
    #: When the data was last compared with the checksum, in seconds of `time.monotonic`.
    compared: float = attrs.field(default=-math.inf, init=False, on_setattr=attrs.setters.NO_OP)


LATELY = 600.0  # number of seconds before a table is compared again
_SHARE = 0.05  # comparisons that are `sparing` take at most this share of the CPU time
_FIRST_RATE = 2e9  # assumed bytes per second, until the rate is measured


class Checks:
    """Compares the data of each open table with its checksum, at most once per `LATELY` seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._nbytes = 0
        self._seconds = 0.0

    def note(self, table: Table) -> None:
        """Record that the table has just been compared."""
        table.compared = time.monotonic()

    def damaged(self, tables: Iterable[Table], sparing: bool) -> list[Table]:
        """Compare tables that were not compared recently with their checksums; return damaged ones.

        If `sparing`, the method compares nothing when all comparisons so far and these would take
        more than a twentieth of the CPU time of the process.
        """
        lately = time.monotonic() - LATELY
        due = [each for each in tables if each.compared < lately and each.crc32 is not None]
        if not due or (sparing and not self._affords(sum(each.data.nbytes for each in due))):
            return []
        found = []
        with self._lock:
            for table in due:
                if table.compared >= lately:  # another thread compared it meanwhile
                    continue
                started = time.perf_counter()
                sound = zlib.crc32(table.data) == table.crc32
                self._seconds += time.perf_counter() - started
                self._nbytes += table.data.nbytes
                if sound:
                    self.note(table)
                else:
                    found.append(table)
        return found

    def _affords(self, nbytes: int) -> bool:
        rate = self._nbytes / self._seconds if self._nbytes > 1 << 20 else _FIRST_RATE
        return self._seconds + nbytes / rate <= _SHARE * time.process_time()
