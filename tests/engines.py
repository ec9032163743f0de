"""For the tests: the engine as it is installed, and its source as plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import puzzlekit_cubes.engine as cubes  # `engine` has its compiled modules, too
from puzzlekit_authoring import engines
from puzzlekit_authoring.engines import installed, plain

__all__ = ["cubes", "engine", "interpreted", "plain"]

engine = installed()


@pytest.fixture
def interpreted() -> Iterator[None]:
    """Let everything use the engine as plain Python, wherever it was imported."""
    with engines.interpreted():
        yield
