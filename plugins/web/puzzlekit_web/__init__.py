"""A page and a JSON API on this machine: paint a puzzle, solve it, watch the solution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from puzzlekit import CommandEntry, hookimpl

puzzlekit_api = 2

__all__ = ["PAGE"]

PAGE = Path(__file__).parent / "page"


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit serve`."""
    yield CommandEntry(
        "serve",
        "puzzlekit_web.command:command",
        "Paint, solve and replay puzzles on a page.",
        ("app", "gui", "page", "play", "site", "ui", "web"),
    )
