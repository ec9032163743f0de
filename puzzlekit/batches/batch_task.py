"""The functions of a batch that run in the worker processes."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from time import perf_counter
from typing import Any

import attrs

from puzzlekit.batches.job import Job, Versions
from puzzlekit.errors import PuzzlekitError
from puzzlekit.store.store import Watcher
from puzzlekit.store.table import TableKey

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
            solver = task.job.origin.solver()
            with solver.store.watched(here.built):
                here.work = task.job.prepare(here.cancel)
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
    try:
        solver = job.origin.solver()
    except PuzzlekitError as error:
        return [f"cannot load the puzzle {job.origin.puzzle}: {error}"]
    return Versions.here(job.origin, solver.puzzle).differences(job.versions)


def name() -> str:
    """Return the name of this worker for messages: the host and the address."""
    with contextlib.suppress(ImportError, ValueError):  # ValueError: not in a worker
        from distributed import get_worker

        return f"{get_worker().address} on {socket.gethostname()}"
    return f"process {os.getpid()} on {socket.gethostname()}"
