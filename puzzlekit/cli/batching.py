"""The connection to workers, and what a person sees of a batch."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from puzzlekit.cli.messages import say
from puzzlekit.cli.options import WorkerChoice
from puzzlekit.cli.output import columns, several, size
from puzzlekit.cli.progress import on_terminal

if TYPE_CHECKING:
    from puzzlekit.batches.clients import Client
    from puzzlekit.batches.job import Job
    from puzzlekit.batches.stream import Stream

_REFRESH = 0.2  # seconds between two updates of the bar
_WINDOW = 20.0  # seconds over which the rate is measured


@contextmanager
def connected(workers: WorkerChoice) -> Iterator[Client]:
    """Start the processes or connect to the cluster, until the end of the context."""
    from puzzlekit.batches.clients import cluster_client, local_client

    if workers.cluster is not None:
        opened = cluster_client(workers.cluster)
    else:
        opened = local_client(workers.jobs or 1)
    with opened as client:
        yield client


def check(workers: WorkerChoice, client: Client, job: Job) -> None:
    """Refuse workers that do not fit the job, and say how many workers there are."""
    from puzzlekit.batches.clients import check_workers, dashboard

    count = check_workers(client, job)
    if workers.cluster is not None:
        waiting = "" if count else ": waiting for the first one"
        say(f"{several(count, 'worker')} at {workers.cluster}{waiting}")
    if shown := dashboard(client):
        say(f"dashboard: {shown}")


class BatchProgress(AbstractContextManager["BatchProgress"]):
    """A bar with the number of finished lines, the rate, the workers and the time left.

    It is shown on a terminal.
    """

    def __init__(self, shown: bool = True) -> None:
        self._shown = shown and on_terminal()
        self._bar: Any = None
        self._told = 0.0
        self._past: deque[tuple[float, int, float]] = deque()  # time, lines, share

    def __enter__(self) -> BatchProgress:
        if self._shown:
            from puzzlekit.cli.progress import share_bar

            self._bar = share_bar("solving")
            self._past.append((perf_counter(), 0, 0.0))
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, done: int, workers: int, share: Callable[[], float | None]) -> None:
        """Show the number of finished lines, and the share of the input that is finished."""
        now = perf_counter()
        if not self._bar or now - self._told < _REFRESH:
            return
        self._told = now
        known = share()
        self._past.append((now, done, known or 0.0))
        while now - self._past[0][0] > _WINDOW:
            self._past.popleft()
        begun, first, first_share = self._past[0]
        seconds = max(now - begun, 1e-3)
        parts = [several(done, "line"), f"{(done - first) / seconds:.3g}/s"]
        parts.append(several(workers, "worker"))
        if known is not None and known > first_share:
            from puzzlekit.cli.answers import duration

            left = (1 - known) * seconds / (known - first_share)
            parts.append(f"{duration(left)} left")
        self._bar.update(
            self._bar.task_ids[0], completed=1000 * (known or 0), description=", ".join(parts)
        )


def say_tallies(stream: Stream) -> None:
    """Print a table of the work of each worker."""
    rows = [["worker", "lines", "busy", "lines/s", "tables built"]]
    for name, tally in sorted(stream.tallies.items()):
        rate = tally.items / tally.seconds if tally.seconds else 0.0
        built = f"{tally.tables} ({size(tally.nbytes)})" if tally.tables else "-"
        rows.append([name, f"{tally.items:,}", f"{tally.seconds:.1f} s", f"{rate:.3g}", built])
    if len(rows) > 1:
        say(columns(rows, right=[1, 2, 3]))
    if stream.deaths:
        say(f"{several(stream.deaths, 'worker')} ended unexpectedly; their lines were repeated")
