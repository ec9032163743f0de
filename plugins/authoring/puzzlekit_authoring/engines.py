"""The installed engine, and its source as plain Python, with the compiled modules of plugins."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

from puzzlekit.engine.compiled import PACKAGES

_ENGINE = "puzzlekit.engine"


def installed() -> SimpleNamespace:
    """All names of the installed engine, and of the compiled modules of imported plugins."""
    return _together([module for module, _ in _both()])


def plain() -> SimpleNamespace:
    """Return the names of `installed` as plain Python, even if the modules are compiled.

    >>> plain().Space is installed().Space
    False
    """
    return _together([module for _, module in _both()])


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Let the core and all plugins use the engine as plain Python within a `with` block.

    Objects that other threads make during the block use the plain engine, too. Import plugins
    before the block.
    """
    plainly = {
        id(value): vars(module)[symbol]
        for own, module in _both()
        for symbol, value in vars(own).items()
        if callable(value) and symbol in vars(module)
    }
    packages = tuple(f"{package}." for package in PACKAGES)
    changed: list[tuple[ModuleType, str, object]] = []
    # Plugins may import their own compiled modules inside functions.
    own = {module.__name__: module for package in PACKAGES for module in _plain(package)}
    replaced = {name: sys.modules[name] for name in own if not name.startswith(f"{_ENGINE}.")}
    try:
        sys.modules.update((name, own[name]) for name in replaced)
        for name, module in list(sys.modules.items()):
            if name == __name__ or name.startswith(packages):
                continue
            if not name.startswith(("puzzlekit.", "puzzlekit_")):
                continue
            for symbol, value in list(vars(module).items()):
                if id(value) in plainly:
                    changed.append((module, symbol, value))
                    setattr(module, symbol, plainly[id(value)])
        yield
    finally:
        sys.modules.update(replaced)
        for module, symbol, value in changed:
            setattr(module, symbol, value)


def _together(modules: list[ModuleType]) -> SimpleNamespace:
    names: dict[str, object] = {}
    for module in modules:
        names.update(vars(module))
    return SimpleNamespace(**names)


def _both() -> Iterator[tuple[ModuleType, ModuleType]]:
    """Yield each compiled module as it is installed, and as plain Python."""
    for package in PACKAGES:
        for module in _plain(package):
            yield import_module(module.__name__), module


@cache
def _plain(package: str) -> tuple[ModuleType, ...]:
    """Return the modules of a package, run as plain Python together with the plain engine."""
    names = [f"{package}.{name}" for name in PACKAGES[package]]
    loaded = {name: import_module(name) for name in names}
    directory = Path(import_module(package).__path__[0])
    modules = []
    if package != _ENGINE:
        for module in _plain(_ENGINE):
            loaded[module.__name__] = sys.modules[module.__name__]
            sys.modules[module.__name__] = module
    try:
        for name in names:
            spec = spec_from_file_location(name, directory / f"{name.rpartition('.')[2]}.py")
            assert spec is not None and spec.loader is not None
            module = sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(module)
            modules.append(module)
    finally:
        sys.modules.update(loaded)
    return tuple(modules)
