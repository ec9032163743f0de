"""Stored tables are listed and cleared."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
from filelock import FileLock
from stores import KEY, PURPOSE, content, make_key, must_not_build, raising

from puzzlekit.tables.files import StoredFile
from puzzlekit.tables.store import MARK, TableStore, TableWarning

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture
def full(root: str) -> dict[str, StoredFile]:
    """Tables a and b of cube3, c of cube2, and a damaged one."""
    store = TableStore(root)
    for name, puzzle in [("a", "cube3"), ("b", "cube3"), ("c", "cube2"), ("bad", "cube2")]:
        key = make_key(name=name, puzzle=puzzle, identity=name)
        store.get(key, lambda key=key: content(key))
    Path(store.path(key)).write_bytes(b"garbage")
    return {entry.name: entry for entry in store.entries()}


def test_entries(full: dict[str, StoredFile], root: str) -> None:
    assert sorted(full) == ["a", "b", "bad", "c"]
    entry = full["a"]
    key = make_key(name="a", identity="a")
    assert (entry.puzzle, entry.name, entry.purpose) == ("cube3", "a", PURPOSE)
    assert entry.fingerprint == key.fingerprint
    assert entry.problem is None
    assert entry.path == TableStore(root).path(key)
    assert entry.nbytes == os.path.getsize(entry.path) > 600_000
    assert 0 <= entry.seconds < 10
    assert full["bad"].problem == "it is not a .npy file of version 1.0"
    assert (full["bad"].puzzle, full["bad"].nbytes) == ("cube2", 7)
    assert [problem is None for _, problem in TableStore(root).verify()] == [
        entry.problem is None for entry in TableStore(root).entries()
    ]


def test_entry_under_another_name(stored: Path, root: str) -> None:
    stored.rename(stored.with_name("x-0123456789abcdef0123456789abcdef.npy"))
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
    assert len(TableStore(root).entries()) == 2


def test_clear_stale(full: dict[str, StoredFile], root: str) -> None:
    store = TableStore(root)
    key = make_key(name="a", identity="a")
    table = store.find(key)
    removed = store.clear(keep={key.fingerprint})
    assert len(removed) == 3
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
    in_use = stored.with_name("busy-0123456789abcdef0123456789abcdef.npy.0123abcd.tmp")
    in_use.write_text("half")
    with FileLock(str(in_use.with_name("busy-0123456789abcdef0123456789abcdef.npy.lock"))) as lock:
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
