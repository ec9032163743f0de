"""The compiled modules. Everything else about the distribution stands in pyproject.toml.

They are optional: where Cython or the compiler fails for one of them, none is installed, and the
same source runs as plain Python. PUZZLEKIT_REQUIRE_EXTENSIONS=1 in the environment makes the build
fail there, as that of a release has to. PUZZLEKIT_BUILD makes builds for tests, which must succeed
too: `sanitized` with AddressSanitizer and UndefinedBehaviorSanitizer, `checked` with a check of
every index. Both are optimized less, which halves the time to compile; their tests take no longer.
"""

from __future__ import annotations

import logging
import os
import runpy
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, OptionError

NAMES = runpy.run_path(os.path.join("puzzlekit", "engine", "compiled.py"))["MODULES"]
# No debug information: it would make the modules several times as large.
FLAGS = [] if os.name == "nt" else ["-O2", "-g0"]
SANITIZERS = "-fsanitize=address,undefined"
BUILD = os.environ.get("PUZZLEKIT_BUILD", "")
if BUILD == "sanitized":
    COMPILE = ["-Og", "-g1", "-fno-omit-frame-pointer", SANITIZERS]
    LINK = [SANITIZERS]
elif BUILD == "checked":
    COMPILE, LINK = [flag.replace("-O2", "-Og") for flag in FLAGS], []
elif not BUILD:
    COMPILE, LINK = FLAGS, []
else:
    raise OptionError(f"PUZZLEKIT_BUILD is {BUILD!r}; it can be 'sanitized' or 'checked'")
WANTED = os.environ.get("PUZZLEKIT_REQUIRE_EXTENSIONS", "")
if WANTED not in ("", "0", "1"):
    raise OptionError(f"PUZZLEKIT_REQUIRE_EXTENSIONS is {WANTED!r}; it can be '0' or '1'")
REQUIRED = bool(BUILD) or WANTED == "1"
# Not in the head of each module, which goes before what is given here.
DIRECTIVES = dict.fromkeys(("boundscheck", "initializedcheck"), BUILD == "checked")


class BuildExtensions(build_ext):
    """Translates Python to C only when extensions are built, and below build/ only."""

    def finalize_options(self) -> None:
        """Keep builds for tests apart: they are made by `build_ext --inplace` only."""
        super().finalize_options()
        self.build_lib += BUILD
        self.build_temp += BUILD

    def build_extensions(self) -> None:
        """Build all modules, on all cores; where one fails, leave none of them."""
        try:
            self._build_together(self.parallel or os.cpu_count() or 1)
        except Exception as error:
            for extension in self.extensions:
                with suppress(FileNotFoundError):
                    os.remove(self.get_ext_fullpath(extension.name))
            if REQUIRED:
                raise
            self.warn(f"puzzlekit will run as plain Python, much slower: {error}")

    def _build_together(self, workers: int) -> None:
        for extension, translated in zip(
            self.extensions, _translate(self.extensions, workers), strict=True
        ):
            extension.sources = translated.sources
        with ThreadPoolExecutor(workers) as pool:
            started = [pool.submit(self._build_one, each) for each in self.extensions]
            wait(started, return_when=FIRST_EXCEPTION)
            pool.shutdown(cancel_futures=True)
        for future in started:
            if not future.cancelled():
                future.result()

    def _build_one(self, extension: Extension) -> None:
        try:
            self.build_extension(extension)
        except Exception as error:
            raise CompileError(f"{extension.name} cannot be compiled: {error}") from error
        self.announce(f"compiled {extension.name}", level=logging.WARNING)

    def copy_extensions_to_source(self) -> None:
        """Put the modules beside their source, where none of an earlier build must stay.

        They are not written into files that a running process may use.
        """
        for extension in self.extensions:
            with suppress(FileNotFoundError):
                os.remove(self.get_ext_filename(extension.name))
        super().copy_extensions_to_source()


def _translate(extensions: list[Extension], workers: int) -> list[Extension]:
    from Cython.Build import cythonize

    options = {
        "build_dir": os.path.join("build", f"cython{BUILD}"),
        "compiler_directives": DIRECTIVES,
    }
    try:
        return cythonize(extensions, nthreads=workers, **options)
    except (NotImplementedError, OSError):  # a system without processes that share semaphores
        return cythonize(extensions, **options)


if __name__ == "__main__":  # not where a process of `cythonize` imports this file
    setup(
        cmdclass={"build_ext": BuildExtensions},
        ext_modules=[
            Extension(
                f"puzzlekit.engine.{name}",
                [f"puzzlekit/engine/{name}.py"],
                extra_compile_args=COMPILE,
                extra_link_args=LINK,
                optional=not REQUIRED,
            )
            for name in NAMES
        ],
    )
