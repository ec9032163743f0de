"""Small tables share a file."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from stores import content, make_key, must_not_build, rewrite

from puzzlekit.tables.small import MOST, NAME
from puzzlekit.tables.store import TableStore, TableWarning
from puzzlekit.tables.table import TableSpec

pytestmark = pytest.mark.filterwarnings("error")

SIZES = (1, 63, 64, 1000, 70_000, MOST)


def keys(puzzle: str = "cube3") -> list[TableSpec]:
    return [make_key(f"{size}", f"{size}", "u1", (size,), puzzle) for size in SIZES]


def fill(root: str, wanted: Sequence[TableSpec]) -> Path:
    store = TableStore(root)
    for key in wanted:
        assert store.get(key, lambda key=key: content(key)).source == "built"
    return Path(root, "v1", "cube3", NAME)


@pytest.fixture
def shared(root: str) -> Path:
    """The file of good tables of `keys`."""
    return fill(root, keys())


def check(root: str, wanted: Sequence[TableSpec]) -> int:
    """Check that all tables can be had, now or built again; return how many were on disk."""
    store = TableStore(root)
    found = [store.get(key, lambda key=key: content(key)) for key in wanted]
    for key, table in zip(wanted, found, strict=True):
        assert table.data.tolist() == content(key).tolist()
    for key in wanted:
        assert TableStore(root).get(key, must_not_build).data.tolist() == content(key).tolist()
    return sum(table.source == "disk" for table in found)


def test_small_tables_share_a_file(root: str, shared: Path) -> None:
    store = TableStore(root)
    assert sorted(os.listdir(shared.parent)) == [NAME, f"{NAME}.lock"]
    assert not os.path.exists(store.path(keys()[0]))
    for key in keys():
        assert store.has(key)
        table = store.get(key, must_not_build)
        assert table.data.tolist() == content(key).tolist()
        assert np.asarray(table.data).ctypes.data % 64 == 0
        assert (table.data.readonly, table.source) == (True, "disk")
    assert [entry.name for entry in store.entries()] == [f"{size}" for size in SIZES]
    assert {entry.path for entry in store.entries()} == {str(shared)}
    large = make_key("large", "large", "u1", (MOST + 1,))
    assert not store.has(large)
    store.get(large, lambda: content(large))
    assert store.has(large)
    passing = make_key("for a goal", "for a goal", "u1", (1,))
    with store.for_goal():
        store.get(passing, lambda: content(passing))
    for key in (large, passing):
        assert os.path.exists(store.path(key))
        assert TableStore(root).get(key, must_not_build).source == "disk"
    assert fill(root, keys("cube2")) == shared
    assert len(list(Path(root).rglob(NAME))) == 2


def test_a_table_with_a_file_of_its_own_is_found(root: str, shared: Path) -> None:
    """As older versions and other machines make them."""
    store = TableStore(root)
    key = keys()[3]
    Path(store.path(key)).write_bytes(store.npy(key))
    shared.unlink()
    assert TableStore(root).has(key)
    assert TableStore(root).get(key, must_not_build).data.tolist() == content(key).tolist()


def test_a_file_has_a_limited_number_of_tables(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlekit.tables.store.MOST_TABLES", 4)
    fill(root, keys())
    assert [os.path.exists(TableStore(root).path(key)) for key in keys()] == [False] * 4 + [
        True
    ] * 2
    assert check(root, keys()) == len(SIZES)


def test_other_stores_find_what_is_added(root: str, shared: Path) -> None:
    store, other = TableStore(root), TableStore(root)
    assert other.has(keys()[0])
    new = make_key("new", "new", "u1", (100,))
    assert not other.has(new)
    store.get(new, lambda: content(new))
    assert other.get(new, must_not_build).data.tolist() == content(new).tolist()


@pytest.mark.parametrize("number", range(len(SIZES)))
def test_damaged_data_are_named_and_mended(root: str, shared: Path, number: int) -> None:
    """As a failing disk does it: the size and the time of the file stay."""
    store = TableStore(root)
    key = keys()[number]
    damaged = bytearray(shared.read_bytes())
    damaged[damaged.index(store.npy(key)) + len(store.npy(key)) - 1] ^= 1
    rewrite(shared, lambda contents: contents.__setitem__(slice(None), damaged), keep_time=True)
    assert [problem is None for _, problem in TableStore(root).verify()].count(False) == 1
    with pytest.warns(TableWarning, match="wrong checksum") as caught:
        assert check(root, keys()) == len(SIZES) - 1
    assert len(caught) == 1
    assert str(shared) in str(caught[0].message)


def test_a_damaged_header_is_named_and_mended(root: str, shared: Path) -> None:
    damaged = shared.read_bytes().replace(b"\x93NUMPY", b"\x93NUMPX")
    start = damaged.index(b"\x93NUMPX", 1)
    shared.write_bytes(b"\x93NUMPY" + damaged[6:start] + b"\x93NUMPX" + damaged[start + 6 :])
    problems = [problem for _, problem in TableStore(root).verify()]
    assert problems == [None, "it is not a .npy file of version 1.0"]
    with pytest.warns(TableWarning, match="not a .npy file") as caught:
        assert check(root, keys()) == 1
    assert len(caught) == 1
    assert str(shared) in str(caught[0].message)


@pytest.mark.parametrize("seed", range(16))
def test_whatever_happens_to_the_file_tables_are_right(root: str, shared: Path, seed: int) -> None:
    rng = random.Random(seed)
    contents = bytearray(shared.read_bytes())
    place = rng.randrange(len(contents)) if rng.random() < 0.6 else rng.randrange(2000)
    match rng.randrange(5):
        case 0:
            del contents[place:]
        case 1:
            contents[place] ^= 1 << rng.randrange(8)
        case 2:
            contents += rng.randbytes(rng.randrange(1, 1000))
        case 3:
            contents[place:place] = rng.randbytes(rng.randrange(1, 1000))
        case 4:
            contents += contents[: place - place % 64]
    shared.write_bytes(contents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        check(root, keys())
    assert check(root, keys()) == len(SIZES)
    assert sorted(os.listdir(shared.parent)) == [NAME, f"{NAME}.lock"]


def _adds(root: str, wanted: Sequence[TableSpec]) -> int:
    store = TableStore(root)
    return sum(store.get(key, lambda key=key: content(key)).source == "memory" for key in wanted)


def test_processes_add_tables_at_once(root: str) -> None:
    wanted = [make_key(f"{n}", f"{n}", "u1", (1 + 997 * n,)) for n in range(40)]
    shuffled = [random.Random(seed).sample(wanted, len(wanted)) for seed in range(3)]
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert pool.starmap(_adds, [(root, each) for each in shuffled]) == [0] * 3
    assert check(root, wanted) == len(wanted)
    assert len(TableStore(root).entries()) == len(wanted)
    assert sorted(os.listdir(Path(root, "v1", "cube3"))) == [NAME, f"{NAME}.lock"]


def test_clear_keeps_the_others(root: str, shared: Path) -> None:
    fill(root, keys("cube2"))
    store = TableStore(root)
    tables = [store.get(key, must_not_build) for key in keys()]
    kept = {key.fingerprint for key in keys()[::2]}
    assert len(store.clear(keep=kept, puzzle="cube3")) == 3
    assert [entry.fingerprint in kept for entry in TableStore(root).entries()].count(True) == 6
    for key, table in zip(keys(), tables, strict=True):
        assert table.data.tolist() == content(key).tolist()  # still mapped
        assert TableStore(root).has(key) == store.has(key) == (key.fingerprint in kept)
    assert check(root, keys()) == 3
    assert len(store.clear(puzzle="cube3")) == len(SIZES)
    assert not shared.exists()
    assert len(store.clear()) == len(SIZES)
    assert [path for path in Path(root).rglob("*") if path.is_file()] == []


def test_a_file_of_another_user_is_only_read(
    root: str, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New tables get files of their own, which need only a directory that one may write to."""
    opened = os.open

    def refused(path: str, flags: int, *args: int, **options: int) -> int:
        if Path(path).name.startswith(NAME) and flags & (os.O_RDWR | os.O_WRONLY):
            raise PermissionError(13, "Permission denied", path)
        return opened(path, flags, *args, **options)

    new = make_key("new", "new", "u1", (10,))
    monkeypatch.setattr(os, "open", refused)
    store = TableStore(root)
    assert store.get(keys()[0], must_not_build).source == "disk"
    assert store.get(new, lambda: content(new)).source == "built"
    assert os.path.exists(store.path(new))
    assert TableStore(root).get(new, must_not_build).source == "disk"


def test_what_is_no_file_is_a_problem(root: str, shared: Path) -> None:
    shared.unlink()
    shared.mkdir()
    with pytest.warns(TableWarning, match="not a file") as caught:
        assert TableStore(root).find(keys()[0]) is None
        assert TableStore(root).get(keys()[0], lambda: content(keys()[0])).source == "memory"
    assert str(shared) in str(caught[0].message)
    [(_, problem)] = TableStore(root).verify()
    assert problem is not None
    with pytest.warns(TableWarning, match="cannot remove"):
        assert TableStore(root).clear() == []


def test_a_disk_that_is_full(root: str, shared: Path) -> None:
    """A write may stop in the middle of a table. The next one replaces what it left."""
    resource = pytest.importorskip("resource")  # Windows has no such limits
    new = make_key("new", "new", "u1", (10_000,))
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (shared.stat().st_size + 5000, hard))
        with pytest.warns(TableWarning, match="No space left.*kept in memory"):
            table = TableStore(root).get(new, lambda: content(new))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert (table.source, table.data.tolist()) == ("memory", content(new).tolist())
    assert TableStore(root).find(new) is None  # without a warning: no table is damaged
    assert check(root, [*keys(), new]) == len(SIZES)
