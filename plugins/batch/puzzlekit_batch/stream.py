"""Stream items through workers, in tasks of about a second."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

import attrs

from puzzlekit import Limits, PuzzlekitError, SearchOptions, Solver, UsageError
from puzzlekit.search.limits import SubtreeReport
from puzzlekit.search.options import Choice
from puzzlekit_batch.clients import Client, lost
from puzzlekit_batch.job import BatchTask, Job, Report, SolveJob, cancel, do_task, new_token

__all__ = ["Alone", "Stream", "WorkerTally", "values"]

Triple = tuple[Any, Any, Any]  # key, value, result

TASK_SECONDS = 1.0  # the aim; a task costs the scheduler some milliseconds
IN_FLIGHT = 3  # tasks for each thread of a worker: one runs, the others wait for it
_OUT_OF_ORDER = 16  # finished tasks for each thread that wait for an earlier one
_MOST_ITEMS = 2_000  # of one task, whose results take some megabytes
_GROWTH = 8  # at most, from one task to the next: the first items may be easy ones
_SHRINK = 20  # near the end of the items, tasks become up to this many times shorter
_READ_AHEAD = 2 * _MOST_ITEMS  # items
_LOOK = 2.0  # seconds between two looks at the workers
# Seconds for which the workers must stay the same before a suspect runs. A worker that dies while
# it is being started is not started again.
_SETTLED = 0.5
_LOST = 10.0  # seconds without a connection to the scheduler
MOST_DEATHS = 3  # of workers, at one item

Subtree = tuple[int, int]  # moves before the subtree, and its number


class WorkerDied(PuzzlekitError):
    """An item has ended its worker `MOST_DEATHS` times, for example because memory ran out."""


@attrs.define
class WorkerTally:
    """The work of one worker."""

    #: Number of items.
    items: int = 0
    #: Wall time of the items in seconds.
    seconds: float = 0.0
    #: Number of tables that the worker built.
    tables: int = 0
    #: The size of these tables in bytes.
    nbytes: int = 0
    #: Seconds to load and build tables.
    preparing: float = 0.0


@attrs.define(eq=False)
class _Batch:
    """Consecutive items of the stream. They become one task, or single ones if a worker dies."""

    entries: list[tuple[Any, Any]]
    results: list[Any]
    left: int


@attrs.define(eq=False)
class _Sent:
    """A task in flight: some entries of a part."""

    part: _Batch
    slots: list[int]
    alone: bool = False  # nothing else was in flight
    deaths: int = 0  # of workers, while it was alone


@attrs.frozen(eq=False)
class _End:
    """The end of the items, and the exception that ended them."""

    error: BaseException | None


class Alone:
    """Does the work of a job in this process, with the interface of a `Stream`.

    - `job`: the work for each item.
    - `solvers`: the solvers that the job needs.
    """

    #: Number of workers that died.
    deaths = 0
    #: Number of processes that work.
    workers = 1

    def __init__(self, job: Job, solvers: Sequence[Solver]) -> None:
        self.tallies: dict[str, WorkerTally] = {}
        self._job = job
        self._solvers = solvers

    def results(self, items: Iterable[tuple[Any, Any]]) -> Generator[Triple, None, None]:
        """Yield (key, value, result) for each item (key, value), as `Stream.results` does."""
        work = self._job.prepare(self._solvers, threading.Event())
        for key, value in items:
            yield key, value, value if isinstance(value, Exception) else work(value)


class Stream:
    """Sends items to the workers of a client, and yields the results.

    The first tasks have one item each. Their times give the sizes of the later ones. Near the end
    of the items the tasks become shorter, so all workers end at nearly the same time. The number of
    tasks in flight is limited, so a stream of any length takes constant memory.

    If a worker dies, the items of its task are repeated one by one, and nothing else runs
    meanwhile. So the item that ended the worker is found. Its result is a `WorkerDied`.

    Parameters
    ----------
    client
        The client of dask.
    job
        The work for each item.
    unordered
        Whether to yield results as they come. By default they come in the order of the items.
    is_over
        A function that is called a few times a second. If it returns True, the stream ends early.
        Default: None, for a stream that ends with its items.
    """

    def __init__(
        self,
        client: Client,
        job: Job,
        unordered: bool = False,
        is_over: Callable[[], bool] | None = None,
    ) -> None:
        self.client = client
        self.job = job
        #: The work of each worker so far, by its name.
        self.tallies: dict[str, WorkerTally] = {}
        self._is_over = is_over or (lambda: False)
        #: Number of workers that died.
        self.deaths = 0
        #: Number of workers that are connected.
        self.workers = 0
        self._threads = 0
        self._unordered = unordered
        self._waiting: deque[tuple[Any, Any]] = deque()
        self._open: deque[_Batch] = deque()  # not yet yielded, in the order of the items
        self._finished: deque[_Batch] = deque()  # to yield next, if the order does not matter
        self._parts = 0  # not yet yielded
        self._running: dict[Any, _Sent] = {}
        self._suspects: deque[_Sent] = deque()
        self._inbox: SimpleQueue[Any] = SimpleQueue()
        self._room = threading.Semaphore(_READ_AHEAD)
        self._size = 1
        self._end: _End | None = None
        self._looked = self._changed = 0.0  # when the workers were listed, and were others
        self._addresses: set[str] = set()
        self._connected = monotonic()

    def results(self, items: Iterable[tuple[Any, Any]]) -> Generator[Triple, None, None]:
        """Yield (key, value, result) for each item (key, value).

        Only the values are sent to workers. If a value is an exception, it is its own result. An
        exception of `items` is raised after the results of the items before it. Raises a
        PuzzlekitError if a worker does not fit the job, or if the scheduler is gone.
        """
        stop = threading.Event()
        threading.Thread(target=self._read, args=(items, stop), daemon=True).start()
        try:
            while True:
                self._send()
                yield from self._ready()
                if (self._end and not (self._waiting or self._parts)) or self._is_over():
                    break
                self._receive()
        finally:
            stop.set()
            self._cancel()
        if self._end is not None and self._end.error is not None:
            raise self._end.error

    def _read(self, items: Iterable[tuple[Any, Any]], stop: threading.Event) -> None:
        """Put the items into the inbox, in a thread, because the items may come slowly."""
        error: BaseException | None = None
        try:
            for item in items:
                while not self._room.acquire(timeout=1):
                    if stop.is_set():
                        return
                if stop.is_set():
                    return
                self._inbox.put(item)
        except BaseException as failure:
            error = failure
        self._inbox.put(_End(error))

    def _receive(self) -> None:
        """Take what has arrived: items, the end of the items, and finished tasks."""
        with contextlib.suppress(Empty):
            self._take(self._inbox.get(timeout=_SETTLED))
            for _ in range(_MOST_ITEMS):
                self._take(self._inbox.get_nowait())
        now = monotonic()
        if self.client.status == "running":
            self._connected = now
        gone = any(future.status in ("lost", "cancelled") for future in self._running)
        if gone or now - self._connected > _LOST or self.client.status in ("closed", "closing"):
            raise lost(self.client)

    def _take(self, arrived: Any) -> None:
        if isinstance(arrived, tuple):
            self._waiting.append(arrived)
        elif isinstance(arrived, _End):
            self._end = arrived
        else:
            self._finish(arrived)

    def _send(self) -> None:
        """Send as many tasks as may be in flight."""
        threads = self._look()
        if self._suspects:
            settled = self._addresses and monotonic() - self._changed > _SETTLED
            if settled and not self._running:
                self._submit(self._suspects.popleft())
            return
        while (
            self._waiting
            and len(self._running) < IN_FLIGHT * threads
            and (self._unordered or self._parts < _OUT_OF_ORDER * threads)
        ):
            enough = self._end or len(self._waiting) >= self._size
            if not enough and len(self._running) >= threads:
                return  # more items come before a worker is idle
            size = min(self._size, len(self._waiting))
            if self._end:
                share = len(self._waiting) // (2 * threads)
                size = min(size, max(1, share, self._size // _SHRINK))
            entries = [self._waiting.popleft() for _ in range(size)]
            self._room.release(len(entries))
            results = [value if isinstance(value, Exception) else None for _, value in entries]
            slots = [slot for slot, result in enumerate(results) if result is None]
            part = _Batch(entries, results, len(slots))
            self._parts += 1
            if not self._unordered:
                self._open.append(part)
            if slots:
                self._submit(_Sent(part, slots))
            else:
                self._finished.append(part)

    def _look(self) -> int:
        """Return the number of threads of all workers, at least 1."""
        if monotonic() - self._looked > (_SETTLED if self._suspects else _LOOK):
            try:
                found = self.client.nthreads()
            except (OSError, TimeoutError):
                raise lost(self.client) from None
            self._looked = monotonic()
            if found.keys() != self._addresses:
                self._addresses, self._changed = set(found), self._looked
            self.workers, self._threads = len(found), sum(found.values())
        return max(self._threads, 1)

    def _submit(self, sent: _Sent) -> None:
        task = BatchTask(self.job, tuple(sent.part.entries[slot][1] for slot in sent.slots))
        future = self.client.submit(
            do_task, task, key=f"puzzlekit-{uuid.uuid4().hex}", pure=False, retries=0
        )
        self._running[future] = sent
        future.add_done_callback(self._inbox.put)

    def _finish(self, future: Any) -> None:
        """Handle a finished task."""
        sent = self._running.pop(future)
        if future.status not in ("finished", "error"):
            raise lost(self.client)
        try:
            report = future.result()
        except PuzzlekitError:
            raise
        except (OSError, CancelledError):  # the result could not be fetched
            raise lost(self.client) from None
        except Exception as error:
            if type(error).__name__ != "KilledWorker":
                problem = f"a worker failed: {type(error).__name__}: {error}"
                raise PuzzlekitError(problem) from error
            self._bury(sent, getattr(error, "allowed_failures", 0) + 1)
            return
        self._note(report)
        self._settle(sent, report.results)

    def _bury(self, sent: _Sent, deaths: int) -> None:
        """Repeat the items of a task whose worker died `deaths` times, one by one."""
        self.deaths += deaths
        self._looked = self._changed = monotonic()
        if not sent.alone:
            self._suspects.extend(_Sent(sent.part, [slot], alone=True) for slot in sent.slots)
            return
        sent.deaths += deaths
        if sent.deaths < MOST_DEATHS:
            self._suspects.appendleft(sent)
            return
        problem = f"it ended its worker {sent.deaths} times, perhaps because memory ran out"
        self._settle(sent, [WorkerDied(problem)])

    def _settle(self, sent: _Sent, results: Sequence[Any]) -> None:
        for slot, result in zip(sent.slots, results, strict=True):
            sent.part.results[slot] = result
        sent.part.left -= len(sent.slots)
        if not sent.part.left:
            self._finished.append(sent.part)

    def _note(self, report: Report) -> None:
        """Add a report to the tally of its worker, and choose the size of the next tasks."""
        tally = self.tallies.setdefault(report.worker, WorkerTally())
        tally.items += len(report.results)
        tally.seconds += report.seconds
        tally.tables += report.tables
        tally.nbytes += report.nbytes
        tally.preparing += report.preparing
        size = TASK_SECONDS * len(report.results) / max(report.seconds, 1e-6)
        self._size = max(1, min(int(size), _GROWTH * len(report.results), _MOST_ITEMS))

    def _ready(self) -> Iterator[Triple]:
        """Yield the results that may be yielded now."""
        if self._unordered:
            ready = self._finished
        else:
            self._finished.clear()
            ready = deque()
            while self._open and not self._open[0].left:
                ready.append(self._open.popleft())
        while ready:
            self._parts -= 1
            yield from _triples(ready.popleft())

    def _cancel(self) -> None:
        """End the tasks in flight."""
        if not self._running:
            return
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.cancel(list(self._running), asynchronous=False)
            self.client.run(cancel, self.job.token, wait=False)
        self._running.clear()


def values(stream: Alone | Stream, items: Iterable[Any]) -> Generator[Any, None, None]:
    """Yield the result of each item; if the result is a PuzzlekitError, raise it."""
    with contextlib.closing(stream.results((None, item) for item in items)) as results:
        for _, _, result in results:
            if isinstance(result, PuzzlekitError):
                raise result
            yield result


def _triples(part: _Batch) -> Iterator[Triple]:
    for (key, value), result in zip(part.entries, part.results, strict=True):
        yield key, value, result


def check_shared(choice: Choice) -> None:
    """Raise a UsageError if processes cannot share the search of one position."""
    method = choice.method
    heuristics = zip(choice.plan.heuristics, method.phases, strict=True)
    admissible = all(
        each.admissible or not each.changes(len(phase.groups)) for each, phase in heuristics
    )
    if method.goal is not None or not method.strategy.splits or not admissible:
        raise UsageError(
            f"processes cannot share the search of one position by {method.name or 'this method'}, "
            "as they can by optimal of cube3; with --input, processes share the lines of a file"
        )


@attrs.frozen
class SubtreeJob(Job):
    """Search subtrees of a state within a bound. The result is a `SubtreeReport`."""

    options: SearchOptions
    state: bytes
    bound: int

    def prepare(
        self, solvers: Sequence[Solver], cancel: threading.Event
    ) -> Callable[[Subtree], SubtreeReport]:
        """Load or build the tables, and return the function that searches a subtree."""
        (solver,) = solvers
        search = solver.make_ready(solver.choose(self.options)).subtrees(self.state)
        limits = Limits(cancel=cancel)
        return lambda subtree: search.search_subtree(self.bound, *subtree, limits)


class SubtreeHelpers:
    """Searches the subtrees of states on the workers of a client (see `Helpers`).

    - `client`: the client of dask.
    - `job`: the job that solves the states.
    """

    def __init__(self, client: Client, job: SolveJob) -> None:
        #: The work of each worker so far, by its name.
        self.tallies: dict[str, WorkerTally] = {}
        #: Number of workers that died.
        self.deaths = 0
        self._client = client
        self._job = job

    @property
    def count(self) -> int:
        """Number of threads of all workers, at least 1."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def search(
        self, state: bytes, bound: int, moves: int, numbers: Sequence[int], stop: Callable[[], bool]
    ) -> Generator[tuple[int, SubtreeReport], None, None]:
        """Search subtrees, and yield the number of each with its report."""
        job = SubtreeJob(new_token(), self._job.sources, self._job.options, state, bound)
        stream = Stream(self._client, job, unordered=True, is_over=stop)
        stream.tallies = self.tallies
        items = ((number, (moves, number)) for number in numbers)
        try:
            with contextlib.closing(stream.results(items)) as results:
                for number, _, report in results:
                    if isinstance(report, PuzzlekitError):
                        raise report
                    yield number, report
        finally:
            self.deaths += stream.deaths
