"""Build the compiled modules. pyproject.toml has everything else about the distribution.

The modules are optional. If Cython or the compiler fails for one of them, none is installed, and
the same source runs as plain Python. Two environment variables change the build:

- PUZZLEKIT_REQUIRE_EXTENSIONS=1: the build fails if one module fails. Releases need this.
- PUZZLEKIT_BUILD=sanitized: a build for tests, which fails in the same way. It uses
  AddressSanitizer and UndefinedBehaviorSanitizer, and checks every index. It optimizes less, which
  halves the compile time; its tests take no longer.
"""

from __future__ import annotations

import logging
import os
import runpy
import sys
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, OptionError

# The directory of each package: the core, and one package of each plugin.
DIRECTORIES = {"puzzlekit": "puzzlekit"} | {
    path.parent.name: path.parent.as_posix()
    for path in sorted(Path("plugins").glob("*/puzzlekit_*/__init__.py"))
}
# The packages with compiled modules, and their directories.
PACKAGES = {
    f"{package}.engine": f"{directory}/engine"
    for package, directory in DIRECTORIES.items()
    if Path(directory, "engine", "compiled.py").exists()
}
# No debug information: it would make the modules several times as large. C has no exceptions, so
# nothing unwinds a stack.
FLAGS = [] if os.name == "nt" else ["-O2", "-g0", "-fno-asynchronous-unwind-tables"]
if sys.platform == "linux":
    # Both make modules smaller; without the table, a call of the interpreter needs one jump fewer.
    FLAGS += ["-fno-plt", "-fno-align-jumps"]
SANITIZERS = "-fsanitize=address,undefined"
BUILD = os.environ.get("PUZZLEKIT_BUILD", "")
if BUILD not in ("", "sanitized"):
    raise OptionError(f"PUZZLEKIT_BUILD is {BUILD!r}; it can be 'sanitized'")
COMPILE = ["-Og", "-g1", "-fno-omit-frame-pointer", SANITIZERS] if BUILD else FLAGS
LINK = [SANITIZERS] if BUILD else ["-Wl,-s"] * (sys.platform == "linux")  # no symbols
TRANSLATED = os.path.join("build", f"cython{BUILD}")  # the directory of the C files
WANTED = os.environ.get("PUZZLEKIT_REQUIRE_EXTENSIONS", "")
if WANTED not in ("", "0", "1"):
    raise OptionError(f"PUZZLEKIT_REQUIRE_EXTENSIONS is {WANTED!r}; it can be '0' or '1'")
REQUIRED = bool(BUILD) or WANTED == "1"
# Set here and not at the head of each module, because the head of a module would win. Each search
# has its own memory, and threads share only tables, which nothing changes after their build. So
# the modules do not need the global interpreter lock of a free-threaded Python. Methods that pickle
# objects, which nobody does, would make the wheel 100 kB larger.
DIRECTIVES = dict.fromkeys(("boundscheck", "initializedcheck"), bool(BUILD)) | {
    "freethreading_compatible": True,
    "auto_pickle": False,
}


class BuildExtensions(build_ext):
    """Translates Python to C only when extensions are built, and only below build/."""

    def finalize_options(self) -> None:
        """Give builds for tests their own directories. Only `build_ext --inplace` makes them."""
        super().finalize_options()
        self.build_lib += BUILD
        self.build_temp += BUILD

    def build_extensions(self) -> None:
        """Build all modules in parallel. If one fails, remove all of them."""
        try:
            self._build_together(self.parallel or os.cpu_count() or 1)
        except Exception as error:
            for extension in self.extensions:
                with suppress(FileNotFoundError):
                    os.remove(self.get_ext_fullpath(extension.name))
            if REQUIRED:
                raise
            self.warn(f"puzzlekit will run as plain Python, which is much slower: {error}")

    def _build_together(self, workers: int) -> None:
        _translate(self.extensions, workers)
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
        """Put the modules beside their source, in place of all modules of an earlier build.

        The old files are removed, not overwritten, because a running process may use them.
        """
        for directory in filter(os.path.isdir, PACKAGES.values()):
            for file in os.listdir(directory):
                if file.endswith(EXTENSION_SUFFIXES[0]):
                    os.remove(os.path.join(directory, file))
        super().copy_extensions_to_source()


def _modules() -> list[Extension]:
    """Return the modules to compile. The largest ones come first, which keeps all cores busy."""
    found = []
    for package, directory in PACKAGES.items():
        listed = os.path.join(directory, "compiled.py")
        for name in runpy.run_path(listed)["MODULES"] if os.path.exists(listed) else ():
            extension = Extension(
                f"{package}.{name}",
                [f"{directory}/{name}.py"],
                extra_compile_args=COMPILE,
                extra_link_args=LINK,
                optional=not REQUIRED,
            )
            found.append(extension)
    return sorted(found, key=lambda extension: -os.path.getsize(extension.sources[0]))


def _translate(extensions: list[Extension], workers: int) -> None:
    """Replace the sources of the modules by C files.

    Cython would translate all modules again in each new environment, as pip makes one for each
    build, because its own files are newer there.
    """
    from Cython.Build import cythonize
    from Cython.Compiler.Version import version

    declared = [each for directory in PACKAGES.values() for each in Path(directory).glob("*.pxd")]
    declared.append(Path(__file__))
    shared = max(each.stat().st_mtime for each in declared)
    outdated = []
    for extension in extensions:
        source = Path(extension.sources[0])
        made = Path(TRANSLATED, source).with_suffix(".c")
        if _is_current(made, max(shared, source.stat().st_mtime), version):
            extension.sources = [str(made)]
        else:
            outdated.append(extension)
    options = {
        "build_dir": TRANSLATED,
        "compiler_directives": DIRECTIVES,
        # The directories that hold the top packages: a build in isolation has none on its path.
        "include_path": [os.path.normpath(f"{directory}/../..") for directory in PACKAGES.values()],
    }
    try:
        translated = cythonize(outdated, nthreads=workers, **options)
    except (NotImplementedError, OSError):  # the system has no shared semaphores for processes
        translated = cythonize(outdated, **options)
    for extension, found in zip(outdated, translated, strict=True):
        extension.sources = found.sources


def _is_current(made: Path, changed: float, version: str) -> bool:
    """Return whether a C file is newer than its sources, and of this version of Cython."""
    try:
        with made.open(encoding="utf-8") as file:
            return made.stat().st_mtime > changed and f"Cython {version} " in file.readline()
    except FileNotFoundError:
        return False


if __name__ == "__main__":  # the processes of `cythonize` import this file too
    setup(
        cmdclass={"build_ext": BuildExtensions},
        ext_modules=_modules(),
        packages=[
            f"{package}.{inner}".rstrip(".")
            for package, directory in DIRECTORIES.items()
            for inner in ("", *find_packages(directory))
        ],
        package_dir=DIRECTORIES,
    )
