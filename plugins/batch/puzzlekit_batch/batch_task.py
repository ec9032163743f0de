"""What the worker processes of a batch run."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any

import attrs

from puzzlekit import PuzzlekitError
from puzzlekit.tables.store import Watcher
from puzzlekit.tables.table import TableKey
from puzzlekit.tables.watchers import Patience
from puzzlekit_batch.job import Job, Source, Versions

_JOBS_KEPT = 4  # in one process; a job keeps its tables open


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

    def built(self, key: TableKey) -> None:
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
_lock = threading.Lock()


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
