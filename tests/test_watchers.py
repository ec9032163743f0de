"""Watchers of builds: what they are told, and the time that is left."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from stores import KEY, content, must_not_build

from puzzlekit.cli import progress
from puzzlekit.tables import watchers
from puzzlekit.tables.store import TableStore, Watcher
from puzzlekit.tables.table import TableSpec

pytestmark = pytest.mark.filterwarnings("error")


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


def test_the_time_that_is_left_is_estimated(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From what the builds usually take, and from how fast they are here."""
    now = 100.0
    monkeypatch.setattr(watchers, "perf_counter", lambda: now)
    monkeypatch.setattr(watchers, "process_time", lambda: now)
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


def test_a_busy_machine_is_seen_before_any_progress(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other processes take three quarters of the time, and builds take as long as usual in it."""
    now = 100.0
    monkeypatch.setattr(watchers, "perf_counter", lambda: now)
    monkeypatch.setattr(watchers, "process_time", lambda: 7 + now / 4)
    store = TableStore(root)
    key = TableSpec("cube2", "slow", "slow", "u1", (4,), "For a test.", seconds=50.0)
    builds = watchers.Builds(store, lambda: [key])

    def build() -> bytes:
        nonlocal now
        now += 8
        builds.beat(key)
        assert 180 < builds.left < 200  # of 200 seconds of wall time, 8 are over
        now += 92
        store.tell(key, 0.5)
        assert 95 < builds.left < 105
        return bytes(4)

    with store.watched(builds):
        store.get(key, build)


@pytest.mark.parametrize(("begun", "told"), [(1, [0, 0, 1, 2]), (0, [0, 1, 2, 3])])
def test_a_bar_never_shows_less_than_no_step(
    begun: int, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "on_terminal", lambda: True)
    with progress.Stepping(3, "checking", begun) as bar:
        seen = [bar._bar.tasks[0].completed]
        for name in ("one", "two", "three"):
            bar.tell(name)
            seen.append(bar._bar.tasks[0].completed)
    assert seen == told
