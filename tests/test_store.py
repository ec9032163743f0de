"""The store of tables: what it keeps and reads again, also when several ask at once."""

from __future__ import annotations

import array
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
from stores import KEY, content, make_key, must_not_build

from puzzlekit.errors import TableError
from puzzlekit.tables.files import FORMAT, default_cache_directory, pack_header
from puzzlekit.tables.small import MOST
from puzzlekit.tables.store import TableStore

pytestmark = pytest.mark.filterwarnings("error")


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


@pytest.mark.parametrize("shape", [(1,), (1000,), (25, 40), (700_000,)])
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
    path = Path(root, "table.npy")
    path.write_bytes(TableStore(root).npy(key))
    assert os.path.exists(TableStore(root).path(key)) == (key.nbytes > MOST)
    for mode in (None, "r"):
        loaded = np.load(path, mmap_mode=mode)
        assert (loaded.dtype, loaded.shape) == (expected.dtype, shape)
        assert (loaded == expected).all()


@pytest.mark.parametrize("make", [bytes, bytearray, lambda n: array.array("H", bytes(n))])
def test_any_buffer_will_do(root: str, make: Callable[[int], bytes]) -> None:
    table = TableStore(root).get(KEY, lambda: make(KEY.nbytes))
    assert table.data.tolist() == [0] * 300_000


@pytest.mark.parametrize(
    "buffer",
    [
        bytes(KEY.nbytes - 1),
        np.zeros(150_000, "u4"),  # the right number of bytes
        np.zeros((2, 300_000), "u2")[:, ::2],
        np.zeros(300_000, ">u2"),
        np.zeros(300_000, "i2"),
        np.zeros(300_000, "f2"),
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
    assert TableStore(root).get(other, lambda: bytes(KEY.nbytes)).source == "built"
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
key = TableSpec({KEY.puzzle!r}, {KEY.name!r}, {KEY.identity!r}, "u2", {KEY.shape!r}, "")
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
