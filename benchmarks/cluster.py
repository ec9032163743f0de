"""Measure batches: their speed-up, their overhead, and how far one scheduler carries.

    python benchmarks/cluster.py --states 20000
    python benchmarks/cluster.py --states 2000 --waiting 32

The first part solves random states of the 3x3x3 with `--max-length 20`, with one process and with
`--jobs`, and 1,000 states of the 2x2x2 with one process and with `--jobs`. `--lines` measures how
much memory the command uses for a stream of this many lines, compared with 10,000 lines.

The second part is a model. A stream is limited by its workers or by the process that reads, replays
and writes. `--waiting N` measures the cost of a task and of a line in this process: N workers
are started, and each line only waits. The model then states the lines per second of 10, 100 and
1,000 workers, and is compared with the measured rate of the N workers.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import run
from time import perf_counter, process_time

import attrs

import puzzlekit
from puzzlekit.batches.batch import Replay, solve_job
from puzzlekit.batches.clients import local_client
from puzzlekit.batches.job import Job
from puzzlekit.batches.stream import TASK_SECONDS, Stream
from puzzlekit.run.limits import Limits
from puzzlekit.solve.choice import SearchOptions
from puzzlekit.solve.json_records import as_json, solution_record
from puzzlekit.solve.solution import Solution

COMMAND = [sys.executable, "-P", "-m", "puzzlekit", "solve"]


@attrs.frozen
class Waiting(Job):
    """A job whose lines wait, and then have the same solution."""

    solution: Solution
    seconds: float

    def prepare(self, cancel: threading.Event) -> Callable[[bytes], Solution]:
        """Return the function that waits."""

        def wait(state: bytes) -> Solution:
            cancel.wait(self.seconds)
            return self.solution

        return wait


def seconds_of(puzzle: str, lines: Path, *options: str) -> tuple[float, int]:
    """Return the wall time of a command in seconds, and its largest memory in kilobytes."""
    timed = ["/usr/bin/time", "-f", "%M", *COMMAND, "-p", puzzle, "--input", str(lines), *options]
    started = perf_counter()
    done = run(timed, check=True, capture_output=True, text=True)
    return perf_counter() - started, int(done.stderr.split()[-1])


def write_states(path: Path, puzzle: str, count: int) -> Path:
    """Write random states as facelets, one per line."""
    solver = puzzlekit.load(puzzle)
    with open(path, "w") as file:
        for seed in range(count):
            file.write(f"{solver.to_facelets(solver.random_state(seed))}\n")
    return path


def compare(directory: Path, puzzle: str, count: int, jobs: int, *options: str) -> None:
    """Print the times of one process and of several."""
    lines = write_states(directory / f"{puzzle}.txt", puzzle, count)
    alone, _ = seconds_of(puzzle, lines, *options, "--output", str(directory / "alone.jsonl"))
    output = directory / "shared.jsonl"
    shared, _ = seconds_of(puzzle, lines, *options, "--jobs", str(jobs), "--output", str(output))
    for path in directory.glob("*.jsonl"):
        path.unlink()
    print(
        f"{puzzle}, {count:,} states: one process {alone:.1f} s, {jobs} processes {shared:.1f} s, "
        f"ratio {alone / shared:.2f}, difference {shared - alone:+.1f} s"
    )


def memory(directory: Path, counts: Sequence[int], jobs: int) -> None:
    """Print the largest memory of the command for short and long streams of solved states."""
    for count in counts:
        lines = directory / "solved.txt"
        with open(lines, "w") as file:
            file.writelines("R U\n" for _ in range(count))
        where = ("--jobs", str(jobs), "--output", str(directory / "solved.jsonl"))
        seconds, kilobytes = seconds_of("cube2", lines, *where)
        (directory / "solved.jsonl").unlink()
        print(f"{count:,} lines: {kilobytes / 1000:.0f} MB in {seconds:.0f} s", flush=True)


def model(workers: int, line: float, seconds: float) -> None:
    """Measure the cost of tasks and lines with waiting workers, and print what follows."""
    solver = puzzlekit.load("cube3")
    choice, limits = solver.choose(), Limits(max_length=20)
    state = solver.random_state(1)
    solution = solver.search(state, choice, limits)
    replay = Replay(solver, choice)
    job = solve_job(solver, choice, SearchOptions(), limits)
    text = solver.to_facelets(state)

    def states() -> Iterator[tuple[int, bytes]]:
        for number in range(10**9):
            yield number, solver.read_position(text).state

    with tempfile.TemporaryFile("w") as sink, local_client(workers) as client:
        waiting = Waiting(job.token, job.origin, job.versions, solution, line)
        stream = Stream(client, waiting)
        with contextlib.closing(stream.results(states())) as results:
            for _ in range(10 * workers):  # until tasks have their size
                next(results)
            ready = perf_counter() + 4 * TASK_SECONDS
            while perf_counter() < ready:
                next(results)
            begun, cpu, done = perf_counter(), process_time(), 0
            while perf_counter() - begun < seconds:
                _, given, result = next(results)
                checked = replay.check(given, result)
                assert isinstance(checked, Solution)
                sink.write(as_json(solution_record(solver, checked)))
                done += 1
            wall, busy = perf_counter() - begun, process_time() - cpu
    rate = done / wall
    cost = busy / done
    print(
        f"{workers} waiting workers, {line * 1000:g} ms a line: {rate:,.0f} lines/s of "
        f"{workers / line:,.0f}; this process and the scheduler take {cost * 1e6:.0f} us of CPU "
        "time a line"
    )
    print("model: the smaller of workers / seconds a line, and 1 / seconds of this process a line")
    for many in (workers, 10, 100, 1000):
        print(f"  {many:5,} workers: {min(many / line, 1 / cost):10,.0f} lines/s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--lines", type=int, default=0)
    parser.add_argument("--waiting", type=int, default=0)
    parser.add_argument("--line-seconds", type=float, default=0.02)
    parser.add_argument("--seconds", type=float, default=15.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        if asked.states:
            puzzlekit.load("cube2").chain()
            puzzlekit.load("cube3").chain()
            compare(directory, "cube2", 1000, asked.jobs, "--method", "optimal")
            compare(directory, "cube3", asked.states, asked.jobs, "--max-length", "20")
        if asked.lines:
            memory(directory, (10_000, asked.lines), asked.jobs)
    if asked.waiting:
        model(asked.waiting, asked.line_seconds, asked.seconds)


if __name__ == "__main__":
    main()
