"""Measure the start of `puzzlekit serve`, and a search over HTTP until its first answer.

    python benchmarks/serve.py --runs 10

Each run starts a server and solves ten states. The first search loads the tables from disk and the
modules of the search.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from statistics import median
from typing import Any

import puzzlekit

SERVE = [sys.executable, "-m", "puzzlekit", "serve", "--port", "0"]
STATES = 10


def answered(port: int, path: str, body: dict[str, Any], until: Callable[[bytes], bool]) -> float:
    """Return the seconds until the expected line arrives."""
    start = time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"/api/puzzles/{path}", json.dumps(body), headers)
    assert any(until(line) for line in connection.getresponse())
    seconds = time.perf_counter() - start
    connection.close()
    return seconds


def measure(puzzle: str, states: list[str]) -> dict[str, float]:
    """Return the times of one run: the start, the first search, and the median of the others."""
    start = time.perf_counter()
    with subprocess.Popen(SERVE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = {"start": time.perf_counter() - start}
        port = int(line.split(b"/")[2].rpartition(b":")[2])
        times = [
            answered(port, f"{puzzle}/solve", {"stickers": each}, b"event: answer\n".__eq__)
            for each in states
        ]
        found["first answer, first search"] = times[0]
        found["first answer, later searches"] = median(times[1:])
        found["diagnosis"] = median(
            answered(port, f"{puzzle}/diagnose", {"stickers": each[:-1] + "?"}, bool)
            for each in states
        )
        server.terminate()
    return found


def main() -> None:
    """Measure and print medians and maxima."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--puzzle", default="cube3")
    parser.add_argument("--runs", type=int, default=10)
    asked = parser.parse_args()
    solver = puzzlekit.load(asked.puzzle)
    solver.prepared()  # builds the tables
    times: dict[str, list[float]] = {}
    for run in range(asked.runs + 1):
        seeds = range(run * STATES, (run + 1) * STATES)
        states = [solver.positions.to_facelets(solver.random_state(seed)) for seed in seeds]
        for name, seconds in measure(asked.puzzle, states).items():
            times.setdefault(name, []).append(seconds)
    for name, each in times.items():
        kept = each[1:]  # the first run warms the disk's cache
        print(f"{name:<29}{1000 * median(kept):7.1f} ms   at most {1000 * max(kept):7.1f} ms")


if __name__ == "__main__":
    main()
