"""Every call of the store to the operating system fails once, or is the last of its process."""

from __future__ import annotations

import errno
import io
import mmap
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.tables import files, small
from puzzlekit.tables.store import TableStore, TableWarning
from puzzlekit.tables.table import TableSpec

# Tables that share a file, and some that are too large for that.
SIZES = {"one": 3000, "two": 3000, "three": 300_000, "four": 300_000}
KEYS = [TableSpec("cube3", name, name, "u2", (n,), "Tests faults.") for name, n in SIZES.items()]
DATA = {key: bytes(range(1, 251)) * (key.nbytes // 250) for key in KEYS}
CALLS = ["open", "write", "fsync", "replace", "mmap", "makedirs", "stat", "utime"]


class Written(io.FileIO):
    """A file of which a write fails after half of the data, as on a full disk."""

    fault: Callable[[], None]

    def write(self, data: Any) -> int:
        try:
            self.fault()
        except OSError:
            super().write(memoryview(data).cast("B")[: memoryview(data).nbytes // 2])
            raise
        return super().write(data)


@contextmanager
def faults(call: str, at: int, fault: Callable[[], None]) -> Iterator[list[int]]:
    """Have the call number `at` of a kind do the fault first; yields how many were counted."""
    counted = [0]

    def met(kind: str) -> None:
        if kind == call:
            counted[0] += 1
            if counted[0] == at:
                fault()

    def failing(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            met(kind)
            return function(*args, **options)

        return run

    def written(path: str, mode: str = "r", **options: Any) -> Any:
        met("open")
        if "b" not in mode or "r" in mode:
            return open(path, mode, **options)
        file = Written(path, mode.replace("b", ""))
        file.fault = lambda: met("write")
        return file

    with pytest.MonkeyPatch.context() as patch:
        for name in ("fsync", "replace", "makedirs", "fstat", "stat", "utime"):
            kind = "stat" if name == "fstat" else name
            patch.setattr(os, name, failing(kind, getattr(os, name)))
        patch.setattr(os, "open", failing("open", os.open))
        patch.setattr(files.mmap, "mmap", failing("mmap", mmap.mmap))
        for module in (files, small):
            patch.setattr(module, "open", written, raising=False)
        yield counted


def use(root: str) -> None:
    """Build tables, open them again, list and verify them; whatever fails, the data are right."""
    for _ in range(2):
        store = TableStore(root)
        for key in KEYS:
            assert bytes(store.get(key, lambda key=key: DATA[key]).data) == DATA[key]
    store.entries()
    store.verify()


def check_files(root: str) -> None:
    """What is on disk is whole, and is used from then on."""
    assert not list(Path(root).glob("**/*.tmp"))
    assert [problem for _, problem in TableStore(root).verify() if problem] == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        use(root)


def codes(call: str) -> list[int]:
    return [errno.EIO] if call in ("mmap", "stat", "utime") else [errno.ENOSPC, errno.EIO]


@pytest.mark.parametrize(("call", "code"), [(call, code) for call in CALLS for code in codes(call)])
def test_a_fault_at_every_call(tmp_path: Path, call: str, code: int) -> None:
    def fault() -> None:
        raise OSError(code, os.strerror(code))

    for at in count(1):
        root = str(tmp_path / f"{at}")
        with warnings.catch_warnings(record=True) as caught, faults(call, at, fault) as counted:
            warnings.simplefilter("always")
            use(root)
        assert all(each.category is TableWarning for each in caught)
        check_files(root)
        if counted[0] < at:
            assert at > 2, "the store makes no such call: what is tested?"
            break


DYING = """
import os, sys
sys.path[:0] = sys.argv[1].split(os.pathsep)
from test_fault_disk import faults, use
with faults(sys.argv[3], int(sys.argv[4]), lambda: os._exit(9)) as counted:
    use(sys.argv[2])
"""


def die_at(root: Path, call: str, at: int) -> bool:
    """Whether a process that ends at that call got there."""
    paths = os.pathsep.join([str(Path(__file__).parent), str(Path(__file__).parents[1])])
    command = [sys.executable, "-P", "-c", DYING, paths, str(root), call, str(at)]
    return subprocess.run(command, capture_output=True).returncode == 9


def left_by_the_dead(root: str) -> None:
    """All tables that are there are whole; left-over files are removed, and nobody waits."""
    assert [problem for _, problem in TableStore(root).verify() if problem] == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        use(root)
    TableStore(root).clear()
    assert not [path for path in Path(root).glob("**/*") if path.is_file()]


@pytest.mark.parametrize("call", ["write", "replace"])
def test_death_at_the_first_calls(tmp_path: Path, call: str) -> None:
    for at in (1, 2):
        root = tmp_path / f"{at}"
        assert die_at(root, call, at)
        left_by_the_dead(str(root))


@pytest.mark.long
@pytest.mark.parametrize("call", CALLS)
def test_death_at_every_call(tmp_path: Path, call: str) -> None:
    for at in count(1):
        root = tmp_path / f"{at}"
        if not die_at(root, call, at):
            break
        left_by_the_dead(str(root))


@pytest.mark.skipif(sys.platform == "win32", reason="opens no directories")
def test_the_directory_is_synced_after_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def sync(number: int) -> None:
        done.append("directory" if os.path.isdir(f"/dev/fd/{number}") else "file")
        fsync(number)

    def rename(*paths: str) -> None:
        done.append("rename")
        replace(*paths)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", rename)
    TableStore(str(tmp_path)).get(KEYS[-1], lambda: DATA[KEYS[-1]])
    assert done == ["file", "rename", "directory"]
