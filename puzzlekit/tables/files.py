"""The files of the store: paths and names, and functions that write, list and check files."""

import contextlib
import os
import re
import sys
import time
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from puzzlekit.errors import TableError
from puzzlekit.tables.npy import FormatError, NpyFile, open_npy, pack_header
from puzzlekit.tables.table import TableKey

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
}
# A fingerprint has 32 digits. In older versions it had 16 digits. The store only lists and removes
# such files.
_DIGITS = "[0-9a-f]{16}|[0-9a-f]{32}"
_PLACE = rf"v(\d{{1,9}})/([^/]+)/((.+)-({_DIGITS})\.npy)(\.lock|\.owner|\.[0-9a-f]{{8}}\.tmp)?"


class StoredFile(NamedTuple):
    """A file in the store. For an unusable file, all fields with a default have this default."""

    path: str
    #: The format version of the directory that contains the file.
    format: int
    #: The name of the puzzle from the header. If the file is unusable, the name is from the path.
    puzzle: str
    #: The name of the table from the header. If the file is unusable, the name is from the path.
    name: str
    fingerprint: str
    #: The size of the file in bytes.
    nbytes: int
    #: One sentence that says what the table is for.
    purpose: str = ""
    dtype: str = ""
    shape: tuple[int, ...] = ()
    #: The duration of the build in seconds.
    seconds: float = 0.0
    #: Why the file is unusable; None if it is usable.
    problem: str | None = None
    #: The version of puzzlekit that built the file; empty in files of old versions.
    version: str = ""


def files(root: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the path of each file of the store, and the match of the path with its pattern."""
    from glob import iglob

    for path in sorted(iglob("v*/*/*.npy*", root_dir=root)):
        place = re.fullmatch(_PLACE, path.replace(os.sep, "/"))
        if place:
            yield os.path.join(root, path), place


def scan(root: str) -> Iterator[tuple[StoredFile, NpyFile | None]]:
    """Yield each table file with its contents. The contents are None if the file is unusable."""
    for path, place in files(root):
        version, directory, _, name, fingerprint, left_over = place.groups()
        if left_over:
            continue
        try:
            nbytes = os.stat(path).st_size
        except OSError:
            continue  # it was removed meanwhile
        stored = StoredFile(path, int(version), directory, name, fingerprint, nbytes)
        try:
            if stored.format != FORMAT:
                raise FormatError(
                    f"it has format {stored.format}, but this version of puzzlekit reads {FORMAT}"
                )
            file = open_npy(path)
            check_metadata(file)
            if file.metadata["fingerprint"] != fingerprint:
                raise FormatError("its name and its header state different fingerprints")
        except (OSError, FormatError) as error:
            yield stored._replace(problem=reason(error)), None
            continue
        facts = {name: file.metadata[name] for name in ("puzzle", "name", "purpose", "seconds")}
        version = file.metadata.get("version", "")
        yield stored._replace(dtype=file.dtype, shape=file.shape, version=version, **facts), file


def write(path: str, key: TableKey, data: memoryview, seconds: float) -> None:
    """Write the file atomically: write a temporary file, then rename it."""
    from puzzlekit.version import __version__

    # The time is even and in the past. So no later change gets the same time, even if the file
    # system rounds times to two seconds.
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
    temporary = f"{path}.{os.urandom(4).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(pack_header(key.dtype, key.shape, metadata))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # otherwise a power failure may leave a file of zeros
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
    found = {name: type(value) for name, value in file.metadata.items()}
    if found not in (_FIELDS, {**_FIELDS, "version": str}):  # older files have no "version"
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
