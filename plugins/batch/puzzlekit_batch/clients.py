"""Dask clients for processes of this machine or a running cluster, and checks of their workers."""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import platform
import signal
import socket
import tempfile
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

from puzzlekit import (
    Method,
    Metric,
    NoSolutionError,
    Orbit,
    Permutation,
    Phase,
    Puzzle,
    PuzzlekitError,
    Sequential,
    Solver,
    TableStore,
    UsageError,
    __version__,
)
from puzzlekit.engine.compiled import missing
from puzzlekit.plugins.manager import manager
from puzzlekit.tables.store import ScratchStore
from puzzlekit.tables.table import TableSpec
from puzzlekit_batch.job import Job, faults_for, plugin_version

__all__ = ["check_workers", "load_dask"]

#: A `distributed.Client`. dask has no type annotations.
Client = Any

_CONNECT = 15  # seconds to wait for a scheduler
_LOST_WORKER = 10  # seconds after which a worker that is gone is replaced
_CLOSE = 5  # seconds to wait for the end of processes
_SETTINGS = {
    "distributed.deploy.lost-worker-timeout": f"{_LOST_WORKER} s",
    # The scheduler keeps its last log entries, which grew by 10 MB for each 100,000 lines.
    "distributed.admin.low-level-log-length": 10,
    "distributed.diagnostics.computations.max-history": 1,
    # Each worker would look 100 times a second at what it is doing. Without this, the page
    # "profile" of the dashboard is empty.
    "distributed.worker.profile.enabled": False,
}

_PIECE = 16 << 20  # bytes in one message
_NODES = 3_000_000  # of the search that measures the speed


@contextlib.contextmanager
def local_client(jobs: int) -> Iterator[Client]:
    """Start worker processes on this machine, and end them with the context.

    Whoever can connect to a scheduler or worker of dask runs code there. So they take connections
    from this process only: all of them have a certificate that nothing else has.
    """
    distributed = load_dask()
    try:
        security = distributed.Security.temporary()
    except ImportError:
        raise UsageError(
            "several processes need cryptography: pip install 'permutation-puzzlekit[cluster]'"
        ) from None
    import dask
    from tornado.ioloop import PeriodicCallback

    dask.config.set(_SETTINGS)
    with interrupts_held_back():
        try:
            cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                memory_limit=0,  # mapped tables would count
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                security=security,
                scheduler_kwargs={"allowed_failures": 0},  # a stream repeats what is worth it
            )
        except (RuntimeError, OSError) as error:
            raise PuzzlekitError(f"{jobs} worker processes cannot be started: {error}") from None
    # dask starts a worker again if it dies, but not if it dies while it is being started.
    revive = PeriodicCallback(lambda: cluster.scale(jobs), 1000)
    cluster.periodic_callbacks["revive"] = revive
    cluster.loop.add_callback(revive.start)
    try:
        with _connected(cluster) as client:
            yield client
    finally:
        with contextlib.suppress(TimeoutError):  # the rest ends with this process
            cluster.close(timeout=_CLOSE)


@contextlib.contextmanager
def cluster_client(address: str) -> Iterator[Client]:
    """Connect to the dask scheduler at an address, until the end of the context.

    Certificates for an address tls://... come from the settings of dask.
    """
    load_dask()
    with _connected(address) as client:
        yield client


@contextlib.contextmanager
def _connected(cluster: Any) -> Iterator[Client]:
    distributed = load_dask()
    # An earlier client that found no scheduler closes itself when it is collected. If that happened
    # while this one starts its loop, both would wait for one lock for ever.
    gc.collect()
    try:
        client = distributed.Client(cluster, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        place = cluster if isinstance(cluster, str) else "this machine"
        raise PuzzlekitError(f"no dask scheduler answers at {place}: {error}") from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.close(timeout=_CLOSE)


def load_dask() -> Any:
    """Import dask. Raises a UsageError if it is not installed."""
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "several processes need dask: pip install 'permutation-puzzlekit[cluster]'"
        ) from None
    # Lost connections are raised as errors, so their log is not needed.
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _has_dashboard() -> bool:
    from importlib.util import find_spec

    return find_spec("bokeh") is not None


def check_workers(client: Client, job: Job) -> int:
    """Return the number of workers.

    Raise a PuzzlekitError that names each worker whose puzzlekit or plugin does not fit the job. A
    worker that starts later makes the same check before its first task.
    """
    from pkgutil import resolve_name

    # A worker without puzzlekit cannot read functions of puzzlekit, so the first question is one
    # that every Python can answer.
    found = _asked(client, resolve_name, "puzzlekit.version:__version__")
    wanted = job.sources[0].versions.puzzlekit
    faults = {
        worker: f"has puzzlekit {answer} instead of {wanted}"
        if isinstance(answer, str)
        else "has no puzzlekit"
        for worker, answer in found.items()
        if answer != wanted
    }
    rest = [worker for worker in found if worker not in faults]
    for worker, answer in (_asked(client, faults_for, job, workers=rest) if rest else {}).items():
        if isinstance(answer, BaseException):
            faults[worker] = f"does not answer: {type(answer).__name__}: {answer}"
        elif answer:
            faults[worker] = " and ".join(answer)
    if faults:
        raise PuzzlekitError(
            "\n".join(f"the worker {worker} {fault}" for worker, fault in faults.items())
        )
    return len(found)


def _asked(client: Client, function: Any, *args: Any, **options: Any) -> dict[str, Any]:
    """Call a function in every worker, and return the answer or the exception of each."""
    try:
        found: dict[str, Any] = client.run(function, *args, on_error="return", **options)
    except OSError as error:
        raise lost(client) from error
    return found


def lost(client: Client) -> PuzzlekitError:
    """Return the error for a scheduler that does not answer any more."""
    place = getattr(client.scheduler, "address", "")
    return PuzzlekitError(f"the connection to the dask scheduler {place} is lost")


@contextlib.contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C in this thread, and for good in threads and processes that start meanwhile.

    So Ctrl-C in a terminal reaches this process only, and this process ends the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would unblock Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def dashboard(client: Client) -> str:
    """Return the address of the dashboard, or "" if the scheduler has none."""
    if client.cluster is not None and not _has_dashboard():
        return ""
    return client.dashboard_link or ""


def missing_tables(keys: Sequence[TableSpec]) -> tuple[str, list[TableSpec]]:
    """Return the host and cache of this worker, and which of the tables its cache lacks."""
    store = TableStore()
    return f"{socket.gethostname()}:{store.root}", [key for key in keys if not store.has(key)]


def receive(path: str, piece: bytes, first: bool, last: bool, token: str) -> None:
    """Write a piece of a table into the cache of this worker.

    After the last piece, the file gets its name. Its time of change is new, so the store compares
    its checksum when it opens the file.
    """
    target = os.path.join(TableStore().root, path)
    temporary = f"{target}.{token}.tmp"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(temporary, "wb" if first else "ab") as file:
        file.write(piece)
    if last:
        os.replace(temporary, target)


def ship_tables(client: Client, store: TableStore, keys: Sequence[TableSpec]) -> tuple[int, int]:
    """Send tables of this machine to each machine that lacks them.

    Workers with the same host and cache get each table once. Return the number of sent files and
    their total size in bytes. Raises a PuzzlekitError if a worker cannot write a table.
    """
    token = os.urandom(4).hex()
    try:
        asked = client.run(missing_tables, [key for key in dict.fromkeys(keys) if store.find(key)])
        caches = {cache: (worker, lacking) for worker, (cache, lacking) in asked.items()}
        count = nbytes = 0
        for worker, lacking in caches.values():
            for key in lacking:
                path = os.path.relpath(store.path(key), store.root)
                for first, piece, last in _pieces(store.npy(key)):
                    client.run(receive, path, piece, first, last, token, workers=[worker])
                    nbytes += len(piece)
                count += 1
    except OSError as error:
        if client.status != "running":
            raise lost(client) from None
        raise PuzzlekitError(f"a worker cannot store a table: {error}") from None
    return count, nbytes


def _pieces(content: memoryview) -> Iterator[tuple[bool, bytes, bool]]:
    """Yield the content of a file in pieces, with whether each is the first and the last one."""
    for begin in range(0, len(content), _PIECE):
        piece = content[begin : begin + _PIECE]
        yield begin == 0, bytes(piece), begin + _PIECE >= len(content)


def describe() -> dict[str, Any]:
    """Return the facts of this process, as `puzzlekit workers --json` prints them."""
    manager().entries()  # imports all plugins
    store = TableStore()
    try:
        os.makedirs(store.root, exist_ok=True)
        with tempfile.TemporaryFile(dir=store.root):
            writable = True
    except OSError:
        writable = False
    tables = store.entries()
    return {
        "host": socket.gethostname(),
        "puzzlekit": __version__,
        "python": platform.python_version(),
        "compiled": not missing(),
        "plugins": {each.name: plugin_version(each) for each in manager().plugins},
        "broken": [each.name for each in manager().plugins if each.problem],
        "cache": store.root,
        "writable": writable,
        "tables": len(tables),
        "bytes": sum(each.nbytes for each in tables),
        "nodes_per_second": round(nodes_per_second()),
    }


def nodes_per_second() -> float:
    """Measure the speed of this process: search a ring of ten beads, without tables on disk."""
    size = 10
    ring = bytes([*range(1, size), 0]), bytes(size)
    swap = bytes([1, 0, *range(2, size)]), bytes(size)
    names = [str(number) for number in range(size)]
    beads = Orbit("beads", "bead", " ".join(names))
    metric = Metric("TURNS", "turns", {"R": 1, "S": 1})
    puzzle = Puzzle("speed", "Ring", (beads,), {"R": ring, "S": swap}, (metric,))
    halves = (names[::2], names[1::2])
    coordinates = tuple(
        Permutation(f"half{number}", puzzle, "beads", " ".join(half))
        for number, half in enumerate(halves)
    )
    tables = tuple(each.name for each in coordinates)
    solve = Phase("solve", "every bead is at home", "R S", coordinates, tables)
    method = Method("speed", "a search of given length", (solve,), strategy=Sequential())
    solver = Solver(puzzle, [method], ScratchStore(TableStore()))
    solver.prepared()
    state = bytes(reversed(puzzle.solved))
    nodes = _NODES
    started = perf_counter()
    with contextlib.suppress(NoSolutionError):  # the usual end: the nodes are used up
        nodes = solver.solve(state, max_nodes=_NODES).nodes
    return nodes / (perf_counter() - started)


def health(client: Client) -> dict[str, dict[str, Any]]:
    """Return the facts of each worker, by its address.

    A worker that cannot answer, for example because it lacks puzzlekit, has the single fact
    "problem".
    """
    try:
        found = client.run(describe, on_error="return")
    except OSError:
        raise lost(client) from None
    return {
        worker: {"problem": f"{type(facts).__name__}: {facts}"}
        if isinstance(facts, BaseException)
        else facts
        for worker, facts in sorted(found.items())
    }
