"""Read a description from a file, for `--puzzle FILE.pg`."""

from __future__ import annotations

import os
from pathlib import Path

import puzzlekit_definitions
from puzzlekit import Solver
from puzzlekit.plugins.readers import read_text
from puzzlekit_puzzlegeometry.cuts import cut

__all__ = ["load_description"]


def load_description(path: str | os.PathLike[str], *, memory: int | None = None) -> Solver:
    """Return a solver for the puzzle of a description in a file.

    `memory` is the most bytes for tables. Raises a DefinitionError if the description is wrong.
    """
    file = Path(path)
    text = cut(read_text(file), str(file)).to_json()
    return puzzlekit_definitions.parse_definition(
        text, "json", source=str(file), name=file.stem, memory=memory
    )
