"""The compiled modules: optional, so that installing never fails for want of a compiler."""

from __future__ import annotations

import os

from setuptools import Extension, setup

COMPILED = ["puzzlekit/engine/search.py", "puzzlekit/engine/fill.py"]


def extensions() -> list[Extension]:
    """The extension modules, or none where Cython itself fails."""
    from Cython.Build import cythonize

    # No debug information: it would make the modules several times as large.
    flags = [] if os.name == "nt" else ["-O2", "-g0"]
    modules = [
        Extension(
            path.removesuffix(".py").replace("/", "."),
            [path],
            extra_compile_args=flags,
            optional=True,
        )
        for path in COMPILED
    ]
    return list(cythonize(modules, build_dir="build/cython", language_level=3))


setup(ext_modules=extensions())
