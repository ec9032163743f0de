"""Puzzles in files that plugins read."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from puzzlekit.errors import DefinitionError, PluginError
from puzzlekit.plugins import manager
from puzzlekit.plugins.hooks import PuzzleReader
from puzzlekit.search.solver import Solver

__all__ = ["load_file", "read_text"]

_MOST = 20_000_000  # bytes of a file


def load_file(path: str | os.PathLike[str], memory: int | None = None) -> Solver:
    """Return the solver of the puzzle that a file defines.

    The plugin that reads the suffix of the file makes the solver.

    Parameters
    ----------
    path
        The file. If a file has several puzzles, the name of one of them may follow after "#".
    memory
        The most bytes for the tables of a method that the plugin derives. Default: what the plugin
        sets.

    Raises
    ------
    DefinitionError
        If no plugin reads files with this suffix, or if the file is wrong.
    PluginError
        If the plugin is broken.
    """
    reader = _reader(os.fspath(path))
    module, _, attribute = reader.target.partition(":")
    try:
        read = getattr(importlib.import_module(module), attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise PluginError(f"the reader {reader.name} is broken: {error}") from error
    solver = read(path, memory=memory)
    if not isinstance(solver, Solver):
        raise PluginError(f"the reader {reader.name} is broken: it returns {solver!r}")
    return solver


def _reader(path: str) -> PuzzleReader:
    """Return the reader of a file; raise a DefinitionError that lists the suffixes if none fits."""
    own = path if os.path.exists(path) else path.partition("#")[0]
    suffix = Path(own).suffix.lower()
    found = manager.manager().reader(suffix)
    if found is not None:
        return found
    problem = f"no plugin reads files that end in {suffix}"
    if not suffix:
        problem = "the name of the file has no ending that says its format"
    if known := [each for reader in manager.manager().readers() for each in reader.suffixes]:
        first = f"{', '.join(known[:-1])} or " if known[1:] else ""
        problem += f"; the name has to end in {first}{known[-1]}"
    if names := manager.left_out():
        problem += f". PUZZLEKIT_WITHOUT leaves out the plugins {', '.join(names)}"
    raise DefinitionError(f"{problem}{manager.manager().broken}", path)


def read_text(path: Path, most: int = _MOST) -> str:
    """Return the content of a text file, with invalid UTF-8 replaced.

    Raise a DefinitionError if the file cannot be read or has more than `most` bytes.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DefinitionError(reason, str(path)) from None
    if len(raw) > most:
        raise DefinitionError(f"larger than {most:,} bytes", str(path))
    return raw.decode("utf-8-sig", "replace")
