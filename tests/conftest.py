"""What all tests share: tables in a directory of the session, and the bundled puzzles."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

DATA = Path(__file__).parent / "data"

sys.path.append(str(Path(__file__).parent))  # for `bundled`, what the tests share

# NumPy reads this when it is imported. Its threads wait for each other in busy loops, which takes
# ten times the time where the workers of pytest-xdist already use all cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("suite", deadline=None, max_examples=50)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --no-skips, for lanes of CI in which nothing may be missing."""
    parser.addoption("--no-skips", action="store_true", help="fail if a test was skipped")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that --no-skips forbids to skip a test."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if session.config.getoption("no_skips") and skipped:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tables of this session apart, also while tests are collected.

    Those that PUZZLEKIT_TESTS_CACHE names a directory for are there for later sessions too.
    """
    # Shells start what runs in the background with interrupts ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):  # a worker of pytest-xdist: its environment is set
        return
    if kept := os.environ.get("PUZZLEKIT_TESTS_CACHE"):
        os.environ["PUZZLEKIT_CACHE"] = os.path.abspath(kept)
        return
    directory = tempfile.mkdtemp(prefix="puzzlekit-tests-")
    os.environ["PUZZLEKIT_CACHE"] = directory
    config.add_cleanup(lambda: shutil.rmtree(directory, ignore_errors=True))


@pytest.hookimpl(optionalhook=True)  # also without pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are cores: a quarter of the time, a test only waits."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect 9,000 tests without looking at all of them for garbage again and again.

    That takes 4 of 10 seconds of each worker. What is collected stays until the end.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let workers import a module in turn: the first one rewrites its assertions for all.

    They begin together, and would otherwise all do so with each of 200 modules.
    """
    with contextlib.ExitStack() as stack:
        if isinstance(collector, pytest.Module) and sys.platform != "win32":
            import fcntl

            file = stack.enter_context(collector.path.open())
            with contextlib.suppress(OSError):  # some file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        return (yield)


@pytest.hookimpl(tryfirst=True)  # before -m selects by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as quick what has no mark that says otherwise; a browser and harm take their time."""
    for item in items:
        directory = item.path.parent.name
        if not {mark.name for mark in item.iter_markers()} & {"slow", "thorough", "long"} and (
            directory not in ("browser", "faults")
        ):
            item.add_marker("quick")


@pytest.fixture(scope="session")
def positions_at_depth() -> dict[str, list[int]]:
    """Exact numbers of positions at each depth, by puzzle and metric."""
    text = (DATA / "depth_distributions.json").read_text()
    return {name: entry["positions_at_depth"] for name, entry in json.loads(text).items()}


@pytest.fixture(scope="session")
def random_facelets() -> dict[str, list[str]]:
    """Random states of each puzzle, as facelets."""
    return {
        puzzle: (DATA / f"{puzzle}_states.txt").read_text().split()
        for puzzle in ("cube2", "cube3", "cube4")
    }


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A directory for a store of tables, which does not exist yet."""
    return str(tmp_path / "cache")


@pytest.fixture
def own_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, small tables get files of their own, too."""
    monkeypatch.setattr("puzzlekit.tables.store.MOST", 0)


@pytest.fixture
def stored(root: str) -> Path:
    """A good file of `stores.KEY` on disk."""
    from stores import KEY, content

    from puzzlekit.tables.store import TableStore

    store = TableStore(root)
    store.get(KEY, lambda: content(KEY))
    return Path(store.path(KEY))
