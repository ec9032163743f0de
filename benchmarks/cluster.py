"""Measure batches: speed-up, overhead, memory, kills, and how far one scheduler carries.

    python benchmarks/cluster.py
    python benchmarks/cluster.py --states 2000 --waiting 32

Each option selects a part. Without options, all parts run with the numbers in brackets.

- `--states` [20000]: random states of the 3x3x3 with `--max-length 20`, with one process and with
  `--jobs`. `--optimal` [1000]: proven answers of the 2x2x2, likewise. Both commands run `--rounds`
  times in turns, and the times are sums: the speed of a shared machine changes.
- `--lines` [1000000]: the memory of the command for a stream of 10,000 and of this many lines.
- `--kills` [3]: `kill -9` ends a batch this many times, and the same command continues it. No line
  may be written twice. The lost work is the time since the first line, less the mean time of the
  written lines in each process. So it includes the time that processes wait, and is an upper bound.
- `--waiting` [32]: this many workers that only wait. The result is the cost of a line in the
  process that reads, replays and writes. A stream is limited by this process or by its workers.
  This model states the lines per second of 10, 100 and 1,000 workers, and is compared with the
  measured rate of the waiting workers.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen, run
from time import perf_counter, process_time, sleep

import attrs

import puzzlekit
from puzzlekit.search.limits import Limits
from puzzlekit.search.options import SearchOptions
from puzzlekit.search.solution import Solution, as_json
from puzzlekit_batch.clients import local_client
from puzzlekit_batch.job import Job
from puzzlekit_batch.solve_many import Replay, solve_job
from puzzlekit_batch.stream import TASK_SECONDS, Stream

#: The parts, with the number of each without options.
PARTS = {
    "--states": (20_000, "random states of the 3x3x3 to solve"),
    "--optimal": (1_000, "random states of the 2x2x2 to solve"),
    "--lines": (1_000_000, "lines of the longer stream"),
    "--kills": (3, "number of times that a batch is killed"),
    "--waiting": (32, "workers that only wait"),
}
KILLED = 20_000  # states of the batch that is killed
COMMAND = [sys.executable, "-P", "-m", "puzzlekit", "batch"]


@attrs.frozen
class Waiting(Job):
    """A job whose lines wait, and then have the same solution."""

    solution: Solution
    seconds: float

    def prepare(
        self, solvers: Sequence[puzzlekit.Solver], cancel: threading.Event
    ) -> Callable[[bytes], Solution]:
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
            file.write(f"{solver.positions.to_facelets(solver.random_state(seed))}\n")
    return path


def compare(
    directory: Path, puzzle: str, count: int, rounds: int, jobs: int, *options: str
) -> None:
    """Print the times of one process and of several."""
    lines = write_states(directory / f"{puzzle}.txt", puzzle, count)
    output = directory / "answers.jsonl"
    alone = shared = 0.0
    for _ in range(rounds):
        where = (*options, "--output", str(output))
        alone += seconds_of(puzzle, lines, *where)[0]
        output.unlink()
        shared += seconds_of(puzzle, lines, *where, "--jobs", str(jobs))[0]
        output.unlink()
    print(
        f"{puzzle}, {rounds} x {count:,} states: one process {alone:.1f} s, {jobs} processes "
        f"{shared:.1f} s, ratio {alone / shared:.2f}, difference "
        f"{(shared - alone) / rounds:+.1f} s",
        flush=True,
    )


def memory(directory: Path, counts: Sequence[int], jobs: int) -> None:
    """Print the largest memory of the command for short and long streams of near states."""
    found = []
    for count in counts:
        lines = directory / "near.txt"
        with open(lines, "w") as file:
            file.writelines("R U\n" for _ in range(count))
        where = ("--jobs", str(jobs), "--output", str(directory / "near.jsonl"))
        seconds, kilobytes = seconds_of("cube2", lines, *where)
        (directory / "near.jsonl").unlink()
        found.append(kilobytes / 1000)
        print(f"{count:,} lines: {found[-1]:.0f} MB in {seconds:.0f} s", flush=True)
    print(f"difference {found[-1] - found[0]:+.0f} MB, ratio {found[-1] / found[0]:.2f}")


def kills(directory: Path, count: int, jobs: int, seconds: float) -> None:
    """Kill a command again and again, and print how much work each kill lost."""
    lines, output = (
        write_states(directory / "states.txt", "cube3", KILLED),
        directory / "answers.jsonl",
    )
    where = ("--input", str(lines), "--jobs", str(jobs), "--output", str(output))
    command = [*COMMAND, "-p", "cube3", "--max-length", "20", *where]
    before: list[bytes] = []
    for number in range(1, count + 1):
        process = Popen(command, stderr=DEVNULL)
        while not output.exists() or output.read_bytes().count(b"\n") <= len(before):
            if process.poll() is not None:
                sys.exit("the command ended before it was killed: choose fewer --kills")
            sleep(0.01)
        begun = perf_counter()
        sleep(seconds)
        process.kill()
        worked = perf_counter() - begun
        process.wait()
        written = output.read_bytes().splitlines(keepends=True)
        whole = [each for each in written if each.endswith(b"\n")]
        if whole[: len(before)] != before:
            sys.exit("a line that was written before has changed")
        busy = sum(json.loads(each)["seconds"] for each in whole[len(before) :]) / jobs
        print(
            f"kill {number}: {len(whole) - len(before)} lines in {worked:.1f} s of work; at most "
            f"{worked - busy:.1f} s of it lost",
            flush=True,
        )
        before = whole
    run(command, check=True, stderr=DEVNULL)
    records = [json.loads(each) for each in output.read_bytes().splitlines()]
    numbers = sorted(each["line"] for each in records)
    if numbers != [*range(1, KILLED + 1)]:
        sys.exit("a line is missing or repeated")
    print(f"then the same command wrote the rest: {KILLED} lines, none of them twice")


def model(workers: int, line: float, seconds: float) -> None:
    """Measure the cost of tasks and lines with waiting workers, and print what follows."""
    solver = puzzlekit.load("cube3")
    choice, limits = solver.choose(), Limits(max_length=20)
    state = solver.random_state(1)
    solution = solver.search(state, choice, limits)
    replay = Replay(solver, choice)
    job = solve_job(solver, choice, SearchOptions(), limits)
    text = solver.positions.to_facelets(state)

    def states() -> Iterator[tuple[int, bytes]]:
        for number in range(10**9):
            yield number, solver.positions.read_position(text).state

    with tempfile.TemporaryFile("w") as sink, local_client(workers) as client:
        waiting = Waiting(job.token, job.sources, solution, line)
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
                sink.write(as_json(checked.to_dict()))
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
    for many in (10, 100, 1000):
        print(f"  {many:5,} workers: {min(many / line, 1 / cost):10,.0f} lines/s")
    stated = min(workers / line, 1 / cost)
    print(
        f"  {workers:5,} workers: {stated:10,.0f} lines/s; measured {rate:,.0f}, ratio "
        f"{rate / stated:.2f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, (_, words) in PARTS.items():
        parser.add_argument(name, type=int, default=0, help=words)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kill-seconds", type=float, default=8.0)
    parser.add_argument("--line-seconds", type=float, default=0.02)
    parser.add_argument("--seconds", type=float, default=15.0)
    asked = parser.parse_args()
    if not any(getattr(asked, name.strip("-")) for name in PARTS):
        for name, (number, _) in PARTS.items():
            setattr(asked, name.strip("-"), number)
    puzzlekit.load("cube2").prepared()
    puzzlekit.load("cube3").prepared()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        if asked.states:
            length = ("--max-length", "20")
            compare(directory, "cube3", asked.states, asked.rounds, asked.jobs, *length)
        if asked.optimal:
            method = ("--method", "optimal")
            compare(directory, "cube2", asked.optimal, asked.rounds, asked.jobs, *method)
        if asked.lines:
            memory(directory, (10_000, asked.lines), asked.jobs)
        if asked.kills:
            kills(directory, asked.kills, asked.jobs, asked.kill_seconds)
    if asked.waiting:
        model(asked.waiting, asked.line_seconds, asked.seconds)


if __name__ == "__main__":
    main()
