"""The store of tables: what it keeps, what it notices, and what it does when it cannot."""

from __future__ import annotations

import array
import errno
import multiprocessing
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import platformdirs
import pytest
from attrs import evolve
from filelock import FileLock

from puzzlekit.errors import TableError
from puzzlekit.tables import files, watchers
from puzzlekit.tables import store as store_module
from puzzlekit.tables.files import (
    FORMAT,
    FormatError,
    NpyFile,
    StoredFile,
    default_cache_directory,
    open_npy,
    pack_header,
)
from puzzlekit.tables.store import MARK, TableStore, TableWarning, Watcher
from puzzlekit.tables.table import TableSpec

pytestmark = pytest.mark.filterwarnings("error")
PURPOSE = "Tests the store; \u2192 not Latin-1, 'quoted' # and\nbroken."


def make_key(
    name: str = "twist x slice distance HTM",
    identity: str = "source",
    dtype: str = "u2",
    shape: tuple[int, ...] = (1000,),
    puzzle: str = "cube3",
) -> TableSpec:
    return TableSpec(puzzle, name, identity, dtype, shape, PURPOSE)


def content(key: TableSpec) -> np.ndarray:
    """Numbers that use every byte of the dtype."""
    count = np.prod(key.shape)
    numbers = np.arange(count, dtype="u8") * 2654435761
    return numbers.astype("<" + key.dtype).reshape(key.shape)


def must_not_build() -> bytes:
    raise AssertionError("built again")


KEY = make_key()


@pytest.fixture
def root(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


@pytest.fixture
def stored(root: str) -> Path:
    """A good file of KEY on disk."""
    store = TableStore(root)
    store.get(KEY, lambda: content(KEY))
    return Path(store.path(KEY))


def rewrite(path: Path, change: Callable[[bytearray], object], keep_time: bool = False) -> None:
    status = path.stat()
    contents = bytearray(path.read_bytes())
    change(contents)
    path.write_bytes(contents)
    if keep_time:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


# --- keys


def test_key_properties() -> None:
    key = make_key(name="  Twist × Slice!  ", dtype="u4", shape=(7, 5))
    assert key.nbytes == 140
    assert key.filename == f"twist-slice-{key.fingerprint}.npy"
    assert len(key.fingerprint) == 32
    assert key.fingerprint != make_key(identity="source 2").fingerprint
    assert make_key(name="→").filename.startswith("unnamed-")
    assert len(make_key(name="x" * 500).filename) == 80 + 37


@pytest.mark.parametrize(
    "arguments",
    [
        {"dtype": "i1"},
        {"dtype": "u8"},
        {"shape": ()},
        {"shape": (1, 2, 3)},
        {"shape": (0,)},
        {"shape": (3, -1)},
        {"name": "→" * 5000},
    ],
)
def test_key_refuses(arguments: dict) -> None:
    with pytest.raises(ValueError, match=r"dtype|shape|too long"):
        make_key(**arguments)


def test_path_stays_below_root(root: str) -> None:
    path = TableStore(root).path(make_key(puzzle="../../etc", name="../x"))
    assert path.startswith(os.path.join(root, f"v{FORMAT}", "etc", "x-"))


# --- round trips


@pytest.mark.parametrize("shape", [(1,), (1000,), (25, 40)])
@pytest.mark.parametrize(("dtype", "code"), [("u1", "B"), ("u2", "H"), ("u4", "I")])
def test_round_trip(root: str, dtype: str, code: str, shape: tuple[int, ...]) -> None:
    key = make_key(dtype=dtype, shape=shape)
    expected = content(key)
    built = TableStore(root).get(key, lambda: expected)
    read = TableStore(root).get(key, must_not_build)
    found = TableStore(root).find(key)
    assert found is not None
    assert (built.source, read.source, found.source) == ("built", "disk", "disk")
    for table in (built, read, found):
        data = table.data
        assert (data.format, data.ndim, data.nbytes, data.readonly) == (code, 1, key.nbytes, True)
        assert data.tolist() == expected.ravel().tolist()
        assert np.asarray(data).ctypes.data % 64 == 0
    for mode in (None, "r"):
        loaded = np.load(TableStore(root).path(key), mmap_mode=mode)
        assert (loaded.dtype, loaded.shape) == (expected.dtype, shape)
        assert (loaded == expected).all()


@pytest.mark.parametrize("make", [bytes, bytearray, lambda n: array.array("H", bytes(n))])
def test_any_buffer_will_do(root: str, make: Callable[[int], bytes]) -> None:
    table = TableStore(root).get(KEY, lambda: make(2000))
    assert table.data.tolist() == [0] * 1000


@pytest.mark.parametrize(
    "buffer",
    [
        bytes(1999),
        np.zeros(500, "u4"),  # the right number of bytes
        np.zeros((2, 1000), "u2")[:, ::2],
        np.zeros(1000, ">u2"),
        np.zeros(1000, "i2"),
        np.zeros(1000, "f2"),
    ],
)
def test_unfit_buffer(root: str, buffer: bytes) -> None:
    with pytest.raises(TableError, match="twist x slice"):
        TableStore(root).get(KEY, lambda: buffer)
    assert TableStore(root).entries() == []


def test_opened_once_per_store(root: str) -> None:
    store = TableStore(root)
    assert store.find(KEY) is None
    table = store.get(KEY, lambda: content(KEY))
    assert store.get(KEY, must_not_build) is table is store.find(KEY)


def test_same_name_other_source(root: str) -> None:
    other = make_key(identity="another source")
    TableStore(root).get(KEY, lambda: content(KEY))
    assert TableStore(root).find(other) is None
    assert TableStore(root).get(other, lambda: bytes(2000)).source == "built"
    assert len(TableStore(root).entries()) == 2


def test_build_may_ask_for_other_tables(root: str) -> None:
    store = TableStore(root)
    part = make_key(name="part")
    table = store.get(KEY, lambda: store.get(part, lambda: content(part)).data)
    assert table.data == store.get(part, must_not_build).data


def test_long_header_is_refused() -> None:
    with pytest.raises(ValueError, match="10000"):
        pack_header("u1", (1,), {"text": "x" * 10_000})


def test_big_endian_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "byteorder", "big")
    with pytest.raises(TableError, match="big-endian"):
        TableStore()


# --- damage


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
    (lambda b: b.__setitem__(slice(0, None), b[:10] + b[10:].replace(b"1000", b"0500")), "bytes"),
    (lambda b: b.__setitem__(slice(0, None), b.replace(b"(1000,)", b"(4, 250)")), "header|bytes"),
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
        (make_key(shape=(20, 50)), "instead of u2 "),
        (make_key(dtype="u1", shape=(2000,)), "instead of u2 "),
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


def raising(code: int) -> Callable[..., None]:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


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
        source = other.path(KEY)
        data = memoryview(content(KEY)).cast("B")
        files.write(source, KEY, data, 0.0)
    thread.join(10)
    assert results[0].source == "disk"


# --- builds that fail


def test_memory_error(root: str) -> None:
    def build() -> bytes:
        raise MemoryError

    with pytest.raises(TableError, match="2000 bytes"):
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


class Seen(Watcher):
    """A watcher that notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def begun(self, key: TableSpec) -> None:
        self.told.append(("begun", key))

    def progressed(self, key: TableSpec, share: float) -> None:
        self.told.append((share, key))

    def built(self, key: TableSpec) -> None:
        self.told.append(("built", key))


def test_watchers_are_told_of_builds(root: str) -> None:
    store = TableStore(root)
    one, other = Seen(), Seen()

    def build() -> np.ndarray:
        store.tell(KEY, 0.5)
        return content(KEY)

    with store.watched(one):
        with store.watched(other):
            store.get(KEY, build)
        store.get(evolve(KEY, identity="another"), build)
        store.get(KEY, must_not_build)
    assert other.told == [("begun", KEY), (0.5, KEY), ("built", KEY)]
    assert one.told[:3] == other.told and len(one.told) == 6
    assert store.watchers == []


# --- several at once


def test_threads_build_once_and_share(root: str) -> None:
    store = TableStore(root)
    builds, tables = [], []
    barrier = threading.Barrier(8)

    def build() -> np.ndarray:
        builds.append(1)
        time.sleep(0.1)
        return content(KEY)

    def ask() -> None:
        barrier.wait()
        tables.append(store.get(KEY, build))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert builds == [1]
    assert len(tables) == 8
    assert all(table is tables[0] for table in tables)


def build_in_process(root: str, counter: str, ready: str) -> None:
    def build() -> bytes:
        with open(counter, "a") as file:
            file.write("x")
        time.sleep(0.5)
        return content(KEY).tobytes()

    Path(ready).touch()
    while len(list(Path(ready).parent.glob("ready*"))) < 3:
        time.sleep(0.005)
    table = TableStore(root).get(KEY, build)
    assert table.data.tolist() == content(KEY).tolist()


@pytest.mark.slow
def test_processes_build_once(root: str, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    counter = tmp_path / "counter"
    processes = [
        context.Process(
            target=build_in_process, args=(root, str(counter), str(tmp_path / f"ready{i}"))
        )
        for i in range(3)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert counter.read_text() == "x"


# --- listing and clearing


@pytest.fixture
def full(root: str) -> dict[str, StoredFile]:
    """Tables a and b of cube3, c of cube2, a damaged one and one of another format."""
    store = TableStore(root)
    for name, puzzle in [("a", "cube3"), ("b", "cube3"), ("c", "cube2"), ("bad", "cube2")]:
        key = make_key(name=name, puzzle=puzzle, identity=name)
        store.get(key, lambda key=key: content(key))
    Path(store.path(key)).write_bytes(b"garbage")
    old = Path(root, "v0", "cube3", f"a-{make_key(identity='a').fingerprint}.npy")
    old.parent.mkdir(parents=True)
    old.write_bytes(b"old")
    return {("old" if entry.format == 0 else entry.name): entry for entry in store.entries()}


def test_entries(full: dict[str, StoredFile], root: str) -> None:
    assert sorted(full) == ["a", "b", "bad", "c", "old"]
    entry = full["a"]
    key = make_key(name="a", identity="a")
    assert (entry.puzzle, entry.name, entry.purpose) == ("cube3", "a", PURPOSE)
    assert (entry.dtype, entry.shape, entry.fingerprint) == ("u2", (1000,), key.fingerprint)
    assert (entry.format, entry.problem) == (FORMAT, None)
    assert entry.path == TableStore(root).path(key)
    assert entry.nbytes == os.path.getsize(entry.path) > 2000
    assert 0 <= entry.seconds < 10
    assert full["bad"].problem == "it is not a .npy file of version 1.0"
    assert (full["bad"].puzzle, full["bad"].nbytes) == ("cube2", 7)
    assert "format 0" in str(full["old"].problem)
    assert [problem is None for _, problem in TableStore(root).verify()] == [
        entry.problem is None for entry in TableStore(root).entries()
    ]


def test_entry_under_another_name(stored: Path, root: str) -> None:
    stored.rename(stored.with_name("x-0123456789abcdef.npy"))
    assert "different fingerprints" in str(TableStore(root).entries()[0].problem)


def test_nothing_there(root: str) -> None:
    store = TableStore(root)
    assert (store.entries(), store.verify(), store.clear()) == ([], [], [])
    assert not os.path.exists(root)


def test_clear_all(full: dict[str, StoredFile], root: str) -> None:
    store = TableStore(root)
    key = make_key(name="a", identity="a")
    assert store.find(key)
    assert store.clear() == sorted(full.values(), key=lambda entry: entry.path)
    assert [path for path in Path(root).glob("**/*") if path.is_file()] == []
    assert store.find(key) is None


def test_clear_one_puzzle(full: dict[str, StoredFile], root: str) -> None:
    removed = TableStore(root).clear(puzzle="Cube2")
    assert sorted(entry.name for entry in removed) == ["bad", "c"]
    assert len(TableStore(root).entries()) == 3


def test_clear_stale(full: dict[str, StoredFile], root: str) -> None:
    store = TableStore(root)
    key = make_key(name="a", identity="a")
    table = store.find(key)
    removed = store.clear(keep={key.fingerprint})
    assert len(removed) == 4  # the one of another format too
    assert [entry.name for entry in store.entries()] == ["a"]
    assert store.find(key) is table


def test_tables_of_goals_have_a_limit(root: str) -> None:
    """Once they grew without bound."""
    store = TableStore(root)
    store.get(KEY, lambda: content(KEY))
    store.most_for_goals = 3 * os.path.getsize(store.path(KEY))
    keys = [make_key(f"goal {number}", f"goal {number}") for number in range(4)]
    used = [store.path(key) + MARK for key in keys]  # their times are those of the last uses
    for number, key in enumerate(keys):
        if number == 3:
            with TableStore(root).for_goal(), store.for_goal():
                store.get(keys[0], must_not_build)
            assert os.path.getmtime(used[0]) > time.time() - 100
        with store.for_goal():
            store.get(KEY, must_not_build)
            store.get(key, lambda: content(KEY))
        os.utime(used[number], (number, number))
    left = [KEY.name, "goal 0", "goal 2", "goal 3"]  # goal 1 was not used for longest
    assert sorted(each.name for each in store.entries()) == sorted(left)
    assert not os.path.exists(used[1])
    assert store.get(keys[1], lambda: content(KEY)).source == "built"
    TableStore(root).get(keys[3], must_not_build)  # from now on, not only goals use it
    removed = store.clear(for_goals=True)
    assert {each.name for each in removed} == {"goal 0", "goal 2"}
    assert {each.name for each in store.entries()} == {KEY.name, "goal 1", "goal 3"}
    assert [os.path.exists(each) for each in used] == [False] * 4


def test_clear_removes_left_overs_only(stored: Path, root: str) -> None:
    foreign = [
        stored.with_name("notes.txt"),
        stored.with_name("data.npy"),
        Path(root, "data.npy"),
        Path(root, "vectors", "cube3", stored.name),
        Path(root, "v1", "cube3", "deeper", stored.name),
    ]
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("not ours")
    left_over = stored.with_name(stored.name + ".0123abcd.tmp")
    left_over.write_text("half")
    in_use = stored.with_name("busy-0123456789abcdef.npy.0123abcd.tmp")
    in_use.write_text("half")
    with FileLock(str(in_use.with_name("busy-0123456789abcdef.npy.lock"))) as lock:
        assert len(TableStore(root).clear()) == 1
        assert in_use.exists()
        assert os.path.exists(lock.lock_file)
    assert not left_over.exists()
    assert not stored.exists()
    assert not stored.with_name(stored.name + ".lock").exists()
    assert all(path.exists() for path in foreign)
    TableStore(root).clear()
    assert not in_use.exists()


def test_clear_says_what_it_cannot_remove(
    stored: Path, root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "unlink", raising(errno.EACCES))
    with pytest.warns(TableWarning, match="cannot remove"):
        assert TableStore(root).clear() == []
    assert stored.exists()


# --- where, and how fast


def test_cache_directory_is_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def agreed() -> bool:
        return default_cache_directory() == platformdirs.user_cache_dir(
            "puzzlekit", appauthor=False
        )

    monkeypatch.delenv("PUZZLEKIT_CACHE", raising=False)
    assert agreed()
    for value in (str(tmp_path), ""):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert agreed()
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert agreed()
    monkeypatch.setenv("PUZZLEKIT_CACHE", str(tmp_path / "here"))
    assert default_cache_directory() == TableStore().root == str(tmp_path / "here")


def test_good_path_imports_nothing_slow(stored: Path, root: str) -> None:
    code = f"""
import sys
before = set(sys.modules)  # an editable install has some of its own
from puzzlekit.tables.store import TableStore
from puzzlekit.tables.table import TableSpec
key = TableSpec({KEY.puzzle!r}, {KEY.name!r}, {KEY.identity!r}, "u2", (1000,), "")
assert TableStore({root!r}).get(key, None).source == "disk"
slow = {{"numpy", "hashlib", "filelock", "platformdirs", "json", "tempfile", "pathlib"}}
print(sorted(slow & (set(sys.modules) - before)))
"""
    shown = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "[]"


def test_nothing_is_printed(root: str, capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        TableStore(root).get(KEY, lambda: content(KEY))
    assert capfd.readouterr() == ("", "")


def test_the_time_that_is_left_is_estimated(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From what the builds usually take, and from how fast they are here."""
    now = 100.0
    monkeypatch.setattr(watchers, "perf_counter", lambda: now)
    store = TableStore(root)
    small, large, quick = (
        TableSpec("cube2", name, name, "u1", (4,), "For a test.", seconds=seconds)
        for name, seconds in (("small", 9.0), ("large", 90.0), ("quick", 0.0))
    )
    seen: list[tuple[str, float, float]] = []

    class Seen(watchers.Builds):
        def news(self, key: TableSpec) -> None:
            seen.append((key.name, round(self.share, 2), round(self.left)))

    builds = Seen(store, lambda: [small, large, quick])

    def build(reports: bool) -> bytes:
        nonlocal now
        now += 9.5  # twice as long as usual
        store.get(quick, lambda: bytes(4))  # does not take the progress of this build away
        if reports:
            store.tell(small, 0.5)
            assert seen[-1] == ("small", 0.05, 180)
            now += 9.5
        else:
            now += 50
            builds.beat(large)
            assert seen[-1] == ("large", 0.39, 120)
            now += 1000
            builds.beat(large)
            assert seen[-1][:2] == ("large", 0.91)  # no more is assumed
        return bytes(4)

    with store.watched(builds):
        store.get(small, lambda: build(True))
        assert seen[-1] == ("small", 0.09, 180)
        store.get(large, lambda: build(False))
    assert seen[0] == ("small", 0.0, 99) and seen[-1] == ("large", 1.0, 0)
    assert TableSpec("cube2", "a", "a", "u2", (10_000_000,), "For a test.").seconds == 2
