"""The options of commands that can use several processes, their workers and their progress."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from puzzlekit.cli.options import F, threads
from puzzlekit.cli.output import columns, say, several, size
from puzzlekit.cli.progress import on_terminal

if TYPE_CHECKING:
    from puzzlekit import Solver
    from puzzlekit.tables.table import TableSpec
    from puzzlekit_batch.clients import Client
    from puzzlekit_batch.job import Job, SolveJob
    from puzzlekit_batch.stream import Alone, Stream, SubtreeHelpers, WorkerTally

__all__ = [
    "BatchProgress",
    "WorkerChoice",
    "check",
    "connected",
    "say_tallies",
    "worker_options",
    "working",
]

W = TypeVar("W", "Stream", "SubtreeHelpers")
_REFRESH = 0.2  # seconds between two updates of the bar
_WINDOW = 20.0  # seconds over which the rate is measured


class WorkerChoice(NamedTuple):
    """Where the work runs: in `jobs` processes, or on the cluster at an address."""

    jobs: int | None = None
    cluster: str | None = None
    #: Whether the machines of the cluster get the tables that they lack.
    ship_tables: bool = False

    @property
    def several(self) -> bool:
        """Whether other processes do the work."""
        return self.cluster is not None or (self.jobs or 1) > 1

    @property
    def needs_tables(self) -> bool:
        """Whether this process needs the tables of the work."""
        return self.cluster is None or self.ship_tables


def worker_options(default: str = "1") -> Callable[[F], F]:
    """Return a decorator that adds the options --jobs, --cluster and --ship-tables.

    `default` is the number of processes without these options, for the help. The command gets the
    values as its argument `workers`.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def with_workers(
            jobs: int | None, cluster: str | None, ship_tables: bool, **asked: Any
        ) -> Any:
            if jobs is not None and cluster is not None:
                raise click.UsageError("--jobs and --cluster cannot be combined")
            if ship_tables and cluster is None:
                raise click.UsageError("--ship-tables needs --cluster")
            return command(workers=WorkerChoice(jobs, cluster, ship_tables), **asked)

        with_workers = click.option(
            "--ship-tables",
            is_flag=True,
            help="With --cluster: send tables to the machines that lack them, instead of building "
            "them there.",
        )(with_workers)
        with_workers = click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Work on the workers of the dask scheduler at this address, such as "
            "tcp://host:8786.",
        )(with_workers)
        with_workers = click.option(
            "-j",
            "--jobs",
            type=threads,
            help="Number of processes. More than one needs permutation-puzzlekit[cluster]. "
            f"Default: {default}.",
        )(with_workers)
        return cast(F, with_workers)

    return decorate


@contextmanager
def connected(workers: WorkerChoice) -> Iterator[Client]:
    """Start the processes or connect to the cluster, until the end of the context."""
    from puzzlekit_batch.clients import cluster_client, local_client

    if workers.cluster is not None:
        opened = cluster_client(workers.cluster)
    else:
        opened = local_client(workers.jobs or 1)
    with opened as client:
        yield client


def check(
    workers: WorkerChoice, client: Client, job: Job, keys: Callable[[], Sequence[TableSpec]]
) -> None:
    """Refuse workers that do not fit the job, say how many there are, and send them the tables.

    `keys` returns the keys of the tables.
    """
    from puzzlekit_batch.clients import check_workers, dashboard

    count = check_workers(client, job)
    if workers.cluster is not None:
        waiting = "" if count else ": waiting for the first one"
        say(f"{several(count, 'worker')} at {workers.cluster}{waiting}")
    if shown := dashboard(client):
        say(f"dashboard: {shown}")
    if workers.ship_tables:
        from puzzlekit import TableStore
        from puzzlekit_batch.clients import ship_tables

        number, nbytes = ship_tables(client, TableStore(), keys())
        say(f"sent {several(number, 'table')} ({size(nbytes)})")


@contextmanager
def working(
    workers: WorkerChoice,
    job: Job,
    solvers: Sequence[Solver],
    keys: Callable[[], Sequence[TableSpec]],
    unordered: bool = False,
) -> Iterator[Stream | Alone]:
    """Do a job in this process or on the workers, and print what each worker did.

    - `solvers`: the solvers of the job in this process.
    - `keys`: a function that returns the keys of the tables of the job.
    - `unordered`: whether results may come in any order.
    """
    from puzzlekit_batch.stream import Alone, Stream

    if not workers.several:
        yield Alone(job, solvers)
        return
    with _told(workers, job, keys, lambda client: Stream(client, job, unordered)) as stream:
        yield stream


def helping(
    workers: WorkerChoice,
    job: SolveJob,
    keys: Callable[[], Sequence[TableSpec]],
) -> AbstractContextManager[SubtreeHelpers]:
    """Let workers search subtrees, and print what each worker did.

    `keys` is a function that returns the keys of the tables of the job.
    """
    from puzzlekit_batch.stream import SubtreeHelpers

    return _told(workers, job, keys, lambda client: SubtreeHelpers(client, job))


@contextmanager
def _told(
    workers: WorkerChoice,
    job: Job,
    keys: Callable[[], Sequence[TableSpec]],
    make: Callable[[Client], W],
) -> Iterator[W]:
    """Make something that uses workers, and print what each worker did."""
    with connected(workers) as client:
        check(workers, client, job, keys)
        made = make(client)
        try:
            yield made
        finally:
            say_tallies(made.tallies, made.deaths)


class BatchProgress(AbstractContextManager["BatchProgress"]):
    """A bar with the number of finished items, the rate, the workers and the time left.

    It is shown on a terminal. `what` is the work, and `noun` is the word for one item.
    """

    def __init__(self, shown: bool = True, what: str = "solving", noun: str = "line") -> None:
        self._shown = shown and on_terminal()
        self._what = what
        self._noun = noun
        self._bar: Any = None
        self._told = 0.0
        self._past: deque[tuple[float, int, float]] = deque()  # time, items, share

    def __enter__(self) -> BatchProgress:
        if self._shown:
            from puzzlekit.cli.progress import share_bar

            self._bar = share_bar(self._what)
            self._past.append((perf_counter(), 0, 0.0))
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def tell(self, done: int, workers: int, share: Callable[[], float | None]) -> None:
        """Show the number of finished items, and the share of the work that is finished."""
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
        parts = [several(done, self._noun), f"{(done - first) / seconds:.3g}/s"]
        parts.append(several(workers, "worker"))
        if known is not None and known > first_share:
            from puzzlekit.cli.answers import duration

            left = (1 - known) * seconds / (known - first_share)
            parts.append(f"{duration(left)} left")
        self._bar.update(
            self._bar.task_ids[0], completed=1000 * (known or 0), description=", ".join(parts)
        )


def say_tallies(tallies: Mapping[str, WorkerTally], deaths: int) -> None:
    """Print a table of the work of each worker, and the number of workers that died."""
    rows = [["worker", "items", "busy", "items/s", "tables built"]]
    for name, tally in sorted(tallies.items()):
        rate = tally.items / tally.seconds if tally.seconds else 0.0
        built = f"{tally.tables} ({size(tally.nbytes)})" if tally.tables else "-"
        rows.append([name, f"{tally.items:,}", f"{tally.seconds:.1f} s", f"{rate:.3g}", built])
    if len(rows) > 1:
        say(columns(rows, right=[1, 2, 3]))
    if deaths:
        say(f"{several(deaths, 'worker')} ended unexpectedly; their work was repeated")
