"""Which modules of the engine are compiled: all of them are used as compiled, or none is.

They share C types, so that a compiled module beside one that runs as plain Python cannot work.
`setup.py` takes the names from here; this module imports the standard library only.
"""

from __future__ import annotations

import os
import sys
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


def use_all_or_none(directory: str) -> None:
    """Where only some of the modules are compiled, import all of them from their source."""
    if 0 < len(missing(directory)) < len(MODULES):
        sys.path_importer_cache[directory] = FileFinder(
            directory,
            (SourceFileLoader, SOURCE_SUFFIXES),
            (SourcelessFileLoader, BYTECODE_SUFFIXES),
        )
