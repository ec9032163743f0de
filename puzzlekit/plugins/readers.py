"""Puzzles and metrics in files that plugins read, and help for reading them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from puzzlekit.errors import DefinitionError, PluginError, UsageError
from puzzlekit.plugins import manager
from puzzlekit.plugins.hooks import MetricReader, PuzzleReader
from puzzlekit.puzzle.move import Metric
from puzzlekit.search.solver import Solver

__all__ = ["check_keys", "load_file", "load_metric", "read_text", "toml_table", "toml_text"]

_MOST = 20_000_000  # bytes of a file
_MOST_TOML = 100_000  # bytes of a description in TOML

Reader = TypeVar("Reader", PuzzleReader, MetricReader)


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
    own = os.fspath(path)
    readers = manager.manager().readers()
    own = own if os.path.exists(own) else own.partition("#")[0]
    reader = _reader(readers, own, "files")
    if isinstance(reader, str):
        raise DefinitionError(reader, os.fspath(path))
    solver = _function(reader)(path, memory=memory)
    if not isinstance(solver, Solver):
        raise PluginError(f"the reader {reader.name} is broken: it returns {solver!r}")
    return solver


def load_metric(path: str | os.PathLike[str]) -> Metric:
    """Return the metric that a file describes. The plugin that reads its suffix makes it.

    Raises UsageError if no plugin reads metrics from files with this suffix, or if the file is
    wrong. Raises PluginError if the plugin is broken.
    """
    reader = _reader(manager.manager().metrics(), os.fspath(path), "metrics from files")
    if isinstance(reader, str):
        raise UsageError(f"{os.fspath(path)}: {reader}")
    metric = _function(reader)(path)
    if not isinstance(metric, Metric):
        raise PluginError(f"the reader {reader.name} is broken: it returns {metric!r}")
    return metric


def _function(reader: PuzzleReader | MetricReader) -> Any:
    module, _, attribute = reader.target.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise PluginError(f"the reader {reader.name} is broken: {error}") from error


def _reader(readers: Sequence[Reader], path: str, what: str) -> Reader | str:
    """Return the reader of a file, or a message that lists the suffixes if none fits."""
    suffix = Path(path).suffix.lower()
    for reader in readers:
        if suffix in reader.suffixes:
            return reader
    problem = f"no plugin reads {what} that end in {suffix}"
    if not suffix:
        problem = "the name of the file has no ending that says its format"
    if known := [each for reader in readers for each in reader.suffixes]:
        first = f"{', '.join(known[:-1])} or " if known[1:] else ""
        problem += f"; the name has to end in {first}{known[-1]}"
    return f"{problem}{manager.manager().absent}"


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


def toml_text(path: Path, what: str) -> str:
    """Return the text of a file. `what` says what the file describes: "a metric".

    Raises UsageError if the file cannot be read, has more than 100 kB, or is not UTF-8 text.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_TOML + 1)  # a device has no size and no end
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(raw) > _MOST_TOML:
        raise UsageError(f"{path}: this file is too large for the description of {what}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path}: this file is not UTF-8 text") from None


def toml_table(text: str, source: str) -> dict[str, Any]:
    """Return the keys and values of a string in TOML; `source` is its name in messages.

    Raises UsageError if the string is not TOML.

    >>> toml_table('arms = [["R", "L"]]', "robot.toml")
    {'arms': [['R', 'L']]}
    """
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError as error:  # bad TOML, or a number of too many digits
        raise UsageError(f"{source}: {error}") from None
    except RecursionError:
        raise UsageError(f"{source}: lists are nested too deeply") from None


def check_keys(found: Mapping[str, object], known: Iterable[str], where: str) -> None:
    """Raise a UsageError for a key that is not known; `where` is its table in messages."""
    for key in found:
        if key not in known:
            raise UsageError(f"{where}: unknown key {key!r}; the keys are {', '.join(known)}")
