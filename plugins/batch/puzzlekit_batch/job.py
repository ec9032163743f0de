"""Jobs: descriptions of work that can be sent to other processes, and how these do it."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import uuid
import zlib
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from time import perf_counter
from typing import Any

import attrs

from puzzlekit import (
    Limits,
    NoSolutionError,
    Puzzle,
    PuzzlekitError,
    SearchOptions,
    Solution,
    Solver,
    __version__,
)
from puzzlekit.plugins.manager import Plugin, manager, origin_of
from puzzlekit.search.options import Choice
from puzzlekit.search.solver import Origin
from puzzlekit.tables.store import Watcher
from puzzlekit.tables.table import TableSpec
from puzzlekit.tables.watchers import Patience

__all__ = ["Job", "Source", "new_token"]

_JOBS_KEPT = 4  # in one process; a job keeps its tables open
_lock = threading.Lock()


@attrs.frozen
class Versions:
    """The facts that must be equal in all processes of a batch."""

    #: The version of puzzlekit.
    puzzlekit: str
    #: The distribution that provides the puzzle, with its version; empty for a definition.
    plugin: str
    #: A checksum of the moves of the puzzle.
    moves: int

    @classmethod
    def here(cls, origin: Origin, puzzle: Puzzle) -> Versions:
        """Return the versions in this process."""
        plugin = plugin_version(_plugin_of(origin.puzzle)) if origin.declared else ""
        return cls(__version__, plugin, _checksum(puzzle))

    def differences(self, wanted: Versions) -> list[str]:
        """Say in which facts these versions differ from the wanted ones."""
        found = []
        if self.puzzlekit != wanted.puzzlekit:
            found.append(f"has puzzlekit {self.puzzlekit} instead of {wanted.puzzlekit}")
        if self.plugin != wanted.plugin:
            found.append(f"has the plugin {self.plugin} instead of {wanted.plugin}")
        if not found and self.moves != wanted.moves:
            found.append("declares other moves for the puzzle, with the same version numbers")
        return found


def _plugin_of(puzzle: str) -> Plugin:
    """Return the plugin that declares a puzzle, or the family to which it belongs."""
    entry, plugins = manager().entry(puzzle), manager().plugins
    declaring = [each for each in plugins if entry in (each.entries or ())]
    families = (
        each for each in plugins if any(own.entry(entry.name) is not None for own in each.families)
    )
    return declaring[0] if declaring else next(families)


def plugin_version(plugin: Plugin) -> str:
    """Return the distribution of a plugin and its version.

    Return the name of the plugin if it is not installed but registered in this process.
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{plugin.distribution} {version(plugin.distribution)}"
    except (PackageNotFoundError, ValueError):
        return plugin.name


def _checksum(puzzle: Puzzle) -> int:
    moves = [puzzle.move(family) for family in puzzle.families]
    effects = [
        (move.name, *((each.gather, each.add) if each else None for each in (move, *move.cases)))
        for move in moves
    ]
    return zlib.crc32(repr((puzzle.name, puzzle.solved, effects)).encode())


@attrs.frozen
class Source:
    """A solver as workers get it: how they make the solver, and the versions that they need."""

    origin: Origin
    versions: Versions

    @classmethod
    def of(cls, solver: Solver) -> Source:
        """Return the source of a solver of this process."""
        origin = solver.origin or origin_of(solver.puzzle.name)
        return cls(origin, Versions.here(origin, solver.puzzle))


def new_token() -> str:
    """Return a text that no other job has."""
    return uuid.uuid4().hex


@attrs.frozen
class Job(ABC):
    """The work of a batch, as it is sent to workers. A subclass states what is done for an item."""

    #: A text that no other job has.
    token: str
    #: The solvers that the job needs.
    sources: tuple[Source, ...]

    @abstractmethod
    def prepare(self, solvers: Sequence[Solver], cancel: threading.Event) -> Callable[[Any], Any]:
        """Return the function that does the work for an item, once everything is loaded.

        `solvers` are the solvers of `sources`. The function ends early once `cancel` is set.
        """


@attrs.frozen
class SolveJob(Job):
    """Solve states. The result for a state is a `Solution` or a NoSolutionError."""

    #: The options of the search. The profile is named, so that all workers use the same tables.
    options: SearchOptions
    #: The limits of each search.
    limits: Limits

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[bytes], Solution | NoSolutionError]:
        """Load or build the tables, and return the function that solves a state."""
        (solver,) = solvers
        choice = solver.choose(self.options)
        solver.make_ready(choice)
        return solving(solver, choice, self.limits._replace(cancel=cancel))


def solving(
    solver: Solver, choice: Choice, limits: Limits
) -> Callable[[bytes], Solution | NoSolutionError]:
    """Return the function that solves a state in this process."""

    def solve(state: bytes) -> Solution | NoSolutionError:
        try:
            return solver.search(state, choice, limits)
        except NoSolutionError as error:
            return error

    return solve


@attrs.frozen
class BatchTask:
    """Items of a job that one worker does in a row. dask looks into lists, but not into a task."""

    job: Job
    items: tuple[Any, ...]


@attrs.frozen
class Report:
    """The results of a task, and the effort of the worker."""

    #: The name of the worker.
    worker: str
    results: tuple[Any, ...]
    #: Wall time of the items in seconds, without loading or building tables.
    seconds: float
    #: Number of tables that the worker built since its last report.
    tables: int
    #: The size of these tables in bytes.
    nbytes: int
    #: Seconds that the worker needed to load and build tables since its last report.
    preparing: float


class _BuiltTables(Watcher):
    """Counts the tables that a process builds."""

    def __init__(self) -> None:
        self.count = self.nbytes = 0
        self.seconds = 0.0

    def built(self, key: TableSpec) -> None:
        """Count a table."""
        self.count += 1
        self.nbytes += key.nbytes


@attrs.define
class _Prepared:
    """A job in this process."""

    cancel: threading.Event = attrs.Factory(threading.Event)
    lock: threading.Lock = attrs.Factory(threading.Lock)
    work: Callable[[Any], Any] | None = None
    built: _BuiltTables = attrs.Factory(_BuiltTables)


_jobs: OrderedDict[str, _Prepared] = OrderedDict()


def do_task(task: BatchTask) -> Report:
    """Do the items of a task in this process. Raise a PuzzlekitError if the process cannot."""
    here = _prepared(task.job.token)
    with here.lock:  # the threads of a process wait for the first one
        if here.work is None:
            started = perf_counter()
            check(task.job)
            solvers = [each.origin.solver() for each in task.job.sources]
            with ExitStack() as stack:
                for store in {id(each.store): each.store for each in solvers}.values():
                    stack.enter_context(store.watched(here.built))
                    stack.enter_context(store.watched(Patience(None, here.cancel)))
                here.work = task.job.prepare(solvers, here.cancel)
            here.built.seconds = perf_counter() - started
        told, here.built = here.built, _BuiltTables()
    started = perf_counter()
    results = tuple(map(here.work, task.items))
    seconds = perf_counter() - started
    return Report(name(), results, seconds, told.count, told.nbytes, told.seconds)


def _prepared(token: str) -> _Prepared:
    """Return the entry of a job, and forget jobs that were not used for a long time."""
    with _lock:
        here = _jobs.setdefault(token, _Prepared())
        _jobs.move_to_end(token)
        while len(_jobs) > _JOBS_KEPT:
            _jobs.popitem(last=False)
        return here


def cancel(token: str) -> None:
    """End the searches of a job in this process. dask calls this while a task runs."""
    _prepared(token).cancel.set()


def check(job: Job) -> None:
    """Raise a PuzzlekitError that names this worker if its versions do not fit the job."""
    if faults := faults_for(job):
        raise PuzzlekitError(f"the worker {name()} {' and '.join(faults)}")


def faults_for(job: Job) -> list[str]:
    """Say why this process cannot work on a job."""
    return list(dict.fromkeys(fault for source in job.sources for fault in _faults_of(source)))


def _faults_of(source: Source) -> list[str]:
    origin = source.origin
    try:
        solver = origin.solver()
    except PuzzlekitError as error:
        return [f"cannot load the puzzle {origin.puzzle}: {error}"]
    return Versions.here(origin, solver.puzzle).differences(source.versions)


def name() -> str:
    """Return the name of this worker for messages: the host and the address."""
    with contextlib.suppress(ImportError, ValueError):  # ValueError: not in a worker
        from distributed import get_worker

        return f"{get_worker().address} on {socket.gethostname()}"
    return f"process {os.getpid()} on {socket.gethostname()}"
