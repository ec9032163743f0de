"""What is asked for never takes memory, or open files, without bound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import puzzlekit
import puzzlekit_lab
from puzzlekit import Solver, StateError, UsageError
from puzzlekit.search.limits import Limits
from puzzlekit.tables.store import TableStore
from puzzlekit_lab.case import Case
from puzzlekit_lab.comparison import Experiment

resource = pytest.importorskip("resource", reason="memory is limited by a call of POSIX")

DEFINITION = str(Path(__file__).parents[2] / "examples" / "definitions" / "pyraminx.tws")
MOST = 3 << 30  # bytes; more than any of these commands needs
with_devices = pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no device")
with_descriptors = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="Linux counts them"
)


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that gets no more memory than MOST."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "puzzlekit", *arguments],
        cwd=directory,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST)),
    )


def test_coordinates_that_contradict_each_other(tmp_path: Path) -> None:
    """One place could hold nothing: 0 states, though the other places left a billion."""
    done = run(tmp_path, "check", "--puzzle", "cube3", "--state", "slice=4,middle=0")
    assert done.returncode == 3
    assert done.stderr == "error: no state has these coordinates: they contradict each other\n"


@pytest.mark.long
@pytest.mark.parametrize("puzzle", ["cube2", "cube3", "cube4", "fifteen", "pyraminx", "skewb"])
def test_any_coordinates(puzzle: str) -> None:
    from random import Random

    from puzzlekit_lab.named_coordinates import coordinate_values

    chance = Random(puzzle)
    solver = puzzlekit.load(puzzle)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for method in solver.methods:
        known = coordinate_values(solver.puzzle, method, solver.puzzle.solved)
        for _ in range(100):
            some = chance.sample(known, chance.randint(1, len(known)))
            given = {each.name: chance.choice([0, chance.randrange(each.size)]) for each in some}
            try:
                solver.catalogue.from_coordinates(given, method.name)
            except StateError as error:
                assert error.faults
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_lengths_without_end_are_refused() -> None:
    cube = puzzlekit.load("cube2")
    for lengths in (
        {"max_length": 10**9},
        {"max_length": 1001},
        {"min_length": 1001, "max_length": 9},
    ):
        with pytest.raises(UsageError, match="_length must be a whole number from 0 to 1,000"):
            puzzlekit_lab.find(cube, effect="(URF UBR)", timeout=1, **lengths)


def test_threads_and_instances_without_end_are_refused() -> None:
    with pytest.raises(UsageError, match="threads must be a whole number from 1 to 1,024"):
        Limits(threads=10**6).checked()
    with pytest.raises(UsageError, match="count must be a whole number from 1 to 1,000,000"):
        Experiment([Case(puzzlekit.load("cube2"))], ["max"], count=10**9)


@with_descriptors
def test_parameters_of_a_heuristic_leave_nothing_open(cache: Path) -> None:
    """However many are tried in one process, as many files stay open as a few take."""
    loaded = puzzlekit.load("cube2")
    solver = Solver(loaded.puzzle, loaded.methods, TableStore(str(cache)))
    opened = []
    for number in range(60):
        solver.prepared("small-tables", heuristic=f"blended:a={2 + number / 100}")
        opened.append(len(os.listdir("/proc/self/fd")))
    assert opened[-1] == opened[20]


@with_devices
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ("solve", "--puzzle", "cube2", "R", "--metric", "zero.toml"),
            "too large for the description",
        ),
        (
            ("batch", "--puzzle", "cube2", "--input", "zero.toml"),
            "line 1 of the input is longer than 1 GB",
        ),
        (("solve", "--puzzle", "zero.tws", "R"), "larger than 20,000,000 bytes"),
        (
            ("solve", "--puzzle", DEFINITION, "--state", "zero.tws"),
            "larger than 20,000,000 bytes",
        ),
    ],
)
def test_a_device_has_no_end(tmp_path: Path, arguments: tuple[str, ...], problem: str) -> None:
    for name in ("zero.toml", "zero.tws"):
        (tmp_path / name).symlink_to("/dev/zero")
    done = run(tmp_path, *arguments)
    assert done.returncode == 2 and "error: " in done.stderr and problem in done.stderr
