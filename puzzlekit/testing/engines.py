"""The installed engine, and its source as plain Python."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

# Each module imports only modules before it in this list.
MODULES = (
    "ranks",
    "space",
    "search",
    "improve",
    "endings",
    "beam_states",
    "beam",
    "pair_fill",
    "fill",
    "cosets",
    "coset_fill",
    "group_fill",
    "two_sided",
    "near",
    "word_moves",
    "library",
    "word_pieces",
    "insertion",
    "approach",
    "climb",
    "seeds",
)


def _together(modules: list[ModuleType]) -> SimpleNamespace:
    names: dict[str, object] = {}
    for module in modules:
        names.update(vars(module))
    return SimpleNamespace(**names)


@cache
def installed() -> SimpleNamespace:
    """All names of the installed engine."""
    return _together([import_module(f"puzzlekit.engine.{name}") for name in MODULES])


@cache
def plain() -> SimpleNamespace:
    """Return all names of the engine, run as plain Python even if the engine is compiled.

    >>> plain().Space is installed().Space
    False
    """
    installed()
    directory = Path(import_module("puzzlekit.engine").__path__[0])
    names = [f"puzzlekit.engine.{name}" for name in MODULES]
    before = {name: sys.modules[name] for name in names}
    modules = []
    try:
        for name in names:
            spec = spec_from_file_location(name, directory / f"{name.rpartition('.')[2]}.py")
            assert spec is not None and spec.loader is not None
            module = module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
            modules.append(module)
    finally:
        sys.modules.update(before)
    return _together(modules)


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Let the core and all plugins use the engine as plain Python within a `with` block.

    Objects that other threads make during the block use the plain engine, too.
    """
    changed: list[tuple[ModuleType, str, object]] = []
    ours, theirs = vars(installed()), vars(plain())
    try:
        for name, module in list(sys.modules.items()):
            if not name.startswith(("puzzlekit.", "puzzlekit_")) or name.startswith(
                "puzzlekit.engine."
            ):
                continue
            if module is sys.modules[__name__]:
                continue
            for symbol, value in list(vars(module).items()):
                if callable(value) and value is ours.get(symbol):
                    changed.append((module, symbol, value))
                    setattr(module, symbol, theirs[symbol])
        yield
    finally:
        for module, symbol, value in changed:
            setattr(module, symbol, value)
