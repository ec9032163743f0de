"""The compiled modules. Everything else about the distribution stands in pyproject.toml.

They are optional: where Cython or the compiler fails, the same source runs as plain Python.
"""

from __future__ import annotations

import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

NAMES = (
    "ranks",
    "space",
    "search",
    "improve",
    "endings",
    "beam",
    "fill",
    "pair_fill",
    "additive_fill",
)
COMPILED = tuple(f"puzzlekit/engine/{name}.py" for name in NAMES)
# No debug information: it would make the modules several times as large.
FLAGS = [] if os.name == "nt" else ["-O2", "-g0"]


class BuildExtensions(build_ext):
    """Translates Python to C only when an extension is built, and below build/ only."""

    def build_extension(self, ext: Extension) -> None:
        """Translate and compile one module; any failure is one that `optional` lets pass."""
        try:
            from Cython.Build import cythonize

            ext.sources = cythonize([ext], build_dir=os.path.join("build", "cython"))[0].sources
        except Exception as error:
            raise CompileError(f"Cython cannot translate {ext.name}: {error}") from error
        super().build_extension(ext)


setup(
    cmdclass={"build_ext": BuildExtensions},
    ext_modules=[
        Extension(
            path.removesuffix(".py").replace("/", "."),
            [path],
            extra_compile_args=FLAGS,
            optional=True,
        )
        for path in COMPILED
    ],
)
