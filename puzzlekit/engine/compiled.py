"""Which modules of the engine are compiled: all of them are used as compiled, or none is.

They share C types, so that a compiled module beside one that runs as plain Python cannot work.
`setup.py` takes the names from here; this module imports the standard library only.
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

#: The modules that are compiled; those that take longest are first, which keeps all cores busy.
MODULES = (
    "ranks",
    "space",
    "fill",
    "pair_fill",
    "beam",
    "improve",
    "search",
    "endings",
    "cosets",
    "coset_fill",
    "two_sided",
)


def missing(directory: str) -> list[str]:
    """The modules that are not there, compiled for this Python.

    >>> missing(os.path.dirname(os.__file__)) == list(MODULES)
    True
    """
    files = set(os.listdir(directory))
    return [
        name for name in MODULES if not any(name + suffix in files for suffix in EXTENSION_SUFFIXES)
    ]


def compiled_elsewhere() -> str:
    """The engine of another puzzlekit on Python's path that has all modules compiled, or ""."""
    for entry in sys.path:
        directory = os.path.join(entry, "puzzlekit", "engine")
        try:
            if not missing(directory):
                return directory
        except OSError:  # there is no puzzlekit, or it cannot be read
            continue
    return ""


def use_all_or_none(directory: str) -> None:
    """Where only some of the modules are compiled, import all of them from their source.

    A warning where none is, but an installed puzzlekit has them: Python prefers the directory that
    it is started in, which may be a checkout.
    """
    gone = missing(directory)
    if len(gone) == len(MODULES):
        if other := compiled_elsewhere():
            warnings.warn(
                f"searches are much slower here: Python imports puzzlekit from {directory}, where "
                f"it is not compiled, instead of from {other}, where it is. Start Python in "
                "another directory or as 'python -P', or compile it here: pip install -e .",
                RuntimeWarning,
                stacklevel=2,
            )
    elif gone:
        sys.path_importer_cache[directory] = FileFinder(
            directory,
            (SourceFileLoader, SOURCE_SUFFIXES),
            (SourcelessFileLoader, BYTECODE_SUFFIXES),
        )
