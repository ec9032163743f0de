"""A page and a JSON API on this machine: paint a puzzle, solve it, watch the solution."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from puzzlekit.errors import UsageError
from puzzlekit.picture.player import VIEWER

PAGE = Path(__file__).parent / "page"


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
