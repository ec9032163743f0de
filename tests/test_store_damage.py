"""Tables that are damaged, cannot be kept, or are not built to the end."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock
from stores import KEY, content, make_key, must_not_build, raising, rewrite

from puzzlekit.errors import TableError
from puzzlekit.tables import files
from puzzlekit.tables import store as store_module
from puzzlekit.tables.files import FormatError, NpyFile, open_npy, pack_header
from puzzlekit.tables.store import TableStore, TableWarning
from puzzlekit.tables.table import TableSpec

pytestmark = pytest.mark.filterwarnings("error")


def flip_last(contents: bytearray) -> None:
    contents[-1] ^= 1


DAMAGE: list[tuple[Callable[[bytearray], object], str]] = [
    (bytearray.clear, "not a .npy file"),
    (lambda b: b.__delitem__(slice(9, None)), "not a .npy file"),
    (lambda b: b.__delitem__(slice(100, None)), "header was not written"),
    (lambda b: b.__delitem__(slice(-1, None)), "bytes instead of"),
    (lambda b: b.append(0), "bytes instead of"),
    (lambda b: b.__setitem__(slice(0, 6), b"\x93NUMPX"), "not a .npy file"),
    (lambda b: b.__setitem__(6, 2), "not a .npy file"),
    (lambda b: b.__setitem__(slice(10, 200), os.urandom(190)), "header was not written"),
    (
        lambda b: b.__setitem__(slice(0, None), b[:10] + b[10:].replace(b"300000", b"150000")),
        "bytes",
    ),
    (
        lambda b: b.__setitem__(slice(0, None), b.replace(b"(300000,)", b"(4, 7500)")),
        "header|bytes",
    ),
    (lambda b: b.__setitem__(slice(0, None), b.replace(b"'crc32': ", b"'crc32'; ")), "metadata"),
    (lambda b: b.__setitem__(slice(0, None), b.replace(b"'crc32'", b"'crc31'")), "incomplete"),
    (
        lambda b: b.__setitem__(slice(0, None), b.replace(b"'format': 1", b"'format': 9")),
        "format 9",
    ),
]


@pytest.mark.parametrize(("change", "problem"), [*DAMAGE, (flip_last, "wrong checksum")])
def test_damage_is_named_and_mended(
    stored: Path, root: str, change: Callable[[bytearray], object], problem: str
) -> None:
    rewrite(stored, change)
    with pytest.warns(TableWarning, match=problem) as caught:
        table = TableStore(root).get(KEY, lambda: content(KEY))
    assert len(caught) == 1
    assert str(stored) in str(caught[0].message)
    assert caught[0].filename == __file__
    assert table.source == "built"
    assert table.data.tolist() == content(KEY).tolist()
    assert TableStore(root).get(KEY, must_not_build).source == "disk"


@pytest.mark.parametrize(("change", "problem"), DAMAGE)
def test_damage_to_size_or_header_shows_whatever_the_time(
    stored: Path, root: str, change: Callable[[bytearray], object], problem: str
) -> None:
    rewrite(stored, change, keep_time=True)
    with pytest.warns(TableWarning, match=problem):
        assert TableStore(root).find(KEY) is None
    entry, said = TableStore(root).verify()[0]
    assert entry.problem == said
    assert (entry.puzzle, entry.name) == ("cube3", "twist-x-slice-distance-htm")


@pytest.mark.parametrize("literal", ["{1}", "{[]: 1}", "{'x': f()}", "{" * 300 + "}" * 300])
def test_metadata_that_are_no_dict(tmp_path: Path, literal: str) -> None:
    header = bytearray(pack_header("u1", (1,), {"x" * 700: 1}))
    start = header.index(b"puzzlekit {") + 10
    header[start:-1] = literal.encode().ljust(len(header) - 1 - start)
    path = tmp_path / "x.npy"
    path.write_bytes(header + b"\0")
    with pytest.raises(FormatError, match="metadata"):
        open_npy(str(path))


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        (make_key(identity="another"), "another fingerprint"),
        (make_key(shape=(600, 500)), "instead of u2 "),
        (make_key(dtype="u1", shape=(600_000,)), "instead of u2 "),
    ],
)
def test_file_of_another_table(root: str, other: TableSpec, problem: str) -> None:
    store = TableStore(root)
    source = store.path(other)
    store.get(other, lambda: content(other))
    os.replace(source, store.path(KEY))
    with pytest.warns(TableWarning, match=problem):
        assert TableStore(root).find(KEY) is None
    with pytest.warns(TableWarning, match=problem):
        assert TableStore(root).get(KEY, lambda: content(KEY)).source == "built"


def test_foreign_npy_is_refused(root: str, stored: Path) -> None:
    np.save(stored, content(KEY))
    with pytest.warns(TableWarning, match="not written by puzzlekit"):
        assert TableStore(root).find(KEY) is None


def test_unreadable_is_a_problem(root: str, stored: Path) -> None:
    stored.unlink()
    stored.mkdir()
    with pytest.warns(TableWarning, match=r"directory|denied"):
        assert TableStore(root).find(KEY) is None


def test_full_check_only_when_the_time_differs(
    stored: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = []
    original = files.altered

    def counted(file: NpyFile) -> str | None:
        checks.append(file)
        return original(file)

    monkeypatch.setattr(store_module, "altered", counted)
    recorded = stored.stat().st_mtime_ns
    assert recorded % (2 * 10**9) == 0
    assert recorded <= time.time_ns() - 2 * 10**9
    assert TableStore(root).find(KEY)
    assert not checks
    os.utime(stored)  # as a copy does
    assert TableStore(root).find(KEY)
    assert len(checks) == 1
    assert stored.stat().st_mtime_ns == recorded
    assert TableStore(root).find(KEY)
    assert len(checks) == 1
    os.utime(stored)
    monkeypatch.setattr(os, "utime", raising(errno.EPERM))
    for _ in range(2):
        assert TableStore(root).find(KEY)
    assert len(checks) == 3


def test_verify_reads_all_data(stored: Path, root: str) -> None:
    assert [problem for _, problem in TableStore(root).verify()] == [None]
    rewrite(stored, flip_last, keep_time=True)
    [(entry, problem)] = TableStore(root).verify()
    assert entry.problem is None
    assert problem is not None
    assert "checksum" in problem


# --- places that cannot keep tables


def check_memory(root: str, reason: str) -> None:
    """Two tables come from memory, with one warning, and leave nothing behind."""
    store = TableStore(root)
    with pytest.warns(TableWarning, match=f"{reason}.*kept in memory") as caught:
        table = store.get(KEY, lambda: content(KEY))
        second = store.get(make_key(name="second"), lambda: content(KEY))
    assert len(caught) == 1
    assert root in str(caught[0].message)
    assert table.source == second.source == "memory"
    assert table.data.format == "H"
    assert table.data.readonly
    assert table.data.tolist() == content(KEY).tolist()
    assert store.get(KEY, must_not_build) is table
    assert store.entries() == []
    assert not list(Path(root).glob("**/*.tmp"))


def test_file_in_place_of_the_root(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    check_memory(str(tmp_path / "file"), "Not a directory|exist|cannot find")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("function", ["replace", "fsync", "makedirs"])
def test_disk_refuses(root: str, monkeypatch: pytest.MonkeyPatch, function: str, code: int) -> None:
    monkeypatch.setattr(os, function, raising(code))
    check_memory(root, os.strerror(code))


def test_disk_full_at_open(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_(path: str, mode: str, **options: int) -> object:
        if "x" in mode:
            raising(errno.ENOSPC)()
        return open(path, mode, **options)

    monkeypatch.setattr(files, "open", open_, raising=False)
    check_memory(root, os.strerror(errno.ENOSPC))


def test_lock_that_cannot_be_had(root: str) -> None:
    store = TableStore(root)
    store.lock_timeout = 0.1
    os.makedirs(os.path.dirname(store.path(KEY)))
    with FileLock(store.path(KEY) + ".lock"), pytest.warns(TableWarning, match="lock"):
        assert store.get(KEY, lambda: content(KEY)).source == "memory"


def test_lock_that_is_not_supported(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise NotImplementedError("no locks here")

    monkeypatch.setattr("filelock.FileLock", refuse)
    check_memory(root, "no locks here")


def test_stored_while_waiting_for_the_lock(root: str) -> None:
    store, other = TableStore(root), TableStore(root)
    other.get(make_key(name="makes the directory"), lambda: content(KEY))
    results = []
    with FileLock(store.path(KEY) + ".lock"):
        thread = threading.Thread(target=lambda: results.append(store.get(KEY, must_not_build)))
        thread.start()
        time.sleep(0.1)
        assert not results
        data = memoryview(content(KEY)).cast("B")
        header, mtime_ns = files.headed(KEY, data, 0.0)
        files.write(other.path(KEY), [header, data], mtime_ns)
    thread.join(10)
    assert results[0].source == "disk"


# --- builds that fail


def test_memory_error(root: str) -> None:
    def build() -> bytes:
        raise MemoryError

    with pytest.raises(TableError, match="600000 bytes"):
        TableStore(root).get(KEY, build)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, OSError])
def test_failing_build_leaves_nothing(root: str, error: type[BaseException]) -> None:
    def build() -> bytes:
        raise error("stop")

    store = TableStore(root)
    with pytest.raises(error, match="stop"):
        store.get(KEY, build)
    assert not list(Path(root).glob("**/*.npy"))
    assert not list(Path(root).glob("**/*.tmp"))
    assert store.get(KEY, lambda: content(KEY)).source == "built"


def test_interrupt_while_writing(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            TableStore(root).get(KEY, lambda: content(KEY))
    assert [path.suffix for path in Path(root).glob("v*/*/*")] in ([".lock"], [])
