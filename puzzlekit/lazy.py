"""Let a package import its public names when they are first used, so that it is imported quickly.

The package also imports the names under `TYPE_CHECKING`, for type checkers and editors:

    if TYPE_CHECKING:
        from puzzlekit_mine.table import build as build

    __all__, __getattr__ = lazy_names(__name__, {".table": "build"})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["lazy_names"]


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[list[str], Callable[[str], object]]:
    """Return `__all__` and `__getattr__` of a package.

    `homes` maps modules, such as ".table" or "puzzlekit_mine.table", to their public names, which
    are separated by spaces. There is no `__dir__`: pluggy would import every name that it returns.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def load(name: str) -> object:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(home, package), name)
        setattr(sys.modules[package], name, value)
        return value

    return sorted(home_of), load
