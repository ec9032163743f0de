"""Batches: solve many positions in several processes or on several machines, with dask."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from puzzlekit import CommandEntry, hookimpl

if TYPE_CHECKING:
    from puzzlekit_batch.results_file import DataColumn as DataColumn
    from puzzlekit_batch.solve_many import batch as batch

puzzlekit_api = 2

__all__ = ["DataColumn", "batch"]

_HOMES = {"DataColumn": "results_file", "batch": "solve_many"}
_WORKERS = ("--jobs", "--cluster", "--ship-tables")


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit batch`, `batch-scramble` and `workers`."""
    yield CommandEntry(
        "batch",
        "puzzlekit_batch.command:command",
        "Solve the lines of a file, in several processes or on a cluster.",
        tuple(f"solve {name}" for name in ("--input", "--output", "--unordered", *_WORKERS)),
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


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
