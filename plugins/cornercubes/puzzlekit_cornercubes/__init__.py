"""Cubes whose corners turn: the Dino, Ivy, Redi and Rex Cube.

Each puzzle has a module of its own, which is imported when the puzzle is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

from puzzlekit import PuzzleEntry, hookimpl

puzzlekit_api = 2


def _entry(name: str, title: str) -> PuzzleEntry:
    """Return the entry of a puzzle, whose module has its name."""

    def call(function: str, *arguments: Any) -> Any:
        return getattr(import_module(f"{__name__}.{name}"), function)(*arguments)

    parts = (partial(call, function) for function in ("puzzle", "methods", "goals"))
    puzzle, methods, goals = parts
    return PuzzleEntry(name, title, puzzle, methods, goals=goals)


@hookimpl
def puzzlekit_puzzles() -> Iterator[PuzzleEntry]:
    """Register dino, ivy, redi and rex."""
    yield _entry("dino", "Dino Cube")
    yield _entry("ivy", "Ivy Cube")
    yield _entry("redi", "Redi Cube")
    yield _entry("rex", "Rex Cube")
