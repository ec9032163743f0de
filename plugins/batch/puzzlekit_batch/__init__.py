"""Batches: solve many positions in several processes or on several machines, with dask."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_batch.results_file import DataColumn as DataColumn
    from puzzlekit_batch.solve_many import batch as batch

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(__name__, {".results_file": "DataColumn", ".solve_many": "batch"})

_WORKERS = ("--jobs", "--cluster", "--ship-tables")


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit batch`, `batch-scramble` and `workers`."""
    yield CommandEntry(
        "batch",
        "puzzlekit_batch.command:command",
        "Solve the lines of a file, in several processes or on a cluster.",
        tuple(
            f"solve {name}"
            for name in ("--file", "--input", "--output", "--unordered", "-j", *_WORKERS)
        ),
    )
    yield CommandEntry(
        "batch-scramble",
        "puzzlekit_batch.scramble_command:command",
        "Print many scrambles, found in several processes.",
        tuple(f"scramble {name}" for name in _WORKERS),
    )
    yield CommandEntry(
        "workers",
        "puzzlekit_batch.command:workers",
        "Show the versions and the speed of the workers of a cluster.",
        ("doctor --cluster",),
    )
