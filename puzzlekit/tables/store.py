"""The store: tables on disk, built once, checked when opened, mapped read-only.

A fingerprint of everything that a table depends on identifies the table. So a changed definition
never gets an old table. The files of a table are:

    <root>/v1/cube3/twist-x-slice-distance-htm-0123456789abcdef0123456789abcdef.npy
                    ... .npy.lock           locked by the process that builds the table
                    ... .npy.owner          the number of that process
                    ... .npy.89abcdef.tmp   incomplete; renamed when complete
                    small.tables            the small tables of the puzzle, except those for goals

The store checks the size and the header whenever it opens a file. A checksum of 150 MB takes 76 ms,
so the store compares the checksum only if the file may have changed. When a file is finished, its
modification time is set to the time in its header. A program that writes or copies the file changes
the modification time. A failing disk does not change the modification time. So a caller must call
`check` before it publishes a result, and when a result looks wrong.

NumPy, filelock and hashlib are slow to import. Opening an undamaged table imports none of them.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from puzzlekit.engine.beats import beat, heard_by
from puzzlekit.errors import TableError
from puzzlekit.tables.files import (
    FORMAT,
    FormatError,
    NpyFile,
    StoredFile,
    altered,
    build_lock,
    check_metadata,
    default_cache_directory,
    distrust,
    headed,
    open_npy,
    reason,
    scan,
    set_mtime,
    sweep,
    write,
)
from puzzlekit.tables.small import MOST, MOST_TABLES, NAME, SmallTables
from puzzlekit.tables.table import DTYPES, Checks, Table, TableSpec, filename, slug

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["ScratchStore", "TableWarning", "Watcher"]


MARK = ".goal"  # the ending of the file that marks a passing table

_MOST_FOR_GOALS = 2_000_000_000  # bytes
_MARGIN = 2_000_000_000  # nanoseconds: some file systems round times to two seconds
_POLL = 0.05  # seconds


class TableWarning(UserWarning):
    """A table on disk is damaged, or tables cannot be stored in a directory."""


class _Taking(threading.local):
    """State of a thread: for what it requests tables, and which ones it has requested."""

    checking = False
    for_goal = False
    taken: dict[TableSpec, Table] | None = None


class Watcher:
    """Base class of observers of builds.

    The store calls the methods in the thread that requests a table. An exception from `begun`,
    `beat` or `waiting` ends the request for the table.
    """

    def beat(self, key: TableSpec) -> None:
        """Handle a moment at which the request for a table can be ended.

        The store calls this method several times a second while the thread builds the table, or
        waits for another thread of this process that builds it.
        """

    def waiting(self, key: TableSpec, owner: str, seconds: float) -> None:
        """Handle a wait for another process, which builds the table.

        The store calls this method many times per second. `owner` describes the other process.
        `seconds` is the time waited so far.
        """

    def begun(self, key: TableSpec) -> None:
        """Handle the start of a build."""

    def progressed(self, key: TableSpec, share: float) -> None:
        """Handle the progress of a build: `share` is a number from 0 to 1."""

    def built(self, key: TableSpec) -> None:
        """Handle the end of a build."""


class TableStore:
    """A store of tables on disk, below the directory `root`. Threads may share a store.

    By default `root` is the user's cache directory. The attribute `watchers` lists observers of
    builds (see `Watcher`). The method `watched` adds an observer inside a `with` block. The
    attribute `lock_timeout` is the longest time to wait for another process that builds the same
    table, in seconds. `most_for_goals` is the most bytes of tables that only goals need.

    Raises TableError on a big-endian machine.

    >>> import tempfile
    >>> key = TableSpec("cube2", "powers", "2**n for n < 4", "u1", (4,), "Shows the store.")
    >>> with tempfile.TemporaryDirectory() as root:
    ...     first = TableStore(root).get(key, lambda: bytes([1, 2, 4, 8]))
    ...     again = TableStore(root).get(key, lambda: bytes(4))
    ...     print(first.source, again.source, again.data.tolist())
    built disk [1, 2, 4, 8]
    """

    def __init__(self, root: str | None = None) -> None:
        if sys.byteorder != "little":
            raise TableError("this machine is big-endian, but tables are stored little-endian")
        self.root = os.path.abspath(root or default_cache_directory())
        self.watchers: list[Watcher] = []
        self.lock_timeout = 3600.0
        self.most_for_goals = _MOST_FOR_GOALS
        self._tables: dict[TableSpec, Table] = {}
        self._turns: dict[TableSpec, Turn] = {}
        self._told_why_in_memory = False
        self._checks = Checks()
        self._suspects: set[TableSpec] = set()  # tables to compare when their files are opened
        self._taking = _Taking()
        self._smalls: dict[str, SmallTables] = {}  # by puzzle

    @contextlib.contextmanager
    def watched(self, watcher: Watcher) -> Iterator[None]:
        """Add a watcher inside the `with` block. The watcher observes the builds of all threads."""
        self.watchers.append(watcher)
        try:
            yield
        finally:
            self.watchers.remove(watcher)

    def tell(self, key: TableSpec, share: float) -> None:
        """Report the progress of a build to the watchers: `share` is a number from 0 to 1."""
        for each in self.watchers[:]:
            each.progressed(key, share)
        beat()

    def _beat(self, key: TableSpec) -> None:
        for each in self.watchers[:]:
            each.beat(key)

    def path(self, key: TableSpec) -> str:
        """Return the path of the file that a table has if it is not one of the small tables."""
        return os.path.join(self.root, f"v{FORMAT}", slug(key.puzzle), key.filename)

    def has(self, key: TableSpec) -> bool:
        """Whether a table is on disk. Its data may be damaged."""
        with contextlib.suppress(OSError, FormatError):
            if key.nbytes <= MOST and key.filename in self._small(key).names():
                return True
        return os.path.exists(self.path(key))

    def npy(self, key: TableSpec) -> memoryview:
        """Return a table on disk as a complete .npy file.

        Raises OSError if it is not there, and FormatError if its header is damaged.
        """
        return self._open(key).content

    def get(self, key: TableSpec, build: Callable[[], Buffer]) -> Table:
        """Return a table. Open the table from disk if needed, or build and store it.

        `build` must return `key.nbytes` bytes in one C-contiguous buffer, such as a NumPy array. If
        the store cannot write the file, the table stays in memory. The first such table of a store
        causes a TableWarning.

        Raises TableError if there is not enough memory, or if the buffer does not fit the key. An
        exception from `build` passes through. Then no files remain.
        """
        table = self.find(key)
        if table is None:
            turn = self._turns.setdefault(key, Turn())
            with turn.taken(partial(self._beat, key)):
                table = self._tables.get(key) or self._make(key, build)
                self._tables[key] = table
        note_use(self.path(key), self._taking.for_goal)
        if self._taking.checking:
            if self.check([table]):
                return self.get(key, build)
        elif self._taking.taken is not None:
            self._taking.taken[key] = table
        return table

    def check(self, tables: Iterable[Table], sparing: bool = False) -> list[Table]:
        """Compare the data of open tables with their checksums, and return the damaged tables.

        The method skips tables that were compared recently. It closes the damaged tables. The next
        request for a damaged table builds the table again and warns with the path of the file.

        If `sparing`, the method compares nothing when all comparisons so far and these would take
        more than a twentieth of the CPU time of the process.
        """
        damaged = self._checks.damaged(tables, sparing)
        for table in damaged:
            self._suspects.add(table.key)
            if self._tables.get(table.key) is table:
                del self._tables[table.key]
            distrust(self._place(table.key))
        return damaged

    @contextlib.contextmanager
    def checking(self) -> Iterator[None]:
        """Check each table that this thread requests inside the `with` block (see `check`).

        Use it for builds and experiments: an error in a table would remain in their results, and
        the check takes little of their time.
        """
        before, self._taking.checking = self._taking.checking, True
        try:
            yield
        finally:
            self._taking.checking = before

    @contextlib.contextmanager
    def for_goal(self) -> Iterator[None]:
        """Mark each table that this thread builds inside the `with` block as one for a goal.

        At the end, remove the tables for goals that were not used for longest, if all of them take
        more than `most_for_goals` bytes. Tables that were requested in the block are not removed.
        """
        before, self._taking.for_goal = self._taking.for_goal, True
        begun = time.time_ns()
        try:
            yield
        finally:
            self._taking.for_goal = before
            directory = os.path.join(self.root, f"v{FORMAT}")
            removed = set(trim(directory, self.most_for_goals, begun))
            if removed:
                for key in [key for key in self._tables.copy() if self.path(key) in removed]:
                    self.forget(key)

    @contextlib.contextmanager
    def noting(self) -> Iterator[dict[TableSpec, Table]]:
        """Yield a dict that collects the tables that this thread requests inside the `with` block.

        A build may request other tables. The dict omits them.
        """
        before, self._taking.taken = self._taking.taken, {}
        try:
            yield self._taking.taken
        finally:
            self._taking.taken = before

    def find(self, key: TableSpec) -> Table | None:
        """Return the table if it is open or on disk, else None. Build nothing.

        If the file is damaged, return None. A TableWarning then names the path and the problem.
        """
        table = self._tables.get(key)
        if table is None:
            try:
                table = self._tables.setdefault(key, self._load(key))  # threads share one table
            except (FileNotFoundError, NotADirectoryError):
                pass
            except (OSError, FormatError) as error:
                _warn(f"cannot use the table {self._place(key)}: {reason(error)}")
        return table

    def forget(self, key: TableSpec) -> None:
        """Close a table. The next request opens it again.

        Use it if the number of tables has no limit. Example: a heuristic has a table for each set
        of parameters.
        """
        self._tables.pop(key, None)
        self._turns.pop(key, None)

    def entries(self, puzzle: str | None = None) -> list[StoredFile]:
        """Return the tables on disk, sorted by path. Read only the headers.

        If `puzzle` is given, the method returns only the tables of this puzzle.
        """
        found = [stored for stored, _ in self._scan(puzzle)]
        return sorted(found, key=lambda stored: stored.path)

    def verify(self) -> list[tuple[StoredFile, str | None]]:
        """Read all data. Return each table file with a description of its problem, or None.

        If the data of a file have changed, the next request for this table builds it again.
        """
        found = []
        for stored, file in self._scan():
            problem = altered(file) if file else stored.problem
            if file and problem:
                distrust(stored.path)
            found.append((stored, problem))
        return found

    def clear(
        self,
        keep: Collection[str] = (),
        puzzle: str | None = None,
        for_goals: bool = False,
        agreed: Callable[[list[StoredFile]], bool] = bool,
    ) -> list[StoredFile]:
        """Remove table files, and return the removed tables.

        The method also removes temporary files and lock files that are left over. It does not touch
        files of running builds, or files whose names do not follow the pattern of the store. If a
        file cannot be removed, a TableWarning says why.

        - `puzzle`: if given, the method removes only tables of this puzzle.
        - `keep`: the fingerprints of tables to keep.
        - `for_goals`: whether the method removes only tables that nothing but goals has used.
        - `agreed`: says whether to remove the tables that were found.
        """
        found = [each for each in self.entries(puzzle) if not for_goals or is_passing(each.path)]
        found = [each for each in found if each.fingerprint not in keep]
        removed: list[StoredFile] = []
        by_path: dict[str, dict[str, StoredFile]] = {}
        for stored in found if agreed(found) else ():
            name = filename(stored.name, stored.fingerprint)
            by_path.setdefault(stored.path, {})[name] = stored
        for path, tables in by_path.items():
            for key in self._tables.copy():
                if key.filename in tables and path in (self.path(key), self._small(key).path):
                    del self._tables[key]  # Windows cannot remove mapped files
            self._smalls.clear()
            try:
                if os.path.basename(path) == NAME:
                    SmallTables(path).remove(tables)
                else:
                    os.unlink(path)
            except (OSError, FormatError) as error:
                _warn(f"cannot remove the table {path}: {reason(error)}")
            else:
                unmark(path)
                removed += tables.values()
        sweep(self.root, puzzle and slug(puzzle))
        return removed

    def _load(self, key: TableSpec) -> Table:
        """Open the table on disk. Raise OSError or FormatError if the file is unusable."""
        file = self._open(key)
        check_metadata(file)
        if file.metadata["fingerprint"] != key.fingerprint:
            raise FormatError("it was built from something else (another fingerprint)")
        if (file.dtype, file.shape) != (key.dtype, key.shape):
            raise FormatError(
                f"the file holds {file.dtype} {file.shape} instead of {key.dtype} {key.shape}"
            )
        table = Table(key, file.data.cast(DTYPES[key.dtype]), "disk", file.metadata["crc32"])
        if file.mtime_ns != file.metadata["mtime_ns"] or key in self._suspects:
            problem = altered(file)
            if problem:
                raise FormatError(problem)
            set_mtime(self.path(key), file.metadata["mtime_ns"])
            self._suspects.discard(key)
            self._checks.note(table)
        return table

    def _open(self, key: TableSpec) -> NpyFile:
        """Return the contents of the file of a table, or of its part of a file."""
        small = self._small(key).find(key.filename) if key.nbytes <= MOST else None
        return small or open_npy(self.path(key))

    def _place(self, key: TableSpec) -> str:
        """Return the path of the file that holds a table, or would hold it."""
        path = self.path(key)
        own = key.nbytes > MOST or self._taking.for_goal or os.path.exists(path)
        return path if own else self._small(key).path

    def _small(self, key: TableSpec) -> SmallTables:
        path = os.path.join(os.path.dirname(self.path(key)), NAME)
        return self._smalls.setdefault(key.puzzle, SmallTables(path))

    def _scan(self, puzzle: str | None = None) -> Iterator[tuple[StoredFile, NpyFile | None]]:
        """Yield each table on disk with its contents; None if it is unusable."""
        from glob import iglob

        directory = puzzle and slug(puzzle)
        yield from scan(self.root, directory)
        for path in iglob(f"v{FORMAT}/{directory or '*'}/{NAME}", root_dir=self.root):
            yield from SmallTables(os.path.join(self.root, path)).listed()

    def _make(self, key: TableSpec, build: Callable[[], Buffer]) -> Table:
        """Build and store the table. If another process builds it meanwhile, open that table."""

        def waiting(owner: str, seconds: float) -> None:
            for each in self.watchers[:]:
                each.waiting(key, owner, seconds)

        path = self.path(key)
        with contextlib.ExitStack() as stack:
            failure: Exception | None = None
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                is_done = partial(self.has, key)
                stack.enter_context(build_lock(path, self.lock_timeout, waiting, is_done))
            except (OSError, NotImplementedError) as error:
                failure = error
            with contextlib.suppress(OSError, FormatError):
                return self._load(key)
            start = time.perf_counter()
            data = self._build(key, build)
            if failure is None:
                try:
                    self._write(key, data, time.perf_counter() - start)
                    table = attrs.evolve(self._load(key), source="built")
                    self._checks.note(table)
                    return table
                except (OSError, FormatError) as error:
                    failure = error
        if not self._told_why_in_memory:
            self._told_why_in_memory = True
            _warn(f"cannot store {self._place(key)}: {reason(failure)}; tables are kept in memory")
        return Table(key, data.cast(DTYPES[key.dtype]), "memory")

    def _write(self, key: TableSpec, data: memoryview, seconds: float) -> None:
        small, passing = self._small(key), self._taking.for_goal
        if key.nbytes <= MOST and not passing and len(small.names()) < MOST_TABLES:
            with contextlib.suppress(PermissionError):  # the file belongs to another user
                small.add(key, data, seconds)
                return
        path = self.path(key)
        header, mtime_ns = headed(key, data, seconds)
        write(path, [header, data], mtime_ns)
        if passing:
            mark(path)

    def _build(self, key: TableSpec, build: Callable[[], Buffer]) -> memoryview:
        """Call `build` and return its buffer as read-only bytes.

        Raises TableError if there is not enough memory, or if the buffer does not fit the key.
        """
        from puzzlekit.tables.memory import check_memory

        check_memory(key.nbytes, f"{key.name!r} of {key.puzzle}")
        try:
            for each in self.watchers[:]:
                each.begun(key)
            self._beat(key)
            with self.checking(), heard_by(partial(self._beat, key)):
                view = memoryview(build())
            for each in self.watchers[:]:
                each.built(key)
        except MemoryError as error:
            raise TableError(
                f"not enough memory to build {key.name!r} of {key.puzzle}: "
                f"the table alone takes {key.nbytes} bytes"
            ) from error
        # Accept bytes, and unsigned little-endian numbers of the size in the key. `cast` can
        # convert both.
        code = view.format.lstrip("@=<")
        fits = code == "B" or (code in ("H", "I", "L") and view.itemsize == int(key.dtype[1]))
        if view.nbytes != key.nbytes or not fits:
            raise TableError(
                f"the build of {key.name!r} returned {view.nbytes} bytes of format "
                f"{view.format!r}, not {key.nbytes} bytes for {key.dtype} {key.shape}"
            )
        try:
            return view.cast("B").toreadonly()
        except (TypeError, ValueError) as error:
            raise TableError(f"the build of {key.name!r} gave no usable array: {error}") from error


def _warn(message: str) -> None:
    """Warn at the line that called `TableStore.get`."""
    warnings.warn(message, TableWarning, stacklevel=4)


class ScratchStore(TableStore):
    """A store that reads the tables of another store, but writes no files.

    A table that the other store does not have is built and kept in memory.

    >>> import tempfile
    >>> key = TableSpec("cube2", "powers", "2**n for n < 4", "u1", (4,), "Shows the store.")
    >>> with tempfile.TemporaryDirectory() as root:
    ...     kept = TableStore(root)
    ...     table = ScratchStore(kept).get(key, lambda: bytes([1, 2, 4, 8]))
    ...     print(table.source, table.data.tolist(), kept.entries())
    memory [1, 2, 4, 8] []
    """

    def __init__(self, lender: TableStore) -> None:
        super().__init__(lender.root)
        self._lender = lender

    def find(self, key: TableSpec) -> Table | None:
        """Return the table if this store has built it or the other store has it, else None."""
        return self._tables.get(key) or self._lender.find(key)

    def check(self, tables: Iterable[Table], sparing: bool = False) -> list[Table]:
        """Let the other store check its tables. Tables in memory are not checked."""
        return self._lender.check(tables, sparing)

    def _make(self, key: TableSpec, build: Callable[[], Buffer]) -> Table:
        return Table(key, self._build(key, build).cast(DTYPES[key.dtype]), "memory")


class _Held(threading.local):
    def __init__(self) -> None:
        self.turns: list[Turn] = []


_held = _Held()


class Turn:
    """A lock that knows how many threads wait for it.

    It is reentrant: a build may request other tables, and fails if it requests its own.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self._lock = threading.RLock()
        self._counting = threading.Lock()

    @contextlib.contextmanager
    def taken(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the lock inside the `with` block.

        While another thread holds it, `waiting` is called many times per second. It may raise an
        exception to stop waiting.
        """
        if not self._lock.acquire(blocking=False):
            self._wait(waiting)
        try:
            _held.turns.append(self)
            yield
        finally:
            _held.turns.pop()
            self._lock.release()

    def _wait(self, waiting: Callable[[], None]) -> None:
        self._count(1)
        try:
            while not self._lock.acquire(timeout=_POLL):
                waiting()
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._counting:
            self.waiting += change


def is_awaited() -> bool:
    """Whether another thread waits for a table that this thread builds."""
    return any(turn.waiting for turn in _held.turns)


# Passing tables are those that only goals need. Goals have no end: each goal, and each choice of
# allowed moves, has tables of its own, so the cache keeps a limited amount of them. Beside the file
# `x.npy` of such a table lies an empty file `x.npy.goal`. Its modification time says when the table
# was requested last. If anything else requests the table, the table stays for good.


def is_passing(path: str) -> bool:
    """Whether the table at a path is a passing one."""
    return os.path.exists(path + MARK)


def mark(path: str) -> None:
    """Make a table a passing one, which is used now."""
    with contextlib.suppress(OSError), open(path + MARK, "w"):
        pass


def note_use(path: str, for_goal: bool) -> None:
    """Note that a table was opened, for a goal or for something else."""
    with contextlib.suppress(OSError):  # usually: it is no passing table
        os.utime(path + MARK) if for_goal else os.unlink(path + MARK)


def unmark(path: str) -> None:
    """Remove what is noted of a table that was removed."""
    with contextlib.suppress(OSError):
        os.unlink(path + MARK)


def trim(directory: str, most: int, until: int) -> Iterator[str]:
    """Remove the passing tables that were not used for longest, until `most` bytes are left.

    Yields the path of each removed table. `directory` has a directory for each puzzle. Tables that
    were used after the time `until`, in nanoseconds, are not removed.
    """
    from glob import iglob

    found = []
    for path in iglob(os.path.join(directory, "*", f"*.npy{MARK}")):
        table = path.removesuffix(MARK)
        try:
            found.append((os.stat(path).st_mtime_ns, os.stat(table).st_size, table))
        except OSError:  # the table was removed in another way
            unmark(table)
    total = sum(size for _, size, _ in found)
    for used, size, table in sorted(found):
        if total <= most or used >= until - _MARGIN:
            return
        with contextlib.suppress(OSError):  # Windows cannot remove files that are open
            os.unlink(table)
            unmark(table)
            total -= size
            yield table
