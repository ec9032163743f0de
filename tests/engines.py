"""For the tests: the engine as it is installed, and its source as plain Python."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import puzzlekit.engine

MODULES = ("ranks", "space", "search", "improve", "endings", "beam", "pair_fill", "additive_fill")


def _together(modules: list[ModuleType]) -> SimpleNamespace:
    names: dict[str, object] = {}
    for module in modules:
        names.update(vars(module))
    return SimpleNamespace(**names)


engine = _together([importlib.import_module(f"puzzlekit.engine.{name}") for name in MODULES])


@cache
def plain() -> SimpleNamespace:
    """The engine's source as plain Python, also where it is compiled."""
    names = [f"puzzlekit.engine.{name}" for name in MODULES]
    installed = {name: sys.modules[name] for name in names}
    modules = []
    try:
        for name in names:  # each imports those before it
            source = Path(puzzlekit.engine.__path__[0]) / f"{name.rpartition('.')[2]}.py"
            spec = importlib.util.spec_from_file_location(name, source)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
            modules.append(module)
    finally:
        sys.modules.update(installed)
    return _together(modules)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything use the engine as plain Python, wherever it was imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith("puzzlekit.") and not name.startswith("puzzlekit.engine."):
            for symbol, value in list(vars(module).items()):
                if callable(value) and value is vars(engine).get(symbol):
                    monkeypatch.setattr(module, symbol, getattr(plain(), symbol))
