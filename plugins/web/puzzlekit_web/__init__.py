"""A page and a JSON API on this machine: paint a puzzle, solve it, watch the solution."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from puzzlekit import CommandEntry, UsageError, hookimpl

puzzlekit_api = 2

__all__ = ["PAGE", "check_installed", "has_viewer", "is_installed"]

PAGE = Path(__file__).parent / "page"
VIEWER = PAGE / "viewer" / "viewer.js"
#: How to add the 3D viewer to an installation without it.
VIEWER_HINT = "for 3D run web/build in a checkout (it needs node), then install from there again"


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit serve`."""
    yield CommandEntry(
        "serve", "puzzlekit_web.command:command", "Paint, solve and replay puzzles on a page."
    )


@hookimpl
def puzzlekit_facts() -> Iterator[tuple[str, str]]:
    """Say whether the page can be served, and whether it has the 3D view."""
    if not is_installed():
        yield "page", "not installed: 'puzzlekit serve' needs pip install 'puzzlekit[web]'"
        return
    view = "with the 3D view" if has_viewer() else f"without the 3D view: {VIEWER_HINT}"
    yield "page", f"can be served, {view}"


def is_installed() -> bool:
    """Whether the packages of the extra `web` are installed."""
    return all(find_spec(name) for name in ("starlette", "uvicorn"))


def check_installed() -> None:
    """Raise a UsageError if the packages of the extra `web` are not installed."""
    if not is_installed():
        raise UsageError(
            "the page needs Starlette and Uvicorn, which are not installed: "
            "pip install 'puzzlekit[web]'"
        )


def has_viewer() -> bool:
    """Whether the 3D viewer is installed; releases include it."""
    return VIEWER.is_file()
