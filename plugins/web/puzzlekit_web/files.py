"""Puzzles of definition files that a person opens on the page. They are kept in memory.

Any file that a plugin reads can be opened (see the hook `puzzlekit_readers`).
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
import warnings
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from puzzlekit import PuzzlekitError, Solver
from puzzlekit.plugins.manager import manager
from puzzlekit.plugins.readers import load_file
from puzzlekit_web.records import puzzle_record
from puzzlekit_web.refusal import INTERNAL, Refusal

__all__ = ["OpenedFiles", "suffixes"]

_KEPT = 8  # puzzles; a new one takes the place of the oldest
_SECONDS = 20.0  # after which a file is refused
_TRIES = 20  # to end a reader
_PATIENCE = 0.1  # seconds between them
_MOST_LEFT = 4  # readers that cannot be ended; until one ends, no further file is read


class Opened(NamedTuple):
    """A puzzle from a file, and its record for the page."""

    solver: Solver
    record: dict[str, Any]

    @property
    def listed(self) -> dict[str, str]:
        """The name and the title."""
        return {key: self.record[key] for key in ("name", "title")}


def suffixes() -> list[str]:
    """Return the endings of the names of files that can be opened: of texts that need no others."""
    readers = (reader for reader in manager().readers() if reader.reads_text)
    return sorted({each for reader in readers for each in reader.suffixes})


class OpenedFiles:
    """The puzzles from files that a server knows, by the names under which the API has them."""

    def __init__(self) -> None:
        self._known: dict[str, Opened] = {}
        self._reading = threading.Lock()  # one file at a time
        self._left: list[threading.Thread] = []  # readers that could not be ended

    def find(self, name: str) -> Opened | None:
        """Return an opened puzzle; None if there is none of this name, or not any longer."""
        return self._known.get(name)

    def listed(self) -> list[dict[str, str]]:
        """Return the names and titles of the puzzles."""
        return [each.listed for each in list(self._known.values())]

    async def open(self, file: str, text: str) -> dict[str, str]:
        """Read a file, and return the name and title of its puzzle.

        Raises a Refusal if the file is wrong, or if reading it takes too long. Its reader is then
        ended, so that the next file can be read.
        """
        content = f"{file}/{text}".encode(errors="replace")  # JSON may have half a character
        name = f"file-{sha256(content).hexdigest()[:12]}"
        if (known := self._known.get(name)) is not None:
            return known.listed
        self._left = [each for each in self._left if each.is_alive()]
        if len(self._left) >= _MOST_LEFT or not self._reading.acquire(blocking=False):
            raise Refusal(503, "another file is being read", "busy", headers={"Retry-After": "2"})
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Opened | Exception] = loop.create_future()
        found: list[Opened | Exception] = []

        def read() -> None:
            try:
                found.append(self._read(name, file, text))
            except Exception as error:
                found.append(error)
            except BaseException:  # a reader exits
                found.append(INTERNAL)

        def watch() -> None:
            reader = threading.Thread(target=read, daemon=True, name="puzzlekit file")
            reader.start()
            reader.join(_SECONDS)
            if reader.is_alive():
                found.insert(0, _late(file))
                _end(reader)
            if reader.is_alive():  # it waits for compiled code, and is left alone
                self._left.append(reader)
            self._reading.release()
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(done.set_result, found[0])

        threading.Thread(target=watch, daemon=True, name="puzzlekit watch").start()
        result = await asyncio.shield(done)  # a client may go away
        if isinstance(result, Exception):
            raise result
        return result.listed

    def _read(self, name: str, file: str, text: str) -> Opened:
        """Read a file in a thread of its own, and keep its puzzle."""
        try:
            solver = read_file(file, text)
            record = puzzle_record(solver)
        except PuzzlekitError as error:
            raise Refusal(422, str(error), "usage") from None
        title = solver.puzzle.title if solver.puzzle.title != _STEM else shortened(file)
        if title in {each.title for each in manager().entries()}:
            title = f"{title} ({shortened(file)})"
        found = Opened(solver, record | {"name": name, "title": title, "opened": True})
        for oldest in list(self._known)[: max(0, len(self._known) + 1 - _KEPT)]:
            del self._known[oldest]
        self._known[name] = found
        return found


_STEM = "puzzle"


def _late(file: str) -> Refusal:
    return Refusal(
        422,
        f"reading {shortened(file)} takes longer than {_SECONDS:.0f} s",
        hint="the command line has no such limit: puzzlekit solve --puzzle FILE",
    )


def _end(reader: threading.Thread) -> None:
    """Raise SystemExit in a thread until it ends; compiled code does not see the exception."""
    for _ in range(_TRIES):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(reader.ident or 0), ctypes.py_object(SystemExit)
        )
        reader.join(_PATIENCE)
        if not reader.is_alive():
            return


def read_file(file: str, text: str) -> Solver:
    """Return the solver of a definition. The name of the file says its format, and nothing else.

    If a file has several puzzles, the name of one of them follows after "#". Raises a
    PuzzlekitError that names the file.

    >>> read_file("two.JSON", '{"generators": {"a": [1, 0]}}')
    <Solver of puzzle: puzzle; methods optimal>
    """
    known = suffixes()
    part = ""
    if "#" in file and not file.lower().endswith(tuple(known)):
        file, _, part = file.rpartition("#")
    suffix = next((each for each in known if file.lower().endswith(each)), None)
    if suffix is None:
        raise PuzzlekitError(
            f"{shortened(file)} is no definition file: its name has to end in {', '.join(known)}"
        )
    with TemporaryDirectory(prefix="puzzlekit-") as place:
        path = Path(place) / f"{_STEM}{suffix}"  # never a name that a page sends
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                solver = load_file(f"{path}#{part}" if part else path)
            tuple(solver.methods)  # what is wrong with them names the file, too
        except PuzzlekitError as error:
            raise PuzzlekitError(str(error).replace(str(path), shortened(file))) from None
    return solver


def shortened(file: str) -> str:
    """Return the name of a file without directories, for messages."""
    name = file.replace("\\", "/").rpartition("/")[2]
    return "".join(each if each.isprintable() else "?" for each in name)[:60]
