"""Format output for stdout: colours, columns, sizes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

__all__ = [
    "can_print",
    "columns",
    "echo_json",
    "is_terminal",
    "json_line",
    "several",
    "size",
    "wants_colour",
]


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return bool(sys.stdout and sys.stdout.isatty())


def can_print(text: str) -> bool:
    """Whether the encoding of stdout has all characters of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wants_colour() -> bool:
    """Whether to colour stdout.

    NO_COLOR and FORCE_COLOR decide if set. Otherwise stdout is coloured if it is a terminal.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal() and os.environ.get("TERM") != "dumb"


def echo(text: str) -> None:
    """Print text that may contain colours. The caller decides whether to colour the text."""
    click.echo(text, color=True)


def json_line(command: str, **fields: Any) -> str:
    """Return the JSON object of a command (schema/<command>.schema.json) as a line of ASCII."""
    from puzzlekit.search.solution import as_json

    return as_json({"schema": f"puzzlekit.{command}/1", **fields})


def echo_json(command: str, **fields: Any) -> None:
    """Print the JSON object of a command."""
    click.echo(json_line(command, **fields))


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Align rows of cells in columns. The columns in `right` are right-aligned.

    >>> print(columns([["a", "1", "x"], ["bcd", "10", "y"]], right=[1]))
    a     1  x
    bcd  10  y
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def size(nbytes: int) -> str:
    """Format a number of bytes for people.

    >>> size(480), size(78_732), size(2_300_000)
    ('480 B', '79 kB', '2.3 MB')
    """
    if nbytes < 1000:
        return f"{nbytes} B"
    value = nbytes / 1000
    units = ["GB", "MB", "kB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop()
    return f"{value:.1f} {units[-1]}" if value < 9.95 else f"{value:.0f} {units[-1]}"


def several(count: int, noun: str) -> str:
    """Format a number with its noun.

    >>> several(1, "table"), several(1200, "move")
    ('1 table', '1,200 moves')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
