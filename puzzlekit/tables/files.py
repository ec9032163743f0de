"""The files of the store: their format, their names, and the locks of builds.

A table is a valid .npy file with metadata of puzzlekit. The header of a .npy file of version 1.0 is
a Python dict literal, which blanks pad to a multiple of 64 bytes. The header of puzzlekit ends with
a comment that contains a second literal. NumPy ignores the comment, as Python does:

    {'descr': '<u2', 'fortran_order': False, 'shape': (3,), } # puzzlekit {'crc32': 17, ...}

So `numpy.load` can open the file, also with `mmap_mode="r"`. Puzzlekit maps the file without NumPy,
because importing NumPy takes 130 ms. It accepts only headers of exactly this form.

While a process builds the table `x.npy`, the operating system locks `x.npy.lock` for it.
`x.npy.owner` contains the number of the process, for the messages of processes that wait.
"""

from __future__ import annotations

import ast
import contextlib
import math
import mmap
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from stat import S_ISREG
from typing import Any, NamedTuple

from puzzlekit.errors import TableError
from puzzlekit.tables.table import HEADER_LIMIT, TableSpec

_MAGIC = b"\x93NUMPY\x01\x00"
_PREFIX_BYTES = len(_MAGIC) + 2  # two bytes hold the length of the rest of the header
_ALIGNMENT = 64  # a cache line, as in NumPy
_HEADER = re.compile(
    r"\{'descr': '[|<](u[124])', 'fortran_order': False, 'shape': \((\d+,|\d+, \d+)\), \}"
    r" # puzzlekit (\{.*\}) *\n"
)


class FormatError(ValueError):
    """A file is unusable. The message describes the file. Its first word is "it" or "its"."""


class IncompleteError(FormatError):
    """A file ends too early."""


class NpyFile(NamedTuple):
    """An open file, or a part of a file that is a complete .npy file."""

    #: "u1", "u2" or "u4".
    dtype: str
    shape: tuple[int, ...]
    metadata: dict[str, Any]
    #: All bytes, mapped into memory and read-only: the header and the data.
    content: memoryview
    #: The data: flat bytes.
    data: memoryview
    #: The modification time in nanoseconds; 0 for a part of a file.
    mtime_ns: int = 0


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


def map_file(path: str) -> tuple[memoryview, os.stat_result]:
    """Map a file into memory, read-only. Raise OSError or FormatError if that is not possible."""
    with open_file(path) as file:
        status = os.fstat(file.fileno())
        if not status.st_size:  # cannot be mapped
            return memoryview(b""), status
        content = mmap.mmap(file.fileno(), status.st_size, access=mmap.ACCESS_READ)
        return memoryview(content), status


def open_npy(path: str) -> NpyFile:
    """Map a file into memory. Check its header and its size, but not its data.

    Raises OSError if the file cannot be opened. Raises FormatError if it is not a complete file of
    the store.
    """
    content, status = map_file(path)
    file = parse_npy(content)._replace(mtime_ns=status.st_mtime_ns)
    if len(content) != len(file.content):
        raise FormatError(f"it has {len(content)} bytes instead of {len(file.content)}")
    return file


def parse_npy(content: memoryview) -> NpyFile:
    """Parse the .npy file with which bytes begin. Raise FormatError as `open_npy` does."""
    start = _PREFIX_BYTES + int.from_bytes(content[len(_MAGIC) : _PREFIX_BYTES], "little")
    kind = IncompleteError if len(content) < start else FormatError
    if len(content) < _PREFIX_BYTES or content[: len(_MAGIC)] != _MAGIC:
        raise kind("it is not a .npy file of version 1.0")
    match = _HEADER.fullmatch(str(content[_PREFIX_BYTES:start], "latin-1"))
    if match is None:
        raise kind("its header was not written by puzzlekit, or is damaged")
    dtype, axes, literal = match.groups()
    try:
        shape = tuple(int(axis) for axis in axes.split(",") if axis)
        metadata = dict(ast.literal_eval(literal))  # a damaged header may contain a set
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise FormatError("the metadata in its header are damaged") from error
    end = start + math.prod(shape) * int(dtype[1])
    if len(content) < end:
        raise IncompleteError(f"it has {len(content)} bytes instead of {end}")
    return NpyFile(dtype, shape, metadata, content[:end], content[start:end])


FORMAT = 1  # part of the directory name; increase it when older files become unusable

_FIELDS = {
    "format": int,
    "puzzle": str,
    "name": str,
    "purpose": str,
    "fingerprint": str,
    "crc32": int,  # checksum of the data
    "mtime_ns": int,
    "seconds": float,  # duration of the build
    "version": str,
}
_NAME = r"((.+)-([0-9a-f]{32})\.npy)(\.lock|\.owner|\.[0-9a-f]{8}\.tmp)?"


class StoredFile(NamedTuple):
    """A table on disk, or an unusable file, whose fields with a default have this default."""

    path: str
    #: The name of the puzzle from the header. If the file is unusable, the name is from the path.
    puzzle: str
    #: The name of the table from the header. If the file is unusable, the name is from the path.
    name: str
    fingerprint: str
    #: The size of the file in bytes.
    nbytes: int
    #: One sentence that says what the table is for.
    purpose: str = ""
    #: The duration of the build in seconds.
    seconds: float = 0.0
    #: Why the file is unusable; None if it is usable.
    problem: str | None = None
    #: The version of puzzlekit that built the file.
    version: str = ""


def files(root: str, directory: str | None) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the path of each file of the store, and the match of its name with their pattern.

    `directory` names the directory of one puzzle, without its path. None means the directories of
    all puzzles.
    """
    from glob import iglob

    for path in sorted(iglob(f"v{FORMAT}/{directory or '*'}/*.npy*", root_dir=root)):
        name = re.fullmatch(_NAME, os.path.basename(path))
        if name:
            yield os.path.join(root, path), name


def scan(root: str, directory: str | None = None) -> Iterator[tuple[StoredFile, NpyFile | None]]:
    """Yield each table file, of `files`, with its contents; None if the file is unusable."""
    for path, parts in files(root, directory):
        _, name, fingerprint, left_over = parts.groups()
        if left_over:
            continue
        try:
            nbytes = os.stat(path).st_size
        except OSError:
            continue  # it was removed meanwhile
        puzzle = os.path.basename(os.path.dirname(path))
        stored = StoredFile(path, puzzle, name, fingerprint, nbytes)
        try:
            file = open_npy(path)
            check_metadata(file)
            if file.metadata["fingerprint"] != fingerprint:
                raise FormatError("its name and its header state different fingerprints")
        except (OSError, FormatError) as error:
            yield stored._replace(problem=reason(error)), None
            continue
        yield described(stored, file), file


def described(stored: StoredFile, file: NpyFile) -> StoredFile:
    """Add what the header of a table says."""
    names = "puzzle", "name", "fingerprint", "purpose", "seconds", "version"
    return stored._replace(**{name: file.metadata[name] for name in names})


def headed(key: TableSpec, data: memoryview, seconds: float) -> tuple[bytes, int]:
    """Return the header of the file of a table, and the modification time to give to the file.

    The time is even and in the past. So no later change gets the same time, even if the file system
    rounds times to two seconds.
    """
    from puzzlekit.version import __version__

    mtime_ns = (int(time.time()) // 2 - 1) * 2 * 10**9
    metadata = {
        "format": FORMAT,
        "version": __version__,
        "puzzle": key.puzzle,
        "name": key.name,
        "purpose": key.purpose,
        "fingerprint": key.fingerprint,
        "crc32": zlib.crc32(data),
        "mtime_ns": mtime_ns,
        "seconds": round(seconds, 3),
    }
    return pack_header(key.dtype, key.shape, metadata), mtime_ns


def write(path: str, parts: Iterable[bytes | memoryview], mtime_ns: int | None = None) -> None:
    """Write the file atomically: write a temporary file, then rename it."""
    temporary = f"{path}.{os.urandom(4).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power failure may leave a file of zeros
        if mtime_ns is not None:
            set_mtime(temporary, mtime_ns)
        os.replace(temporary, path)
        _sync_directory(os.path.dirname(path))
    except BaseException:  # includes Ctrl-C
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _sync_directory(path: str) -> None:
    """Write the new name to disk. If that fails, a power failure may lose the new file."""
    with contextlib.suppress(OSError):  # Windows cannot open directories
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def set_mtime(path: str, mtime_ns: int) -> None:
    """Mark the file as checked. If that fails, the store checks the file whenever it opens it."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(mtime_ns, mtime_ns))


def distrust(path: str) -> None:
    """Mark the file as possibly damaged, so that its data are checked when it is opened again."""
    with contextlib.suppress(OSError):
        os.utime(path)


def check_metadata(file: NpyFile) -> None:
    """Raise FormatError if the metadata do not have the fields of this format version."""
    if {name: type(value) for name, value in file.metadata.items()} != _FIELDS:
        raise FormatError("the metadata in its header are incomplete")
    if file.metadata["format"] != FORMAT:
        raise FormatError(f"it has format {file.metadata['format']} instead of {FORMAT}")


def altered(file: NpyFile) -> str | None:
    """Read all data of a file. Return a description of the problem, or None if there is none."""
    if zlib.crc32(file.data) == file.metadata["crc32"]:
        return None
    return "its data were altered or damaged (wrong checksum)"


def reason(error: Exception | None) -> str:
    """Describe the error without the path of the file, because callers name the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def default_cache_directory() -> str:
    """Return the directory for tables: $PUZZLEKIT_CACHE if it is set, else the user's cache.

    The user's cache is the same as `platformdirs.user_cache_dir("puzzlekit", appauthor=False)`.
    Importing platformdirs would take 40 ms. In some containers a user has no home directory. Then
    the directory is below "/".

    Raises TableError if $PUZZLEKIT_CACHE names the home directory of an unknown user.

    >>> os.path.isabs(default_cache_directory())
    True
    """
    chosen = os.environ.get("PUZZLEKIT_CACHE", "").strip()
    if chosen:
        expanded = os.path.expanduser(chosen)
        if expanded.startswith("~"):
            user = expanded.replace(os.sep, "/").partition("/")[0]
            raise TableError(
                f"PUZZLEKIT_CACHE is {chosen!r}, but {user} has no home directory; if you mean a "
                f"directory of that name, write './{chosen}'"
            )
        return os.path.abspath(expanded)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or _in_home("AppData", "Local")
        return os.path.join(local, "puzzlekit", "Cache")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification says to ignore relative paths
        base = _in_home("Library", "Caches") if sys.platform == "darwin" else _in_home(".cache")
    return os.path.join(base, "puzzlekit")


def _in_home(*parts: str) -> str:
    """Return a path in the home directory; in the root directory if the user has no home."""
    home = os.path.expanduser("~")
    return os.path.join(home if os.path.isabs(home) else os.path.abspath(os.sep), *parts)


_POLL = 0.05  # seconds
_MOST_FOR_STOPPED = 10.0  # seconds to wait for a stopped process

Waiting = Callable[[str, float], None]


class LockTimeout(OSError):
    """Another process has held the lock for longer than the timeout."""


@contextlib.contextmanager
def build_lock(
    path: str, timeout: float, waiting: Waiting, is_done: Callable[[], bool]
) -> Iterator[None]:
    """Hold the lock of the table at `path` inside the `with` block.

    If `is_done`, whoever locks the file next finds the table, so the file is removed at the end.

    While another process holds the lock, the function repeatedly calls `waiting`. The arguments are
    a description of that process and the number of seconds waited so far. `waiting` may raise an
    exception to stop waiting.

    Raises LockTimeout after `timeout` seconds. If the other process is stopped (SIGSTOP), it raises
    LockTimeout after 10 seconds. Raises OSError if the file system has no locks.
    """
    from filelock import FileLock, Timeout

    started = time.monotonic()
    lock = FileLock(path + ".lock")
    while True:
        check_locks(path + ".lock")
        try:
            lock.acquire(timeout=0)
            break
        except Timeout:
            waited = time.monotonic() - started
            owner, stopped = _owner(path)
            if waited >= (min(timeout, _MOST_FOR_STOPPED) if stopped else timeout):
                raise LockTimeout(f"{owner} has held its lock for {waited:.0f} s") from None
            waiting(owner, waited)
            time.sleep(_POLL)
    try:
        _remove(path + ".owner")  # a killed process may have left this file
        with contextlib.suppress(OSError), open(path + ".owner", "x") as file:
            file.write(f"{os.getpid()} {_host()}\n")
        yield
    finally:
        _remove(path + ".owner")
        done = is_done()
        lock.release()
        if done:
            _remove(path + ".lock")


def check_locks(path: str) -> None:
    """Raise OSError if the file system has no locks.

    On such a file system, some versions of filelock poll for a lock until they time out. Other
    versions use the existence of a file as the lock. If the process is killed, the file remains.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where every file system has locks
        return
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o644)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # another process holds the lock
        pass
    finally:
        os.close(number)


def sweep(root: str, directory: str | None) -> None:
    """Remove the temporary files and lock files, of `files`, except those of running builds."""
    left_over: dict[str, list[str]] = {}
    for path, parts in files(root, directory):
        if parts[4]:
            table = os.path.join(os.path.dirname(path), parts[1])
            left_over.setdefault(table, []).append(path)
    if not left_over:
        return
    from filelock import FileLock

    for table, paths in left_over.items():
        with contextlib.suppress(OSError, NotImplementedError):
            check_locks(table + ".lock")
            with FileLock(table + ".lock", timeout=0):
                for path in paths:
                    if not path.endswith(".lock"):
                        os.unlink(path)
            os.unlink(table + ".lock")  # after the release: Windows cannot remove open files


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _owner(path: str) -> tuple[str, bool]:
    """Return a description of the process that builds a table, and whether it is stopped.

    The second value is False if this is not known.
    """
    try:
        with open_file(path + ".owner") as file:
            pid, host = file.read(300).decode("ascii", "replace").split()
        process = int(pid)
    except (OSError, ValueError):  # the file is being written right now
        return "another process", False
    if host != _host():
        return f"process {process} on {host}", False
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/stat") as file:
        if file.read().rpartition(")")[2].split()[0] in "Tt":
            return f"process {process}, which is stopped,", True
    return f"process {process}", False


def _host() -> str:
    """Return the name of this computer without blanks. Computers may share the directory."""
    import socket

    return "-".join(socket.gethostname().split()) or "-"
