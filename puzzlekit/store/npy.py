"""Valid .npy files that carry our own metadata, mapped into memory without NumPy.

NumPy's version 1.0 header is a Python dict literal, padded with blanks to a multiple of 64 bytes.
Ours ends in a comment that holds a second literal, which NumPy skips as Python would:

    {'descr': '<u2', 'fortran_order': False, 'shape': (3,), } # puzzlekit {'crc32': 17, ...}

So `numpy.load` opens the file (also with `mmap_mode="r"`), and we do so without the 130 ms of CPU
that importing NumPy costs. Only headers of exactly this form are read; all others are foreign.
"""

import ast
import math
import mmap
import os
import re
from io import FileIO
from stat import S_ISREG
from typing import Any, Literal, NamedTuple

# Native struct codes, as the store refuses big-endian machines; I has 4 bytes wherever Python runs.
DTYPES: dict[str, Literal["B", "H", "I"]] = {"u1": "B", "u2": "H", "u4": "I"}
HEADER_LIMIT = 10_000  # numpy.load refuses longer headers

_MAGIC = b"\x93NUMPY\x01\x00"
_PREFIX_BYTES = len(_MAGIC) + 2  # then two bytes: how long the rest of the header is
_ALIGNMENT = 64  # a cache line; NumPy aligns alike
_HEADER = re.compile(
    r"\{'descr': '[|<](u[124])', 'fortran_order': False, 'shape': \((\d+,|\d+, \d+)\), \}"
    r" # puzzlekit (\{.*\}) *\n"
)


class FormatError(ValueError):
    """A file that is not what it should be; the message says in words what is wrong with it."""


class NpyFile(NamedTuple):
    """An open file: `data` holds its bytes, flat and read-only, mapped rather than read.

    `dtype` is "u1", "u2" or "u4", `mtime_ns` the time of its last change in nanoseconds.
    """

    dtype: str
    shape: tuple[int, ...]
    metadata: dict[str, Any]
    data: memoryview
    mtime_ns: int


def pack_header(dtype: str, shape: tuple[int, ...], metadata: dict[str, Any]) -> bytes:
    r"""All bytes in front of the data; their number is a multiple of 64.

    `dtype` is "u1", "u2" or "u4", `shape` has one or two axes, `metadata` holds literals.
    Raises ValueError where NumPy would refuse the header for its length.

    >>> header = pack_header("u2", (3,), {"crc32": 17})
    >>> len(header), header[:8], header[-2:]
    (128, b'\x93NUMPY\x01\x00', b' \n')
    """
    order = "|" if dtype == "u1" else "<"
    literal = f"{{'descr': '{order}{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    # In ASCII as headers are Latin-1; and no line break must end the comment, which !a sees to.
    text = f"{literal} # puzzlekit {metadata!a}"
    text += " " * (-(_PREFIX_BYTES + len(text) + 1) % _ALIGNMENT) + "\n"
    if len(text) > HEADER_LIMIT:
        raise ValueError(f"a header of {len(text)} bytes; NumPy reads at most {HEADER_LIMIT}")
    return _MAGIC + len(text).to_bytes(2, "little") + text.encode("ascii")


def open_file(path: str) -> FileIO:
    """Open a file to read it; raise FormatError for a pipe or device, which would be waited for."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not S_ISREG(os.fstat(number).st_mode):
            raise FormatError("it is not a file, but a directory, pipe or device")
        return FileIO(number)
    except BaseException:
        os.close(number)
        raise


def open_npy(path: str) -> NpyFile:
    """Map the file into memory, having checked its header and its size but not its data.

    Raises OSError where it cannot be opened, FormatError where it is not a whole file of ours.
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
            metadata = dict(ast.literal_eval(literal))  # a damaged header may spell a set
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise FormatError("the metadata in its header are damaged") from error
        start = _PREFIX_BYTES + len(header)
        expected = start + math.prod(shape) * int(dtype[1])
        status = os.fstat(file.fileno())
        if status.st_size != expected:
            raise FormatError(f"it has {status.st_size} bytes instead of {expected}")
        mapped = memoryview(mmap.mmap(file.fileno(), expected, access=mmap.ACCESS_READ))
    return NpyFile(dtype, shape, metadata, mapped[start:], status.st_mtime_ns)
