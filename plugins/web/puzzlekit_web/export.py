"""A static site: the page and its tables. Pyodide runs the library in a web worker.

The directory has the files of the page and these files:

    transport.js          names the worker that answers the page
    offline.js            the service worker, with the list of files to cache
    site.json             the tables of each puzzle, and of each of its step methods; which puzzles
                          need NumPy
    api/...json           the answers of a server to GET
    library.zip           the sources of puzzlekit, its plugins and their imports
    pyodide/              Python for browsers, from the npm package
    tables/v1/...npy.gz   the tables, in the layout of the cache

A site sends no request to another host.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from puzzlekit import PuzzlekitError, Solver, TableStore, UsageError, load
from puzzlekit.plugins.manager import GROUP, manager
from puzzlekit.search.options import Choice, table_keys
from puzzlekit.tables.table import TableSpec
from puzzlekit_web import PAGE
from puzzlekit_web.records import known_record, list_record, puzzles_shown
from puzzlekit_web.scans import READER, reads_scans
from puzzlekit_web.worker import early_solver, site_methods, site_solver, step_choices, step_tables

if TYPE_CHECKING:
    from typing_extensions import Buffer

PYODIDE_HINT = "'npm pack pyodide' downloads it; --pyodide names the file, or its directory"

NUMPY_HINT = "unpack the package, and put the wheel that pyodide-lock.json names beside its files"

_PYODIDE = (
    "package.json",
    "pyodide-lock.json",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide.mjs",
    "python_stdlib.zip",
)
# Imports from other distributions. The interpreted engine needs Cython's module of types, but
# nothing else of Cython.
_MODULES = ("attr", "attrs", "cattr", "cattrs", "cython", "pluggy", "typing_extensions")
_CYTHON = ("__init__.py", "Shadow.py")
# Rooms of puzzlekit that the page does not need.
_LEFT_OUT = ("cli",)
# Plugins that the page does not need, even if they are imported.
_TOOLS = {"puzzlekit_authoring", "puzzlekit_lab"}

# The browser may not send requests to another host. Python is WebAssembly.
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)
# Without other packages, as in the browser: the puzzles that need NumPy.
_PROBE = """
import json, sys, time
del time.thread_time
sys.path.insert(0, sys.argv[1])
from puzzlekit_web.worker import lacks_numpy
print(json.dumps([name for name in sys.argv[2:] if lacks_numpy(name)]))
"""
_TRANSPORT = 'export { worker as transport } from "./local.js";\n'


def check_pyodide(given: str) -> dict[str, bytes]:
    """Return the files of the npm package `pyodide`, from its directory or from its .tgz file.

    NumPy for Pyodide, which the package does not have, is taken from the directory if it is there.
    Raises a UsageError if a file is missing.
    """
    place = Path(given)
    try:
        if place.is_dir():
            found = {name: (place / name).read_bytes() for name in _PYODIDE}
            numpy = _numpy(found)
            if numpy and (place / numpy).is_file():
                found[numpy] = (place / numpy).read_bytes()
        else:
            with tarfile.open(place, "r:gz") as package:
                found = {name: _member(package, f"package/{name}") for name in _PYODIDE}
    except (OSError, KeyError, tarfile.TarError) as error:
        raise UsageError(
            f"{given} is not the npm package pyodide: {error}; {PYODIDE_HINT}"
        ) from None
    return found


def _numpy(pyodide: Mapping[str, bytes]) -> str:
    """Return the name of the wheel of NumPy that belongs to a Pyodide; "" if it is not known."""
    try:
        return str(json.loads(pyodide["pyodide-lock.json"])["packages"]["numpy"]["file_name"])
    except (ValueError, KeyError, TypeError):
        return ""


def _member(package: tarfile.TarFile, name: str) -> bytes:
    file = package.extractfile(name)
    if file is None:
        raise KeyError(f"{name} is not a file")
    return file.read()


class Export:
    """A site to be written.

    `pyodide` has the files that `check_pyodide` returns. `puzzles` are names of puzzles that the
    page shows, by default all that a browser solves soon. Raises a UsageError for any other one.
    """

    def __init__(self, pyodide: Mapping[str, bytes], puzzles: Iterable[str] = ()) -> None:
        known = [each for each in puzzles_shown() if site_methods(load(each))]
        #: Puzzles that the site lacks because they need NumPy; known once it is written.
        self.left_out: list[str] = []
        names = [load(name).puzzle.name for name in puzzles]
        for name in names:
            if name not in known:
                raise UsageError(f"a site cannot have {name}; it can have {', '.join(known)}")
        self._pyodide = pyodide
        self._numpy = _numpy(pyodide) in pyodide
        self._scans = reads_scans() and self._numpy
        self._named = bool(names)
        self.solvers = [site_solver(name) for name in names or known]

    def choices(self, solver: Solver) -> Iterator[Choice]:
        """Yield the options of every search of a puzzle on the site."""
        yield solver.choose()
        for method in solver.catalogue.step_methods.values():
            yield from step_choices(solver, method)

    def tables(self, solver: Solver) -> list[TableSpec]:
        """Return the keys of the tables that the site has for the method of a puzzle."""
        choice = solver.choose()
        return table_keys(choice) or _opened(solver)

    def early_tables(self, solver: Solver) -> list[TableSpec]:
        """Return the keys of the tables for the first answer, if another method gives it."""
        early = early_solver(solver.puzzle.name)
        return [] if early is None else _opened(early)

    def write(self, directory: Path, tell: Callable[[str], None]) -> int:
        """Write the site and return its number of bytes. Its tables must have been built.

        `tell` is called with the name of each puzzle before the tables of the puzzle are packed.
        The directory must be new, empty, or contain an earlier site. An earlier site is replaced.
        Raises a UsageError if the directory has other files, or if a chosen puzzle needs NumPy,
        which the package lacks; puzzles that nobody chose are then left out. Raises a
        PuzzlekitError if the site cannot be written.
        """
        try:
            if directory.exists() and any(directory.iterdir()):
                if not (directory / "site.json").is_file():
                    raise UsageError(f"{directory} has other files than a site: name another one")
                for part in ("api", "pyodide", "tables"):
                    shutil.rmtree(directory / part, ignore_errors=True)
            return self._write(directory, tell)
        except OSError as error:
            raise PuzzlekitError(f"the site cannot be written: {error}") from None

    def _write(self, directory: Path, tell: Callable[[str], None]) -> int:
        sizes: dict[str, int] = {}  # puzzles share tables
        early: dict[str, list[dict[str, Any]]] = {}
        needed: dict[str, list[dict[str, Any]]] = {}
        in_steps: dict[str, dict[str, list[dict[str, Any]]]] = {}

        def packed_tables(solver: Solver, keys: Sequence[TableSpec]) -> list[dict[str, Any]]:
            store = solver.store
            root = Path(store.root)
            paths = {Path(store.path(key)).relative_to(root).as_posix(): key for key in keys}
            for path, key in paths.items():
                if path not in sizes:
                    packed = gzip.compress(store.npy(key), 6, mtime=0)
                    _put(directory / "tables" / f"{path}.gz", packed)
                    sizes[path] = len(packed)
            return [{"path": path, "bytes": sizes[path]} for path in paths]

        numpy = self._needing_numpy()
        if not self._numpy:
            if numpy and self._named:
                raise UsageError(
                    f"NumPy for Pyodide is missing, for {', '.join(numpy)}: {NUMPY_HINT}"
                )
            self.left_out = numpy
            self.solvers = [each for each in self.solvers if each.puzzle.name not in numpy]
        for solver in self.solvers:
            name = solver.puzzle.name
            tell(name)
            needed[name] = packed_tables(solver, self.tables(solver))
            early[name] = packed_tables(solver, self.early_tables(solver))
            in_steps[name] = {
                method.name: packed_tables(solver, step_tables(solver, method))
                for method in solver.catalogue.step_methods.values()
            }
        files = dict(self._page())
        files["site.json"] = _json(
            {"tables": needed, "early": early, "steps": in_steps, "numpy": numpy}
        )
        version = zlib.crc32(_json({name: zlib.crc32(each) for name, each in files.items()}))
        listed = json.dumps(["./", *sorted(files)])
        for name in ("offline.js", "worker.js"):
            files[name] = files[name].replace(b'VERSION = ""', b'VERSION = "%08x"' % version)
        offline = files["offline.js"]
        files["offline.js"] = offline.replace(b"FILES = []", b"FILES = " + listed.encode())
        for name, content in files.items():
            _put(directory / name, content)
        return sum(sizes.values()) + sum(map(len, files.values()))

    def _needing_numpy(self) -> list[str]:
        """The puzzles whose methods need NumPy. Their tables must have been built."""
        names = [solver.puzzle.name for solver in self.solvers]
        with TemporaryDirectory() as directory:
            zipfile.ZipFile(io.BytesIO(self._library())).extractall(directory)
            command = [sys.executable, "-I", "-S", "-c", _PROBE, directory, *names]
            environment = {**os.environ, "PUZZLEKIT_CACHE": str(self.solvers[0].store.root)}
            with subprocess.Popen(
                command,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            ) as process:
                found, fault = process.communicate()
        if process.returncode:
            raise PuzzlekitError(f"the library of the site does not run: {fault}")
        return list(json.loads(found))

    def _page(self) -> Iterator[tuple[str, bytes]]:
        """Every file except the tables, with its name."""
        for path in sorted(PAGE.rglob("*")):
            if path.is_file():
                yield path.relative_to(PAGE).as_posix(), path.read_bytes()
        page = (PAGE / "index.html").read_text(encoding="utf-8")
        policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        yield "index.html", page.replace("<head>", f"<head>\n    {policy}", 1).encode()
        yield "transport.js", _TRANSPORT.encode()
        yield "library.zip", self._library()
        for name, content in self._pyodide.items():
            yield f"pyodide/{name}", content
        listed = list_record()
        names = {solver.puzzle.name for solver in self.solvers}
        listed["puzzles"] = [each for each in listed["puzzles"] if each["name"] in names]
        yield "api/puzzles.json", _json(listed)
        for solver in self.solvers:
            record = known_record(solver)
            record["takes_goals"] = False  # tables of goals are built when they are needed
            record["goals"] = []
            record["scans"] = self._scans
            for method in record["methods"]:  # the site has no tables of other heuristics
                method["heuristics"] = method["heuristics"][:1]
            yield f"api/puzzles/{record['name']}.json", _json(record)

    def _library(self) -> bytes:
        """A zip of the Python sources, and of the entry points of the plugins."""
        names = {solver.puzzle.name for solver in self.solvers}
        manager().entries()  # imports all plugins
        plugins = [
            each
            for each in manager().plugins
            if each.services
            or not names.isdisjoint(each.offered)
            or (self._scans and each.name == READER)
        ]
        own = {each.module.partition(".")[0] for each in plugins}
        shared = {name for name in sys.modules if re.fullmatch(r"puzzlekit_\w+", name)}
        found: dict[str, bytes] = {}
        for module in sorted({"puzzlekit", *own, *(shared - _TOOLS), *_MODULES}):
            found |= _sources(module)
        for name in _CYTHON:
            found[f"Cython/{name}"] = (_directory("Cython") / name).read_bytes()
        lines = [f"{each.name} = {each.module}" for each in plugins]
        entry_points = "\n".join([f"[{GROUP}]", *lines, ""])
        found["puzzlekit-site.dist-info/entry_points.txt"] = entry_points.encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(found.items()):
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        return packed.getvalue()


class _Recording(TableStore):
    """A store that knows which tables were asked for."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.asked: dict[TableSpec, None] = {}

    def get(self, key: TableSpec, build: Callable[[], Buffer]) -> Any:
        """Return the table as any store does."""
        self.asked[key] = None
        return super().get(key, build)


def _opened(solver: Solver) -> list[TableSpec]:
    """Return the keys of the tables that a solver without phases opens."""
    store = _Recording(str(solver.store.root))
    recorded = Solver(solver.puzzle, solver.methods, store)
    recorded.make_ready(recorded.choose())
    return list(store.asked)


def _sources(module: str) -> dict[str, bytes]:
    """The Python files of a top-level module, by their names in the zip."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise PuzzlekitError(f"the site needs the sources of {module}, which are not here")
    if not spec.submodule_search_locations:
        return {f"{module}.py": Path(spec.origin).with_suffix(".py").read_bytes()}
    root = _directory(module)
    found = {}
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if module != "puzzlekit" or place.parts[0] not in _LEFT_OUT:
            found[f"{module}/{place.as_posix()}"] = path.read_bytes()
    return found


def _directory(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise PuzzlekitError(f"the site needs the sources of {package}, which are not here")
    return Path(next(iter(spec.submodule_search_locations)))


def _json(record: Any) -> bytes:
    return json.dumps(record, allow_nan=False).encode()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
