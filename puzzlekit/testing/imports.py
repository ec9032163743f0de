"""Find the effects of importing a module, and the names that the module imports."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from puzzlekit.errors import PuzzlekitError

_PATIENCE = 120  # time limit in seconds for a process that imports modules


class Imported(NamedTuple):
    """The effects of importing modules in a fresh process.

    `told` describes side effects. Opening a file is a side effect, except for files of code.
    `modules` are all imported modules. `problem` says why importing failed. It is "" if importing
    worked.
    """

    told: list[list[object]]
    modules: list[str]
    problem: str


def import_freshly(names: Sequence[str]) -> Imported:
    """Import modules in a fresh process, with warnings as errors, and record the effects.

    >>> seen = import_freshly(["puzzlekit"])
    >>> seen.told, "numpy" in seen.modules
    ([], False)
    """
    from puzzlekit.testing import watch

    with TemporaryDirectory(prefix="puzzlekit-") as directory:
        file = os.path.join(directory, "seen.json")
        asked = json.dumps([sys.path, list(names)])
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PUZZLEKIT_CACHE"] = os.path.join(directory, "cache")
        process = subprocess.Popen(
            [sys.executable, "-P", "-W", "error", watch.__file__, asked, file],
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            said, _ = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return Imported([], [], f"it takes more than {_PATIENCE} seconds")
        try:
            seen = json.loads(Path(file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Imported([], [], said.strip() or f"it ends with exit code {process.returncode}")
    told = seen["told"]
    if said:
        told = [["print", said.strip()], *told]
    return Imported(told, seen["modules"], seen["problem"])


def sources(module: str) -> list[Path]:
    """Return the Python files of a module or package."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise PuzzlekitError(f"there is no module {module}")
    path = Path(spec.origin)
    return sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]


def private_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, name) for each imported name that is not public.

    Public are the names in `__all__` of puzzlekit, of one of its modules, or of a module of another
    plugin.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {part for part in path.with_suffix("").parts if part.startswith("puzzlekit_")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if _is_ours(alias.name, own) and not _exported(alias.name):
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            if not _is_ours(node.module, own):
                continue
            exported = [*_exported(node.module), "__version__"]
            for alias in node.names:
                if alias.name not in exported and not _exported(f"{node.module}.{alias.name}"):
                    yield node.lineno, f"{node.module}.{alias.name}"


def _is_ours(module: str, own: set[str]) -> bool:
    top = module.partition(".")[0]
    return (top == "puzzlekit" or top.startswith("puzzlekit_")) and top not in own


def _exported(module: str) -> Sequence[str]:
    """Return the public names of a module; none if it lists none, or if there is no such module."""
    try:
        return getattr(import_module(module), "__all__", ())
    except ImportError:
        return ()
