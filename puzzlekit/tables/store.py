"""The store: tables on disk, built once, checked when opened, mapped read-only.

A file is found by what its table was built from, so a changed definition never meets an old table.
Where it lies:

    <root>/v1/cube3/twist-x-slice-distance-htm-0123456789abcdef.npy    the table
                    ... .npy.lock                    held by the process that builds it
                    ... .npy.89abcdef.tmp            half-written; renamed when complete

Damage never leads to a wrong answer. Size and header are checked at every opening. The checksum of
150 MB takes 76 ms, so it is compared only where the file may have changed: a finished file gets the
modification time that its header states, and whoever writes to it or copies it sets another.

Opening a good table imports neither NumPy nor filelock nor hashlib; all are slow to import.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import sys
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

import attrs

from puzzlekit.errors import TableError
from puzzlekit.tables.npy import DTYPES, HEADER_LIMIT, FormatError, NpyFile, open_npy, pack_header

if TYPE_CHECKING:
    from typing_extensions import Buffer

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
_PLACE = r"v(\d{1,9})/([^/]+)/((.+)-([0-9a-f]{16})\.npy)(\.lock|\.[0-9a-f]{8}\.tmp)?"


class TableWarning(UserWarning):
    """A table on disk that is damaged, or a directory that cannot keep tables."""


@attrs.frozen
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
    'twist-moves-f8a6a5500bcd024d.npy'
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
        """CRC-32 and Adler-32 of the identity, 16 hex digits (importing hashlib costs 13 ms)."""
        text = self.identity.encode()
        return f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}"

    @property
    def filename(self) -> str:
        """The name of the file, without its directory."""
        return f"{_slug(self.name)}-{self.fingerprint}.npy"

    @property
    def nbytes(self) -> int:
        """How many bytes the data take, in memory and on disk."""
        return math.prod(self.shape) * int(self.dtype[1])


@attrs.frozen(eq=False)
class Table:
    """A table at hand: `data` is flat, C-contiguous and read-only, of format B, H or I.

    `source` says where it comes from: "disk", "built" (now on disk) or "memory" (lost at exit).
    """

    key: TableKey
    data: memoryview
    source: str


class StoredFile(NamedTuple):
    """A file in the store: what its header says, or the `problem` that keeps it from being used.

    `nbytes` is the size of the file, `seconds` how long the build took, `format` the version of
    the directory it lies in. With a problem, `puzzle` and `name` come from the path, and `purpose`,
    `dtype`, `shape` and `seconds` are empty.
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


class Watcher(Protocol):
    """Who is told of the builds of a store, in the thread in which each is done."""

    def begun(self, key: TableKey) -> None:
        """The table is built now."""

    def progressed(self, key: TableKey, share: float) -> None:
        """So much of a long build is done."""

    def built(self, key: TableKey) -> None:
        """The table is built."""


class TableStore:
    """Tables below the directory `root` (by default the user's cache); safe to share by threads.

    The `watchers` are told of each build (see `Watcher`); `watched` adds one for some time.
    `lock_timeout` is how many seconds to wait for another process that builds the same table.

    Raises TableError on a big-endian machine.

    >>> import tempfile
    >>> key = TableKey("cube2", "powers", "2**n for n < 4", "u1", (4,), "Shows the store.")
    >>> with tempfile.TemporaryDirectory() as root:
    ...     first = TableStore(root).get(key, lambda: bytes([1, 2, 4, 8]))
    ...     again = TableStore(root).get(key, lambda: bytes(4))
    ...     print(first.source, again.source, again.data.tolist())
    built disk [1, 2, 4, 8]
    """

    def __init__(self, root: str | None = None) -> None:
        if sys.byteorder != "little":
            raise TableError("tables are stored little-endian; this machine is big-endian")
        self.root = os.path.abspath(root or default_cache_directory())
        self.watchers: list[Watcher] = []
        self.lock_timeout = 3600.0
        self._tables: dict[TableKey, Table] = {}
        self._locks: dict[TableKey, threading.RLock] = {}
        self._told_why_in_memory = False

    @contextlib.contextmanager
    def watched(self, watcher: Watcher) -> Iterator[None]:
        """Tell `watcher` too of what is built meanwhile, in whatever thread."""
        self.watchers.append(watcher)
        try:
            yield
        finally:
            self.watchers.remove(watcher)

    def tell(self, key: TableKey, share: float) -> None:
        """Tell the watchers how much of a build is done; long builds call this now and then."""
        for each in self.watchers[:]:
            each.progressed(key, share)

    def path(self, key: TableKey) -> str:
        """Say where the table of this key lies, be it there or not."""
        return os.path.join(self.root, f"v{FORMAT}", _slug(key.puzzle), key.filename)

    def get(self, key: TableKey, build: Callable[[], Buffer]) -> Table:
        """Return the table: as opened before, from disk, or else built and stored.

        `build` returns `key.nbytes` bytes in one C-contiguous buffer, such as a NumPy array.
        Where they cannot be stored, the table stays in memory, with one warning per store.

        Raises TableError where memory does not suffice or the buffer does not fit the key.
        Whatever else `build` raises passes through and leaves nothing behind.
        """
        table = self.find(key)
        if table is None:
            # Reentrant, so that a build may ask for other tables, and errs if it asks for itself.
            with self._locks.setdefault(key, threading.RLock()):
                table = self._tables.get(key) or self._make(key, build)
                self._tables[key] = table
        return table

    def find(self, key: TableKey) -> Table | None:
        """Return the table if it was opened before or lies on disk undamaged; build nothing.

        A damaged file gives a TableWarning that names it and says what is wrong.
        """
        table = self._tables.get(key)
        if table is None:
            try:
                table = self._tables.setdefault(key, self._load(key))  # threads share one
            except (FileNotFoundError, NotADirectoryError):
                pass
            except (OSError, FormatError) as error:
                _warn(f"cannot use the table {self.path(key)}: {_reason(error)}")
        return table

    def forget(self, key: TableKey) -> None:
        """Keep a table open no longer: who uses it keeps it, the next to ask opens it anew.

        For tables without end, such as those of the parameters of a heuristic.
        """
        self._tables.pop(key, None)
        self._locks.pop(key, None)

    def entries(self) -> list[StoredFile]:
        """List the tables of all format versions, sorted by path, without reading their data."""
        return [stored for stored, _ in self._scan()]

    def verify(self) -> list[tuple[StoredFile, str | None]]:
        """Read all data; list every table file with what is wrong with it, or None."""
        return [
            (stored, _altered(file) if file else stored.problem) for stored, file in self._scan()
        ]

    def clear(
        self, keep: Collection[str] | None = None, puzzle: str | None = None
    ) -> list[StoredFile]:
        """Remove table files, left-over temporary files and lock files; return the tables removed.

        `keep` holds fingerprints: tables of this format version that have one of them stay.
        `puzzle` limits it to the tables of one puzzle. Only files that are named as the store names
        them are touched. A file that cannot be removed stays, with a TableWarning; so do those that
        belong to a build under way.
        """
        directory = None if puzzle is None else _slug(puzzle)
        removed = []
        for stored in self.entries():
            kept = stored.format == FORMAT and stored.fingerprint in (keep or ())
            if kept or directory not in (None, os.path.basename(os.path.dirname(stored.path))):
                continue
            for key in [key for key in self._tables if self.path(key) == stored.path]:
                del self._tables[key]  # Windows keeps a file as long as it is mapped
            try:
                os.unlink(stored.path)
            except OSError as error:
                _warn(f"cannot remove the table {stored.path}: {_reason(error)}")
            else:
                removed.append(stored)
        self._sweep(directory)
        return removed

    def _load(self, key: TableKey) -> Table:
        """Open the table on disk; raise OSError or FormatError where it cannot be used."""
        path = self.path(key)
        file = open_npy(path)
        _check_metadata(file)
        if file.metadata["fingerprint"] != key.fingerprint:
            raise FormatError("it was built from something else (another fingerprint)")
        if (file.dtype, file.shape) != (key.dtype, key.shape):
            raise FormatError(
                f"it holds {file.dtype} {file.shape} instead of {key.dtype} {key.shape}"
            )
        if file.mtime_ns != file.metadata["mtime_ns"]:
            problem = _altered(file)
            if problem:
                raise FormatError(problem)
            _set_mtime(path, file.metadata["mtime_ns"])
        return Table(key, file.data.cast(DTYPES[key.dtype]), "disk")

    def _make(self, key: TableKey, build: Callable[[], Buffer]) -> Table:
        """Build the table and store it, unless another process does so while we wait."""
        from filelock import FileLock

        path = self.path(key)
        with contextlib.ExitStack() as stack:
            failure: Exception | None = None
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                stack.enter_context(FileLock(path + ".lock", timeout=self.lock_timeout))
            except (OSError, NotImplementedError) as error:  # filelock.Timeout is an OSError
                failure = error
            with contextlib.suppress(OSError, FormatError):
                return self._load(key)
            start = time.perf_counter()
            data = self._build(key, build)
            if failure is None:
                try:
                    _write(path, key, data, time.perf_counter() - start)
                    return Table(key, self._load(key).data, "built")
                except (OSError, FormatError) as error:
                    failure = error
        if not self._told_why_in_memory:
            self._told_why_in_memory = True
            _warn(f"cannot store {path}: {_reason(failure)}; tables are kept in memory")
        return Table(key, data.cast(DTYPES[key.dtype]), "memory")

    def _build(self, key: TableKey, build: Callable[[], Buffer]) -> memoryview:
        """Call `build` and return its buffer as read-only bytes, of the right number."""
        from puzzlekit.tables.memory import check_memory

        check_memory(key.nbytes, f"{key.name!r} of {key.puzzle}")
        try:
            for each in self.watchers[:]:
                each.begun(key)
            view = memoryview(build())
            for each in self.watchers[:]:
                each.built(key)
        except MemoryError as error:
            raise TableError(
                f"not enough memory to build {key.name!r} of {key.puzzle}: "
                f"the table alone takes {key.nbytes} bytes"
            ) from error
        # Bytes, or unsigned numbers of the key's size that are not big-endian (cast takes those).
        code = view.format.lstrip("@=<")
        fits = code == "B" or (code in ("H", "I", "L") and view.itemsize == int(key.dtype[1]))
        if view.nbytes != key.nbytes or not fits:
            raise TableError(
                f"the build of {key.name!r} gave {view.nbytes} bytes of format {view.format!r}, "
                f"not {key.nbytes} bytes for {key.dtype} {key.shape}"
            )
        try:
            return view.cast("B").toreadonly()
        except (TypeError, ValueError) as error:
            raise TableError(f"the build of {key.name!r} gave an unfit array: {error}") from error

    def _files(self) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield path and parts of each file named as the store names files; others are not ours."""
        from glob import iglob

        for path in sorted(iglob("v*/*/*.npy*", root_dir=self.root)):
            place = re.fullmatch(_PLACE, path.replace(os.sep, "/"))
            if place:
                yield os.path.join(self.root, path), place

    def _scan(self) -> Iterator[tuple[StoredFile, NpyFile | None]]:
        """Yield each table file, with its contents unless it has a problem."""
        for path, place in self._files():
            version, directory, _, slug, fingerprint, left_over = place.groups()
            if left_over:
                continue
            try:
                nbytes = os.stat(path).st_size
            except OSError:
                continue  # removed meanwhile
            stored = StoredFile(path, int(version), directory, slug, fingerprint, nbytes)
            try:
                if stored.format != FORMAT:
                    raise FormatError(f"it has format {stored.format}, which is not in use")
                file = open_npy(path)
                _check_metadata(file)
                if file.metadata["fingerprint"] != fingerprint:
                    raise FormatError("its name and its header state different fingerprints")
            except (OSError, FormatError) as error:
                yield stored._replace(problem=_reason(error)), None
                continue
            facts = {name: file.metadata[name] for name in ("puzzle", "name", "purpose", "seconds")}
            yield stored._replace(dtype=file.dtype, shape=file.shape, **facts), file

    def _sweep(self, directory: str | None) -> None:
        """Remove temporary and lock files, except where a process holds the lock."""
        left_over: dict[str, list[str]] = {}
        for path, place in self._files():
            if place[6] and directory in (None, place[2]):
                table = os.path.join(os.path.dirname(path), place[3])
                left_over.setdefault(table, []).append(path)
        if not left_over:
            return
        from filelock import FileLock

        for table, paths in left_over.items():
            with contextlib.suppress(OSError, NotImplementedError):
                with FileLock(table + ".lock", timeout=0):
                    for path in paths:
                        if path.endswith(".tmp"):
                            os.unlink(path)
                os.unlink(table + ".lock")  # after its release: Windows removes no open file


def default_cache_directory() -> str:
    """Where tables are kept: $PUZZLEKIT_CACHE, or else the user's cache directory.

    Agrees with `platformdirs.user_cache_dir("puzzlekit", appauthor=False)`, the import of which
    costs 40 ms.

    >>> os.path.isabs(default_cache_directory())
    True
    """
    chosen = os.environ.get("PUZZLEKIT_CACHE", "").strip()
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser(r"~\AppData\Local")
        return os.path.join(local, "puzzlekit", "Cache")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification has relative paths ignored
        base = os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")
    return os.path.join(base, "puzzlekit")


def _write(path: str, key: TableKey, data: memoryview, seconds: float) -> None:
    """Write the whole file or none: beside its place first, then renamed."""
    # In the past and even, so that no later change gets the same time, even on file systems that
    # count in steps of two seconds.
    mtime_ns = (int(time.time()) // 2 - 1) * 2 * 10**9
    metadata = {
        "format": FORMAT,
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
        _set_mtime(temporary, mtime_ns)
        os.replace(temporary, path)
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _set_mtime(path: str, mtime_ns: int) -> None:
    """Mark the file as checked; where that fails, it is checked at every opening."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(mtime_ns, mtime_ns))


def _check_metadata(file: NpyFile) -> None:
    """Raise FormatError unless the metadata are those of this format version."""
    if {name: type(value) for name, value in file.metadata.items()} != _FIELDS:
        raise FormatError("the metadata in its header are incomplete")
    if file.metadata["format"] != FORMAT:
        raise FormatError(f"it has format {file.metadata['format']} instead of {FORMAT}")


def _altered(file: NpyFile) -> str | None:
    """Say what is wrong with the data, all of which is read; None if nothing is."""
    if zlib.crc32(file.data) == file.metadata["crc32"]:
        return None
    return "its data were altered or damaged (wrong checksum)"


def _reason(error: Exception | None) -> str:
    """Put the error in words, without the path that the message names anyway."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _warn(message: str) -> None:
    """Warn at the line that called `TableStore.get`."""
    warnings.warn(message, TableWarning, stacklevel=4)


def _slug(text: str) -> str:
    """Turn the text into a part of a path: at most 80 small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:80].strip("-") or "unnamed"
