"""Valid .npy files with metadata of puzzlekit, mapped into memory without NumPy.

The header of a .npy file of version 1.0 is a Python dict literal. Blanks pad it to a multiple of 64
bytes. The header of puzzlekit ends with a comment that contains a second literal. NumPy ignores the
comment, as Python does:

    {'descr': '<u2', 'fortran_order': False, 'shape': (3,), } # puzzlekit {'crc32': 17, ...}

So `numpy.load` can open the file, also with `mmap_mode="r"`. Puzzlekit opens the file without
NumPy, because importing NumPy takes 130 ms. It accepts only headers of exactly this form.
"""

import ast
import math
import mmap
import os
import re
from io import FileIO
from stat import S_ISREG
from typing import Any, Literal, NamedTuple

# Native struct codes suffice, because the store refuses big-endian machines. The code I always has
# 4 bytes.
DTYPES: dict[str, Literal["B", "H", "I"]] = {"u1": "B", "u2": "H", "u4": "I"}
HEADER_LIMIT = 10_000  # numpy.load refuses longer headers

_MAGIC = b"\x93NUMPY\x01\x00"
_PREFIX_BYTES = len(_MAGIC) + 2  # two bytes hold the length of the rest of the header
_ALIGNMENT = 64  # a cache line, as in NumPy
_HEADER = re.compile(
    r"\{'descr': '[|<](u[124])', 'fortran_order': False, 'shape': \((\d+,|\d+, \d+)\), \}"
    r" # puzzlekit (\{.*\}) *\n"
)


class FormatError(ValueError):
    """A file is unusable. The message describes the file. Its first word is "it" or "its"."""


class NpyFile(NamedTuple):
    """An open file."""

    #: "u1", "u2" or "u4".
    dtype: str
    shape: tuple[int, ...]
    metadata: dict[str, Any]
    #: The data of the file, mapped into memory: flat and read-only bytes.
    data: memoryview
    #: The modification time in nanoseconds.
    mtime_ns: int


def pack_header(dtype: str, shape: tuple[int, ...], metadata: dict[str, Any]) -> bytes:
    r"""Return all bytes in front of the data. The number of bytes is a multiple of 64.

    - `dtype`: "u1", "u2" or "u4".
    - `shape`: one or two numbers.
    - `metadata`: values that can be written as Python literals.

    Raises ValueError if the header is too long for NumPy.

    >>> header = pack_header("u2", (3,), {"crc32": 17})
    >>> len(header), header[:8], header[-2:]
    (128, b'\x93NUMPY\x01\x00', b' \n')
    """
    order = "|" if dtype == "u1" else "<"
    literal = f"{{'descr': '{order}{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    # !a makes the text ASCII, because headers are Latin-1. It also escapes line breaks, which would
    # end the comment.
    text = f"{literal} # puzzlekit {metadata!a}"
    text += " " * (-(_PREFIX_BYTES + len(text) + 1) % _ALIGNMENT) + "\n"
    if len(text) > HEADER_LIMIT:
        raise ValueError(
            f"the header has {len(text)} bytes, but NumPy reads at most {HEADER_LIMIT} bytes"
        )
    return _MAGIC + len(text).to_bytes(2, "little") + text.encode("ascii")


def open_file(path: str) -> FileIO:
    """Open a file for reading. Raise FormatError for a pipe or device, because it may block."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not S_ISREG(os.fstat(number).st_mode):
            raise FormatError("it is not a file, but a directory, pipe or device")
        return FileIO(number)
    except BaseException:
        os.close(number)
        raise


def open_npy(path: str) -> NpyFile:
    """Map a file into memory. Check its header and its size, but not its data.

    Raises OSError if the file cannot be opened. Raises FormatError if it is not a complete file of
    the store.
    """
    with open_file(path) as file:
        prefix = file.read(_PREFIX_BYTES)
        if len(prefix) < _PREFIX_BYTES or not prefix.startswith(_MAGIC):
            raise FormatError("it is not a .npy file of version 1.0")
        header = file.read(int.from_bytes(prefix[len(_MAGIC) :], "little"))
        match = _HEADER.fullmatch(header.decode("latin-1"))
        if match is None:
            raise FormatError("its header was not written by puzzlekit, or is damaged")
        dtype, axes, literal = match.groups()
        try:
            shape = tuple(int(axis) for axis in axes.split(",") if axis)
            metadata = dict(ast.literal_eval(literal))  # a damaged header may contain a set
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise FormatError("the metadata in its header are damaged") from error
        start = _PREFIX_BYTES + len(header)
        expected = start + math.prod(shape) * int(dtype[1])
        status = os.fstat(file.fileno())
        if status.st_size != expected:
            raise FormatError(f"it has {status.st_size} bytes instead of {expected}")
        mapped = memoryview(mmap.mmap(file.fileno(), expected, access=mmap.ACCESS_READ))
    return NpyFile(dtype, shape, metadata, mapped[start:], status.st_mtime_ns)
