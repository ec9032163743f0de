"""Batches on real processes: workers, schedulers and commands that are killed at any moment."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from batch_jobs import squares

import puzzlekit
import puzzlekit_batch
import puzzlekit_lab
from puzzlekit_batch.clients import local_client
from puzzlekit_batch.stream import Stream, WorkerDied

if TYPE_CHECKING:
    from conftest import Run as RunCommand

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]

PYTHON = [sys.executable, "-P", "-m"]
COUNT = 6_000
ROWS = 2_000


class Cluster:
    """A scheduler and three workers, each a process with a cache of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.file = directory / "scheduler.json"
        self.scheduler = self.start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"
        )
        while not self.file.exists():
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.worker(number) for number in range(3)]

    def start(self, kind: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        module = f"distributed.cli.dask_{kind}"
        with open(self.directory / f"{kind}.log", "ab") as log:
            return subprocess.Popen(
                [*PYTHON, module, "--scheduler-file", str(self.file), *arguments],
                env=os.environ | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def worker(self, number: int) -> subprocess.Popen[bytes]:
        cache = str(self.directory / f"cache {number}")
        options = ("--nthreads", "1", "--memory-limit", "0", "--no-dashboard")
        return self.start("worker", *options, PUZZLEKIT_CACHE=cache)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a process and those that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """Skip without the extra; importing it takes a second."""
    pytest.importorskip("distributed")


@pytest.fixture
def cluster(cache: Path, tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    for process in (*made.workers, made.scheduler):
        made.kill(process)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    solver = puzzlekit.load("cube2")
    path = tmp_path / "lines"
    states = (solver.random_state(seed) for seed in range(COUNT))
    path.write_text("".join(f"{solver.positions.to_facelets(state)}\n" for state in states))
    return path


def command(source: Path | str, output: Path, *where: str) -> list[str]:
    return ["batch", "-p", "cube2", "--input", str(source), "--output", str(output), *where]


def answers(output: Path) -> list[tuple[int, list[str]]]:
    """The lines of a file with results and their moves, in order; none is there twice."""
    found = [json.loads(line) for line in output.read_text().splitlines()]
    numbers = [each["line"] for each in found]
    assert len(set(numbers)) == len(numbers)
    return sorted((each["line"], each["moves"]) for each in found)


def expected(source: Path) -> list[tuple[int, list[str]]]:
    found = puzzlekit_batch.batch(source.read_text().split(), "cube2")
    return [(number, list(each.moves)) for number, each in enumerate(found, 1)]


def started(*arguments: str) -> subprocess.Popen[str]:
    """A command in a session of its own, with pipes to its stdin and from its stderr."""
    return subprocess.Popen(
        [*PYTHON, "puzzlekit", *arguments],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for_lines(output: Path, lines: int, process: subprocess.Popen[str]) -> None:
    while process.poll() is None:
        if output.exists() and output.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.01)


def test_three_workers_with_caches_of_their_own(
    run: RunCommand, cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    done = run(*command(source, output, "--cluster", cluster.address))
    assert done.returncode == 0, done.stderr
    assert answers(output) == expected(source)
    built = [line for line in done.stderr.splitlines() if line.startswith("tcp://")]
    assert len(built) == 3 and all("3 (" in line for line in built), done.stderr


def test_workers_that_are_killed(
    run: RunCommand, cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    process = started(*command(source, output, "--cluster", cluster.address))
    wait_for_lines(output, 100, process)
    cluster.kill(cluster.workers[0])
    cluster.workers[0] = cluster.worker(0)
    wait_for_lines(output, 400, process)
    cluster.kill(cluster.workers[1])
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert answers(output) == expected(source)


def test_a_scheduler_that_is_killed(
    run: RunCommand, cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    output = tmp_path / "answers.jsonl"
    process = started(*command("-", output, "--cluster", cluster.address))
    assert process.stdin is not None
    process.stdin.writelines(source.read_text().splitlines(keepends=True)[:400])
    process.stdin.flush()  # and the input goes on, so the command is not done
    wait_for_lines(output, 200, process)
    cluster.kill(cluster.scheduler)
    assert process.wait(timeout=120) == 4
    _, said = process.communicate()
    assert "the connection to the dask scheduler" in said and "Traceback" not in said
    assert answers(output) == expected(source)[: len(answers(output))]
    done = run(*command(source, output, "--jobs", "2"))  # elsewhere, but with the same file
    assert done.returncode == 0 and "are already done" in done.stderr
    assert answers(output) == expected(source)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_commands_that_are_killed(
    run: RunCommand, source: Path, tmp_path: Path, end: signal.Signals
) -> None:
    output = tmp_path / "answers.jsonl"
    chance = random.Random(1)
    before: list[tuple[int, list[str]]] = []
    for lines in (50, 400, 900):
        process = started(*command(source, output, "--jobs", "2"))
        wait_for_lines(output, lines + chance.randrange(50), process)
        os.killpg(process.pid, end) if end == signal.SIGINT else process.kill()
        _, said = process.communicate(timeout=60)
        assert process.returncode in (0, 130 if end == signal.SIGINT else -end), said
        assert "Traceback" not in said
        whole = output.read_bytes().rpartition(b"\n")[0]
        output.write_bytes(whole + b"\n" + b'{"schema": "puzz')
        again = [json.loads(line) for line in whole.splitlines()]
        assert [(each["line"], each["moves"]) for each in again[: len(before)]] == before
        before = [(each["line"], each["moves"]) for each in again]
    assert run(*command(source, output, "--jobs", "2")).returncode == 0
    assert answers(output) == expected(source)


def rows(output: Path) -> list[dict[str, Any]]:
    """The whole lines of a file with rows."""
    return [json.loads(line) for line in output.read_bytes().rpartition(b"\n")[0].splitlines()]


@pytest.mark.parametrize(
    ("ending", "where"), [("jsonl", ()), ("jsonl", ("--jobs", "2")), ("parquet", ())]
)
def test_data_sets_whose_command_is_killed(
    run: RunCommand, tmp_path: Path, ending: str, where: tuple[str, ...]
) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    output = tmp_path / f"rows.{ending}"
    lines = tmp_path / "rows.parquet.jsonl" if ending == "parquet" else output
    recipe = ("--kind", "walk:9", "--label", "optimal", "--count", str(ROWS))
    command = ("dataset", "-p", "cube2", *recipe, "--output", str(output), *where)
    wanted = list(puzzlekit_lab.dataset("cube2", ROWS, "walk:9", ["optimal"]))
    done = 0
    for least in (50, 400, 900):
        process = started(*command)
        wait_for_lines(lines, least, process)
        process.kill()
        _, said = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGKILL and "Traceback" not in said, said
        assert rows(lines)[:done] == wanted[:done], "what was finished is kept"
        done = len(rows(lines))
        assert done >= least
    finished = run(*command)
    assert finished.returncode == 0 and f"{done:,} rows are already done" in finished.stderr
    if ending == "jsonl":
        assert rows(output) == wanted
        return
    from pyarrow import parquet

    assert not lines.exists()
    bare = [{name: each[name] for name in each if name != "schema"} for each in wanted]
    assert parquet.read_table(output).to_pylist() == bare


@pytest.mark.parametrize("unordered", [False, True])
def test_items_that_end_their_worker(unordered: bool) -> None:
    deadly = (13, 700)
    with local_client(2) as client:
        stream = Stream(client, squares("deadly", deadly, 0.002), unordered)
        found = {key: result for key, _, result in stream.results((i, i) for i in range(1000))}
    died = {key: result for key, result in found.items() if isinstance(result, WorkerDied)}
    assert tuple(sorted(died)) == deadly
    assert all("it ended its worker 3 times" in str(each) for each in died.values())
    assert all(found[i] == i * i for i in range(1000) if i not in deadly)
    assert 7 <= stream.deaths <= 12


def test_tables_are_sent(run: RunCommand, cluster: Cluster, source: Path, tmp_path: Path) -> None:
    output = tmp_path / "answers.jsonl"
    done = run(*command(source, output, "--cluster", cluster.address, "--ship-tables"))
    assert done.returncode == 0, done.stderr
    assert "sent 9 tables" in done.stderr  # three for each of three caches
    assert not any("3 (" in line for line in done.stderr.splitlines() if line.startswith("tcp"))
    assert answers(output) == expected(source)
    asked = run("workers", cluster.address, "--json")
    assert asked.returncode == 0, asked.stdout + asked.stderr
    workers = json.loads(asked.stdout)["workers"]
    assert [each["tables"] for each in workers.values()] == [3, 3, 3]
    assert len({each["cache"] for each in workers.values()}) == 3
    shown = run("workers", cluster.address)
    assert "3 workers" in shown.stdout


def test_workers_of_one_machine_build_each_table_once(
    run: RunCommand, cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    for number in range(2):  # now three workers have the cache 2
        cluster.kill(cluster.workers[number])
        cluster.workers[number] = cluster.worker(2)
    output = tmp_path / "answers.jsonl"
    done = run(*command(source, output, "--cluster", cluster.address))
    assert done.returncode == 0, done.stderr
    built = [line for line in done.stderr.splitlines() if line.startswith("tcp://")]
    assert sum(int(line.split()[-3].lstrip("-") or 0) for line in built if "MB" in line) == 3, built
    assert answers(output) == expected(source)
