"""The compiled modules of the engine and of plugins: either all of them run compiled, or none does.

They share C types, so a compiled module cannot work with one that runs as plain Python. `setup.py`
gets the names from here, so this module imports only the standard library.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)

__all__ = ["MODULES", "PACKAGES", "missing", "use_like_engine"]

#: The modules to compile. Each of them imports only modules before it.
MODULES = ("ranks", "space", "search", "fill")

#: The imported packages with compiled modules, and the names of these modules.
PACKAGES: dict[str, tuple[str, ...]] = {"puzzlekit.engine": MODULES}
#: The environment variable that makes all of them run as plain Python, if it is "1".
INTERPRETED = "PUZZLEKIT_INTERPRETED"

_HERE = os.path.dirname(__file__)


def missing(directory: str = _HERE, modules: tuple[str, ...] = MODULES) -> list[str]:
    """Return the modules that are not compiled for this Python in a directory.

    By default, the directory is the one of this file.

    >>> missing(os.path.dirname(os.__file__)) == list(MODULES)
    True
    """
    files = set(os.listdir(directory))
    return [
        name for name in modules if not any(name + suffix in files for suffix in EXTENSION_SUFFIXES)
    ]


def is_compiled() -> bool:
    """Whether the engine runs compiled."""
    return os.environ.get(INTERPRETED) != "1" and not missing()


def use_like_engine(package: str, directory: str, modules: tuple[str, ...]) -> None:
    """Let the compiled modules of a plugin run compiled if the engine does, and else interpreted.

    The `__init__` of the package calls this function with its name and its directory. Each of the
    modules may import only modules before it, and modules of `puzzlekit.engine`. Raises ImportError
    if the engine is compiled but one of the modules is not.
    """
    PACKAGES[package] = modules
    if not is_compiled():
        _import_sources(directory)
    elif gone := missing(directory, modules):
        raise ImportError(
            f"{package} is not compiled, unlike the engine of puzzlekit with which it shares C "
            f"types (missing: {', '.join(gone)}). Install it again where there is a C compiler, or "
            f"set {INTERPRETED}=1 to run all of them as plain Python, which is much slower"
        )


def compiled_elsewhere() -> str:
    """Return a directory on Python's path that has a fully compiled engine; "" if there is none."""
    for entry in sys.path:
        directory = os.path.join(entry, "puzzlekit", "engine")
        try:
            if not missing(directory):
                return directory
        except OSError:  # no puzzlekit here, or it cannot be read
            continue
    return ""


def use_all_or_none(directory: str) -> None:
    """If only some of the modules are compiled, import all of them from their source.

    Warn if none is compiled here, but an installed puzzlekit is. Python prefers the directory in
    which it is started, which may be a checkout.
    """
    gone = missing(directory)
    if os.environ.get(INTERPRETED) == "1":
        _import_sources(directory)
    elif len(gone) == len(MODULES):
        if other := compiled_elsewhere():
            warnings.warn(
                f"searches are much slower here: Python imports puzzlekit from {directory}, where "
                f"it is not compiled, instead of from {other}, where it is. Start Python in "
                "another directory or as 'python -P', or compile it here: pip install -e .",
                RuntimeWarning,
                stacklevel=2,
            )
    elif gone:
        _import_sources(directory)


def _import_sources(directory: str) -> None:
    """Let Python import the modules in a directory from their source, even if they are compiled."""
    sys.path_importer_cache[directory] = FileFinder(
        directory, (SourceFileLoader, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES)
    )
