"""Small tables: those of a puzzle share one file, because a puzzle may have hundreds of them.

The file is a sequence of complete .npy files (see `files`), each padded to a multiple of 64 bytes.
Tables are appended. What is in the file never changes, because other processes have mapped it: to
remove a table, or whatever an interrupted write has left at the end, the file is replaced.
`small.tables.lock` is locked meanwhile. The tables are so small that their checksums are compared
whenever they are opened.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections.abc import Collection, Iterator

from puzzlekit.tables.files import (
    FormatError,
    IncompleteError,
    NpyFile,
    StoredFile,
    altered,
    check_locks,
    check_metadata,
    described,
    headed,
    map_file,
    parse_npy,
    reason,
    write,
)
from puzzlekit.tables.table import TableSpec, filename

NAME = "small.tables"
MOST = 1 << 19  # bytes of a table
MOST_TABLES = 300  # of a puzzle: to read a header takes 50 us, at the start of every process

_ALIGNMENT = 64
_NOTHING = memoryview(b"")
_MOST_SECONDS = 60.0  # to wait for another process that writes


class SmallTables:
    """The file of the small tables of a puzzle. Threads may share it.

    All methods raise OSError or FormatError if the file cannot be read or written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._forget()

    def _forget(self) -> None:
        self._seen: tuple[int, int, int] | None = None  # inode, size and time of the file
        self._content = _NOTHING
        # For each table its first byte, that of its data, the end, and what the header says.
        self._tables: dict[str, tuple[int, int, int, NpyFile]] = {}
        self._end = 0  # of the last table
        self._rest: FormatError | None = None  # why no table follows it; None at the end

    def names(self) -> Collection[str]:
        """Return the filenames that the tables would have as files of their own."""
        with self._lock:
            try:
                status = os.stat(self.path)
            except (FileNotFoundError, NotADirectoryError):
                self._forget()
            else:
                if self._seen != (status.st_ino, status.st_size, status.st_mtime_ns):
                    self._read()
            return self._tables.keys()

    def find(self, name: str) -> NpyFile | None:
        """Return the table of a filename; None if it is not there. Its data are not checked.

        Raises FormatError if a header is damaged, and the table may be behind it.
        """
        with self._lock:
            if name in self.names():
                return self._at(name)
            if self._rest and not isinstance(self._rest, IncompleteError):
                raise self._rest
            return None

    def add(self, key: TableSpec, data: memoryview, seconds: float) -> None:
        """Add a table that took some seconds to build, or replace it."""
        header, _ = headed(key, data, seconds)
        new = _padded(header, data)
        with self._locked():
            if key.filename in self.names() or self._rest:
                self._replace({key.filename}, new)
                return
            with open(self.path, "ab", buffering=0) as file:
                if file.write(new) != len(new):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file.fileno())

    def remove(self, names: Collection[str]) -> None:
        """Remove tables, and whatever is damaged."""
        with self._locked():
            left = self._replace(names)
        if not left:
            with contextlib.suppress(OSError):
                os.unlink(self.path + ".lock")

    def listed(self) -> Iterator[tuple[StoredFile, NpyFile | None]]:
        """Yield each table and its contents, then any bytes that are no table, and None."""
        puzzle = os.path.basename(os.path.dirname(self.path))
        stored = StoredFile(self.path, puzzle, NAME, fingerprint="", nbytes=0)
        try:
            for name in self.names():
                file = self._at(name)
                yield described(stored._replace(nbytes=len(file.content)), file), file
            problem: Exception | None = self._rest
            nbytes = len(self._content) - self._end
        except (OSError, FormatError) as error:
            problem, nbytes = error, 0
        if problem:
            yield stored._replace(nbytes=nbytes, problem=reason(problem)), None

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other threads and processes from changing the file inside the `with` block."""
        from filelock import FileLock

        check_locks(self.path + ".lock")
        with self._lock, FileLock(self.path + ".lock", timeout=_MOST_SECONDS):
            yield

    def _read(self) -> None:
        """Read the headers of the tables that were not yet read."""
        self._content, status = map_file(self.path)
        if not self._seen or self._seen[0] != status.st_ino or len(self._content) < self._end:
            self._tables, self._end = {}, 0
        self._seen = status.st_ino, status.st_size, status.st_mtime_ns
        self._rest = None
        while self._end < len(self._content):
            try:
                file = parse_npy(self._content[self._end :])
                check_metadata(file)
                end = self._end + len(file.content) + -len(file.content) % _ALIGNMENT
                if len(self._content) < end:
                    raise IncompleteError("it ends too early")
            except FormatError as error:
                self._rest = error
                break
            stop = self._end + len(file.content)
            known = file._replace(content=_NOTHING, data=_NOTHING)  # or old mappings would stay
            name = filename(file.metadata["name"], file.metadata["fingerprint"])
            self._tables[name] = self._end, stop - len(file.data), stop, known
            self._end = end

    def _at(self, name: str) -> NpyFile:
        start, data, stop, known = self._tables[name]
        return known._replace(content=self._content[start:stop], data=self._content[data:stop])

    def _replace(self, names: Collection[str], new: bytes = b"") -> bool:
        """Drop tables and whatever is damaged, and append bytes; return whether any are left."""
        kept = [self._at(name) for name in self.names() if name not in names]
        parts = [_padded(file.content) for file in kept if not altered(file)] + [new] * bool(new)
        del kept
        self._forget()  # Windows cannot replace files that are mapped
        if parts:
            write(self.path, parts)
        else:
            os.unlink(self.path)
        return bool(parts)


def _padded(*parts: bytes | memoryview) -> bytes:
    return b"".join((*parts, bytes(-sum(map(len, parts)) % _ALIGNMENT)))
