"""Options of commands that can use several processes: --jobs, --cluster and --ship-tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, cast

import click

from puzzlekit.cli.options import F, threads

__all__ = ["WorkerChoice", "worker_options"]


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
            "--jobs",
            type=threads,
            help="Number of processes. More than one needs puzzlekit[cluster]. "
            f"Default: {default}.",
        )(with_workers)
        return cast(F, with_workers)

    return decorate
