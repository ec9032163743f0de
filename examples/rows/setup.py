"""Compile the modules that `puzzlekit_rows/engine/compiled.py` lists."""

import os
import runpy

from Cython.Build import cythonize
from setuptools import Extension, setup

import puzzlekit

MODULES = runpy.run_path("puzzlekit_rows/engine/compiled.py")["MODULES"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"puzzlekit_rows.engine.{name}",
                [f"puzzlekit_rows/engine/{name}.py"],
                optional=True,  # without a compiler, the source runs interpreted
            )
            for name in MODULES
        ],
        include_path=[os.path.dirname(puzzlekit.__path__[0])],  # for puzzlekit/engine/*.pxd
    )
)
