"""The files of the store: where they are, how they are named, written, listed and checked."""

import contextlib
import os
import re
import sys
import time
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from puzzlekit.errors import TableError
from puzzlekit.store.npy import FormatError, NpyFile, open_npy, pack_header
from puzzlekit.store.table import TableKey

FORMAT = 1  # names the directory; raise it when files of the last version can no longer be used

_FIELDS = {
    "format": int,
    "puzzle": str,
    "name": str,
    "purpose": str,
    "fingerprint": str,
    "crc32": int,  # of the data
    "mtime_ns": int,
    "seconds": float,  # that the build took
}
# A fingerprint has 32 digits; with 16 a file is of an older version, and only listed and removed.
_DIGITS = "[0-9a-f]{16}|[0-9a-f]{32}"
_PLACE = rf"v(\d{{1,9}})/([^/]+)/((.+)-({_DIGITS})\.npy)(\.lock|\.owner|\.[0-9a-f]{{8}}\.tmp)?"


class StoredFile(NamedTuple):
    """A file in the store: what its header says, or the `problem` that keeps it from being used.

    `nbytes` is the size of the file, `seconds` how long the build took, `format` the version of
    the directory it lies in, `version` that of the puzzlekit which built it, if it said so. With a
    problem, `puzzle` and `name` come from the path, and `purpose`, `dtype`, `shape`, `seconds` and
    `version` are empty.
    """

    path: str
    format: int
    puzzle: str
    name: str
    fingerprint: str
    nbytes: int
    purpose: str = ""
    dtype: str = ""
    shape: tuple[int, ...] = ()
    seconds: float = 0.0
    problem: str | None = None
    version: str = ""


def files(root: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield path and parts of each file named as the store names files; others are not ours."""
    from glob import iglob

    for path in sorted(iglob("v*/*/*.npy*", root_dir=root)):
        place = re.fullmatch(_PLACE, path.replace(os.sep, "/"))
        if place:
            yield os.path.join(root, path), place


def scan(root: str) -> Iterator[tuple[StoredFile, NpyFile | None]]:
    """Yield each table file, with its contents unless it has a problem."""
    for path, place in files(root):
        version, directory, _, name, fingerprint, left_over = place.groups()
        if left_over:
            continue
        try:
            nbytes = os.stat(path).st_size
        except OSError:
            continue  # removed meanwhile
        stored = StoredFile(path, int(version), directory, name, fingerprint, nbytes)
        try:
            if stored.format != FORMAT:
                raise FormatError(f"it has format {stored.format}, which is not in use")
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
    """Write the whole file or none: beside its place first, then renamed."""
    from puzzlekit.version import __version__

    # In the past and even, so that no later change gets the same time, even on file systems that
    # count in steps of two seconds.
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
            os.fsync(file.fileno())  # else a power failure may leave a file of zeros in its place
        set_mtime(temporary, mtime_ns)
        os.replace(temporary, path)
        _sync_directory(os.path.dirname(path))
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _sync_directory(path: str) -> None:
    """Have the new name on disk too; where that fails, a power failure may cost a rebuild."""
    with contextlib.suppress(OSError):  # Windows opens no directories
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def set_mtime(path: str, mtime_ns: int) -> None:
    """Mark the file as checked; where that fails, it is checked at every opening."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(mtime_ns, mtime_ns))


def distrust(path: str) -> None:
    """Mark the file as perhaps damaged, so that its data are checked at the next opening."""
    with contextlib.suppress(OSError):
        os.utime(path)


def check_metadata(file: NpyFile) -> None:
    """Raise FormatError unless the metadata are those of this format version."""
    found = {name: type(value) for name, value in file.metadata.items()}
    if found not in (_FIELDS, {**_FIELDS, "version": str}):  # older ones do not name their version
        raise FormatError("the metadata in its header are incomplete")
    if file.metadata["format"] != FORMAT:
        raise FormatError(f"it has format {file.metadata['format']} instead of {FORMAT}")


def altered(file: NpyFile) -> str | None:
    """Say what is wrong with the data, all of which is read; None if nothing is."""
    if zlib.crc32(file.data) == file.metadata["crc32"]:
        return None
    return "its data were altered or damaged (wrong checksum)"


def reason(error: Exception | None) -> str:
    """Put the error in words, without the path that the message names anyway."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def default_cache_directory() -> str:
    """Where tables are kept: $PUZZLEKIT_CACHE, or else the user's cache directory.

    Agrees with `platformdirs.user_cache_dir("puzzlekit", appauthor=False)`, the import of which
    costs 40 ms. A user without a home directory, as in some containers, has it in "/".

    Raises TableError where $PUZZLEKIT_CACHE names the home of a user that does not exist.

    >>> os.path.isabs(default_cache_directory())
    True
    """
    chosen = os.environ.get("PUZZLEKIT_CACHE", "").strip()
    if chosen:
        expanded = os.path.expanduser(chosen)
        if expanded.startswith("~"):
            user = expanded.replace(os.sep, "/").partition("/")[0]
            raise TableError(
                f"PUZZLEKIT_CACHE is {chosen!r}, but {user} has no home directory; for a directory "
                f"of that name write './{chosen}'"
            )
        return os.path.abspath(expanded)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or _in_home("AppData", "Local")
        return os.path.join(local, "puzzlekit", "Cache")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification has relative paths ignored
        base = _in_home("Library", "Caches") if sys.platform == "darwin" else _in_home(".cache")
    return os.path.join(base, "puzzlekit")


def _in_home(*parts: str) -> str:
    """A path in the home directory, which is the root directory for users that have none."""
    home = os.path.expanduser("~")
    return os.path.join(home if os.path.isabs(home) else os.path.abspath(os.sep), *parts)
