"""Worker processes that share the runs and end with their parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any

import attrs

from puzzlekit.comparison.experiment.case import Case
from puzzlekit.comparison.experiment.experiment import Experiment, T, Work
from puzzlekit.errors import PuzzlekitError

_NO_MEMORY = (
    "a worker process {}, perhaps because memory ran out: try fewer --jobs (1 needs least memory)"
)
_AHEAD = 4  # number of queued tasks per process, so that no process has to wait


# Kept between the tasks of a worker: the experiment, and the event that cancels the current run.
_here: tuple[Experiment, Any] | None = None


def _begin(origins: Iterable[Any], settings: dict[str, Any], cancel: Any) -> None:
    """Prepare a worker. A worker ignores Ctrl-C, because its parent cancels it."""
    global _here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _here = Experiment([_case(*origin) for origin in origins], **settings), cancel


def _end_with_parent() -> None:
    """End this process when its parent ends. Otherwise it would wait for tasks forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _case(puzzle: str, how: Mapping[str, Any]) -> Case:
    """Return the case with these arguments (see `Case.how`), made in this process."""
    from puzzlekit.definition.load import load_definition
    from puzzlekit.plugins.manager import load

    definition = how["definition"]
    return Case(load(puzzle) if definition is None else load_definition(definition), **how)


def _do(work: Work[T], task: Any) -> T:
    assert _here is not None
    experiment, cancel = _here
    return work(experiment, task, cancel)


class Workers:
    """A pool of `jobs` processes for an experiment. They end when the `with` block ends."""

    def __init__(self, experiment: Experiment, jobs: int) -> None:
        self._jobs = jobs
        # Spawned, not forked: a fork would inherit the threads and locks of this process.
        context = multiprocessing.get_context("spawn")
        self._cancel = context.Event()
        settings = attrs.asdict(experiment, recurse=False)
        origins = tuple((case.puzzle.name, case.how) for case in settings.pop("cases"))
        self._pool = ProcessPoolExecutor(jobs, context, _begin, (origins, settings, self._cancel))
        self._others = multiprocessing.active_children()
        try:
            with _interrupts_held_back():
                for _ in range(jobs):  # each starts a process while none is idle
                    self._pool.submit(int)
        except BrokenProcessPool:
            raise self._failure("ended by itself") from None
        except (RuntimeError, OSError):  # no memory for a thread or a process
            raise self._failure("cannot be started") from None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._cancel.set()
        self._pool.shutdown(cancel_futures=True)

    def done(self, work: Work[T], tasks: Iterable[Any]) -> Iterator[T]:
        """Yield the result of each task as soon as it is finished."""
        left = iter(tasks)
        pending: set[Future[T]] = set()
        try:
            while True:
                for task in islice(left, _AHEAD * self._jobs - len(pending)):
                    pending.add(self._pool.submit(_do, work, task))
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                for each in done:
                    yield each.result()
        except BrokenProcessPool:
            raise self._failure("ended by itself") from None

    def _failure(self, what: str) -> PuzzlekitError:
        """Kill the remaining processes and return the error to raise.

        Python would wait for these processes, although they get no more work. When a process dies,
        Python ends the others, except a process that is just starting.
        """
        for process in multiprocessing.active_children():
            if process not in self._others:
                process.kill()
        return PuzzlekitError(_NO_MEMORY.format(what))


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C in this process and in processes that start meanwhile.

    Otherwise Ctrl-C would end a new process with a traceback, before the process can ignore Ctrl-C.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
