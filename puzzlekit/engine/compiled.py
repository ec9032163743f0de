"""The compiled modules of the engine: either all of them run compiled, or none does.

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

__all__ = ["missing"]

#: The modules to compile. The slowest ones come first, which keeps all cores busy.
MODULES = (
    "ranks",
    "space",
    "fill",
    "pair_fill",
    "beam",
    "beam_states",
    "improve",
    "search",
    "endings",
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


def missing(directory: str = os.path.dirname(__file__)) -> list[str]:
    """Return the modules that are not compiled for this Python in a directory.

    By default, the directory is the one of this file.

    >>> missing(os.path.dirname(os.__file__)) == list(MODULES)
    True
    """
    files = set(os.listdir(directory))
    return [
        name for name in MODULES if not any(name + suffix in files for suffix in EXTENSION_SUFFIXES)
    ]


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
